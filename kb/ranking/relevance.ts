import type { Match } from '../knowledge.ts';
import { FOUND } from './match.ts';
import { RELEVANCE } from './weights.ts';

/** What speaks for and against that the best of what was found answers the question; about 0 … 1 each. */
export const SIGNS = [
  /** Share of the question that the source has; that one of its sentences has. */
  'body',
  'sentence',
  /** That its title has, and share of the title that the question has. */
  'title',
  'titleAsked',
  /** How well the question fits a line that says how the source is asked for. */
  'asked',
  /** Its share of the likelihood among the candidates. */
  'share',
  'score',
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
  /** Share of the line that fits best that the question has. */
  'linePrecision',
  /** Share that was read as another word, as it stands nowhere. */
  'corrected',
  /** States something of the kind that is asked for. */
  'wanted',
  /** Content words of the question, by ten; it has hardly any. */
  'length',
  'short',
  /** Asks for a fact of the asker's own. */
  'own',
] as const;

export type SignVector = readonly number[];

/** The signs of the source that was found best. */
export function signsOf({
  words,
  found,
  inSentence,
  anywhere,
  features,
  line,
  share,
  score,
  own,
}: Match): SignVector {
  const weighed = (values: readonly number[]): number =>
    values.reduce((sum, value, k) => sum + value * words[k]!.weight, 0);
  const lost = words.map((_, k) => Number(found[k]! < FOUND));
  const nouns = words.map(({ noun }) => Number(noun));
  const allNouns = weighed(nouns);
  const unknown = words.map(({ known, noun }) => Number(noun && !known));
  const gone = words.map((_, k) => nouns[k]! * Number(anywhere[k]! < FOUND));
  return [
    weighed(found),
    weighed(inSentence),
    features.title,
    features.titleAsked,
    line === null ? 0 : Math.sqrt(line.recall * line.precision),
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
    weighed(words.map(({ corrected }) => Number(corrected))),
    features.wantedThere,
    Math.min(1, words.length / 10),
    Number(words.length < 2),
    Math.min(1, own / 2),
  ];
}

/** The probability that it answers, 0 … 1: logistic in the signs. */
export function relevanceOf(match: Match): number {
  const weights = RELEVANCE[kindOf(match)];
  const score = signsOf(match).reduce((sum, sign, k) => sum + weights[SIGNS[k]!] * sign, weights.bias);
  return 1 / (1 + Math.exp(-score));
}

/** Whether the source says how it is asked for; words alone tell less, so that each has weights of its own. */
export const kindOf = ({ line }: Match): 'lined' | 'unlined' => (line === null ? 'unlined' : 'lined');
