import type { Form } from './word.ts';

const SIZE = 4;

/**
 * Character 4-grams of a folded word with marked borders: `urlaub` → `_url urla rlau laub aub_`. They match what stems
 * miss: inflection, typing mistakes, and parts of compounds that the vocabulary lacks.
 */
export function gramsOf(folded: string): string[] {
  const grams: string[] = [];
  eachGram(folded, (marked, from, to) => grams.push(marked.slice(from, to)));
  return grams;
}

/** The same without a string for each: `marked.slice(from, to)`. */
export function eachGram(folded: string, each: (marked: string, from: number, to: number) => void): void {
  const marked = `_${folded}_`;
  if (marked.length < SIZE) each(marked, 0, marked.length);
  for (let from = 0; from + SIZE <= marked.length; from++) each(marked, from, from + SIZE);
}

/** The distinct 4-grams of words. */
export const gramsIn = (words: readonly Form[]): string[] => [
  ...new Set(words.flatMap(({ folded }) => gramsOf(folded))),
];
