import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<{
  [K in Kind]: Readonly<Record<(typeof FEATURES)[K][number], number>>;
}> = {
  lined: {
    score: 5.72,
    wanted: 0.5,
    wantedThere: 0.18,
    titleOther: -0.43,
    language: -2.78,
    year: 4.59,
    askedOften: 4.08,
    sideBySide: 1.91,
    usual: 0.49,
    letters: 2.25,
    nearest: 5.0,
    near: 4.83,
    nearTitle: 3.48,
  },
  unlined: {
    score: 7.49,
    sentence: 4.15,
    opening: 1.3,
    wanted: 1.13,
    wantedThere: 1.02,
    year: 4.38,
  },
};

/** Log odds that the best source answers, by the signs: for sources that say how they are asked for, and for others. */
export const RELEVANCE: Readonly<{
  [K in Kind]: Readonly<Record<(typeof SIGNS)[K][number] | 'bias', number>>;
}> = {
  lined: {
    bias: -9.7,
    nearest: 4.02,
    nearer: 4.23,
    unansweredShare: -3.25,
    unansweredWords: -2.35,
    share: 3.12,
    found: 0.66,
    missingNouns: -0.79,
    length: 4.95,
    own: -2.54,
  },
  unlined: {
    bias: -5.03,
    sentence: 1.42,
    share: 2.54,
    found: 2.37,
    lost: -1.03,
    unknown: -0.83,
  },
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.34, unlined: 0.71 } as const;

/** From here on a question is answered though no source has a name that it has. */
export const ANSWER_WITHOUT_NAME = { lined: 0.5, unlined: 0.85 } as const;
