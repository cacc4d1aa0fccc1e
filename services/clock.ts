/** Time, so that tests can make it pass. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once, after so many milliseconds, unless it is called off with what comes back. */
  after(ms: number, run: () => void): () => void;
  /** Calls every so many milliseconds until it is called off. */
  every(ms: number, run: () => void): () => void;
}

/** None of its timers keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

/** ISO 8601 with microseconds, UTC: `2026-01-15T08:00:00.123000Z`. The clock gives milliseconds; the rest is zero. */
export function timestampOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace('Z', '000Z');
}
