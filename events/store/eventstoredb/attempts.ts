import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, RETRY_PAUSES } from '../../retry-pauses.ts';
import { isRefused, isTransient, storeError } from './errors.ts';

export interface Limits {
  /** The longest time without any reply of the store within a call. */
  readonly timeoutMs: number;
  /** The longest time of one call, with its repetitions. */
  readonly giveUpMs: number;
}

/** If nobody listens at the address, a caller waits only for this time, in which a server can be restarted. */
const REFUSED_MS = 250;

export type Attempts = ReturnType<typeof createAttempts>;

/** The tries of one call: each with its own timeout, all of them within one limit from the beginning. */
export function createAttempts({ timeoutMs, giveUpMs }: Limits) {
  let until = performance.now() + giveUpMs;
  let refusedUntil = Infinity;
  let failures = 0;
  return {
    /** How long the store may be silent now; 0 if the call has waited too long for its turn. */
    patience: (): number => Math.min(timeoutMs, Math.max(0, until - performance.now())),
    /** To be called when the store has sent a part of the answer: the time of the call begins again. */
    progress(): void {
      until = performance.now() + giveUpMs;
      refusedUntil = Infinity;
      failures = 0;
    },
    /** Resolves when another try may begin; rejects with a `BelegError` if no further try is allowed. */
    async again(error: unknown): Promise<void> {
      const now = performance.now();
      refusedUntil = isRefused(error) ? Math.min(refusedUntil, now + REFUSED_MS) : Infinity;
      const pause = backoff(++failures, RETRY_PAUSES.eventStoreCall);
      if (!isTransient(error) || now + pause >= Math.min(until, refusedUntil)) throw storeError(error);
      await sleep(pause);
    },
  };
}
