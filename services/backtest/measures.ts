import { meanOf, deviationOf, defined, riskFreeOf } from './performance.ts';
import type { Exposure } from './holdings.ts';

/**
 * Returns relative to those of a benchmark over the same periods; `null` means undefined. The definitions are empyrical's (`beta_aligned`, `alpha_aligned`, `excess_sharpe`).
 *
 * @param returns of each period, as shares; as many as `benchmark` has.
 */
export function relativeTo(
  returns: readonly number[],
  benchmark: readonly number[],
  { perYear, riskFreePercent = 0 }: { readonly perYear: number; readonly riskFreePercent?: number },
) {
  const riskFree = riskFreeOf(riskFreePercent, perYear);
  const [mean, meanOfBenchmark] = [meanOf(returns), meanOf(benchmark)];
  let [both, own, other] = [0, 0, 0];
  for (const [at, value] of returns.entries()) {
    const [x, y] = [benchmark[at]! - meanOfBenchmark, value - mean];
    both += x * y;
    own += y * y;
    other += x * x;
  }
  const beta = defined(both / other);
  const active = returns.map((value, at) => value - benchmark[at]!);
  const deviation = active.length < 2 ? Number.NaN : deviationOf(active, meanOf(active));
  const yearly = Math.sqrt(perYear);
  return {
    /** The covariance with the benchmark divided by the benchmark's variance. */
    beta,
    /** The mean return minus beta × the benchmark's, both above the risk-free rate, compounded to a year. */
    alpha:
      beta === null
        ? null
        : defined((1 + (mean - riskFree) - beta * (meanOfBenchmark - riskFree)) ** perYear - 1),
    correlation: defined(both / Math.sqrt(own * other)),
    /** The standard deviation (ddof 1) of the difference of the returns × √(periods a year). */
    trackingError: defined(deviation * yearly),
    /** The mean difference of the returns divided by its standard deviation, × √(periods a year). */
    informationRatio: deviation === 0 ? null : defined((meanOf(active) / deviation) * yearly),
  };
}

/** How much of the account was invested: means over the closes, and the share of closes with a position. */
export function exposureOf(points: readonly Exposure[]) {
  return {
    gross: defined(meanOf(points.map(({ gross }) => gross))),
    net: defined(meanOf(points.map(({ net }) => net))),
    inMarket: defined(points.filter(({ positions }) => positions > 0).length / points.length),
  };
}

/**
 * The yearly turnover: the smaller of purchases and sales, divided by the mean value of the account and by the years.
 * (SEC, Form N-1A, item 13, instruction 4)
 *
 * @param fills with the money that each moved.
 */
export function turnoverOf(
  fills: readonly { readonly action: 'buy' | 'sell'; readonly value: number }[],
  values: readonly number[],
  years: number,
): number | null {
  const total = (action: 'buy' | 'sell'): number =>
    fills.reduce((sum, fill) => (fill.action === action ? sum + fill.value : sum), 0);
  return defined(Math.min(total('buy'), total('sell')) / meanOf(values) / years);
}

/** The median; `null` without numbers. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** For each period from the first full window on, the yearly volatility and Sharpe ratio of the window's returns. */
export function rolling(
  returns: readonly number[],
  {
    window,
    perYear,
    riskFreePercent = 0,
  }: { readonly window: number; readonly perYear: number; readonly riskFreePercent?: number },
): { readonly at: number; readonly volatility: number; readonly sharpe: number | null }[] {
  const yearly = Math.sqrt(perYear);
  const riskFree = riskFreeOf(riskFreePercent, perYear);
  return returns.slice(window - 1).map((_, from) => {
    const part = returns.slice(from, from + window);
    const mean = meanOf(part);
    const deviation = deviationOf(part, mean);
    return {
      at: from + window - 1,
      volatility: deviation * yearly,
      sharpe: deviation === 0 ? null : ((mean - riskFree) / deviation) * yearly,
    };
  });
}
