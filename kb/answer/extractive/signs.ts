/** The features of a candidate. Every value lies in 0 … 1, so that weights can be compared. */
export const FEATURES = [
  /** Share of the question's weight that the sentence has, words alike counting in part. */
  'overlap',
  /** Share of the question's 4-grams that the sentence has, anywhere. */
  'grams',
  /** What the sentence before it, or its lead-in, adds to the overlap. */
  'context',
  /** It contains something of the kind that is asked for, which the question does not contain. */
  'answer',
] as const;

/** The features that decide whether a passage is told beside the likeliest one; about 0 … 1 each. */
export const BESIDE_SIGNS = [
  'against',
  'letters',
  'titleNear',
  'work',
  'language',
  'place',
  'joined',
] as const;
