import type { Match } from './fit.ts';
import { FOUND } from './match.ts';
import { RELEVANCE } from './weights.ts';
import { SIGNS, type Kind } from './signs.ts';

/** A question with this many content words is long. */
const LONG = 20;

type Sign = (typeof SIGNS)[Kind][number];

/** The value of a sign for the best hit. The features for the order of sources are in `features.ts`. */
function signOf(name: Sign, match: Match): number {
  const { words, anywhere, features, lineFits, share, ofDocument, score, own } = match;
  const weighed = (value: (k: number) => number): number =>
    words.reduce((sum, { weight }, k) => sum + weight * value(k), 0);
  const noun = (k: number): number => Number(words[k]!.noun);
  const gone = (k: number): number => noun(k) * Number(anywhere[k]! < FOUND);
  const unknown = (k: number): number => noun(k) * Number(!words[k]!.known);
  switch (name) {
    // Sources list questions that they answer, and some that they do not answer. The first sign is how much better the
    // question fits the answered questions of this source than the unanswered questions of any hit; the second is the
    // share of unanswered ones.
    case 'nearer':
      return lineFits.nearer;
    case 'unansweredShare':
      return lineFits.unansweredShare;
    // How much more frequent the words of the question are in questions that no source answers.
    case 'unansweredWords':
      return weighed((k) => words[k]!.unanswered);
    // The share of this hit in the likelihood of all hits.
    case 'share':
      return share;
    // The share of all passages of the hit's document, because several passages of one document may be about the same
    // thing.
    case 'ofDocument':
      return ofDocument;
    // The score of the hit in the search alone.
    case 'found':
      return score;
    // The share of the question's nouns that no hit has.
    case 'lost':
      return weighed(gone);
    // The share of the question's nouns that neither the base nor its synonyms have.
    case 'unknown':
      return weighed(unknown);
    // The number of content words: the longer the question, the smaller its share in any source and line.
    case 'length':
      return Math.log(words.length) / Math.log(LONG);
    // Whether the question asks for a fact of the asker's own case.
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

/** The probability of an answer, 0 … 1, by logistic regression of the signs. */
export function relevanceOf(match: Match): number {
  const { kind } = match;
  const weights: Readonly<Partial<Record<Sign, number>>> = RELEVANCE[kind];
  const score = SIGNS[kind].reduce(
    (sum, name) => sum + weights[name]! * signOf(name, match),
    RELEVANCE[kind].bias,
  );
  return 1 / (1 + Math.exp(-score));
}
