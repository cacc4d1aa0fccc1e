/** The pauses between tries of one kind, in milliseconds. */
export interface Pauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pauses before another try, by what is tried. */
export const RETRY_PAUSES = {
  /** An append, while the store is away. */
  append: { firstMs: 20, longestMs: 1_000 },
  /** One call to EventStoreDB. */
  eventStoreCall: { firstMs: 20, longestMs: 500 },
  /** A subscription of EventStoreDB whose connection broke. */
  eventStoreSubscription: { firstMs: 50, longestMs: 2_000 },
  /** The relay, while the store or NATS is away. */
  relay: { firstMs: 100, longestMs: 1_600 },
  /** A check of the keys of text in NATS, after the NATS server was away. */
  keys: { firstMs: 100, longestMs: 5_000 },
  /** A request to the broker. */
  broker: { firstMs: 50, longestMs: 5_000 },
  /** A report of the trainer that is to be recorded. */
  trainingReport: { firstMs: 50, longestMs: 2_000 },
  /** One ticker, while the source of the market data is away. */
  marketSource: { firstMs: 1_000, longestMs: 60_000 },
} as const satisfies Record<string, Pauses>;

/** Milliseconds to wait after the given number of failures in a row (1, 2, …). Each wait is twice as long as the last. */
export const backoff = (failures: number, { firstMs, longestMs }: Pauses): number =>
  Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
