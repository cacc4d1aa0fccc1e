/** A holder that has died is replaced after this time. It renews its lease three times in it. */
export const LEASE_MS = 3_000;
/** The pause before a process whose work ended tries to get the lease again. */
export const RETRY_MS = 1_000;
