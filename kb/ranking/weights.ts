import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<{
  [K in Kind]: Readonly<Record<(typeof FEATURES)[K][number], number>>;
}> = {
  lined: {
    score: 5.47,
    wanted: 0.37,
    wantedThere: 0.08,
    titleOther: -0.39,
    language: -2.88,
    year: 4.69,
    askedOften: 3.88,
    sideBySide: 1.56,
    usual: 0.67,
    letters: 2.18,
    nearest: 4.68,
    near: 4.83,
    nearTitle: 4.11,
  },
  unlined: {
    score: 7.39,
    sentence: 4.14,
    opening: 1.18,
    wanted: 0.98,
    wantedThere: 0.99,
    year: 4.41,
  },
};

/** Log odds that the best source answers, by the signs: for sources that say how they are asked for, and for others. */
export const RELEVANCE: Readonly<{
  [K in Kind]: Readonly<Record<(typeof SIGNS)[K][number] | 'bias', number>>;
}> = {
  lined: {
    bias: -9.38,
    nearest: 3.48,
    nearer: 3.94,
    unansweredShare: -4.7,
    unansweredWords: -2.66,
    share: 3.5,
    found: 0.63,
    missingNouns: -1.1,
    length: 5.13,
    own: -2.58,
  },
  unlined: {
    bias: -5.08,
    sentence: 1.28,
    share: 2.75,
    found: 2.47,
    lost: -1.21,
    unknown: -1.03,
  },
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.34, unlined: 0.72 } as const;
