import type { FEATURES } from './features.ts';
import type { SIGNS } from './relevance.ts';

/** Fitted by `bench/fit.ts`, which says on what, and how well they carry over. */
export const SOURCE_WEIGHTS: Readonly<Record<(typeof FEATURES)[number], number>> = {
  score: 6.86,
  title: 0.71,
  titleTelling: 0.19,
  titleAsked: 0.82,
  body: 1.51,
  bodyTelling: 0.29,
  sentence: 2.2,
  sentenceTelling: 0.06,
  openingTelling: 0.78,
  asked: 0.28,
  askedTelling: 1.06,
  wanted: 0.81,
  wantedThere: 0.56,
  titleType: 0.8,
  titleOther: -0.31,
  language: 0.4,
};

/** Log odds that the best source answers, by the signs. */
export const RELEVANCE: Readonly<Record<(typeof SIGNS)[number] | 'bias', number>> = {
  bias: -5.28,
  body: 1.14,
  sentence: 1.44,
  title: -1.2,
  titleAsked: 0.93,
  asked: -0.38,
  unlined: 0.38,
  share: 4.27,
  score: 0.67,
  missing: -1.58,
  missingNouns: -0.41,
  missingMost: 0.6,
  corrected: -0.15,
  wanted: 0.39,
  length: 0.98,
  short: 0.02,
  own: -0.4,
};

/** Below this a question is refused; of a source that does not say how it is asked for, more is demanded. */
export const ANSWER_FROM = { lined: 0.3, unlined: 0.65 } as const;
