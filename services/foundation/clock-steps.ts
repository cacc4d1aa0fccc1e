/** A smaller step is an ordinary correction of the clock. */
const STEP_MS = 1_000;
/** By less than this the clock of another machine that records may be ahead. */
const AHEAD_MS = 60_000;

/**
 * Notices when the system's clock is set back, also while no process ran: new events then have earlier times than older ones. The record keeps its
 * own order, so nothing is lost, but ages, retention and `--from` go by the times.
 */
export class ClockSteps {
  readonly #now: () => number;
  readonly #counted: () => number;
  #last: { readonly now: number; readonly counted: number };
  /** The latest time so far. */
  #latest: number;

  /** @param now the time of day, in milliseconds since 1970 @param counted milliseconds that only go forwards */
  constructor({ now, counted }: { now: () => number; counted: () => number }) {
    this.#now = now;
    this.#counted = counted;
    this.#last = { now: now(), counted: counted() };
    this.#latest = this.#last.now;
  }

  /** By how many milliseconds it was set back since the last look; 0 if it was not. */
  look(): number {
    const [now, counted] = [this.#now(), this.#counted()];
    const back = this.#last.now + (counted - this.#last.counted) - now;
    this.#last = { now, counted };
    this.#latest = Math.max(this.#latest, now);
    return back >= STEP_MS ? back : 0;
  }

  /**
   * Compares the clock with the time of an event on record, in milliseconds since 1970. By how many milliseconds it is
   * before it; 0 if it is not.
   */
  compare(recorded: number): number {
    const behind = recorded - this.#now();
    if (!(behind >= AHEAD_MS)) return 0;
    this.#latest = Math.max(this.#latest, recorded);
    return behind;
  }

  /** True until the clock shows a time later than all before. */
  get isBehind(): boolean {
    return this.#latest - this.#now() >= STEP_MS;
  }
}
