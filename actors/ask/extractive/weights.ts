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
