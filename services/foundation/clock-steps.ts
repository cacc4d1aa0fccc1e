/** The least step of the clock, in milliseconds, that is reported. A smaller one is an ordinary correction. */
const STEP_MS = 1_000;
/** How far the clock of another recording machine may be ahead without a report. */
const AHEAD_MS = 60_000;

/**
 * Notices when the system's clock is set back, even while no process ran: new events then have earlier times than older
 * ones. The record keeps its own order, so nothing is lost, but ages, retention and `--from` use the times.
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

  /** The number of milliseconds by which the clock was set back since the last call; 0 if it was not. */
  look(): number {
    const [now, counted] = [this.#now(), this.#counted()];
    const back = this.#last.now + (counted - this.#last.counted) - now;
    this.#last = { now, counted };
    this.#latest = Math.max(this.#latest, now);
    return back >= STEP_MS ? back : 0;
  }

  /**
   * The number of milliseconds by which the clock is before the time of an event on record (in milliseconds since
   * 1970); 0 if it is not.
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
