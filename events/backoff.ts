/** Milliseconds between tries of one kind. */
export interface Pauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Milliseconds to wait after the given number of failures in a row (1, 2, …). Each wait is twice as long as the last. */
export const backoff = (failures: number, { firstMs, longestMs }: Pauses): number =>
  Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
