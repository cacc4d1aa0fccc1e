/**
 * Decides which of several processes does what only one may do at a time. A lease is not a lock: a holder that was
 * suspended may act for a moment after it has lost its lease. So every write is fenced as well, by the exact expected
 * revision of its append or by the place in its transaction.
 *
 * A lease's name is lower-case tokens of letters, digits and hyphens, joined by dots; others throw `TypeError`.
 */
export interface Leases {
  /**
   * Runs `work` each time that this process gets the lease, until `signal` aborts; resolves once the last `work` has
   * ended and the lease is given back. At most one holder at a time gets to run; another takes over within 5 seconds of
   * its death, at once when it stops in order.
   *
   * `work` ends when the signal it is given aborts: the lease is lost, or `signal` has aborted. Where it ends by itself
   * or rejects (told to the error hook), the lease is given back and tried for again after a pause.
   */
  run(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Names of the leases that are held now, by any process, and begin with `prefix`. Rejects with `SERVICE_UNAVAILABLE`. */
  list(prefix: string): Promise<string[]>;
  /** The names of the leases that this process holds at this moment, even if it stood still until now. */
  held(): string[];
  /**
   * By how many milliseconds at least the clock of this process is ahead of the one by which leases are kept, and which all processes
   * share; negative if it is behind. 0 where it is neither for certain, and where this process holds no lease.
   */
  clockAhead(): Promise<number>;
}

/** Called with what a holder's work threw. It must not throw itself. */
export type OnWorkError = (error: unknown, lease: string) => void;

const LEASE_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/u;

export function assertLeaseName(name: string): void {
  if (!LEASE_NAME.test(name)) throw new TypeError(`not a valid lease name: ${name}`);
}
