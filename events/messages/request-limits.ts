/**
 * The limits of what a client may send. More is refused as `INVALID_REQUEST`, and the OpenAPI document has these
 * limits. The pages check them before they send a form (`services/pages/knowledge/request-limits.ts`).
 */
export const REQUEST_LIMITS = {
  /** Characters of a question. */
  question: 2_000,
  /** The most passages that a question may ask to be read. */
  passages: 50,
  /** The most facts of a review, and the most components of its computation. */
  facts: 40,
  /** Characters of a fact's key, of its value, and of a computation's label and basis. */
  fact: 200,
  /** Characters of the note to a fact. */
  factNote: 500,
  /** Characters of the text of a rating. */
  feedback: 1_000,
  /** Characters of a comment on an answer. */
  comment: 2_000,
  /** Characters of the reason for an erasure. */
  erasureReason: 500,
  /** Characters of a text that is searched for in the list of answers. */
  searchText: 200,
  /** Shares of an order. A larger number is a mistake: a slipped key or a wrong unit. */
  quantity: 1_000_000_000,
  /** The highest price of an order, in cash a share. */
  price: 1_000_000_000,
  /** Decimal places of a price, a quantity or an amount. */
  decimals: 6,
  /** The most cash of one payment, in or out. */
  cash: 1_000_000_000_000,
} as const;

/** The number of passages that are read for a question that does not state one. */
export const DEFAULT_PASSAGES = 8;
