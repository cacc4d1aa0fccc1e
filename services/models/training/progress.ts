import type { Progress } from './training.ts';

/** At most twice a second. */
const INTERVAL_MS = 500;

/** Tells how a run gets on. A time is in milliseconds, of any clock that only goes forward. */
export class ProgressMeter {
  readonly #steps: number;
  /** Where this process began. */
  readonly #from: { readonly step: number; readonly at: number };
  #told: { readonly step: number; readonly at: number };
  #lossSum = 0;

  /** @param steps of the whole run; `step` of them are done. */
  constructor(steps: number, step: number, now: number) {
    this.#steps = steps;
    this.#from = { step, at: now };
    this.#told = this.#from;
  }

  /** What is to be told after a step; `null` where the last time was but a moment ago. */
  after(step: number, epoch: number, loss: number, now: number): Progress | null {
    this.#lossSum += loss;
    const elapsed = now - this.#told.at;
    if (elapsed < INTERVAL_MS) return null;
    const done = step - this.#told.step;
    // Of the whole process, so that what is between epochs counts too.
    const pace = (now - this.#from.at) / (step - this.#from.step);
    const progress = {
      epoch,
      step,
      loss: this.#lossSum / done,
      steps_per_second: (1_000 * done) / elapsed,
      seconds_left: ((this.#steps - step) * pace) / 1_000,
    };
    this.#told = { step, at: now };
    this.#lossSum = 0;
    return progress;
  }
}
