import type { Clock } from '../../../clock.ts';

/** So many at once, and so many a second in the long run (a token bucket). */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

export class Throttle {
  readonly #rate: Rate;
  readonly #clock: Clock;
  #left: number;
  #at: number;

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#left = rate.burst;
    this.#at = clock.now();
  }

  /** False where it is one too many. */
  take(): boolean {
    const now = this.#clock.now();
    // A clock that was put back gives nothing and takes nothing.
    const earned = (Math.max(0, now - this.#at) / 1_000) * this.#rate.perSecond;
    this.#left = Math.min(this.#rate.burst, this.#left + earned);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
