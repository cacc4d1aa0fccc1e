import type { Match } from './fit.ts';
import { FOUND } from './match.ts';
import { RELEVANCE } from './weights.ts';
import { SIGNS, type Kind } from './signs.ts';

/** Content words of a long question. */
const LONG = 20;

type Sign = (typeof SIGNS)[Kind][number];

/** The value of a sign for the source that was found best. `features.ts` says what decides the order of sources. */
function signOf(name: Sign, match: Match): number {
  const { words, anywhere, features, lineFits, share, score, own } = match;
  const weighed = (value: (k: number) => number): number =>
    words.reduce((sum, { weight }, k) => sum + weight * value(k), 0);
  const noun = (k: number): number => Number(words[k]!.noun);
  const gone = (k: number): number => noun(k) * Number(anywhere[k]! < FOUND);
  const unknown = (k: number): number => noun(k) * Number(!words[k]!.known);
  switch (name) {
    // How much nearer lies what it answers than what is asked near what was found and not answered; and of how many lines.
    case 'nearer':
      return lineFits.nearer;
    case 'unansweredShare':
      return lineFits.unansweredShare;
    // How much rather its words are those of questions that no source answers.
    case 'unansweredWords':
      return weighed((k) => words[k]!.unanswered);
    // Its share of the likelihood of all that was found.
    case 'share':
      return share;
    // Its score from the search alone.
    case 'found':
      return score;
    // Share of the question's nouns that no source has that was found.
    case 'lost':
      return weighed(gone);
    // Share of the question's nouns that neither the base nor its synonyms know.
    case 'unknown':
      return weighed(unknown);
    // Content words of the question: the more there are, the less of it any source and any line has.
    case 'length':
      return Math.log(words.length) / Math.log(LONG);
    // Asks for a fact of the asker's own.
    case 'own':
      return Number(own);
    case 'sentence':
    case 'nearest':
      return features[name];
  }
}

/** The signs for the estimate of a source of this kind, in the order of `SIGNS`. */
export const signVectorOf = (kind: Kind, match: Match): number[] =>
  SIGNS[kind].map((name) => signOf(name, match));

/** The probability that it answers, 0 … 1: logistic in the signs. */
export function relevanceOf(match: Match): number {
  const { kind } = match;
  const weights: Readonly<Partial<Record<Sign, number>>> = RELEVANCE[kind];
  const score = SIGNS[kind].reduce(
    (sum, name) => sum + weights[name]! * signOf(name, match),
    RELEVANCE[kind].bias,
  );
  return 1 / (1 + Math.exp(-score));
}
