import { gramsOf } from './grams.ts';
import type { Word } from './analysis.ts';

/** Below this share of common 4-grams two words have nothing to do with each other. */
const MIN_DICE = 0.35;
const MIN_CONTAINED = 4;

/**
 * How well a word of a text stands for a word of the question, 0 … 1: 1 for the same stem, less for a compound that
 * holds it, less for a likeness of letters (Dice coefficient of 4-grams: inflection, typing mistakes).
 */
export function similarity(asked: Word, found: Word): number {
  if (asked.term === found.term) return 1;
  let best = 0;
  if (
    (asked.term.length >= MIN_CONTAINED && found.folded.includes(asked.term)) ||
    (found.term.length >= MIN_CONTAINED && asked.folded.includes(found.term))
  ) {
    best = 0.75;
  }
  const dice = diceOf(gramsOf(asked.folded), gramsOf(found.folded));
  return dice > MIN_DICE ? Math.max(best, 0.9 * dice) : best;
}

function diceOf(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  for (const gram of a) if (b.includes(gram)) common += 1;
  return (2 * common) / (a.length + b.length);
}
