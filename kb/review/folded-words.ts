import { fold } from '../analysis/analysis.ts';

/** Words without case and umlauts, as keys (`ae`, `ue`) or texts write them; numbers are left out. */
export function foldedWords(text: string): string[] {
  return [...text.matchAll(/\p{L}{4,}/gu)].map(([word]) => fold(word, 'de'));
}
