import type { Fault } from './base/faults.ts';
import { SYNONYMS_FILE } from './base/files.ts';
import type { LexicalIndex } from './index/lexical-index.ts';

/** Warnings for synonyms that can find nothing: a right side none of whose words occurs in the base. */
export function unknownSynonyms(index: LexicalIndex): Fault[] {
  const faults: Fault[] = [];
  const isKnown = (term: string): boolean =>
    (['de', 'en'] as const).some((lang) =>
      index.analysis
        .words(term, lang)
        .some((word) => [word.term, ...word.parts].some((stem) => index.words.passageFrequency(stem) > 0)),
    );
  for (const { to, line } of index.data.synonyms) {
    const unknown = to.filter((term) => !isKnown(term));
    if (unknown.length === 0) continue;
    faults.push({
      file: SYNONYMS_FILE,
      line,
      message: `does not occur in the knowledge base: ${unknown.join(' | ')}`,
    });
  }
  return faults;
}
