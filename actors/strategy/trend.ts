import { RollingMean } from './rolling-mean.ts';

/** Averages closer than this are the same: what rounding leaves of a price that does not move is no trend. */
const SAME = 1e-9;

/** Whether the fast moving average of a ticker's closes is above the slow one; constant time a close. */
export class Trend {
  readonly #fast: RollingMean;
  readonly #slow: RollingMean;
  /** `null` until there are closes enough for the slow average. */
  up: boolean | null = null;
  /** The newest close, and the number of its session. */
  close = Number.NaN;
  session = 0;

  constructor(fast: number, slow: number) {
    this.#fast = new RollingMean(fast);
    this.#slow = new RollingMean(slow);
  }

  /** Takes a close in; true when the trend is another one now, or known to be up for the first time. */
  push(close: number, session: number): boolean {
    const fast = this.#fast.push(close);
    const slow = this.#slow.push(close);
    this.close = close;
    this.session = session;
    if (Number.isNaN(slow)) return false;
    const before = this.up;
    this.up = fast > slow * (1 + SAME);
    return this.up !== (before ?? false);
  }

  scale(factor: number): void {
    this.#fast.scale(factor);
    this.#slow.scale(factor);
    this.close *= factor;
  }
}
