import type { SessionData } from '../../events/messages/market.ts';
import type { Forecast, StrategyBar } from './strategy.ts';

/** What a strategy sees of a session. */
export const barsOf = ({ bars }: Pick<SessionData, 'bars'>): StrategyBar[] =>
  Object.entries(bars).map(([ticker, { close }]) => ({ ticker, close }));

/** The same bars, with a prediction where there is one for the ticker. */
export function withPredictions(
  bars: readonly StrategyBar[],
  predictions: ReadonlyMap<string, Forecast>,
): StrategyBar[] {
  return bars.map((bar) => {
    const prediction = predictions.get(bar.ticker);
    return prediction === undefined ? bar : { ...bar, prediction };
  });
}
