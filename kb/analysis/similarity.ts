import type { Form } from './word.ts';
import { gramsOf } from './grams.ts';
import { beginsAlike, isOneEdit } from './spelling.ts';

/** With a smaller share of common 4-grams two words are unrelated. */
const MIN_DICE = 0.35;
const MIN_CONTAINED = 4;
/** Shorter words that differ by one letter are different words. */
const MIN_MISTYPED = 6;

/**
 * How well a word of a text matches a word of the question, 0 … 1: 1 for an equal stem, less for a compound that
 * contains the word, and less for similar letters (the Dice coefficient of the 4-grams, for inflection and typing
 * mistakes).
 */
export function similarity(asked: Form, found: Form): number {
  const kin = kinship(asked, found);
  if (kin >= 0.9) return kin;
  const dice = diceOf(asked, found);
  return Math.max(isMistyped(asked, found) ? 0.75 : kin, dice > MIN_DICE ? 0.9 * dice : 0);
}

/**
 * How well two words match without similar letters: by an equal stem, as a verb and its noun, or as a compound and its
 * part.
 */
export function kinship(asked: Form, found: Form): number {
  if (asked.term === found.term) return 1;
  if (sharesVerb(asked, found)) return 0.9;
  const contained =
    (asked.term.length >= MIN_CONTAINED && found.folded.includes(asked.term)) ||
    (found.term.length >= MIN_CONTAINED && asked.folded.includes(found.term));
  return contained ? 0.75 : 0;
}

/** `gezahlt`, `zahlt`, `Zahlung`: a word and a form of its verb, or two forms of one verb. */
function sharesVerb(asked: Form, found: Form): boolean {
  const [a, b] = [verbOf(asked), verbOf(found)];
  return (a !== undefined || b !== undefined) && (a ?? asked.term) === (b ?? found.term);
}

function verbOf({ parts }: Form): string | undefined {
  return parts.length === 1 ? parts[0] : undefined;
}

/** True if the words differ by one typing mistake: a letter too many, too few or wrong, or two swapped. */
export function isMistyped(asked: Form, found: Form): boolean {
  return mistakes(asked.folded, found.folded) || mistakes(asked.term, found.term);
}

function mistakes(a: string, b: string): boolean {
  return (
    Math.min(a.length, b.length) >= MIN_MISTYPED && beginsAlike(a, b) && isOneEdit(a, b) && !/\p{N}/u.test(a)
  );
}

/**
 * The 4-grams of words, as numbers, which compare faster. They are cached, because a word is compared with many others.
 */
const gramsOfWords = new WeakMap<Form, readonly number[]>();

function gramsOfWord(word: Form): readonly number[] {
  let grams = gramsOfWords.get(word);
  if (grams === undefined) gramsOfWords.set(word, (grams = gramsOf(word.folded).map(numberOf)));
  return grams;
}

/** A gram as a number, with 13 bits for each letter. This is exact below U+2000. */
function numberOf(gram: string): number {
  let number = 0;
  for (let i = 0; i < gram.length; i++) number = number * 2 ** 13 + gram.charCodeAt(i);
  return number;
}

/** If a word has more 4-grams than this, they are counted in a map once, and later comparisons use the map. */
const MANY = 24;
const countsOfWords = new WeakMap<Form, ReadonlyMap<number, number>>();

function countsOf(word: Form, grams: readonly number[]): ReadonlyMap<number, number> {
  let counts = countsOfWords.get(word);
  if (counts === undefined) {
    const found = new Map<number, number>();
    for (const gram of grams) found.set(gram, (found.get(gram) ?? 0) + 1);
    countsOfWords.set(word, (counts = found));
  }
  return counts;
}

/**
 * The Dice coefficient of two words. A word of a question may have two thousand letters, so the cost depends on the
 * shorter word.
 */
function diceOf(asked: Form, found: Form): number {
  const [a, b] = [gramsOfWord(asked), gramsOfWord(found)];
  let common = 0;
  if (a.length <= MANY) {
    for (const gram of a) if (b.includes(gram)) common += 1;
  } else {
    const counts = countsOf(asked, a);
    for (const [i, gram] of b.entries()) if (b.indexOf(gram) === i) common += counts.get(gram) ?? 0;
  }
  return (2 * common) / (a.length + b.length);
}
