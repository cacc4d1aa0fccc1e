import type { Analysis } from '../../../kb/analysis/analysis.ts';
import type { Hit, Language } from '../../../kb/knowledge.ts';
import { candidatesOf, type Candidate } from './candidates.ts';
import { featuresOf, FEATURES, type FeatureVector } from './features.ts';
import { WEIGHTS } from './weights.ts';

export interface Ranked {
  readonly candidate: Candidate;
  /** Probability that this is the sentence that answers, among all candidates of the question. */
  readonly probability: number;
}

/** Sentences of the best hits, the likeliest answer first; ties keep the order of hits and text. */
export function rankSentences(
  question: string,
  language: Language,
  hits: readonly Hit[],
  analysis: Analysis,
): Ranked[] {
  const { candidates, vectors } = describeSentences(question, language, hits, analysis);
  const scores = vectors.map((vector) =>
    vector.reduce((sum, value, k) => sum + value * WEIGHTS[FEATURES[k]!], 0),
  );
  const top = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - top));
  const sum = shares.reduce((a, b) => a + b, 0);
  return candidates
    .map((candidate, i) => ({ candidate, probability: shares[i]! / sum }))
    .sort((a, b) => b.probability - a.probability);
}

/** The candidates with what they are judged by, in order of hits and text. */
export function describeSentences(
  question: string,
  language: Language,
  hits: readonly Hit[],
  analysis: Analysis,
): { candidates: readonly Candidate[]; vectors: readonly FeatureVector[] } {
  const candidates = candidatesOf(hits, analysis);
  return { candidates, vectors: featuresOf(question, analysis.words(question, language), candidates) };
}
