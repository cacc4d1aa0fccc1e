/** Milliseconds, monotonic; injected, so that hours pass in no time in a test. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/**
 * When each event is due: as far from the first as it happened, divided by `speed`. One that happened before others which
 * are on record earlier is due at once. The plan is from the first event on, so that waits do not add up to a drift.
 */
export class Pace {
  readonly #speed: number;
  readonly #clock: Clock;
  #start: { readonly real: number; readonly recorded: number } | undefined;

  /** `Infinity`: everything is due at once. */
  constructor(speed: number, clock: Clock) {
    this.#speed = speed;
    this.#clock = clock;
  }

  /** Milliseconds until an event that happened at this time is due; never negative. */
  until(at: string): number {
    if (this.#speed === Infinity) return 0;
    const recorded = Date.parse(at);
    this.#start ??= { real: this.#clock.now(), recorded };
    const due = this.#start.real + (recorded - this.#start.recorded) / this.#speed;
    return Math.max(0, due - this.#clock.now());
  }
}
