import type { BESIDE_SIGNS, FEATURES } from './signs.ts';

/**
 * Weights of the features in a softmax over the sentences of the source that answers. Fitted by `npm run fit -- sentences` on
 * German and English questions together (XQuAD de and SQuAD 2.0, 594 questions on 36 articles). With the articles held
 * out, the answer is the likeliest sentence for 0.82 of the questions, among the likeliest two for 0.92 and three for 0.96.
 */
export const WEIGHTS: Readonly<Record<(typeof FEATURES)[number], number>> = {
  overlap: 3.9,
  grams: 4.5,
  context: 1.5,
  answer: 1.6,
};

/**
 * The log odds that it is right to quote a further passage. `npm run fit -- beside` fits them, and prints on which data
 * and how well they generalise.
 */
export const BESIDE: Readonly<Record<(typeof BESIDE_SIGNS)[number] | 'bias', number>> = {
  bias: -0.87,
  against: 0.58,
  letters: 0.78,
  titleNear: 1.46,
  work: 0.92,
  language: -0.38,
  place: -0.38,
  joined: 0.5,
};
