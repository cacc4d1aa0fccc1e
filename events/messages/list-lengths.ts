/**
 * The lengths of lists: `usual` is the length if a client names no `limit`, and `most` is the highest limit that a
 * client may name.
 */
export const LIST_LENGTHS = {
  /** `GET /v1/audit/interactions`. */
  interactions: { usual: 50, most: 200 },
  /** `GET /api/trading/orders`. */
  orders: { usual: 10_000, most: 10_000 },
  /** The account's value at the close of each session. */
  equity: { usual: 1_000, most: 5_000 },
  /** `GET /api/trading/trades`. */
  trades: { usual: 1_000, most: 2_000 },
  /** `GET /api/data/prices/<ticker>`: the bars of about a year. */
  prices: { usual: 252, most: 10_000 },
  /** `GET /api/dashboard/logs`. */
  logLines: { usual: 100, most: 1_000 },
} as const;

/**
 * The most entries of one reply between services, which must fit into a message. A longer list is read in several
 * requests.
 */
export const MOST_A_REPLY = { orders: 1_000, prices: 2_000, sessions: 1_000 } as const;
