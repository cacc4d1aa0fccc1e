import type { FeatureName } from '../../../events/messages/market.ts';

/** The features of a day, independent of the level of prices, so that tickers can be compared. */
export const MODEL_FEATURES = [
  'log_return',
  'return_5',
  'return_20',
  'volatility',
  'sma_ratio_10_30',
  'rsi_14',
  'bollinger_percent_b',
  'volume_zscore_20',
] as const satisfies readonly FeatureName[];
