import { BelegError } from '../../events/errors.ts';

/**
 * Bounded concurrency with a bounded queue, first come first served. What finds the queue full is turned away at
 * once (`OVERLOADED`), since an answer after the caller has left helps nobody.
 */
export class Gate {
  readonly #concurrent: number;
  readonly #queued: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** Moving average of how long one piece of work takes, for `Retry-After`. */
  #averageMs = 50;

  constructor(limits: { concurrent: number; queued: number }) {
    this.#concurrent = limits.concurrent;
    this.#queued = limits.queued;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#waiting.length;
  }

  /** Rejects with `OVERLOADED`, with `DEADLINE_EXCEEDED` when its turn came too late, or with what `work` threw. */
  async run<T>(deadline: Date, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#concurrent) await this.#queue();
    else this.#running += 1;
    try {
      if (deadline.getTime() <= Date.now()) throw new BelegError('DEADLINE_EXCEEDED');
      const started = performance.now();
      try {
        return await work();
      } finally {
        this.#averageMs += (performance.now() - started - this.#averageMs) / 16;
      }
    } finally {
      // The place passes straight to the next in line, so nobody can slip in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #queue(): Promise<void> {
    if (this.#waiting.length >= this.#queued) {
      const waitMs = (this.#averageMs * (this.#waiting.length + 1)) / this.#concurrent;
      throw new BelegError('OVERLOADED', { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
    }
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn.resolve);
    return turn.promise;
  }
}
