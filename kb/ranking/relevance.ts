import type { Match } from '../knowledge.ts';
import { FOUND } from './match.ts';
import { RELEVANCE } from './weights.ts';

/**
 * What speaks for and against that the best of what was found answers the question; about 0 … 1 each. A source that says
 * how it is asked for is judged by that, and by what is asked near it and not answered; others by words.
 */
export const SIGNS = {
  lined: [
    'letters',
    'lettersTitle',
    'nearest',
    'lineFit',
    'unansweredFit',
    'unansweredShare',
    'share',
    'found',
    'missing',
    'missingNouns',
    'missingMost',
    'length',
    'own',
  ],
  unlined: [
    'title',
    'titleAsked',
    'body',
    'sentence',
    'wantedThere',
    'share',
    'found',
    'missing',
    'missingNouns',
    'missingMost',
    'lost',
    'lostMost',
    'unknown',
    'unknownMost',
    'literal',
    'corrected',
    'length',
    'own',
  ],
} as const;

export type Kind = keyof typeof SIGNS;
type Sign = (typeof SIGNS)[Kind][number];

/** The signs of the source that was found best; what its place among the others rests on is told in `features.ts`. */
function signsOf({
  words,
  found,
  anywhere,
  features,
  lineFits,
  share,
  score,
  own,
}: Match): Readonly<Record<Sign, number>> {
  const weighed = (values: readonly number[]): number =>
    values.reduce((sum, value, k) => sum + value * words[k]!.weight, 0);
  const absent = words.map((_, k) => Number(found[k]! < FOUND));
  const nouns = words.map(({ noun }) => Number(noun));
  const allNouns = weighed(nouns);
  const unknown = words.map(({ known, noun }) => Number(noun && !known));
  const gone = words.map((_, k) => nouns[k]! * Number(anywhere[k]! < FOUND));
  return {
    ...features,
    // The nearest line that it answers, and the nearest that is asked near what was found and not answered.
    lineFit: lineFits.asked,
    unansweredFit: lineFits.unanswered,
    unansweredShare: lineFits.unansweredShare,
    // Of the likelihood among what was found.
    share,
    // What the search alone gave it.
    found: score,
    // Share of the question that is not found in it at all; of its nouns; the heaviest word that is not.
    missing: weighed(absent),
    missingNouns: allNouns === 0 ? 0 : weighed(absent.map((value, k) => value * nouns[k]!)) / allNouns,
    missingMost: Math.max(0, ...words.map(({ weight, noun }, k) => absent[k]! * Number(noun) * weight)),
    // Share of the question's nouns that no source has that was found; the heaviest of them.
    lost: weighed(gone),
    lostMost: Math.max(0, ...words.map(({ weight }, k) => gone[k]! * weight)),
    // Share of the question's nouns that neither the base nor its synonyms know; the heaviest of them.
    unknown: weighed(unknown),
    unknownMost: Math.max(0, ...words.map(({ weight }, k) => unknown[k]! * weight)),
    // Share of the question that it has in the very words.
    literal: weighed(found.map((value) => Number(value >= 1))),
    // Share that was read as another word, as it stands nowhere.
    corrected: weighed(words.map(({ corrected }) => Number(corrected))),
    // Content words of the question, by ten.
    length: Math.min(1, words.length / 10),
    // Asks for a fact of the asker's own.
    own: Math.min(1, own / 2),
  };
}

/** What the estimate for a source of this kind rests on, in the order of `SIGNS`. */
export function signVectorOf(kind: Kind, match: Match): number[] {
  const signs = signsOf(match);
  return SIGNS[kind].map((name) => signs[name]);
}

/** The probability that it answers, 0 … 1: logistic in the signs. */
export function relevanceOf(match: Match): number {
  const kind = kindOf(match);
  const weights: Readonly<Partial<Record<Sign, number>>> = RELEVANCE[kind];
  const signs = signsOf(match);
  const score = SIGNS[kind].reduce((sum, name) => sum + weights[name]! * signs[name], RELEVANCE[kind].bias);
  return 1 / (1 + Math.exp(-score));
}

/** Whether the source says how it is asked for; words alone tell less, so that each has weights of its own. */
export const kindOf = ({ line }: Match): Kind => (line === null ? 'unlined' : 'lined');
