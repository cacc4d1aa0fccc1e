import type { Clock } from '../../../foundation/clock.ts';

/** Allows `burst` at once and `perSecond` in the long run (a token bucket). */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A test for each arrival that returns whether it may pass: false if there are too many. */
export function createThrottle({ burst, perSecond }: Rate, clock: Clock): () => boolean {
  let left = burst;
  let at = clock.now();
  return () => {
    const now = clock.now();
    // A clock that was put back gives nothing and takes nothing.
    left = Math.min(burst, left + (Math.max(0, now - at) / 1_000) * perSecond);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
