import { gramsOf } from '../analysis/grams.ts';
import type { PostingsBuilder } from './postings-builder.ts';
import { GrowingNumbers } from './growing.ts';
import type { Row } from './source-words.ts';
import type { WordForms } from './word-forms.ts';

/** Counts the words of a passage, then each distinct one as terms and as 4-grams. */
export class WordCounter {
  readonly #forms: WordForms;
  readonly #words: PostingsBuilder;
  readonly #grams: PostingsBuilder;
  /** How often each word occurs in the open passage, in tenths, and which words do. */
  readonly #tenths: Uint32Array;
  readonly #open = new GrowingNumbers();
  /**
   * The numbers under which a word is counted, `ids.slice(firsts[word], lasts[word])`: those of its terms come before
   * `middles[word]`, those of its 4-grams from there on. An empty range is that of a word that has not been counted yet.
   */
  readonly #ids = new GrowingNumbers();
  readonly #firsts: Uint32Array;
  readonly #middles: Uint32Array;
  readonly #lasts: Uint32Array;
  /** Words with the same forms, such as those that differ only in case, by the first of them. */
  readonly #known = new Map<string, number>();

  constructor(forms: WordForms, words: PostingsBuilder, grams: PostingsBuilder) {
    const { length } = forms.table.texts;
    this.#forms = forms;
    this.#tenths = new Uint32Array(length);
    this.#firsts = new Uint32Array(length);
    this.#middles = new Uint32Array(length);
    this.#lasts = new Uint32Array(length);
    this.#words = words;
    this.#grams = grams;
  }

  count(words: Uint32Array, { from, to }: Row, tenths: number): void {
    const counts = this.#tenths;
    for (let i = from; i < to; i++) {
      const number = words[i]!;
      if (counts[number] === 0) this.#open.push(number);
      counts[number]! += tenths;
    }
  }

  closePassage({ words, letters }: { words: number; letters: number }): void {
    const open = this.#open.values;
    for (let i = 0; i < this.#open.length; i++) {
      const number = open[i]!;
      if (this.#lasts[number] === 0) this.#number(number);
      const tenths = this.#tenths[number]!;
      const ids = this.#ids.values;
      const middle = this.#middles[number]!;
      this.#words.add(ids, this.#firsts[number]!, middle, tenths);
      this.#grams.add(ids, middle, this.#lasts[number]!, tenths);
      this.#tenths[number] = 0;
    }
    this.#open.length = 0;
    this.#words.closePassage(words);
    this.#grams.closePassage(letters);
  }

  #number(word: number): void {
    const folded = this.#forms.table.folded[word]!;
    const stems = this.#forms.stemsOf(word);
    const key = `${folded} ${stems.join(' ')}`;
    let first = this.#known.get(key);
    if (first === undefined) {
      this.#known.set(key, (first = word));
      this.#firsts[word] = this.#ids.length;
      for (const stem of stems) this.#ids.push(this.#words.id(stem));
      this.#middles[word] = this.#ids.length;
      for (const gram of gramsOf(folded)) this.#ids.push(this.#grams.id(gram));
      this.#lasts[word] = this.#ids.length;
    }
    this.#firsts[word] = this.#firsts[first]!;
    this.#middles[word] = this.#middles[first]!;
    this.#lasts[word] = this.#lasts[first]!;
  }
}
