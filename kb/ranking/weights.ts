import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<
  Record<'lined' | 'unlined', Readonly<Partial<Record<(typeof FEATURES)[number], number>>>>
> = {
  lined: {
    score: 4.4,
    title: -0.82,
    titleTelling: -0.0,
    titleAsked: 0.38,
    body: -0.32,
    bodyTelling: 0.53,
    sentence: -0.59,
    openingTelling: 0.61,
    asked: 1.49,
    askedTelling: -0.85,
    wanted: 0.35,
    wantedThere: 0.38,
    titleType: 0.32,
    titleOther: -0.28,
    language: -1.45,
    year: 3.83,
    askedOften: 1.34,
    sideBySide: 0.33,
    askedKind: 0.94,
    usual: 0.72,
    letters: 1.58,
    lettersAgain: 1.16,
    lettersTitle: 0.75,
    nearest: 3.29,
    near: 3.18,
    nearTitle: 2.13,
    nearAll: 1.62,
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
    bias: -8.65,
    nearest: 3.81,
    nearer: 3.73,
    unansweredShare: -3.1,
    unansweredWords: -1.75,
    share: 3.33,
    found: 0.47,
    missingNouns: -0.88,
    corrected: 1.13,
    length: 4.36,
    own: -3.1,
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
export const ANSWER_FROM = { lined: 0.32, unlined: 0.66 } as const;

/** From here on a question is answered though no source has a name that it has. */
export const ANSWER_WITHOUT_NAME = { lined: 0.5, unlined: 0.85 } as const;
