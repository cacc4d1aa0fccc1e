import { markedWord, SIZE } from '../analysis/grams.ts';
import { Letters } from '../analysis/letters.ts';
import type { GrowingNumbers } from './growing.ts';
import type { PostingsBuilder } from './postings-builder.ts';
import type { Terms } from './word-counter.ts';

/** Words are counted as their 4-grams, which depend on no other word of the base. */
export class WordGrams implements Terms {
  readonly usualLength = 480;
  readonly #folded: readonly string[];
  readonly #marked = new Letters();

  /** @param folded the words, to which others may be added later */
  constructor(folded: readonly string[]) {
    this.#folded = folded;
  }

  /** The length of a passage is the number of letters in its words. */
  lengthOf(word: number): number {
    return this.#folded[word]!.length;
  }

  keyOf(word: number): string {
    return this.#folded[word]!;
  }

  number(word: number, postings: PostingsBuilder, ids: GrowingNumbers): void {
    const marked = this.#marked;
    marked.read(markedWord(this.#folded[word]!));
    const size = Math.min(SIZE, marked.length);
    for (let from = 0; from + size <= marked.length; from++)
      ids.push(postings.idOf(marked, from, from + size));
  }
}
