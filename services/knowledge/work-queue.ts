import { BelegError } from '../../events/errors.ts';

/** The place of one piece of work; disposing of it frees the place. */
export interface Turn extends Disposable {
  /**
   * Gives up the place while `wait` runs, so that nobody queues behind work that is done elsewhere, and then takes the
   * next free place.
   */
  outside<T>(wait: () => Promise<T>): Promise<T>;
}

/**
 * Bounded concurrency with a bounded queue, first come first served. With a full queue new work is rejected at once
 * (`OVERLOADED`), because an answer after the caller has left helps nobody.
 */
export class WorkQueue {
  readonly #concurrent: number;
  readonly #queued: number;
  readonly #waiting: (() => void)[] = [];
  readonly #closing = new AbortController();
  #running = 0;
  /** Moving average of the duration of work, for `Retry-After`. */
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

  /**
   * From here on nothing waits: waiting work is rejected with this error, and so is new work if no place is free. Work
   * that has begun goes on, even if it is outside its place.
   */
  close(reason: BelegError): void {
    this.#closing.abort(reason);
  }

  /** Waits for a place. Rejects with `OVERLOADED`, or with the reason of `signal` or of `close` if one comes first. */
  async enter(signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted();
    let began = this.#takeFree();
    if (began === null) {
      const ending = AbortSignal.any([signal, this.#closing.signal]);
      ending.throwIfAborted();
      if (this.#waiting.length >= this.#queued) {
        const waitMs = (this.#averageMs * (this.#waiting.length + 1)) / this.#concurrent;
        throw new BelegError('OVERLOADED', { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
      }
      began = await this.#wait(ending);
      if (began === null) throw ending.reason;
    }
    const leave = (): void => {
      if (began !== null) this.#leave(began);
      began = null;
    };
    return {
      [Symbol.dispose]: leave,
      outside: async (wait) => {
        leave();
        try {
          return await wait();
        } finally {
          // Work that was cancelled meanwhile only has to end, for which it needs no place.
          began = signal.aborted ? null : (this.#takeFree() ?? (await this.#wait(signal, { first: true })));
        }
      },
    };
  }

  /** Takes a free place and returns the time; `null` if none is free. */
  #takeFree(): number | null {
    if (this.#running >= this.#concurrent) return null;
    this.#running += 1;
    return performance.now();
  }

  /** Resolves with the time at which the place was taken; `null` if the signal aborted first. */
  #wait(signal: AbortSignal, { first = false } = {}): Promise<number | null> {
    const turn = Promise.withResolvers<number | null>();
    const take = (): void => {
      signal.removeEventListener('abort', giveUp);
      turn.resolve(performance.now());
    };
    const giveUp = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(take), 1);
      turn.resolve(null);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (first) this.#waiting.unshift(take);
    else this.#waiting.push(take);
    return turn.promise;
  }

  /** Frees a place. It goes directly to the next in the queue, so that nobody can get in between. */
  #leave(began: number): void {
    this.#averageMs += (performance.now() - began - this.#averageMs) / 16;
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
