import { once } from 'node:events';
import type { Leases } from '../../events/leases/leases.ts';
import { isLate } from './late.ts';
import type { LeaseName } from './lease-names.ts';

/** A part of a service that runs in only one process at a time. */
interface HeldPart {
  /** Resolves when this process runs the part for the first time; rejects if it could not begin, unless the store was only slow. */
  readonly begun: Promise<void>;
  /** Ends the part if it runs here, gives the lease back, and does not try for it again. */
  end(): Promise<void>;
}

/**
 * Runs a part of a service while this process holds the lease. `begin` resolves with a function that ends the part and
 * finishes what it has accepted; it is called when the lease is lost, and at a stop. A part that is fenced off by
 * another holder's write calls `giveUp`: it is ended, and the lease is tried for again.
 *
 * @example const comments = whileHeld(leases, 'comments', async () => { …; return () => writer.close(); });
 */
export function whileHeld(
  leases: Leases,
  lease: LeaseName,
  begin: (giveUp: () => void) => Promise<() => Promise<void>>,
): HeldPart {
  // Both of these only end a wait. The state of the part itself is in its own machine.
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  // Nobody waits for this promise in a standby process, so an unhandled rejection must not be reported.
  begun.promise.catch(() => undefined);
  const run = leases.run(
    lease,
    async (held) => {
      const givenUp = new AbortController();
      const end = await begin(() => givenUp.abort()).catch((error: unknown) => {
        // If the store is only slow, the start goes on waiting: the lease is tried for again.
        if (!isLate(error)) begun.reject(error);
        throw error;
      });
      begun.resolve();
      const over = AbortSignal.any([held, givenUp.signal]);
      if (!over.aborted) await once(over, 'abort');
      await end();
    },
    stop.signal,
  );
  return {
    begun: begun.promise,
    async end() {
      stop.abort();
      await run;
    },
  };
}

/**
 * Resolves when this process runs all of the parts; rejects if one could not begin. The caller may ignore the promise.
 */
export function allBegun(parts: readonly HeldPart[]): Promise<void> {
  const all = Promise.all(parts.map(({ begun }) => begun)).then(() => undefined);
  all.catch(() => undefined);
  return all;
}
