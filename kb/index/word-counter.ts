import { Letters } from '../analysis/letters.ts';
import { markedWord, SIZE } from '../analysis/grams.ts';
import type { PostingsBuilder } from './postings-builder.ts';
import { GrowingNumbers } from './growing.ts';
import type { Row } from './source-words.ts';
import type { WordForms } from './word-forms.ts';

/**
 * What is known of a word: how often it occurs in the open passage, in tenths, and the numbers under which it is counted,
 * which are a range of `#ids`. Those of its terms come before `MIDDLE`, those of its 4-grams from there on. `LAST` is 0 while
 * they are unknown.
 */
const COUNT = 0;
const FIRST = 1;
const MIDDLE = 2;
const LAST = 3;
const FIELDS = 4;

/** Counts the words of a passage, then each distinct one as terms and as 4-grams. */
export class WordCounter {
  readonly #forms: WordForms;
  readonly #words: PostingsBuilder;
  readonly #grams: PostingsBuilder;
  /** The fields of all words, those of one word side by side, because memory is read in lines of sixteen numbers. */
  readonly #fields: Uint32Array;
  /** The words in the open passage, by the place of their fields. */
  readonly #open = new GrowingNumbers();
  readonly #ids = new GrowingNumbers();
  readonly #marked = new Letters();
  /** The first word with the same forms, by its forms: words that differ only in case are counted as that one. */
  readonly #known = new Map<string, number>();

  constructor(forms: WordForms, words: PostingsBuilder, grams: PostingsBuilder) {
    this.#forms = forms;
    this.#fields = new Uint32Array(FIELDS * forms.table.texts.length);
    this.#words = words;
    this.#grams = grams;
  }

  count(words: Uint32Array, { from, to }: Row, tenths: number): void {
    const fields = this.#fields;
    this.#open.reserve(to - from);
    const open = this.#open.values;
    let { length } = this.#open;
    for (let i = from; i < to; i++) {
      const at = FIELDS * words[i]!;
      if (fields[at + COUNT] === 0) open[length++] = at;
      fields[at + COUNT]! += tenths;
    }
    this.#open.length = length;
  }

  closePassage({ words, letters }: { words: number; letters: number }): void {
    const open = this.#open.values;
    const fields = this.#fields;
    for (let i = 0; i < this.#open.length; i++) {
      const at = open[i]!;
      if (fields[at + LAST] === 0) this.#number(at);
      const tenths = fields[at + COUNT]!;
      const ids = this.#ids.values;
      const middle = fields[at + MIDDLE]!;
      this.#words.add(ids, fields[at + FIRST]!, middle, tenths);
      this.#grams.add(ids, middle, fields[at + LAST]!, tenths);
      fields[at + COUNT] = 0;
    }
    this.#open.length = 0;
    this.#words.closePassage(words);
    this.#grams.closePassage(letters);
  }

  #number(at: number): void {
    const fields = this.#fields;
    const word = at / FIELDS;
    const folded = this.#forms.table.folded[word]!;
    const stems = this.#forms.stemsOf(word);
    const key = `${folded} ${stems.join(' ')}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      for (const field of [FIRST, MIDDLE, LAST]) fields[at + field] = fields[known + field]!;
      return;
    }
    this.#known.set(key, at);
    fields[at + FIRST] = this.#ids.length;
    for (const stem of stems) this.#ids.push(this.#words.id(stem));
    fields[at + MIDDLE] = this.#ids.length;
    this.#numberGrams(folded);
    fields[at + LAST] = this.#ids.length;
  }

  #numberGrams(folded: string): void {
    const marked = this.#marked;
    marked.read(markedWord(folded));
    const size = Math.min(SIZE, marked.length);
    for (let from = 0; from + size <= marked.length; from++)
      this.#ids.push(this.#grams.idOf(marked, from, from + size));
  }
}
