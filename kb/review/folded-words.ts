import { fold } from '../analysis/analysis.ts';

/** Words without their case and umlauts, as keys write them (`ae`, `ue`) or texts do; figures left out. */
export function foldedWords(text: string): string[] {
  return [...text.matchAll(/\p{L}{4,}/gu)].map(([word]) => fold(word, 'de'));
}
