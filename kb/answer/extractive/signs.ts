/** The features of a candidate. Every value lies in 0 … 1, so that weights can be compared. */
export const FEATURES = [
  /** Share of the question's weight that the sentence has, words alike counting in part. */
  'overlap',
  /** Share of the question's 4-grams that the sentence has, anywhere. */
  'grams',
  /** What the previous sentence, or its introduction, adds to the overlap. */
  'context',
  /** Whether it has something of the kind that is asked for and that is not in the question. */
  'answer',
] as const;

/** The features that decide whether a further passage is quoted; each is about 0 … 1. */
export const BESIDE_SIGNS = [
  'against',
  'letters',
  'titleNear',
  'work',
  'language',
  'place',
  'joined',
] as const;
