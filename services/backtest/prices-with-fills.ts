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
  const known = withTwoCloses(sessions, byTicker.keys());
  return [...byTicker].filter(([ticker]) => known.has(ticker)).sort(([, a], [, b]) => b.length - a.length);
}

/** Reads all tickers in one go, because a session may make its bars anew each time. */
function withTwoCloses(sessions: readonly SessionData[], tickers: Iterable<string>): ReadonlySet<string> {
  const open = new Set(tickers);
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const session of sessions) {
    if (open.size === 0) break;
    const { bars } = session;
    for (const ticker of open) {
      if (bars[ticker] === undefined) continue;
      if (!once.has(ticker)) once.add(ticker);
      else {
        twice.add(ticker);
        open.delete(ticker);
      }
    }
  }
  return twice;
}

/**
 * The closes of tickers and their fills, both split-adjusted as of the last day. A split takes effect at the open of
 * its session. All tickers are read in one go, because a session may make its bars anew each time.
 */
export function pricesWithFills(
  sessions: readonly SessionData[],
  tickers: readonly (readonly [ticker: string, fills: readonly Fill[]])[],
) {
  const all = tickers.map(([ticker, fills]) => ({
    ticker,
    fills,
    closes: [] as { session: string; value: number }[],
    factors: new Map<string, number>(),
    factor: 1,
  }));
  for (const { date, bars, splits } of sessions.toReversed()) {
    for (const one of all) {
      one.factors.set(date, one.factor);
      const bar = bars[one.ticker];
      if (bar !== undefined) one.closes.push({ session: date, value: bar.close / one.factor });
      const split = splits[one.ticker];
      if (split !== undefined) one.factor *= ratioNumber(parseRatio(split));
    }
  }
  return all.map(({ ticker, fills, closes, factors }) => {
    const markers = fills.map(({ session, action, quantity, price }) => {
      const shares = factors.get(session) ?? 1;
      const title = `${session}: ${action} ${amount(quantity * shares, 4)} at ${amount(price / shares, 4)}`;
      return { session, action, value: price / shares, title };
    });
    return { ticker, closes: closes.toReversed(), markers };
  });
}
