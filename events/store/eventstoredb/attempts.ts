import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, type Pauses } from '../../backoff.ts';
import { isRefused, isTransient, storeError } from './errors.ts';

export interface Limits {
  /** The longest silence of the store within a call. */
  readonly timeoutMs: number;
  /** The longest time that one call, with its repetitions, is held up. */
  readonly giveUpMs: number;
}

/** Where nobody listens, a caller is not held up: so long a listener may be away that is just changing. */
const REFUSED_MS = 250;

const PAUSES: Pauses = { firstMs: 20, longestMs: 500 };

/** The tries of one call: each with its own timeout, all of them within one bounded time from the beginning. */
export class Attempts {
  readonly #limits: Limits;
  #until: number;
  #refusedUntil: number | undefined;
  #failures = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#until = performance.now() + limits.giveUpMs;
  }

  /** How long the store may be silent now; none is left where the call has waited for its turn too long. */
  get patience(): number {
    return Math.min(this.#limits.timeoutMs, Math.max(0, this.#until - performance.now()));
  }

  /** The store has answered in part: the time runs anew. */
  progress(): void {
    this.#until = performance.now() + this.#limits.giveUpMs;
    this.#refusedUntil = undefined;
    this.#failures = 0;
  }

  /** Resolves when another try may begin; rejects with the error of the house where there shall be none. */
  async again(error: unknown): Promise<void> {
    const now = performance.now();
    if (isRefused(error)) this.#refusedUntil ??= now + REFUSED_MS;
    else this.#refusedUntil = undefined;
    const until = Math.min(this.#until, this.#refusedUntil ?? Infinity);
    const pause = backoff(++this.#failures, PAUSES);
    if (!isTransient(error) || now + pause >= until) throw storeError(error);
    await sleep(pause);
  }
}
