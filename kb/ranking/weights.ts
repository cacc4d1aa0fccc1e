import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<
  Record<'lined' | 'unlined', Readonly<Partial<Record<(typeof FEATURES)[number], number>>>>
> = {
  lined: {
    score: 4.36,
    title: -0.98,
    titleTelling: 0.08,
    titleAsked: 0.3,
    body: -0.4,
    bodyTelling: 0.38,
    sentence: -0.33,
    openingTelling: 0.37,
    asked: 1.15,
    askedTelling: -0.28,
    wanted: 0.36,
    wantedThere: 0.3,
    titleType: 0.39,
    titleOther: -0.29,
    language: -1.81,
    year: 3.7,
    askedOften: 1.42,
    sideBySide: 0.49,
    askedKind: 1.09,
    usual: 0.63,
    letters: 1.72,
    lettersAgain: 1.08,
    lettersTitle: 0.86,
    nearest: 3.57,
    near: 3.21,
    nearTitle: 2.47,
    nearAll: 1.43,
  },
  unlined: {
    score: 7.09,
    title: 0.34,
    titleTelling: 0.48,
    titleAsked: 1.24,
    body: 1.07,
    bodyTelling: 0.37,
    sentence: 1.39,
    openingTelling: 0.79,
    asked: 1.19,
    askedTelling: 1.53,
    wanted: 0.34,
    wantedThere: 0.63,
    titleType: 0.45,
    titleOther: -0.35,
    language: -0.48,
  },
};

/** Log odds that the best source answers, by the signs: for sources that say how they are asked for, and for others. */
export const RELEVANCE: Readonly<{
  [K in Kind]: Readonly<Record<(typeof SIGNS)[K][number] | 'bias', number>>;
}> = {
  lined: {
    bias: -8.87,
    nearest: 4.05,
    nearer: 3.82,
    unansweredShare: -3.14,
    unansweredWords: -1.93,
    share: 3.6,
    found: 0.43,
    missingNouns: -1.02,
    corrected: 0.91,
    length: 4.35,
    own: -2.95,
  },
  unlined: {
    bias: -4.12,
    title: -0.05,
    titleAsked: 0.47,
    body: 1,
    sentence: 1.21,
    wantedThere: 0.22,
    share: 3.36,
    found: 0.83,
    missing: -0.55,
    missingNouns: -0.89,
    missingMost: 0.16,
    lost: -0.7,
    lostMost: -0.05,
    unknown: -0.39,
    unknownMost: 0.36,
    literal: 0.66,
    corrected: 0.06,
    length: 0.41,
  },
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.28, unlined: 0.66 } as const;

/** From here on a question is answered though no source has a name that it has. */
export const ANSWER_WITHOUT_NAME = { lined: 0.5, unlined: 0.85 } as const;
