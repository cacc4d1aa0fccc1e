import { setTimeout as pause } from 'node:timers/promises';
import { unlessAborted } from '../timeout-and-abort.ts';
import { RETRY_MS } from './lease-times.ts';
import { assertLeaseName, type Leases, type OnWorkError } from './leases.ts';

/** Leases within one process, whose parts all end together. */
export class InProcessLeases implements Leases {
  readonly #onWorkError: OnWorkError;
  readonly #retryMs: number;
  /** The present holder of each lease: a promise that resolves when it gives the lease back. */
  readonly #holders = new Map<string, Promise<void>>();

  constructor(onWorkError: OnWorkError, options: { retryMs?: number } = {}) {
    this.#onWorkError = onWorkError;
    this.#retryMs = options.retryMs ?? RETRY_MS;
  }

  async run(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    assertLeaseName(name);
    while (!signal.aborted) {
      const holder = this.#holders.get(name);
      if (holder !== undefined) {
        await unlessAborted(holder, signal).catch(() => undefined);
        continue;
      }
      const holding = this.#hold(name, work, signal);
      this.#holders.set(name, holding);
      await holding;
      await pause(this.#retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async list(prefix: string): Promise<string[]> {
    return this.held().filter((name) => name.startsWith(prefix));
  }

  held(): string[] {
    return [...this.#holders.keys()].sort();
  }

  /** All holders are in this process and have the same clock. */
  async clockAhead(): Promise<number> {
    return 0;
  }

  async #hold(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      // The work begins only after the caller has noted the holder.
      await Promise.resolve();
      await work(signal);
    } catch (error) {
      this.#onWorkError(error, name);
    } finally {
      this.#holders.delete(name);
    }
  }
}
