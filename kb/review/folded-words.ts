import { fold } from '../analysis/analysis.ts';

/**
 * The words of a text in lower case, with umlauts folded so that the spellings of keys (`ae`, `ue`) and texts agree;
 * numbers are left out.
 */
export function foldedWords(text: string): string[] {
  return [...text.matchAll(/\p{L}{4,}/gu)].map(([word]) => fold(word, 'de'));
}
