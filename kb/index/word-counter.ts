import { gramsOf } from '../analysis/grams.ts';
import type { PostingsBuilder } from './postings-builder.ts';
import { GrowingNumbers } from './growing.ts';
import { oneForEach, type WordForms } from './word-forms.ts';

/** The numbers under which a word is counted. */
interface Ids {
  readonly terms: readonly number[];
  readonly grams: readonly number[];
}

/** Counts the words of a passage, then each distinct one as terms and as 4-grams. */
export class WordCounter {
  readonly #forms: WordForms;
  readonly #words: PostingsBuilder;
  readonly #grams: PostingsBuilder;
  readonly #ids: (Ids | undefined)[];
  /** How often each word occurs in the open passage, in tenths, and which words do. */
  readonly #tenths: Uint32Array;
  readonly #open = new GrowingNumbers();
  /** The numbers of words with the same form, such as those that differ only in case. */
  readonly #known = new Map<string, Ids>();

  constructor(forms: WordForms, words: PostingsBuilder, grams: PostingsBuilder) {
    this.#forms = forms;
    this.#ids = oneForEach(forms.table);
    this.#tenths = new Uint32Array(forms.table.texts.length);
    this.#words = words;
    this.#grams = grams;
  }

  count(row: Uint32Array, tenths: number): void {
    for (let i = 0; i < row.length; i++) {
      const number = row[i]!;
      if (this.#tenths[number] === 0) this.#open.push(number);
      this.#tenths[number]! += tenths;
    }
  }

  closePassage({ words, letters }: { words: number; letters: number }): void {
    const open = this.#open.values;
    for (let i = 0; i < this.#open.length; i++) {
      const number = open[i]!;
      const tenths = this.#tenths[number]!;
      const { terms, grams } = this.#ids[number] ?? this.#idsOf(number);
      for (let j = 0; j < terms.length; j++) this.#words.add(terms[j]!, tenths);
      for (let j = 0; j < grams.length; j++) this.#grams.add(grams[j]!, tenths);
      this.#tenths[number] = 0;
    }
    this.#open.length = 0;
    this.#words.closePassage(words);
    this.#grams.closePassage(letters);
  }

  #idsOf(number: number): Ids {
    const folded = this.#forms.table.folded[number]!;
    const stems = this.#forms.stemsOf(number);
    const key = `${folded} ${stems.join(' ')}`;
    let ids = this.#known.get(key);
    if (ids === undefined) {
      ids = {
        terms: stems.map((stem) => this.#words.id(stem)),
        grams: gramsOf(folded).map((gram) => this.#grams.id(gram)),
      };
      this.#known.set(key, ids);
    }
    this.#ids[number] = ids;
    return ids;
  }
}
