import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<
  Record<'lined' | 'unlined', Readonly<Partial<Record<(typeof FEATURES)[number], number>>>>
> = {
  lined: {
    score: 5.57,
    title: -0.82,
    titleTelling: 0.32,
    titleAsked: 0.4,
    body: -0.08,
    bodyTelling: 0.4,
    sentence: -0.35,
    openingTelling: 0.15,
    asked: 1.28,
    askedTelling: -0.0,
    wanted: 0.43,
    wantedThere: 0.17,
    titleType: 0.2,
    titleOther: -0.33,
    language: -2.7,
    year: 4.35,
    askedOften: 2.89,
    sideBySide: 1.71,
    askedKind: 0.47,
    usual: 0.52,
    letters: 1.62,
    lettersAgain: 0.73,
    lettersTitle: 0.53,
    nearest: 4.33,
    near: 3.91,
    nearTitle: 2.6,
    nearAll: 1.59,
  },
  unlined: {
    score: 6.7,
    title: 0.07,
    titleTelling: 0.01,
    titleAsked: 0.25,
    body: 1.82,
    bodyTelling: 0.27,
    sentence: 2.42,
    openingTelling: 1.29,
    wanted: 0.95,
    wantedThere: 1.01,
    titleType: 0.11,
    titleOther: -0.24,
    year: 3.12,
  },
};

/** Log odds that the best source answers, by the signs: for sources that say how they are asked for, and for others. */
export const RELEVANCE: Readonly<{
  [K in Kind]: Readonly<Record<(typeof SIGNS)[K][number] | 'bias', number>>;
}> = {
  lined: {
    bias: -9.62,
    nearest: 3.87,
    nearer: 4.3,
    unansweredShare: -3.43,
    unansweredWords: -2.42,
    share: 3.05,
    found: 0.65,
    missingNouns: -0.92,
    corrected: 1.29,
    length: 5.2,
    own: -2.6,
  },
  unlined: {
    bias: -4.09,
    title: -0.34,
    titleAsked: -0.18,
    body: 0.84,
    sentence: 1.1,
    wantedThere: -0.07,
    share: 2.36,
    found: 1.92,
    missing: -0.57,
    missingNouns: -0.63,
    missingMost: -0.2,
    lost: -0.71,
    lostMost: -0.19,
    unknown: -0.54,
    unknownMost: -0.01,
    literal: 0.28,
    corrected: 0.06,
    length: 0.16,
  },
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.32, unlined: 0.66 } as const;

/** From here on a question is answered though no source has a name that it has. */
export const ANSWER_WITHOUT_NAME = { lined: 0.5, unlined: 0.85 } as const;
