import type { Hit } from '../hit.ts';
import type { Retriever } from './ports.ts';

/** A cross-encoder that reads a question and a text together. */
export interface Reranker {
  readonly name: string;
  /** False while the model is known to be unavailable. */
  readonly ready: boolean;
  /**
   * The scores of texts for a question, on any scale; higher is better. Rejects with `MODEL_UNAVAILABLE`, or with the
   * reason of `signal`.
   */
  score(question: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}

/** The least number of a search's hits that are reranked. */
export const CANDIDATES = 32;

/**
 * A retriever whose hits are in the order of a reranker. Whether the base covers a question is still decided by the
 * order of the search, for which the thresholds were made, and so are the facts of a review. Use it for one ask: it
 * remembers searches.
 */
export function rerankedBy(retriever: Retriever, reranker: Reranker, signal: AbortSignal): Retriever {
  const found = new Map<string, readonly Hit[]>();
  return {
    ...retriever,
    async search(query, options) {
      const { topK, forFact = false } = options;
      if (forFact) return retriever.search(query, options);
      const hits = await retriever.search(query, { ...options, topK: Math.max(topK, CANDIDATES) });
      found.set(query, hits.slice(0, topK));
      return (await rerank(query, hits, reranker, signal)).slice(0, topK);
    },
    coverage: (query, hits, options) => retriever.coverage(query, found.get(query) ?? hits, options),
  };
}

/**
 * Reranks hits. Sources that the question names stay first; ties keep their order. The scores of the search stay at
 * their ranks and do not move with the hits, so that later steps follow the new order.
 */
async function rerank(
  question: string,
  hits: readonly Hit[],
  reranker: Reranker,
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const named = hits.filter((hit) => hit.referenced);
  const others = hits.filter((hit) => !hit.referenced);
  if (others.length < 2) return hits;
  const scores = await reranker.score(question, others.map(textOf), signal);
  const order = others.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || a - b);
  return [...named, ...order.map((i, place) => ({ ...others[i]!, score: others[place]!.score }))];
}

/** The title and the best passage of a hit. */
const textOf = ({ source, passages }: Hit): string => `${source.title}\n${passages[0]?.text ?? source.text}`;
