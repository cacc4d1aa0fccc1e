/** Milliseconds after which a dead holder is replaced. A living holder renews its lease three times as often. */
export const LEASE_MS = 3_000;
/** The pause before a process whose work ended tries to get the lease again. */
export const RETRY_MS = 1_000;
