import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './signs.ts';

/**
 * The weights for the order of sources. `npm run fit -- sources` fits them, and prints on which data and how well they
 * generalise.
 */
export const SOURCE_WEIGHTS: Readonly<{
  [K in Kind]: Readonly<Record<(typeof FEATURES)[K][number], number>>;
}> = {
  lined: {
    score: 4.87,
    wanted: 0.38,
    wantedThere: 0.21,
    titleOther: -0.21,
    language: -2.37,
    year: 4.95,
    askedOften: 3.12,
    sideBySide: 1.5,
    usual: 0.57,
    letters: 1.16,
    nearest: 5.51,
    near: 5.69,
    nearTitle: 4.42,
  },
  unlined: {
    score: 7.39,
    sentence: 4.14,
    opening: 1.18,
    wanted: 0.98,
    wantedThere: 0.99,
    year: 4.41,
  },
  document: {
    score: 7,
    stretch: 1.4,
    title: 2.1,
    isTitle: 2.5,
    wanted: 1.05,
  },
};

/**
 * The weights of the signs in the log odds that the best source answers the question: of sources with lines of `asked`
 * (`lined`), of sources without (`unlined`), and of passages of documents (`document`).
 */
export const RELEVANCE: Readonly<{
  [K in Kind]: Readonly<Record<(typeof SIGNS)[K][number] | 'bias', number>>;
}> = {
  lined: {
    bias: -9.48,
    nearest: 4.73,
    nearer: 3.83,
    unansweredShare: -3.39,
    unansweredWords: -2.38,
    share: 2.96,
    found: 0.59,
    length: 3.46,
    own: -3.19,
  },
  unlined: {
    bias: -5.08,
    sentence: 1.28,
    share: 2.75,
    found: 2.47,
    lost: -1.21,
    unknown: -1.03,
  },
  document: {
    bias: -6.6,
    ofDocument: 1.8,
    found: 1.25,
    length: 4.1,
  },
};
