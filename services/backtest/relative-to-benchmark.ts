import { meanOf, deviationOf, defined, riskFreeOf } from './performance.ts';

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
