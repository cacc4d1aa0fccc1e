import { GrowingNumbers } from './growing.ts';
import type { PostingsData } from './postings.ts';
import { PostingsBuilder, TENTHS } from './postings-builder.ts';
import { askedOf, bodiesOf, sectionOf, titleOf, type Row, type SourceWords } from './source-words.ts';

/**
 * A word of a text counts as ten tenths; words of titles, sections and lines with questions count as much as is given
 * here. Like the weights of a search, the values were chosen on the development halves of XQuAD de, SQuAD 2.0 en and
 * the statutes, and the results change little around them.
 */
const TITLE_TENTHS = 15;
const SECTION_TENTHS = 5;
/** The headings above a passage of a document say as much about it as its title. */
const HEADINGS_TENTHS = TITLE_TENTHS;
const ASKED_TENTHS = 6;

/** The terms under which words are counted: their stems, or their 4-grams. */
export interface Terms {
  /** The length of a usual passage. */
  readonly usualLength: number;
  /** What a word adds to the length of its passage. */
  lengthOf(word: number): number;
  /** Words with the same key have the same terms. */
  keyOf(word: number): string;
  /** Appends the numbers of the word's terms in the postings. */
  number(word: number, postings: PostingsBuilder, ids: GrowingNumbers): void;
}

/**
 * The fields of a word: its count in the open passage, in tenths; its length; and the range of `#ids` with the numbers
 * of its terms, from `FIRST` to `LAST`. `LAST` is 0 until the terms are known.
 */
const COUNT = 0;
const LENGTH = 1;
const FIRST = 2;
const LAST = 3;
const FIELDS = 4;

/** Counts the words of passages. Each distinct word of a passage is counted for all of its terms. */
export class WordCounter {
  readonly #terms: Terms;
  readonly #postings: PostingsBuilder;
  /**
   * The fields of all words. The fields of one word are side by side, because the processor reads memory in lines of
   * sixteen numbers.
   */
  #fields: Uint32Array;
  /** The words in the open passage, by the place of their fields. */
  readonly #open = new GrowingNumbers();
  readonly #ids = new GrowingNumbers();
  /** The first word with each key. Words that differ only in case are counted as this word. */
  readonly #known = new Map<string, number>();

  /** @param words the number of words; `reserve` makes room for more */
  constructor(terms: Terms, words: number) {
    this.#terms = terms;
    this.#postings = new PostingsBuilder(terms.usualLength);
    this.#fields = new Uint32Array(FIELDS * words);
  }

  /** Makes room for this many words in all. */
  reserve(words: number): void {
    if (FIELDS * words <= this.#fields.length) return;
    const before = this.#fields;
    this.#fields = new Uint32Array(2 * FIELDS * words);
    this.#fields.set(before);
  }

  /** Counts the passages of a source. */
  add(source: SourceWords): void {
    const { words } = source;
    const title = titleOf(source);
    const section = sectionOf(source);
    const asked = askedOf(source);
    for (const body of bodiesOf(source)) {
      const length = this.#count(words, body, TENTHS);
      this.#count(words, title, TITLE_TENTHS);
      this.#count(words, section, source.isOfDocument ? HEADINGS_TENTHS : SECTION_TENTHS);
      this.#count(words, asked, ASKED_TENTHS);
      this.#closePassage(length);
    }
  }

  build(): PostingsData {
    return this.#postings.build();
  }

  /** Returns the length of the row. */
  #count(words: Uint32Array, { from, to }: Row, tenths: number): number {
    const fields = this.#fields;
    this.#open.reserve(to - from);
    const open = this.#open.values;
    let { length } = this.#open;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const at = FIELDS * words[i]!;
      if (fields[at + COUNT] === 0) {
        open[length++] = at;
        if (fields[at + LAST] === 0) this.#number(at);
      }
      fields[at + COUNT]! += tenths;
      sum += fields[at + LENGTH]!;
    }
    this.#open.length = length;
    return sum;
  }

  #closePassage(length: number): void {
    const open = this.#open.values;
    const fields = this.#fields;
    const ids = this.#ids.values;
    for (let i = 0; i < this.#open.length; i++) {
      const at = open[i]!;
      this.#postings.add(ids, fields[at + FIRST]!, fields[at + LAST]!, fields[at + COUNT]!);
      fields[at + COUNT] = 0;
    }
    this.#open.length = 0;
    this.#postings.closePassage(length);
  }

  #number(at: number): void {
    const fields = this.#fields;
    const word = at / FIELDS;
    fields[at + LENGTH] = this.#terms.lengthOf(word);
    const key = this.#terms.keyOf(word);
    const known = this.#known.get(key);
    if (known !== undefined) {
      fields[at + FIRST] = fields[known + FIRST]!;
      fields[at + LAST] = fields[known + LAST]!;
      return;
    }
    this.#known.set(key, at);
    fields[at + FIRST] = this.#ids.length;
    this.#terms.number(word, this.#postings, this.#ids);
    fields[at + LAST] = this.#ids.length;
  }
}
