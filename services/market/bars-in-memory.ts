import type { SessionData } from '../../events/messages/market.ts';
import { barAt, countBefore, type BarColumns } from './bar-columns.ts';
import type { OfTicker, ReadableBars } from './bar-tables.ts';
import { RHYTHM_DAYS, rhythmOf, type Rhythm } from './rhythm.ts';
import type { Dividend, Membership, Series, Split } from './sources/source.ts';

/** All data of a ticker, as traded. */
export interface TickerColumns {
  readonly bars: BarColumns;
  readonly splits: readonly Split[];
  readonly dividends: readonly Dividend[];
}

/**
 * From this many bars on, a session makes its bars when it is asked for them, and they are forgotten when another one
 * is asked. Kept, they would take four times the memory of their columns, and much of the time of a run.
 */
const MOST_KEPT = 250_000;

/**
 * Reads the data of a source that is in memory as a whole, such as a folder of tables, in the way in which `openBars`
 * reads a database.
 */
export function barsInMemory(
  data: ReadonlyMap<string, TickerColumns>,
  { series, universe }: { series: readonly Series[]; universe: readonly Membership[] },
  mostKept = MOST_KEPT,
): ReadableBars {
  const tickers = [...data.keys()].toSorted();
  // Tables often share their dates.
  const lists = new Set(Array.from(data.values(), ({ bars }) => bars.dates));
  const dates = [...new Set([...lists].flat())].toSorted();
  let rhythm: Rhythm | null = null;
  const splits = inOrder(tickers, (ticker) => data.get(ticker)!.splits);
  const dividends = inOrder(tickers, (ticker) => data.get(ticker)!.dividends);
  const values = new Map(
    series.map(({ name, values }) => [
      name,
      values.toSorted((a, b) => compare(a.known, b.known) || compare(a.date, b.date)),
    ]),
  );

  return {
    putInto(sessions, { only, leaveOut }) {
      const read = tickers.filter((ticker) => (only === undefined || ticker === only) && !leaveOut(ticker));
      putColumns(sessions, new Map(read.map((ticker) => [ticker, data.get(ticker)!.bars])), mostKept);
    },
    dates: (after, upTo, limit) =>
      dates.slice(countUpTo(dates, after), countUpTo(dates, upTo)).slice(0, limit),
    dateBack: (upTo, back) => dates[countUpTo(dates, upTo) - 1 - back] ?? null,
    datesBefore(date, limit) {
      const end = countBefore(dates, date);
      return dates.slice(Math.max(0, end - limit), end);
    },
    datesOf(ticker, limit, upTo) {
      const known = data.get(ticker)?.bars.dates ?? [];
      const end = countUpTo(known, upTo);
      return known.slice(Math.max(0, end - limit), end);
    },
    rhythm: () => (rhythm ??= rhythmOf(dates.slice(-RHYTHM_DAYS))),
    lastBefore(ticker, date) {
      const known = data.get(ticker)?.bars.dates ?? [];
      return known[countBefore(known, date) - 1] ?? null;
    },
    tickers: () => tickers.filter((ticker) => data.get(ticker)!.bars.dates.length > 0),
    splitsBetween: (after, upTo) => between(splits, after, upTo),
    dividendsBetween: (after, upTo) => between(dividends, after, upTo),
    seriesNames: () => [...values.keys()].toSorted(),
    valuesOf: (name, knownBy) => (values.get(name) ?? []).filter(({ known }) => known <= knownBy),
    universe: () => universe.toSorted((a, b) => compare(a.ticker, b.ticker) || compare(a.from, b.from)),
  };
}

function putColumns(
  sessions: readonly SessionData[],
  columns: ReadonlyMap<string, BarColumns>,
  mostKept: number,
): void {
  const placesIn = new Map<readonly string[], Places>();
  let count = 0;
  const tables = [...columns].map(([ticker, bars]) => {
    let places = placesIn.get(bars.dates);
    if (places === undefined) placesIn.set(bars.dates, (places = placesOf(sessions, bars.dates)));
    count += places.count;
    return { ticker, bars, at: places.at };
  });
  const barsOf = (at: number): SessionData['bars'] => {
    const made: SessionData['bars'] = {};
    for (const { ticker, bars, at: places } of tables) {
      if (places[at]! >= 0) made[ticker] = barAt(bars, places[at]!);
    }
    return made;
  };
  if (count <= mostKept) {
    for (const [at, session] of sessions.entries()) session.bars = barsOf(at);
    return;
  }
  let last = { at: -1, bars: {} };
  for (const [at, session] of sessions.entries()) {
    const get = () => (last.at === at ? last : (last = { at, bars: barsOf(at) })).bars;
    Object.defineProperty(session, 'bars', { get, enumerable: true });
  }
}

/** The place of each session's date among others, -1 if it is not there; and how many are. */
interface Places {
  readonly at: Int32Array;
  readonly count: number;
}

function placesOf(sessions: readonly SessionData[], dates: readonly string[]): Places {
  const first = countBefore(dates, sessions[0]!.date);
  let next = first;
  const at = Int32Array.from(sessions, ({ date }) => (dates[next] === date ? next++ : -1));
  return { at, count: next - first };
}

/** How many of the ascending dates are not after another one. */
function countUpTo(dates: readonly string[], date: string): number {
  const before = countBefore(dates, date);
  return dates[before] === date ? before + 1 : before;
}

const between = <T extends { readonly date: string }>(all: readonly T[], after: string, upTo: string): T[] =>
  all.filter(({ date }) => date > after && date <= upTo);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The actions of all tickers by date. */
function inOrder<T extends Split | Dividend>(
  tickers: readonly string[],
  of: (ticker: string) => readonly T[],
): OfTicker<T>[] {
  const all = tickers.flatMap((ticker) => of(ticker).map((action) => ({ ...action, ticker })));
  return all.toSorted((a, b) => compare(a.date, b.date));
}

/** The data up to a day. */
export function until({ bars, splits, dividends }: TickerColumns, last: string): TickerColumns {
  const kept = bars.dates.findLastIndex((date) => date <= last) + 1;
  const part = (column: Float64Array) => column.subarray(0, kept);
  const isKept = ({ date }: { readonly date: string }) => date <= last;
  return {
    bars: {
      // Tables share their dates, and still do where nothing is cut.
      dates: kept === bars.dates.length ? bars.dates : bars.dates.slice(0, kept),
      open: part(bars.open),
      high: part(bars.high),
      low: part(bars.low),
      close: part(bars.close),
      volume: part(bars.volume),
      further: new Map([...bars.further].map(([name, column]) => [name, part(column)])),
    },
    splits: splits.filter(isKept),
    dividends: dividends.filter(isKept),
  };
}
