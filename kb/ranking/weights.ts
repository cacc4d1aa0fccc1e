import type { FEATURES } from './features.ts';
import type { SIGNS } from './relevance.ts';

/** Fitted by `bench/fit.ts`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<Record<(typeof FEATURES)[number], number>> = {
  score: 7,
  title: 0.52,
  titleTelling: 0.53,
  titleAsked: 0.65,
  body: 0.94,
  bodyTelling: 0.3,
  sentence: 1.62,
  sentenceTelling: 0.15,
  openingTelling: 0.83,
  asked: 0.66,
  askedTelling: 0.71,
  wanted: 0.65,
  wantedThere: 0.59,
  titleType: 0.63,
  titleOther: -0.49,
  language: 0.37,
};

/** Log odds that the best source answers, by the signs. */
export const RELEVANCE: Readonly<Record<(typeof SIGNS)[number] | 'bias', number>> = {
  bias: -4.82,
  body: 1.66,
  sentence: 1.14,
  title: -1.45,
  titleAsked: 0.66,
  asked: 0.3,
  unlined: 0.37,
  share: 4.11,
  score: 0.57,
  missing: -1.6,
  missingNouns: -0.57,
  missingMost: 0.43,
  corrected: 0.05,
  wanted: 0.32,
  length: 0.81,
  short: 0.02,
  own: -0.06,
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.3, unlined: 0.65 } as const;
