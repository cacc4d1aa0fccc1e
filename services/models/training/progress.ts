import type { Progress } from './trainer-port.ts';

/** Progress is reported at most twice a second. */
const INTERVAL_MS = 500;

/**
 * Measures the progress of a run. Times are in milliseconds of any monotonic clock.
 *
 * @param steps the number of steps of the whole run; `step` of them are done.
 */
export function progressMeter(steps: number, step: number, now: number) {
  /** The step and the time at which this process began the run. */
  const from = { step, at: now };
  let told = from;
  let lossSum = 0;

  /** The progress to report after a step; `null` shortly after the last report. */
  return (step: number, epoch: number, loss: number, now: number): Progress | null => {
    lossSum += loss;
    const elapsed = now - told.at;
    if (elapsed < INTERVAL_MS) return null;
    const done = step - told.step;
    // The mean time of a step since this process began, which includes the time between epochs.
    const pace = (now - from.at) / (step - from.step);
    const progress = {
      epoch,
      step,
      loss: lossSum / done,
      steps_per_second: (1_000 * done) / elapsed,
      seconds_left: ((steps - step) * pace) / 1_000,
    };
    told = { step, at: now };
    lossSum = 0;
    return progress;
  };
}

export type ProgressMeter = ReturnType<typeof progressMeter>;
