/** The time, so that tests can control it. */
export interface Clock {
  /** Milliseconds since 1970, with their fractions where the clock has them. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
  /** Calls `run` every `ms` milliseconds, until the returned function is called. */
  every(ms: number, run: () => void): () => void;
}

/** The time of the system's clock at which `performance` began to count. It is changed when that clock is set. */
let origin = performance.timeOrigin;

function preciseNow(): number {
  const [wall, counted] = [Date.now(), performance.now()];
  if (Math.abs(origin + counted - wall) > 2) origin = wall - counted;
  return origin + counted;
}

/** The clock of the system. None of its timers keeps the process alive. */
export const systemClock: Clock = {
  now: preciseNow,
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

/**
 * Looks at intervals, never twice at once. `look` does not reject. Returns a function that ends this, and resolves when
 * the look under way has ended.
 */
export function lookEvery(
  ms: number,
  look: () => Promise<unknown>,
  clock: Pick<Clock, 'every'> = systemClock,
): () => Promise<void> {
  let looking: Promise<unknown> | undefined;
  const end = clock.every(ms, () => {
    looking ??= look().finally(() => (looking = undefined));
  });
  return async () => {
    end();
    await looking;
  };
}

/** A time in ISO 8601 with microseconds, UTC: `2026-01-15T08:00:00.123456Z`. */
export function timestampOf(clock: Clock): string {
  const microseconds = Math.floor(clock.now() * 1_000);
  const rest = String(microseconds % 1_000).padStart(3, '0');
  return new Date(microseconds / 1_000).toISOString().replace('Z', `${rest}Z`);
}
