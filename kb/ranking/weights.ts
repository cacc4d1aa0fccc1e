import type { FEATURES } from './features.ts';
import type { Kind, SIGNS } from './relevance.ts';

/** Of the order of sources, fitted by `npm run fit -- sources`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<
  Record<'lined' | 'unlined', Readonly<Partial<Record<(typeof FEATURES)[number], number>>>>
> = {
  lined: {
    score: 5.71,
    title: 0.08,
    titleTelling: 0.37,
    titleAsked: 0.53,
    body: 0.03,
    bodyTelling: 0.11,
    sentence: -0.09,
    sentenceTelling: -0.24,
    openingTelling: 0.28,
    asked: 0.98,
    askedTelling: 0.44,
    wanted: 0.29,
    wantedThere: 0.47,
    titleType: 0.75,
    titleOther: -0.12,
    language: -0.7,
    // Lower than the fit has it (3.5), so that a year of the asker's story does not decide alone.
    year: 1.8,
    askedOften: 1.72,
    sideBySide: 1.13,
    askedKind: 1.23,
    usual: 0.6,
    letters: 1.05,
    lettersAgain: 2.47,
    lettersTitle: 1.99,
    nearest: 1.01,
    near: 0.77,
    nearTitle: 1.13,
    nearAll: -0.27,
  },
  unlined: {
    score: 7.09,
    title: 0.34,
    titleTelling: 0.48,
    titleAsked: 1.24,
    body: 1.07,
    bodyTelling: 0.37,
    sentence: 1.39,
    sentenceTelling: -0.05,
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
    bias: -5.13,
    letters: 1.01,
    lettersTitle: 0.61,
    nearest: 1.02,
    lineFit: 0.6,
    unansweredFit: -2.31,
    unansweredShare: -1.93,
    share: 2.3,
    found: 0.56,
    missing: -0.84,
    missingNouns: -1.12,
    missingMost: 0.57,
    length: 3.68,
    own: 0.3,
  },
  unlined: {
    bias: -4.72,
    title: -0.07,
    titleAsked: 0.24,
    body: 1.03,
    sentence: 1.39,
    wantedThere: 0.23,
    share: 2.38,
    found: 1.69,
    missing: -0.66,
    missingNouns: -0.53,
    missingMost: -0.29,
    lost: -0.38,
    lostMost: -0.08,
    unknown: -0.36,
    unknownMost: 0.14,
    literal: 0.41,
    corrected: -0.03,
    length: 0.44,
    own: 0.06,
  },
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.38, unlined: 0.66 } as const;

/** From here on a question is answered though no source has a name that it has. */
export const ANSWER_WITHOUT_NAME = { lined: 0.5, unlined: 0.75 } as const;
