import { addDays } from '../../events/dates.ts';
import { GONE_AFTER } from '../../events/messages/gone-after.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { ReadableBars } from './bar-tables.ts';
import { rhythmOf } from './rhythm.ts';

/** A ticker's own rhythm is computed from this many of its newest bars. */
const RHYTHM_BARS = 50;
/** A ticker must also have missed this many bars of its own rhythm before it counts as gone. */
const MISSED_BARS = 3;

function lastExpected(bars: ReadableBars, ticker: string, last: string): string {
  const { days } = rhythmOf(bars.datesOf(ticker, RHYTHM_BARS, last));
  return addDays(last, MISSED_BARS * days);
}

/**
 * Adds to each session the tickers that no longer trade by then. `before` are the dates of the sessions before the
 * first one; `isSpared` says which tickers never count as gone.
 */
export function markGone(
  sessions: SessionData[],
  before: readonly string[],
  bars: ReadableBars,
  isSpared: (ticker: string) => boolean,
): void {
  const first = sessions[0]!.date;
  const dates = [...before, ...sessions.map(({ date }) => date)];
  const lastTraded = new Map<string, string>();
  for (const ticker of bars.tickers()) {
    const last = bars.lastBefore(ticker, first);
    if (last !== null) lastTraded.set(ticker, last);
  }
  /**
   * The date by which a ticker's next bar is due, by the date of its last bar. A ticker with monthly bars is not gone
   * between two of them.
   */
  const known = new Map<string, string>();
  const goneAfter = (ticker: string, last: string): string => {
    const key = `${ticker} ${last}`;
    const found = known.get(key) ?? lastExpected(bars, ticker, last);
    known.set(key, found);
    return found;
  };
  let gone: Record<string, string> = {};
  for (const [at, session] of sessions.entries()) {
    for (const ticker in session.bars) lastTraded.set(ticker, session.date);
    const since = dates[dates.length - sessions.length + at - GONE_AFTER];
    if (since === undefined) continue;
    const now: [ticker: string, last: string][] = [];
    for (const [ticker, last] of lastTraded) {
      if (last <= since && !isSpared(ticker) && session.date > goneAfter(ticker, last))
        now.push([ticker, last]);
    }
    // In most sessions the same tickers are gone as in the session before, so both share the object.
    if (now.length !== Object.keys(gone).length || now.some(([ticker, last]) => gone[ticker] !== last)) {
      gone = Object.fromEntries(now);
    }
    if (now.length > 0) session.gone = gone;
  }
}
