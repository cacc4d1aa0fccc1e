/** A word or number in a text. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The forms by which a content word is compared. */
export interface Form {
  /** The word as `fold` returns it. Compounds are split and 4-grams are cut from this form. */
  readonly folded: string;
  /** The stem: the term that is indexed. A word with a digit in it is its own stem. */
  readonly term: string;
  /** The stems of a compound's parts that the vocabulary has, and the stem that a verb shares with its noun. */
  readonly parts: readonly string[];
}

/** A content word of a text. */
export interface Word extends Token, Form {}
