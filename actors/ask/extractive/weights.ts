import type { FEATURES } from './features.ts';

/**
 * Weights of the features in a softmax over the candidates of one question, so that the shares are probabilities of
 * holding the answer. Fitted by `bench/eval-fit.ts` on German and English questions together.
 */
export const WEIGHTS: Readonly<Record<(typeof FEATURES)[number], number>> = {
  overlap: 2.4,
  exact: 2.2,
  grams: 3.4,
  title: 2.4,
  before: 1.3,
  after: 0.9,
  answer: 1.5,
  answerNear: 0.5,
  source: 5.5,
  length: -0.9,
};
