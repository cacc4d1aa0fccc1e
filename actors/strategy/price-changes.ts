import { overWindows, type Indicator, type Series } from './series.ts';

/** Momentum: the value less the one `period` before it. (Murphy, ch. 10) */
export function momentum(values: Series, period: number): Indicator {
  return overWindows(values, period + 1, (before, now) => values[now]! - values[before]!);
}

/**
 * Rate of change, as a share: the value over the one `period` before it, less 1. With a period of 1: the simple return.
 * (Murphy, ch. 10, without his factor of 100)
 */
export function percentChange(values: Series, period: number): Indicator {
  return overWindows(values, period + 1, (before, now) => values[now]! / values[before]! - 1);
}

/** Natural logarithm of the value over the one `period` before it. (Tsay, Analysis of Financial Time Series, ch. 1) */
export function logReturn(values: Series, period: number): Indicator {
  return overWindows(values, period + 1, (before, now) => Math.log(values[now]! / values[before]!));
}
