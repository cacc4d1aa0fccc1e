import type { SessionOpening } from '../../actors/trading/commands.ts';
import { parseRatio, priceOf, type Price } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';

/** What a session of the market brings an account before its bars. Opening prices count where something is split. */
export function openingOf({ date, bars, splits, dividends, gone = {} }: SessionData): SessionOpening {
  const opens = new Map<string, Price>();
  for (const ticker of Object.keys(splits)) {
    const bar = bars[ticker];
    if (bar !== undefined) opens.set(ticker, priceOf(bar.open));
  }
  return {
    session: date,
    splits: new Map(Object.entries(splits).map(([ticker, ratio]) => [ticker, parseRatio(ratio)])),
    dividends: new Map(Object.entries(dividends).map(([ticker, amount]) => [ticker, priceOf(amount)])),
    opens,
    gone: new Map(Object.entries(gone)),
  };
}
