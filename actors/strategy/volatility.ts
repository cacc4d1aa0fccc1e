import { overWindows, type Indicator, type Series } from './series.ts';

/**
 * Standard deviation of the newest `period` values, the root of `Σ(value - mean)² / (period - ddof)`. With `ddof` 0 the
 * values are a whole population, with 1 a sample. Each window is gone over twice, and its first value is subtracted
 * first, so that equal values give exactly 0.
 */
export function standardDeviation(values: Series, period: number, ddof: 0 | 1): Indicator {
  return overWindows(values, period, (first, last) => {
    const mean = offsetMean(values, first, last);
    let sum = 0;
    for (let at = first; at <= last; at += 1) sum += (values[at]! - values[first]! - mean) ** 2;
    return Math.sqrt(sum / (period - ddof));
  });
}

/**
 * How many standard deviations (of the population, as in scipy.stats.zscore) the newest value is from the mean of the
 * newest `period` values; 0 where all of them are equal.
 */
export function zScore(values: Series, period: number): Indicator {
  const deviation = standardDeviation(values, period, 0);
  return overWindows(values, period, (first, last) => {
    if (deviation[last] === 0) return 0;
    return (values[last]! - values[first]! - offsetMean(values, first, last)) / deviation[last]!;
  });
}

/**
 * The place of the value between its Bollinger bands, `width` standard deviations (of the population) above and below the
 * simple average: 0 at the lower band, 1 at the upper one, 0.5 if they meet. (Bollinger, Bollinger on Bollinger Bands, 2001)
 */
export function bollingerPercent(values: Series, period = 20, width = 2): Indicator {
  return zScore(values, period).map((score) => 0.5 + score / (2 * width));
}

/** The mean of a window less its first value. The numbers are small, so little is lost to rounding. */
function offsetMean(values: Series, first: number, last: number): number {
  let sum = 0;
  for (let at = first + 1; at <= last; at += 1) sum += values[at]! - values[first]!;
  return sum / (last - first + 1);
}
