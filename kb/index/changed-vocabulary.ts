import type { Vocabulary } from '../analysis/compounds.ts';
import { ChangedParts } from './other-compounds.ts';
import type { CountedWords } from './searched.ts';

/**
 * The vocabulary of a base after a change: the counts before it, less those of removed words, plus those of new words.
 */
export class ChangedVocabulary implements Vocabulary {
  readonly #before: CountedWords;
  /** The difference in the count of each changed word. */
  readonly #changes: ReadonlyMap<string, number>;
  /** New words. */
  readonly come: readonly string[];
  /** New words, and words that no longer exist. */
  readonly flipped: ChangedParts;
  readonly isSame: boolean;

  constructor(before: CountedWords, gone: ReadonlyMap<string, number>, come: ReadonlyMap<string, number>) {
    const changes = new Map(come);
    for (const [word, count] of gone) changes.set(word, (changes.get(word) ?? 0) - count);
    this.#before = before;
    this.#changes = changes;
    const flipped = [...changes.keys()].filter((word) => before.has(word) !== this.has(word));
    this.come = flipped.filter((word) => !before.has(word));
    this.flipped = new ChangedParts(flipped);
    this.isSame = flipped.length === 0;
  }

  has(word: string): boolean {
    return (this.#before.get(word) ?? 0) + (this.#changes.get(word) ?? 0) > 0;
  }
}
