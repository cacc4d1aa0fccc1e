import type { Form } from './word.ts';

const SIZE = 4;

/**
 * Character 4-grams of a folded word, its borders marked: `urlaub` → `_url urla rlau laub aub_`. They carry what
 * stems miss: inflection, typing mistakes, parts of compounds that the vocabulary does not know.
 */
export function gramsOf(folded: string): string[] {
  const marked = `_${folded}_`;
  if (marked.length <= SIZE) return [marked];
  const grams: string[] = [];
  for (let i = 0; i + SIZE <= marked.length; i++) grams.push(marked.slice(i, i + SIZE));
  return grams;
}

/** 4-grams of words, each once. */
export const gramsIn = (words: readonly Form[]): string[] => [
  ...new Set(words.flatMap(({ folded }) => gramsOf(folded))),
];
