import type { Fault } from './base/faults.ts';
import { readBase } from './base/files.ts';
import { parseKnowledgeBase } from './base/load.ts';
import { buildIndex } from './index/build.ts';
import { LexicalIndex } from './index/lexical-index.ts';
import { pointingOpeners } from './pointing.ts';
import { unknownSynonyms } from './unknown-synonyms.ts';

interface CheckedBase {
  readonly sources: number;
  readonly passages: number;
  readonly synonyms: number;
  /** Odd but usable: unknown fields, control characters, paragraphs that cannot stand alone, synonyms for words that the base does not use. */
  readonly warnings: readonly Fault[];
}

/**
 * Looks at a base as an index would, and keeps nothing.
 *
 * @throws KnowledgeBaseInvalid with every fault of the base
 */
export async function checkKnowledgeBase(folder: string): Promise<CheckedBase> {
  const files = await readBase(folder);
  const { sources, synonyms, warnings } = parseKnowledgeBase(files);
  const index = new LexicalIndex(buildIndex(sources, synonyms));
  return {
    sources: sources.length,
    passages: index.passageCount,
    synonyms: synonyms.length,
    warnings: [...warnings, ...pointingOpeners(files), ...unknownSynonyms(index)],
  };
}
