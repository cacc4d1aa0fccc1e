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

/** The highest of the newest `period` values. (Donchian's channel, upper bound) */
export function highest(values: Series, period: number): Indicator {
  return overWindows(values, period, (first, last) => extreme(values, first, last, Math.max));
}

/** The lowest of the newest `period` values. (Donchian's channel, lower bound) */
export function lowest(values: Series, period: number): Indicator {
  return overWindows(values, period, (first, last) => extreme(values, first, last, Math.min));
}

function extreme(values: Series, first: number, last: number, of: (a: number, b: number) => number): number {
  let result = values[first]!;
  for (let at = first + 1; at <= last; at += 1) result = of(result, values[at]!);
  return result;
}
