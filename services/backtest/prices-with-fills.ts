import type { SessionData } from '../../events/messages/market.ts';
import { parseRatio, ratioNumber } from '../../events/decimal.ts';
import { amount } from './format.ts';

interface Fill {
  readonly session: string;
  readonly ticker: string;
  readonly action: 'buy' | 'sell';
  readonly quantity: number;
  readonly price: number;
}

/**
 * The closes and the fills of each traded ticker, both split-adjusted as of the last day; tickers with the most fills
 * first. A split takes effect at the open of its session.
 */
export function pricesWithFills(sessions: readonly SessionData[], fills: readonly Fill[]) {
  const byTicker = Map.groupBy(fills, ({ ticker }) => ticker);
  return [...byTicker]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([ticker, own]) => {
      const closes: { session: string; value: number }[] = [];
      const factors = new Map<string, number>();
      let factor = 1;
      for (const { date, bars, splits } of sessions.toReversed()) {
        factors.set(date, factor);
        const bar = bars[ticker];
        if (bar !== undefined) closes.push({ session: date, value: bar.close / factor });
        const split = splits[ticker];
        if (split !== undefined) factor *= ratioNumber(parseRatio(split));
      }
      const markers = own.map(({ session, action, quantity, price }) => {
        const shares = factors.get(session) ?? 1;
        const title = `${session}: ${action} ${amount(quantity * shares, 4)} at ${amount(price / shares, 4)}`;
        return { session, action, value: price / shares, title };
      });
      return { ticker, closes: closes.toReversed(), markers };
    });
}
