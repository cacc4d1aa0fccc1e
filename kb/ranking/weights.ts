import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<{
  [K in Kind]: Readonly<Record<(typeof FEATURES)[K][number], number>>;
}> = {
  lined: {
    score: 5.8,
    wanted: 0.48,
    wantedThere: 0.21,
    titleOther: -0.4,
    language: -2.74,
    year: 4.58,
    askedOften: 4.22,
    sideBySide: 1.92,
    usual: 0.46,
    letters: 2.32,
    nearest: 4.85,
    near: 4.76,
    nearTitle: 3.52,
  },
  unlined: {
    score: 7.37,
    sentence: 4.04,
    opening: 1.23,
    wanted: 1.13,
    wantedThere: 0.99,
    year: 4.34,
  },
};

/** Log odds that the best source answers, by the signs: for sources that say how they are asked for, and for others. */
export const RELEVANCE: Readonly<{
  [K in Kind]: Readonly<Record<(typeof SIGNS)[K][number] | 'bias', number>>;
}> = {
  lined: {
    bias: -9.68,
    nearest: 4.17,
    nearer: 4.26,
    unansweredShare: -3.42,
    unansweredWords: -2.38,
    share: 3.12,
    found: 0.64,
    missingNouns: -0.85,
    length: 4.85,
    own: -2.55,
  },
  unlined: {
    bias: -5.03,
    sentence: 1.4,
    share: 2.69,
    found: 2.36,
    lost: -1.1,
    unknown: -0.89,
  },
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.34, unlined: 0.71 } as const;

/** From here on a question is answered though no source has a name that it has. */
export const ANSWER_WITHOUT_NAME = { lined: 0.5, unlined: 0.85 } as const;
