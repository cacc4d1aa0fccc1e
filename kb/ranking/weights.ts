import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<
  Record<'lined' | 'unlined', Readonly<Partial<Record<(typeof FEATURES)[number], number>>>>
> = {
  lined: {
    score: 4.58,
    title: -0.9,
    titleTelling: 0.21,
    titleAsked: 0.29,
    body: -0.34,
    bodyTelling: 0.4,
    sentence: -0.52,
    openingTelling: 0.68,
    asked: 1.38,
    askedTelling: -0.57,
    wanted: 0.41,
    wantedThere: 0.38,
    titleType: 0.34,
    titleOther: -0.31,
    language: -2.16,
    year: 3.83,
    askedOften: 1.58,
    sideBySide: 0.63,
    askedKind: 0.82,
    usual: 0.66,
    letters: 1.67,
    lettersAgain: 0.35,
    lettersTitle: 0.48,
    nearest: 2.89,
    near: 2.45,
    nearTitle: 2.27,
    nearAll: 1.59,
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
    bias: -7.27,
    nearest: 3.18,
    nearer: 3.67,
    unansweredShare: -2.88,
    unansweredWords: -2.0,
    share: 2.57,
    found: 0.44,
    missingNouns: -1.44,
    corrected: 1.13,
    length: 4.51,
    own: -2.98,
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
