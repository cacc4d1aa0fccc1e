import { plainAnalysis, type Word } from '../../../kb/analysis/analysis.ts';
import type { Hit, Language } from '../../../kb/knowledge.ts';
import { candidatesOf, type Candidate } from './candidates.ts';
import { featuresOf, FEATURES, type FeatureVector } from './features.ts';
import { WEIGHTS } from './weights.ts';

/** The sentences of what was found, the likeliest answer first; ties keep the order of the text. */
export function rankSentences(question: string, language: Language, hit: Hit): Candidate[] {
  const { candidates, vectors } = describeSentences(question, language, hit);
  const scores = asksForWhole(question, language, hit)
    ? candidates.map((_, i) => -i)
    : vectors.map((vector) => vector.reduce((sum, value, k) => sum + value * WEIGHTS[FEATURES[k]!], 0));
  return candidates
    .map((_, i) => i)
    .toSorted((a, b) => scores[b]! - scores[a]!)
    .map((i) => candidates[i]!);
}

/**
 * True where a question names a source and hardly asks anything of it (`Was regelt § 3 EntgFG?`): no more than one
 * of its words stands outside the name. Then the text is quoted from its beginning.
 */
export function asksForWhole(question: string, language: Language, hit: Hit): boolean {
  return hit.referenced && wordsBeside(question, language, hit, hit.source.title).length <= 1;
}

/** Content words of a question without those that only name the source (`3`, `EntgFG`): they say where, not what. */
function wordsBeside(
  question: string,
  language: Language,
  { referenced, source }: Hit,
  alsoIn = '',
): readonly Word[] {
  const words = plainAnalysis.words(question, language);
  if (!referenced) return words;
  const { id, work, title, section } = source;
  const figures = `${title} ${section}`.match(/\p{L}*\p{N}+\p{L}*/gu) ?? [];
  const names = plainAnalysis.words([id, work, ...figures, alsoIn].join(' '), language);
  const known = new Set(names.map((word) => word.term));
  return words.filter((word) => !known.has(word.term));
}

/** The sentences with what they are judged by, in order of the text. */
export function describeSentences(
  question: string,
  language: Language,
  hit: Hit,
): { candidates: readonly Candidate[]; vectors: readonly FeatureVector[] } {
  const candidates = candidatesOf(hit);
  return { candidates, vectors: featuresOf(question, wordsBeside(question, language, hit), candidates) };
}
