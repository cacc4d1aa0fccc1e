import { parseRatio, ratioNumber, ratioText } from '../../events/decimal.ts';
import { GONE_AFTER } from '../../events/messages/gone-after.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { OfTicker, ReadableBars } from './bar-tables.ts';
import { countBefore } from './bar-columns.ts';
import { dayBefore, sessionDates, sessionDatesBefore } from './calendar.ts';
import { markGone } from './gone-tickers.ts';
import type { Dividend, Membership, Split } from './sources/source.ts';

/**
 * The first `limit` sessions after a date, up to another (see `sessionDates`). A split or dividend on a day without a
 * trade takes effect in the next session; several of one ticker are combined. With `only`, no other ticker's bars are
 * read. `leaveOut` says which tickers cannot be traded. `mayTrade` says which may have traded without our knowing: they
 * never count as gone.
 */
export function readSessions(
  bars: ReadableBars,
  { after, upTo, limit, only }: { after: string; upTo: string; limit: number; only?: string | undefined },
  leaveOut: (ticker: string) => boolean = () => false,
  mayTrade: (ticker: string) => boolean = () => false,
): SessionData[] {
  const dates = sessionDates(bars, after, upTo, limit);
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const sessions = dates.map((date): SessionData => ({ date, bars: {}, splits: {}, dividends: {} }));

  bars.putInto(sessions, { only, leaveOut });
  // Splits and dividends before the first trade of all are in the first prices already, so they are not read.
  const before = sessionDatesBefore(bars, first, GONE_AFTER);
  const from = before.at(-1) ?? dayBefore(first);
  const sessionOf = (date: string) => sessions[countBefore(dates, date)]!;
  const splits = bars.splitsBetween(from, last);
  const splitsOf = Map.groupBy(splits, ({ ticker }) => ticker);
  for (const split of splits) applySplit(sessionOf(split.date), split);
  for (const dividend of bars.dividendsBetween(from, last)) {
    applyDividend(sessionOf(dividend.date), dividend, splitsOf.get(dividend.ticker) ?? []);
  }
  applySeries(sessions, bars, last);
  applyUniverse(sessions, bars, leaveOut);
  markGone(sessions, before, bars, (ticker) => leaveOut(ticker) || mayTrade(ticker));
  return sessions;
}

/** Gives each session the newest values of the series at its close. A revision counts once it is known. */
function applySeries(sessions: readonly SessionData[], bars: ReadableBars, last: string): void {
  for (const name of bars.seriesNames()) {
    const values = bars.valuesOf(name, last);
    let newest: { readonly date: string; readonly value: number } | undefined;
    let next = 0;
    for (const session of sessions) {
      for (; next < values.length && values[next]!.known <= session.date; next++) {
        const { date, value } = values[next]!;
        if (newest === undefined || date >= newest.date) newest = { date, value };
      }
      if (newest !== undefined) (session.series ??= {})[name] = newest;
    }
  }
}

/** Gives each session the sorted list of tickers that may be bought. Days without a change share one list. */
function applyUniverse(
  sessions: readonly SessionData[],
  bars: ReadableBars,
  leaveOut: (ticker: string) => boolean,
): void {
  const all = bars.universe();
  if (all.length === 0) return;
  const spans = all.filter(({ ticker }) => !leaveOut(ticker));
  for (const [at, session] of sessions.entries()) {
    const before = sessions[at - 1];
    const isSame =
      before !== undefined && spans.every((span) => isIn(before.date, span) === isIn(session.date, span));
    session.universe = isSame
      ? before.universe
      : spans.filter((span) => isIn(session.date, span)).map(({ ticker }) => ticker);
  }
}

const isIn = (date: string, { from, to }: Membership): boolean => from <= date && (to === null || date <= to);

function applySplit(session: SessionData, { ticker, ratio }: OfTicker<Split>): void {
  const [before, next] = [parseRatio(session.splits[ticker] ?? '1/1'), parseRatio(ratio)];
  session.splits[ticker] = ratioText(
    parseRatio(`${before.numerator * next.numerator}/${before.denominator * next.denominator}`),
  );
}

/** Adjusts a dividend to the session's shares if there is a split between its day and the session. */
function applyDividend(
  session: SessionData,
  { ticker, date, amount }: OfTicker<Dividend>,
  splits: readonly Split[],
): void {
  const between = splits.filter((split) => split.date > date && split.date <= session.date);
  const shares = between.reduce((product, { ratio }) => product * ratioNumber(parseRatio(ratio)), 1);
  session.dividends[ticker] = (session.dividends[ticker] ?? 0) + amount / shares;
}
