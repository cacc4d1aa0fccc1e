import type { Match } from '../knowledge.ts';
import { FEATURES } from './features.ts';
import { FOUND } from './match.ts';
import { RELEVANCE } from './weights.ts';

/** What speaks for and against that the best of what was found answers the question; about 0 … 1 each. */
export const SIGNS = [
  /** What its place among the others rests on, and its share of the likelihood among them. */
  ...FEATURES,
  'share',
  /** What the search alone gave it. */
  'found',
  /** Share of the question that is not found in it at all; of its nouns; the heaviest word that is not. */
  'missing',
  'missingNouns',
  'missingMost',
  /** Share of the question's nouns that no source has that was found; the heaviest of them. */
  'lost',
  'lostMost',
  /** Share of the question's nouns that neither the base nor its synonyms know; the heaviest of them. */
  'unknown',
  'unknownMost',
  /** Share of the question that it has in the very words. */
  'literal',
  /** Share of the line that fits best that the question has, and the other way round. */
  'linePrecision',
  'lineRecall',
  /** Share that was read as another word, as it stands nowhere. */
  'corrected',
  /** Content words of the question, by ten; it has hardly any. */
  'length',
  'short',
  /** Asks for a fact of the asker's own. */
  'own',
] as const;

export type SignVector = readonly number[];

/** The signs of the source that was found best. */
export function signsOf({ words, found, anywhere, features, line, share, score, own }: Match): SignVector {
  const weighed = (values: readonly number[]): number =>
    values.reduce((sum, value, k) => sum + value * words[k]!.weight, 0);
  const lost = words.map((_, k) => Number(found[k]! < FOUND));
  const nouns = words.map(({ noun }) => Number(noun));
  const allNouns = weighed(nouns);
  const unknown = words.map(({ known, noun }) => Number(noun && !known));
  const gone = words.map((_, k) => nouns[k]! * Number(anywhere[k]! < FOUND));
  return [
    ...FEATURES.map((name) => features[name]),
    share,
    score,
    weighed(lost),
    allNouns === 0 ? 0 : weighed(lost.map((value, k) => value * nouns[k]!)) / allNouns,
    Math.max(0, ...words.map(({ weight, noun }, k) => lost[k]! * Number(noun) * weight)),
    weighed(gone),
    Math.max(0, ...words.map(({ weight }, k) => gone[k]! * weight)),
    weighed(unknown),
    Math.max(0, ...words.map(({ weight }, k) => unknown[k]! * weight)),
    weighed(found.map((value) => Number(value >= 1))),
    line?.precision ?? 0,
    line?.recall ?? 0,
    weighed(words.map(({ corrected }) => Number(corrected))),
    Math.min(1, words.length / 10),
    Number(words.length < 2),
    Math.min(1, own / 2),
  ];
}

/** The probability that it answers, 0 … 1: logistic in the signs. */
export function relevanceOf(match: Match): number {
  const weights = RELEVANCE[kindOf(match)];
  const score = signsOf(match).reduce((sum, sign, k) => sum + (weights[SIGNS[k]!] ?? 0) * sign, weights.bias);
  return 1 / (1 + Math.exp(-score));
}

/** Whether the source says how it is asked for; words alone tell less, so that each has weights of its own. */
export const kindOf = ({ line }: Match): 'lined' | 'unlined' => (line === null ? 'unlined' : 'lined');
