import type { Forecast } from './forecast.ts';
import type { StrategyBars } from './strategy.ts';

/** The bars, each with the ticker's prediction where there is one. */
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
