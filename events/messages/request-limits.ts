/**
 * What a client may send at most. More is refused as `INVALID_REQUEST`, and the OpenAPI document says so. The forms of
 * the pages say so before they send (`services/pages/knowledge/request-limits.ts`).
 */
export const REQUEST_LIMITS = {
  /** Characters of a question. */
  question: 2_000,
  /** Passages that a question may want read. */
  passages: 50,
  /** Facts, or components of a computation, that a review takes. */
  facts: 40,
  /** Characters of a fact's key, of its value, and of a computation's label and basis. */
  fact: 200,
  /** Characters of the note to a fact. */
  factNote: 500,
  /** Characters of what a rating says in words. */
  feedback: 1_000,
  /** Characters of a comment on an answer. */
  comment: 2_000,
  /** Characters of the reason for an erasure. */
  erasureReason: 500,
  /** Characters of a text that is searched for in the list of answers. */
  searchText: 200,
  /** Shares of an order. A larger number is a mistake: a slipped key or a wrong unit. */
  quantity: 1_000_000_000,
  /** Price of an order, or cash a share. */
  price: 1_000_000_000,
  /** Decimal places of a quantity, a price or an amount: sources of market data give up to so many. */
  decimals: 6,
  /** Cash that is paid in or out at once. */
  cash: 1_000_000_000_000,
} as const;

/** How many passages are read for a question that does not say. */
export const DEFAULT_PASSAGES = 8;
