import type { Word } from './analysis.ts';
import { gramsOf } from './grams.ts';

/** Below this share of common 4-grams two words have nothing to do with each other. */
const MIN_DICE = 0.35;
const MIN_CONTAINED = 4;
/** Shorter words that differ by one letter are other words. */
const MIN_MISTYPED = 6;

/**
 * How well a word of a text stands for a word of the question, 0 … 1: 1 for the same stem, less for a compound that
 * holds it, less for a likeness of letters (Dice coefficient of 4-grams: inflection, typing mistakes).
 */
export function similarity(asked: Word, found: Word): number {
  if (asked.term === found.term) return 1;
  const contained =
    (asked.term.length >= MIN_CONTAINED && found.folded.includes(asked.term)) ||
    (found.term.length >= MIN_CONTAINED && asked.folded.includes(found.term));
  const dice = diceOf(gramsOf(asked.folded), gramsOf(found.folded));
  return Math.max(contained || isMistyped(asked, found) ? 0.75 : 0, dice > MIN_DICE ? 0.9 * dice : 0);
}

/** True where one typing mistake lies between the two: a letter too many, too few, another one, two swapped. */
export function isMistyped(asked: Word, found: Word): boolean {
  return isOneEdit(asked.folded, found.folded) || isOneEdit(asked.term, found.term);
}

/** Optimal string alignment distance of exactly 1, in one pass. */
function isOneEdit(a: string, b: string): boolean {
  if (a.length > b.length) return isOneEdit(b, a);
  if (a.length < MIN_MISTYPED || b.length - a.length > 1 || a === b || /\p{N}/u.test(a)) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1);
  if (a.slice(at + 1) === b.slice(at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

function diceOf(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  for (const gram of a) if (b.includes(gram)) common += 1;
  return (2 * common) / (a.length + b.length);
}
