import { once } from 'node:events';
import type { Leases } from '../../events/leases/leases.ts';

/** A part of a service that only one process runs at a time. */
export interface HeldPart {
  /** Resolves when this process runs the part for the first time; rejects when it could not begin then. */
  readonly begun: Promise<void>;
  /** Ends the part where it runs, gives the lease back, and tries for it no more. */
  end(): Promise<void>;
}

/**
 * Runs a part of a service while this process holds the lease. `begin` resolves with what ends the part: called when
 * the lease is lost as well as at a stop, it finishes what was taken. A part that finds itself fenced off, by another
 * holder's write, calls `giveUp`: it is ended, and the lease is tried for again.
 *
 * @example const comments = whileHeld(leases, 'comments', async () => { …; return () => writer.close(); });
 */
export function whileHeld(
  leases: Leases,
  lease: string,
  begin: (giveUp: () => void) => Promise<() => Promise<void>>,
): HeldPart {
  // Signals alone, which end a wait: what state the part is in, its own machine says.
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  // A standby is not waited for.
  begun.promise.catch(() => undefined);
  const run = leases.run(
    lease,
    async (held) => {
      const givenUp = new AbortController();
      const end = await begin(() => givenUp.abort()).catch((error: unknown) => {
        begun.reject(error);
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

/** Resolves when this process runs all of the parts; rejects when one could not begin. Nobody has to listen. */
export function allBegun(parts: readonly HeldPart[]): Promise<void> {
  const all = Promise.all(parts.map(({ begun }) => begun)).then(() => undefined);
  all.catch(() => undefined);
  return all;
}
