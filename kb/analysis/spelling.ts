import { TO_NUMBER, type Steps } from '../steps.ts';

/**
 * Words with fewer letters are not corrected, because they have too many neighbours. The only exception is a word with
 * one letter less that lacks an inner letter of a known word.
 */
const SHORTEST = 5;
/**
 * From this length on one letter may be replaced by another. In a shorter word this would give a different word
 * (`Gedicht`, `Gericht`), unless both letters sound alike.
 */
const ANOTHER_FROM = 10;
const ALIKE: ReadonlySet<string> = new Set(['dt', 'bp', 'gk', 'sz', 'fv', 'ck', 'iy', 'ei', 'mn']);
/** From this length on a word may have two mistakes. */
const LONG = 12;

/** The number of words that are added in one step. */
const WORDS_A_STEP = 50;

/** Finds the known word that was most likely meant by a mistyped one. */
export class Speller {
  readonly #byLength = new Map<number, string[]>();
  readonly #before: Speller | null;

  /** @param before an earlier speller whose words this speller knows too */
  constructor(words: Iterable<string> = [], before: Speller | null = null) {
    this.#before = before;
    for (const word of words) this.#add(word);
  }

  /** Adds words step by step. */
  *learning(words: readonly string[]): Steps<void> {
    for (const [number, word] of words.entries()) {
      this.#add(word);
      if (number % WORDS_A_STEP === 0) yield TO_NUMBER * WORDS_A_STEP;
    }
  }

  /**
   * Returns the known words that are one edit away (a letter added, missing or wrong, or two neighbours swapped;
   * Damerau, 1964). If there are none and the word is long, it returns the known words that are two edits away. Words
   * of equal length come first; words of one length are in alphabetical order.
   *
   * @param counts whether a known word is still valid; only called for the few words that are near
   */
  near(word: string, counts: (known: string) => boolean = () => true): string[] {
    const find = (longer: readonly number[], isMeant: (known: string) => boolean): string[] =>
      longer.flatMap((by) => [
        ...new Set(
          this.#ofLength(word.length + by, isMeant)
            .filter(counts)
            .toSorted(),
        ),
      ]);
    if (word.length === SHORTEST - 1)
      return find([1], (known) => known.at(-1) === word.at(-1) && isOneSlip(word, known));
    if (word.length < SHORTEST) return [];
    const one = find([0, 1, -1], (known) => isOneSlip(word, known));
    if (one.length > 0 || word.length < LONG) return one;
    return find([0, 1, -1, 2, -2], (known) => known[0] === word[0] && isTwoEdits(word, known));
  }

  #add(word: string): void {
    if (word.length < SHORTEST - 1) return;
    const bucket = this.#byLength.get(word.length);
    if (bucket === undefined) this.#byLength.set(word.length, [word]);
    else bucket.push(word);
  }

  #ofLength(length: number, isMeant: (known: string) => boolean): string[] {
    const own = this.#byLength.get(length)?.filter(isMeant) ?? [];
    return this.#before === null ? own : [...this.#before.#ofLength(length, isMeant), ...own];
  }
}

/** Hardly anybody mistypes the first letter, other than by swapping it with the second: `paternity` is not `maternity`. */
export const beginsAlike = (a: string, b: string): boolean =>
  a[0] === b[0] || (a[0] === b[1] && a[1] === b[0]);

/** Whether two words are one typing error apart. */
function isOneSlip(a: string, b: string): boolean {
  if (!beginsAlike(a, b) || !isOneEdit(a, b)) return false;
  return a.length >= ANOTHER_FROM || isSlip(a, b) || ALIKE.has(otherLetters(a, b));
}

/** Whether two words that are one edit apart differ by an added letter, or by two swapped ones. */
function isSlip(a: string, b: string): boolean {
  const at = firstDifference(a, b);
  return a.length !== b.length || (a[at] === b[at + 1] && a[at + 1] === b[at]);
}

/** The first letters in which the two words differ, in alphabetical order. */
function otherLetters(a: string, b: string): string {
  const at = firstDifference(a, b);
  return a[at]! < b[at]! ? `${a[at]}${b[at]}` : `${b[at]}${a[at]}`;
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (a[at] === b[at]) at++;
  return at;
}

/** Optimal string alignment distance of exactly 1. */
export function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a[prefix] === b[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && a[a.length - 1 - suffix] === b[b.length - 1 - suffix]) suffix++;
  const differing = Math.max(a.length, b.length) - prefix - suffix;
  if (differing === 1) return true;
  return (
    differing === 2 && a.length === b.length && a[prefix] === b[prefix + 1] && a[prefix + 1] === b[prefix]
  );
}

/** Whether two words are two edits apart: after one edit at the first difference, at most one more edit is left. */
function isTwoEdits(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return (
    isNear(restA.slice(1), restB.slice(1)) ||
    isNear(restA.slice(1), restB) ||
    isNear(restA, restB.slice(1)) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && isNear(restA.slice(2), restB.slice(2)))
  );
}

const isNear = (a: string, b: string): boolean => a === b || isOneEdit(a, b);
