/**
 * The performance of a series of returns, by empyrical's definitions. They are fractions: 0.1 is 10 %. `null` means
 * undefined, for instance a ratio to a risk of zero.
 */
export type Performance = ReturnType<typeof performanceOfReturns>;

/**
 * The performance of an account's value at the end of each period, after its initial value. `years` is the duration if
 * the calendar gives it more exactly than the number of periods.
 */
export function measurePerformance(
  equity: readonly number[],
  periodsPerYear: number,
  years?: number,
  riskFreePercent?: number,
) {
  return performanceOfReturns(
    equity.slice(1).map((value, at) => value / equity[at]! - 1),
    periodsPerYear,
    years,
    riskFreePercent,
  );
}

/** The risk-free return of one period that compounds to a yearly rate in percent. */
export const riskFreeOf = (percent: number, periodsPerYear: number): number =>
  (1 + percent / 100) ** (1 / periodsPerYear) - 1;

/** A smaller value is only the rounding error of a sum. */
const SMALLEST = 1e-12;

/** A return of `null` (unknown) counts for the years, but not for any mean. */
export function performanceOfReturns(
  returns: readonly (number | null)[],
  periodsPerYear: number,
  years = returns.length / periodsPerYear,
  riskFreePercent = 0,
) {
  const known = returns.filter((value) => value !== null);
  const { final, maxDrawdown } = compound(known);
  const annualReturn = defined(final <= 0 ? -1 : final ** (1 / years) - 1);
  const riskFree = riskFreeOf(riskFreePercent, periodsPerYear);
  const mean = meanOf(known);
  const excess = mean - riskFree;
  const deviation = known.length < 2 ? Number.NaN : deviationOf(known, mean);
  const yearly = Math.sqrt(periodsPerYear);
  const downsideRisk = Math.sqrt(meanOf(known.map((value) => Math.min(value - riskFree, 0) ** 2))) * yearly;
  const moved = known.filter((value) => Math.abs(value) > SMALLEST);
  return {
    periods: returns.length,
    /** The final value of 1, minus 1. */
    totalReturn: known.length === 0 ? null : final - 1,
    /** The compound growth a year. */
    annualReturn: known.length === 0 ? null : annualReturn,
    /** The standard deviation of the returns (ddof 1) × √(periods a year). */
    annualVolatility: defined(deviation * yearly),
    /** The mean return above the risk-free rate divided by the standard deviation (ddof 1), × √(periods a year). */
    sharpe: defined((excess / deviation) * yearly),
    /** The root of the mean squared shortfall below the risk-free rate (0 if above), × √(periods a year). */
    downsideRisk: defined(downsideRisk),
    /** The mean return above the risk-free rate × periods a year, divided by the downside risk. */
    sortino: defined((excess * periodsPerYear) / downsideRisk),
    /** The deepest fall below an earlier high or the start, 0 or negative. */
    maxDrawdown: known.length === 0 ? null : maxDrawdown,
    /** The annual return divided by the size of the maximum drawdown. */
    calmar: annualReturn === null ? null : defined(annualReturn / -maxDrawdown),
    /** The share of gains among the periods with a change. */
    winRate: defined(moved.filter((value) => value > 0).length / moved.length),
    best: known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b)),
    worst: known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b)),
  };
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

/** The final value of an investment of 1, and its deepest fall below an earlier high. */
function compound(returns: readonly number[]): { final: number; maxDrawdown: number } {
  let final = 1;
  let high = 1;
  let maxDrawdown = 0;
  for (const value of returns) {
    final *= 1 + value;
    high = Math.max(high, final);
    maxDrawdown = Math.min(maxDrawdown, final / high - 1);
  }
  return { final, maxDrawdown };
}

/** The mean; `NaN` of an empty list. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The standard deviation of a sample (ddof 1); exactly 0 if all values are the same. */
export function deviationOf(values: readonly number[], mean: number): number {
  if (values.every((value) => value === values[0])) return 0;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** Replaces numbers that are not finite by `null`. */
export const defined = (value: number): number | null => (Number.isFinite(value) ? value : null);
