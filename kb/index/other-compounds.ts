import { MIN_PART, splitCompound, startAt, STARTS, type Vocabulary } from '../analysis/compounds.ts';
import type { Steps } from '../steps.ts';

/** New and removed words of a vocabulary, to be found as parts of other words. */
export class ChangedParts {
  /** The words by a hash of their first letters. */
  readonly #byStart = new Map<number, string[]>();
  readonly #isStart = new Uint8Array(STARTS);

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const start = startAt(word, 0);
      this.#isStart[start] = 1;
      const known = this.#byStart.get(start);
      if (known === undefined) this.#byStart.set(start, [word]);
      else known.push(word);
    }
  }

  /** Whether a word contains one of these words. If it contains none, it is split as before. */
  isIn(word: string): boolean {
    for (let at = 0; at + MIN_PART <= word.length; at++) {
      const start = startAt(word, at);
      if (this.#isStart[start] === 1 && this.#byStart.get(start)!.some((part) => word.startsWith(part, at)))
        return true;
    }
    return false;
  }
}

const WORDS_A_STEP = 100;
/** The cost of searching a word for parts, measured in compared words. */
const TO_LOOK = 3;

/** The words that are split differently after a change of the vocabulary. */
export function* otherCompounds(
  words: readonly string[],
  parts: ChangedParts,
  before: Vocabulary,
  after: Vocabulary,
): Steps<string[]> {
  const others: string[] = [];
  for (const [number, word] of words.entries()) {
    if (parts.isIn(word) && splitCompound(word, before).join() !== splitCompound(word, after).join())
      others.push(word);
    if (number % WORDS_A_STEP === 0) yield TO_LOOK * WORDS_A_STEP;
  }
  return others;
}
