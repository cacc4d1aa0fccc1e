import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<{
  [K in Kind]: Readonly<Record<(typeof FEATURES)[K][number], number>>;
}> = {
  lined: {
    score: 5.52,
    wanted: 0.45,
    wantedThere: 0.14,
    titleOther: -0.4,
    language: -2.94,
    year: 4.55,
    askedOften: 4.15,
    sideBySide: 1.57,
    usual: 0.67,
    letters: 2.24,
    nearest: 4.8,
    near: 4.69,
    nearTitle: 3.59,
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
    bias: -9.12,
    nearest: 4.15,
    nearer: 4.17,
    unansweredShare: -3.39,
    unansweredWords: -3.08,
    share: 2.89,
    found: 0.63,
    missingNouns: -1.25,
    length: 4.72,
    own: -2.68,
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
export const ANSWER_FROM = { lined: 0.34, unlined: 0.71 } as const;
