import { addDays } from '../../events/dates.ts';
import { GONE_AFTER } from '../../events/messages/gone-after.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { countBefore } from './bar-columns.ts';
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
  const [first, end] = [sessions[0]!.date, sessions.at(-1)!.date];
  const dates = [...before, ...sessions.map(({ date }) => date)];
  const tickers = bars
    .tickers()
    .filter((ticker) => !isSpared(ticker))
    .map((ticker) => {
      const days = bars.datesOf(ticker, sessions.length, end);
      return { ticker, last: bars.lastBefore(ticker, first), traded: days.slice(countBefore(days, first)) };
    });
  // Those that traded before come first, then each in the order in which they began.
  tickers.sort((a, b) => compare(a.last === null ? a.traded[0] : '', b.last === null ? b.traded[0] : ''));
  const found: [ticker: string, last: string][][] = sessions.map(() => []);
  for (const { ticker, last: lastBefore, traded } of tickers) {
    // A ticker that traded in each session is never gone.
    if (traded.length === sessions.length) continue;
    let [last, next, due] = [lastBefore, 0, ''];
    for (const [at, { date }] of sessions.entries()) {
      const since = dates[before.length + at - GONE_AFTER];
      if (traded[next] === date) {
        last = traded[next++]!;
        due = '';
      } else if (last !== null && since !== undefined && last <= since) {
        // A ticker with monthly bars is not gone between two of them.
        due ||= lastExpected(bars, ticker, last);
        if (date > due) found[at]!.push([ticker, last]);
      }
    }
  }
  let gone: Record<string, string> = {};
  for (const [at, now] of found.entries()) {
    // In most sessions the same tickers are gone as in the session before, so both share the object.
    if (now.length !== Object.keys(gone).length || now.some(([ticker, last]) => gone[ticker] !== last)) {
      gone = Object.fromEntries(now);
    }
    if (now.length > 0) sessions[at]!.gone = gone;
  }
}

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
