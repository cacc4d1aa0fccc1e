import { plainAnalysis, type Word } from '../../../kb/analysis/analysis.ts';
import type { Hit, Language, Source } from '../../../kb/knowledge.ts';
import { candidatesOf, type Candidate } from './candidates.ts';
import { featuresOf, FEATURES, type FeatureVector } from './features.ts';
import { WEIGHTS } from './weights.ts';

export interface Ranked {
  readonly candidate: Candidate;
  /** Probability that this is the sentence that answers, among all candidates of the question. */
  readonly probability: number;
}

/** Sentences of the best hits, the likeliest answer first; ties keep the order of hits and text. */
export function rankSentences(question: string, language: Language, hits: readonly Hit[]): Ranked[] {
  const { candidates, vectors } = describeSentences(question, language, hits);
  const scores = asksForWhole(question, language, hits)
    ? candidates.map((_, i) => -i)
    : vectors.map((vector) => vector.reduce((sum, value, k) => sum + value * WEIGHTS[FEATURES[k]!], 0));
  const top = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - top));
  const sum = shares.reduce((a, b) => a + b, 0);
  return candidates
    .map((candidate, i) => ({ candidate, probability: shares[i]! / sum }))
    .sort((a, b) => b.probability - a.probability);
}

/**
 * True where a question names a source and hardly asks anything of it (`Was regelt § 3 EntgFG?`): no more than one
 * of its words stands outside the name. Then the text is quoted from its beginning.
 */
export function asksForWhole(question: string, language: Language, hits: readonly Hit[]): boolean {
  if (!hits.some((hit) => hit.referenced)) return false;
  return wordsBeside(question, language, hits, ({ title }) => title).length <= 1;
}

/** Content words of a question without those that only name a source (`3`, `EntgFG`): they say where, not what. */
function wordsBeside(
  question: string,
  language: Language,
  hits: readonly Hit[],
  alsoIn: (source: Source) => string = () => '',
): readonly Word[] {
  const named = hits.filter((hit) => hit.referenced).map(({ source }) => source);
  const names = named.flatMap((source) => {
    const figures = `${source.title} ${source.section}`.match(/\p{L}*\p{N}+\p{L}*/gu) ?? [];
    return [source.id, source.work, ...figures, alsoIn(source)];
  });
  const known = new Set(plainAnalysis.words(names.join(' '), language).map((word) => word.term));
  return plainAnalysis.words(question, language).filter((word) => !known.has(word.term));
}

/** The candidates with what they are judged by, in order of hits and text. */
export function describeSentences(
  question: string,
  language: Language,
  hits: readonly Hit[],
): { candidates: readonly Candidate[]; vectors: readonly FeatureVector[] } {
  const candidates = candidatesOf(hits);
  return {
    candidates,
    vectors: featuresOf(question, wordsBeside(question, language, hits), candidates),
  };
}
