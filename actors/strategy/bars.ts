import type { Forecast } from './forecast.ts';
import type { StrategyBars } from './strategy.ts';

/** The same bars, with a prediction where there is one for the ticker. */
export function withPredictions(
  bars: StrategyBars,
  predictions: ReadonlyMap<string, Forecast>,
): StrategyBars {
  return Object.fromEntries(
    Object.entries(bars).map(([ticker, { close }]) => [
      ticker,
      { close, prediction: predictions.get(ticker) },
    ]),
  );
}
