/**
 * Decides which of several processes may do something that only one may do at a time. A lease is not a lock: a holder
 * that was suspended may act for a moment after it has lost its lease. So every write is also fenced: an append names
 * the exact expected revision, and a transaction checks the place that the tables have reached.
 *
 * A lease's name is lower-case tokens of letters, digits and hyphens, joined by dots; others throw `TypeError`.
 */
export interface Leases {
  /**
   * Runs `work` each time that this process gets the lease, until `signal` aborts; resolves once the last `work` has
   * ended and the lease is given back. At most one holder runs at a time. Another process takes over within 5 seconds
   * of the holder's death, and at once when the holder stops in order.
   *
   * `work` ends when its own signal aborts: the lease is lost, or `signal` has aborted. If `work` ends by itself or
   * rejects (reported to the error hook), the lease is given back and tried for again after a pause.
   */
  run(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Names of the leases that are held now, by any process, and begin with `prefix`. Rejects with `SERVICE_UNAVAILABLE`. */
  list(prefix: string): Promise<string[]>;
  /**
   * The names of the leases that this process holds at this moment, checked by the clock even if the process stood
   * still until now.
   */
  held(): string[];
  /**
   * The least number of milliseconds by which the clock of this process is ahead of the clock of the leases, which all
   * processes share; negative if it is behind. 0 if neither is certain, or if this process holds no lease.
   */
  clockAhead(): Promise<number>;
}

/** Called with the error that a holder's work threw. It must not throw itself. */
export type OnWorkError = (error: unknown, lease: string) => void;

const LEASE_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/u;

export function assertLeaseName(name: string): void {
  if (!LEASE_NAME.test(name)) throw new TypeError(`not a valid lease name: ${name}`);
}
