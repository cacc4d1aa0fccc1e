import { createExtractiveGenerator } from '../../kb/answer/extractive/generator.ts';
import type { Models } from './open-models.ts';

/** Without any model: sources are quoted, in the order in which words find them. */
export function noModels(): Models {
  const since = new Date().toISOString();
  return {
    quoting: createExtractiveGenerator(),
    model: null,
    fallback: true,
    entailment: null,
    reranker: null,
    watch: null,
    condition: () => ({ state: 'ready', since, reason: null }),
    close: () => Promise.resolve(),
  };
}
