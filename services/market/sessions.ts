import { parseRatio, ratioNumber, ratioText } from '../../events/decimal.ts';
import { GONE_AFTER, type SessionData } from '../../events/messages/market.ts';
import type { Bars, OfTicker } from './bar-tables.ts';
import { dayBefore, sessionDates, sessionDatesBefore } from './calendar.ts';
import { rhythmOf } from './rhythm.ts';
import type { Dividend, Split } from './sources/source.ts';

/**
 * The sessions after a date, up to another, the first `limit` of them (see `sessionDates`). A split or
 * dividend of a day without trade takes effect with the next session; several of one ticker become one. `leaveOut` names
 * tickers that nobody can trade, `mayTrade` those of which nobody can say whether they traded: they are never gone.
 */
export function readSessions(
  bars: Bars,
  { after, upTo, limit }: { after: string; upTo: string; limit: number },
  leaveOut: (ticker: string) => boolean = () => false,
  mayTrade: (ticker: string) => boolean = () => false,
): SessionData[] {
  const dates = sessionDates(bars, after, upTo, limit);
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const sessions = dates.map((date): SessionData => ({ date, bars: {}, splits: {}, dividends: {} }));

  let at = 0;
  for (const { date, ticker, ...bar } of bars.between(after, last)) {
    while (dates[at]! < date) at++;
    if (!leaveOut(ticker)) sessions[at]!.bars[ticker] = bar;
  }
  // What happened before anything traded is in the first prices.
  const before = sessionDatesBefore(bars, first, GONE_AFTER);
  const from = before.at(-1) ?? dayBefore(first);
  const sessionOf = (date: string) => sessions[dates.findIndex((session) => session >= date)]!;
  const splits = bars.splitsBetween(from, last);
  for (const split of splits) applySplit(sessionOf(split.date), split);
  for (const dividend of bars.dividendsBetween(from, last)) {
    applyDividend(sessionOf(dividend.date), dividend, splits);
  }
  markGone(sessions, before, bars, (ticker) => leaveOut(ticker) || mayTrade(ticker));
  return sessions;
}

/** So many bars tell how often a ticker has one, and so many are missed before it counts as gone. */
const RHYTHM_BARS = 50;
const MISSED_BARS = 3;

function lastExpected(bars: Bars, ticker: string, last: string): string {
  const { days } = rhythmOf(bars.of(ticker, RHYTHM_BARS, last).map(({ date }) => date));
  return new Date(Date.parse(last) + MISSED_BARS * days * 86_400_000).toISOString().slice(0, 10);
}

function markGone(
  sessions: SessionData[],
  before: readonly string[],
  bars: Bars,
  isSpared: (ticker: string) => boolean,
): void {
  const first = sessions[0]!.date;
  const dates = [...before, ...sessions.map(({ date }) => date)];
  const lastTraded = new Map<string, string>();
  for (const ticker of bars.tickers()) {
    const last = bars.lastBefore(ticker, first);
    if (last !== null) lastTraded.set(ticker, last);
  }
  /** A ticker whose bars are of months is not gone between two of them. */
  const known = new Map<string, string>();
  const goneAfter = (ticker: string, last: string): string => {
    const key = `${ticker} ${last}`;
    const found = known.get(key) ?? lastExpected(bars, ticker, last);
    known.set(key, found);
    return found;
  };
  let gone: Record<string, string> = {};
  for (const [at, session] of sessions.entries()) {
    for (const ticker of Object.keys(session.bars)) lastTraded.set(ticker, session.date);
    const since = dates[dates.length - sessions.length + at - GONE_AFTER];
    if (since === undefined) continue;
    const now = [...lastTraded].filter(
      ([ticker, last]) => last <= since && !isSpared(ticker) && session.date > goneAfter(ticker, last),
    );
    // Most sessions have what the one before had: they share it.
    if (now.length !== Object.keys(gone).length || now.some(([ticker, last]) => gone[ticker] !== last)) {
      gone = Object.fromEntries(now);
    }
    if (now.length > 0) session.gone = gone;
  }
}

function applySplit(session: SessionData, { ticker, ratio }: OfTicker<Split>): void {
  const [before, next] = [parseRatio(session.splits[ticker] ?? '1/1'), parseRatio(ratio)];
  session.splits[ticker] = ratioText(
    parseRatio(`${before.numerator * next.numerator}/${before.denominator * next.denominator}`),
  );
}

/** In shares of the session, where a split came between the dividend's day and it. */
function applyDividend(
  session: SessionData,
  { ticker, date, amount }: OfTicker<Dividend>,
  splits: readonly OfTicker<Split>[],
): void {
  const between = splits.filter(
    (split) => split.ticker === ticker && split.date > date && split.date <= session.date,
  );
  const shares = between.reduce((product, { ratio }) => product * ratioNumber(parseRatio(ratio)), 1);
  session.dividends[ticker] = (session.dividends[ticker] ?? 0) + amount / shares;
}
