import type { BESIDE_SIGNS } from './beside.ts';
import type { FEATURES } from './features.ts';

/**
 * Weights of the features in a softmax over the sentences of the source that answers. Fitted by `npm run fit -- sentences` on
 * German and English questions together (XQuAD de and SQuAD 2.0, 594 questions on 36 articles). With the articles held
 * out, the answer is the likeliest sentence for 0.82 of the questions, among the likeliest two for 0.92 and three for 0.96.
 */
export const WEIGHTS: Readonly<Record<(typeof FEATURES)[number], number>> = {
  overlap: 3.3,
  grams: 4.3,
  context: 1.6,
  answer: 1.7,
};

/**
 * Log odds that a passage is told rightly beside the likeliest one. Fitted by `npm run fit -- beside`, which says on what, and
 * how well it carries over.
 */
export const BESIDE: Readonly<Record<(typeof BESIDE_SIGNS)[number] | 'bias', number>> = {
  bias: -0.83,
  against: 0.57,
  score: -0.23,
  nearest: 0.45,
  nearer: 0.66,
  letters: 0.75,
  title: 0.31,
  titleNear: 0.62,
  askedKind: 0.65,
  work: 0.64,
  paragraph: 0.28,
  relevance: 0.3,
  language: -0.71,
  place: -0.31,
  joined: 0.43,
};
