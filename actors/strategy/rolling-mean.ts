/**
 * The mean of the newest `period` values, in constant time for each value: a ring buffer and its sum. The sum is
 * calculated afresh whenever the ring is full again, so that rounding errors do not add up and a NaN is forgotten by
 * then.
 */
export class RollingMean {
  readonly #ring: Float64Array;
  #seen = 0;
  #next = 0;
  #sum = 0;

  constructor(period: number) {
    if (!Number.isInteger(period) || period < 1) throw new RangeError(`not a period: ${period}`);
    this.#ring = new Float64Array(period);
  }

  /** Adds a value and returns the mean; NaN until there are `period` values. */
  push(value: number): number {
    const ring = this.#ring;
    this.#sum += value - ring[this.#next]!;
    ring[this.#next] = value;
    this.#next += 1;
    this.#seen += 1;
    if (this.#next === ring.length) {
      this.#next = 0;
      this.#sum = 0;
      for (const each of ring) this.#sum += each;
    }
    return this.#seen < this.#ring.length ? Number.NaN : this.#sum / this.#ring.length;
  }

  /** Rescales the mean, as if every value so far had been multiplied by `factor`. */
  scale(factor: number): void {
    for (let at = 0; at < this.#ring.length; at += 1) this.#ring[at]! *= factor;
    this.#sum *= factor;
  }
}
