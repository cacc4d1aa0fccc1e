import { exponentialAverage, macd, simpleAverage } from '../../actors/strategy/averages.ts';
import { logReturn, momentum, percentChange } from '../../actors/strategy/price-changes.ts';
import type { Indicator } from '../../actors/strategy/series.ts';
import { bollingerPercent, standardDeviation, zScore } from '../../actors/strategy/volatility.ts';
import { averageTrueRange, relativeStrength } from '../../actors/strategy/rsi-and-atr.ts';
import { FEATURES, type FeatureName } from '../../events/messages/market.ts';

/** The bars that features are calculated from. All prices are split-adjusted as of the same day. */
export interface FeatureBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** All features: each column has one value for each bar, NaN if there were too few bars before it. */
export type FeatureTable = Readonly<Record<FeatureName, Indicator>>;

/**
 * The number of bars that `computeFeatures` reads. Exponential averages depend on all earlier values, but those before
 * these bars weigh less than 10^-30, which makes no difference in a double.
 */
export const FEATURE_MEMORY = 1_000;

/**
 * The features of each bar, in one pass; bars are oldest first. No row depends on later bars. The formulas and their
 * sources are given with the indicators.
 */
export function featureTable(bars: readonly FeatureBar[]): FeatureTable {
  const closes = Float64Array.from(bars, (bar) => bar.close);
  const highs = Float64Array.from(bars, (bar) => bar.high);
  const lows = Float64Array.from(bars, (bar) => bar.low);
  const volumes = Float64Array.from(bars, (bar) => bar.volume);
  const dailyReturn = percentChange(closes, 1);
  const slowAverage = simpleAverage(closes, 30);
  const convergence = macd(closes);
  return {
    /** The change of the close from the bar before, as a share. */
    return: dailyReturn,
    /** The natural logarithm of the close divided by the close of the bar before. */
    log_return: logReturn(closes, 1),
    return_5: percentChange(closes, 5),
    return_20: percentChange(closes, 20),
    /** The standard deviation of the last 20 daily returns (ddof 1), not annualised. (Hull, Options, ch. 15) */
    volatility: standardDeviation(dailyReturn, 20, 1),
    /** The shorter average over the longer one, so 1 means that both are equal. */
    sma_ratio_10_30: simpleAverage(closes, 10).map((average, at) => average / slowAverage[at]!),
    ema_12: exponentialAverage(closes, 12),
    ema_26: exponentialAverage(closes, 26),
    macd: convergence.macd,
    macd_signal: convergence.signal,
    rsi_14: relativeStrength(closes, 14),
    atr_14: averageTrueRange(highs, lows, closes, 14),
    bollinger_percent_b: bollingerPercent(closes, 20, 2),
    /** In the currency of the price: the close less the close of 12 bars before. */
    momentum_12: momentum(closes, 12),
    volume_zscore_20: zScore(volumes, 20),
  };
}

/** The features of the last of these bars, which are oldest first. Features that need more bars are missing. */
export function computeFeatures(bars: readonly FeatureBar[]): Partial<Record<FeatureName, number>> {
  const table = featureTable(bars.slice(-FEATURE_MEMORY));
  return Object.fromEntries(
    FEATURES.flatMap((name) => {
      const value = table[name].at(-1) ?? Number.NaN;
      return Number.isFinite(value) ? [[name, value]] : [];
    }),
  );
}
