import { setTimeout as pause } from 'node:timers/promises';

/** The process's own time, which the feed's pace rests on; tests bring their own. */
export interface Timer {
  /** Milliseconds, only ever growing. */
  now(): number;
  /** Resolves early when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const processTimer: Timer = {
  now: () => performance.now(),
  wait: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
};
