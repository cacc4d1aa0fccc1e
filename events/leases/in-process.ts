import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from '../turns.ts';
import type { Leases } from './leases.ts';

/** Told of what a holder's work threw. It must not throw itself. */
export type OnWorkError = (error: unknown, lease: string) => void;

/** Leases among the parts of one process: nobody dies here without the others. */
export class InProcessLeases implements Leases {
  readonly #turns = new Turns();
  readonly #held = new Set<string>();
  readonly #onWorkError: OnWorkError;
  readonly #retryMs: number;

  constructor(onWorkError: OnWorkError, options: { retryMs?: number } = {}) {
    this.#onWorkError = onWorkError;
    this.#retryMs = options.retryMs ?? 1000;
  }

  async run(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#turns.run(name, () => this.#hold(name, work, signal));
      await pause(this.#retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async list(prefix: string): Promise<string[]> {
    return this.held().filter((name) => name.startsWith(prefix));
  }

  held(): string[] {
    return [...this.#held].sort();
  }

  async #hold(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#held.add(name);
    try {
      await work(signal);
    } catch (error) {
      this.#onWorkError(error, name);
    } finally {
      this.#held.delete(name);
    }
  }
}
