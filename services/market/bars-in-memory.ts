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
 * Reads the data of a source that is in memory as a whole, such as a folder of tables, in the way in which `openBars`
 * reads a database.
 */
export function barsInMemory(
  data: ReadonlyMap<string, TickerColumns>,
  { series, universe }: { series: readonly Series[]; universe: readonly Membership[] },
): ReadableBars {
  const tickers = [...data.keys()].toSorted();
  const days = new Set<string>();
  for (const { bars } of data.values()) for (const date of bars.dates) days.add(date);
  const dates = [...days].toSorted();
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
    each({ after, upTo, only, leaveOut }, take) {
      const read = tickers.filter((ticker) => (only === undefined || ticker === only) && !leaveOut(ticker));
      const tables = read.map((ticker) => {
        const { bars } = data.get(ticker)!;
        return { ticker, bars, next: countUpTo(bars.dates, after) };
      });
      for (const date of dates.slice(countUpTo(dates, after), countUpTo(dates, upTo))) {
        for (const table of tables) {
          if (table.bars.dates[table.next] === date)
            take(date, table.ticker, barAt(table.bars, table.next++));
        }
      }
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
      dates: bars.dates.slice(0, kept),
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
