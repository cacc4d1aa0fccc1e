import type { Word } from '../analysis/analysis.ts';
import { gramsOf } from '../analysis/grams.ts';
import type { Postings } from './postings.ts';

/** A part of a compound in the question, against the whole word. */
const PART_WEIGHT = 0.5;

/** Words of a question, or of its synonyms, as weights of terms and 4-grams. */
export interface WeightedTerms {
  readonly terms: ReadonlyMap<string, number>;
  readonly grams: ReadonlySet<string>;
}

/** Each word once; a compound's parts count less than the word itself. */
export function weigh(words: readonly Word[]): WeightedTerms {
  const terms = new Map<string, number>();
  const grams = new Set<string>();
  for (const word of words) {
    terms.set(word.term, 1);
    for (const gram of gramsOf(word.folded)) grams.add(gram);
  }
  for (const part of words.flatMap((word) => word.parts)) if (!terms.has(part)) terms.set(part, PART_WEIGHT);
  return { terms, grams };
}

/**
 * Adds `weight` times the words' score: word BM25 and 4-gram BM25, each divided by the sum of the idf asked for, so
 * that both lie between 0 and about 1 whatever the length of the question. (Adding beats fusing ranks: a clear
 * winner of one leg keeps its lead.)
 */
export function scoreWords(
  asked: WeightedTerms,
  weight: number,
  words: Postings,
  grams: Postings,
  scores: Float32Array,
): void {
  const terms = [...asked.terms].map(([term, share]) => ({ term, share: share * words.idf(term) }));
  const termSum = terms.reduce((sum, { share }) => sum + share, 0);
  for (const { term, share } of terms) words.accumulate(term, (weight * share) / termSum, scores);
  const pieces = [...asked.grams].map((gram) => ({ gram, share: grams.idf(gram) }));
  const gramSum = pieces.reduce((sum, { share }) => sum + share, 0);
  for (const { gram, share } of pieces) grams.accumulate(gram, (weight * share) / gramSum, scores);
}
