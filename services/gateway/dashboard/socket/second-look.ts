import type { Clock } from '../../../clock.ts';

/** By twice this time the trading service has got to what was on record before. */
const PERIOD_MS = 500;

/**
 * An event is on the bus when it is on record, and that may be before the service that recorded it has got to it: an
 * order that is asked for then does not show it yet. So each is looked at once more, half a second to a second later,
 * all of a period at once.
 */
export class SecondLook {
  readonly #clock: Clock;
  readonly #look: (orderIds: readonly string[]) => void;
  #young = new Set<string>();
  #due = new Set<string>();
  #waiting = false;

  constructor(clock: Clock, look: (orderIds: readonly string[]) => void) {
    this.#clock = clock;
    this.#look = look;
  }

  at(orderId: string): void {
    this.#young.add(orderId);
    if (!this.#waiting) this.#wait();
  }

  #wait(): void {
    this.#waiting = true;
    this.#clock.after(PERIOD_MS, () => {
      const due = this.#due;
      this.#due = this.#young;
      this.#young = new Set();
      this.#waiting = false;
      if (this.#due.size > 0) this.#wait();
      if (due.size > 0) this.#look([...due]);
    });
  }
}
