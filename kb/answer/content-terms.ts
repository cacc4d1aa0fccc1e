import { plainAnalysis } from '../analysis/analysis.ts';
import type { Language } from '../source.ts';
import { isFigureWord } from './quantities.ts';

/** Stems of a text's content words, without figures and units, which `quantities.ts` reads. */
export function contentTerms(text: string, lang: Language): ReadonlySet<string> {
  return new Set(
    plainAnalysis
      .words(text, lang)
      .filter((word) => !/^\p{N}/u.test(word.text) && !isFigureWord(word.text, lang))
      .map((word) => word.term),
  );
}

/** The share of `terms` that `others` contain, 0 … 1; 1 if there are no terms. */
export function overlap(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (terms.size === 0) return 1;
  let shared = 0;
  for (const term of terms) if (others.has(term)) shared += 1;
  return shared / terms.size;
}
