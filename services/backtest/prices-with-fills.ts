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

/** The tickers with fills and with more than one close, each with its fills; those with the most fills first. */
export function tickersWithFills(
  sessions: readonly SessionData[],
  fills: readonly Fill[],
): readonly (readonly [ticker: string, fills: readonly Fill[]])[] {
  const byTicker = Map.groupBy(fills, ({ ticker }) => ticker);
  return [...byTicker]
    .filter(([ticker]) => hasTwoCloses(sessions, ticker))
    .sort(([, a], [, b]) => b.length - a.length);
}

function hasTwoCloses(sessions: readonly SessionData[], ticker: string): boolean {
  const first = sessions.findIndex(({ bars }) => bars[ticker] !== undefined);
  return first >= 0 && sessions.findLastIndex(({ bars }) => bars[ticker] !== undefined) > first;
}

/**
 * The closes of a ticker and its fills, both split-adjusted as of the last day. A split takes effect at the open of its
 * session.
 */
export function pricesWithFills(sessions: readonly SessionData[], ticker: string, fills: readonly Fill[]) {
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
  const markers = fills.map(({ session, action, quantity, price }) => {
    const shares = factors.get(session) ?? 1;
    const title = `${session}: ${action} ${amount(quantity * shares, 4)} at ${amount(price / shares, 4)}`;
    return { session, action, value: price / shares, title };
  });
  return { closes: closes.toReversed(), markers };
}
