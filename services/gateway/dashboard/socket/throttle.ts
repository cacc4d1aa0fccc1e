import type { Clock } from '../../../foundation/clock.ts';

/** A token bucket that allows `burst` at once and `perSecond` in the long run. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Returns a function to call for each arrival; the result is false if there are too many. */
export function createThrottle({ burst, perSecond }: Rate, clock: Clock): () => boolean {
  let left = burst;
  let at = clock.now();
  return () => {
    const now = clock.now();
    // A clock that is set back neither adds nor removes tokens.
    left = Math.min(burst, left + (Math.max(0, now - at) / 1_000) * perSecond);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
