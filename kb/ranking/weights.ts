import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<
  Record<'lined' | 'unlined', Readonly<Partial<Record<(typeof FEATURES)[number], number>>>>
> = {
  lined: {
    score: 4.42,
    title: -0.9,
    titleTelling: 0.06,
    titleAsked: 0.38,
    body: -0.2,
    bodyTelling: 0.44,
    sentence: -0.6,
    openingTelling: 0.4,
    asked: 1.12,
    askedTelling: -0.5,
    wanted: 0.34,
    wantedThere: 0.32,
    titleType: 0.42,
    titleOther: -0.2,
    language: -1.6,
    year: 3.68,
    askedOften: 1.31,
    sideBySide: 0.48,
    askedKind: 1.06,
    usual: 0.68,
    letters: 1.69,
    lettersAgain: 1.2,
    lettersTitle: 0.83,
    nearest: 3.56,
    near: 3.09,
    nearTitle: 2.48,
    nearAll: 1.42,
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
    bias: -9.06,
    nearest: 4.27,
    nearer: 4.7,
    unansweredShare: -2.09,
    unansweredWords: -1.98,
    share: 3.15,
    found: 0.44,
    missingNouns: -0.92,
    corrected: 1.07,
    length: 4.59,
    own: -2.93,
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
