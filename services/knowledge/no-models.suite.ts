import { createExtractiveGenerator } from '../../kb/answer/extractive/generator.ts';
import type { Models } from './open-models.ts';

/** No models: sources are found by words and quoted. */
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
