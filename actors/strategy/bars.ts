import { added } from '../../events/added.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { Forecast } from './forecast.ts';
import type { StrategyBar } from './strategy.ts';

/** What a strategy sees of a session. */
export function barsOf({ bars }: Pick<SessionData, 'bars'>): StrategyBar[] {
  let seen: StrategyBar[] | undefined;
  // A backtest asks for each session, and `Object.entries` takes ten times as long.
  for (const ticker in bars) seen = added(seen, { ticker, close: bars[ticker]!.close });
  return seen ?? [];
}

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
