import { RollingMean } from './rolling-mean.ts';
import { beginning, notYet, type Indicator, type Series } from './series.ts';

/** Simple moving average: the mean of the newest `period` values. (Murphy, Technical Analysis of the Financial Markets, ch. 9) */
export function simpleAverage(values: Series, period: number): Indicator {
  const mean = new RollingMean(period);
  const result = notYet(values.length);
  for (let at = beginning(values); at < values.length; at += 1) result[at] = mean.push(values[at]!);
  return result;
}

/**
 * Exponential moving average: `a × value + (1 - a) × previous` with `a = 2 / (period + 1)`, begun with the simple average
 * of the first `period` values. (Murphy, ch. 9; begun like this by TA-Lib and StockCharts)
 */
export function exponentialAverage(values: Series, period: number): Indicator {
  return smooth(values, period, 2 / (period + 1));
}

/**
 * Wilder's smoothing: an exponential average with `a = 1 / period`, begun with the simple average of the first `period`
 * values. (Wilder, New Concepts in Technical Trading Systems, 1978)
 */
export function wilderAverage(values: Series, period: number): Indicator {
  return smooth(values, period, 1 / period);
}

function smooth(values: Series, period: number, weight: number): Indicator {
  const result = notYet(values.length);
  const seed = new RollingMean(period);
  let average = Number.NaN;
  for (let at = beginning(values); at < values.length; at += 1) {
    const value = values[at]!;
    average = Number.isNaN(average) ? seed.push(value) : average + weight * (value - average);
    result[at] = average;
  }
  return result;
}

/**
 * Moving average convergence/divergence: the fast exponential average less the slow one. Its signal is the exponential
 * average of this difference, begun with a simple average like the others. (Appel; parameters 12, 26, 9)
 */
export function macd(
  closes: Series,
  fast = 12,
  slow = 26,
  signalPeriod = 9,
): { macd: Indicator; signal: Indicator } {
  const slowAverage = exponentialAverage(closes, slow);
  const line = exponentialAverage(closes, fast).map((average, at) => average - slowAverage[at]!);
  return { macd: line, signal: exponentialAverage(line, signalPeriod) };
}
