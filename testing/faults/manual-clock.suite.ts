import type { Clock } from '../../services/foundation/clock.ts';

interface Timer {
  at: number;
  readonly every: number | null;
  readonly run: () => void;
}

/** A clock that only moves when a test advances it. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;

  /** `now` is in milliseconds since 1970. */
  constructor(now: number = Date.parse('2026-01-15T08:00:00.123Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** The number of timers. */
  get timers(): number {
    return this.#timers.size;
  }

  after(ms: number, run: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: null, run });
  }

  every(ms: number, run: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: ms, run });
  }

  /** Advances the clock and runs the timers that are due, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#now = next.at;
      if (next.every === null) this.#timers.delete(next);
      else next.at += next.every;
      next.run();
    }
    this.#now = until;
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  #next(until: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  }
}
