/** A word or number as it stands in a text. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What a content word is compared by, wherever it stands. */
export interface Form {
  /** The word as `fold` returns it. Compounds are split and 4-grams are cut from this form. */
  readonly folded: string;
  /** The stem: the term that is indexed. A word with a digit in it is its own stem. */
  readonly term: string;
  /** Stems of a compound's parts, where the vocabulary knows them; the stem that a verb shares with its noun. */
  readonly parts: readonly string[];
}

/** A content word of a text. */
export interface Word extends Token, Form {}
