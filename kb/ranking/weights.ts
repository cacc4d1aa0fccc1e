import type { FEATURES } from './features.ts';
import type { SIGNS } from './relevance.ts';

/** Fitted by `bench/fit.ts`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<Record<(typeof FEATURES)[number], number>> = {
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
};

/** Log odds that the best source answers, by the signs: for sources that say how they are asked for, and for others. */
export const RELEVANCE: Readonly<
  Record<'lined' | 'unlined', Readonly<Record<(typeof SIGNS)[number] | 'bias', number>>>
> = {
  lined: {
    bias: -3.91,
    body: 0.81,
    sentence: -1.11,
    title: -0.32,
    titleAsked: 0.4,
    asked: 0.75,
    share: 2.49,
    score: 0.33,
    missing: 0.24,
    missingNouns: -1.18,
    missingMost: 0.03,
    lost: -0.21,
    lostMost: 0.23,
    unknown: 0.1,
    unknownMost: 0.73,
    literal: 0.28,
    linePrecision: -0.22,
    corrected: 0.49,
    wanted: 0.43,
    length: 1.56,
    short: 0.41,
    own: -0.52,
  },
  unlined: {
    bias: -4.72,
    body: 1.03,
    sentence: 1.39,
    title: -0.07,
    titleAsked: 0.24,
    asked: 0.0,
    share: 2.38,
    score: 1.69,
    missing: -0.66,
    missingNouns: -0.53,
    missingMost: -0.29,
    lost: -0.38,
    lostMost: -0.08,
    unknown: -0.36,
    unknownMost: 0.14,
    literal: 0.41,
    linePrecision: 0.0,
    corrected: -0.03,
    wanted: 0.23,
    length: 0.44,
    short: -0.0,
    own: 0.06,
  },
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.33, unlined: 0.66 } as const;

/** From here on a question is answered though no source has a name that it has. */
export const ANSWER_WITHOUT_NAME = 0.6;
