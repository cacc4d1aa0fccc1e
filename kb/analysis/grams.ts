import type { Form } from './word.ts';

/** The number of letters in a gram. A shorter word with its borders is a gram as a whole. */
export const SIZE = 4;

/**
 * Character 4-grams of a folded word with marked borders: `urlaub` → `_url urla rlau laub aub_`. They match words that
 * stems do not match: inflected or mistyped words, and parts of compounds that are not in the vocabulary.
 */
export function gramsOf(folded: string): string[] {
  const marked = markedWord(folded);
  if (marked.length <= SIZE) return [marked];
  const grams: string[] = [];
  for (let i = 0; i + SIZE <= marked.length; i++) grams.push(marked.slice(i, i + SIZE));
  return grams;
}

/** The word with marked borders, of which 4-grams are cut. */
export const markedWord = (folded: string): string => `_${folded}_`;

/** The distinct 4-grams of words. */
export const gramsIn = (words: readonly Form[]): string[] => [
  ...new Set(words.flatMap(({ folded }) => gramsOf(folded))),
];
