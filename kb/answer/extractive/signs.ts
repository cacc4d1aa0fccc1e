/** The features of a candidate. Every value is within 0 … 1, so that weights can be compared. */
export const FEATURES = [
  /** The share of the question's weight that the sentence contains. Similar words count in part. */
  'overlap',
  /** The share of the question's 4-grams that the sentence contains anywhere. */
  'grams',
  /** How much the sentence before this one, or its introduction, adds to the overlap. */
  'context',
  /**
   * Whether the sentence contains an answer of the kind that is asked for, which the question itself does not contain.
   */
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
