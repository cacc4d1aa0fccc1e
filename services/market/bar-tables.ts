import type { DatabaseSync } from 'node:sqlite';
import type { SessionData } from '../../events/messages/market.ts';
import { RHYTHM_DAYS, rhythmOf, type Rhythm } from './rhythm.ts';
import type { Dividend, Membership, Series, SeriesValue, SourceBar, Split } from './sources/source.ts';

/** Dates before and after all possible dates. */
export const FIRST_DATE = '0000-01-01';
export const LAST_DATE = '9999-12-31';

/** A ticker's bar of a day, prices as traded. */
interface TickerBar extends SourceBar {
  readonly ticker: string;
}

/** A split or dividend with its ticker. */
export type OfTicker<T> = T & { readonly ticker: string };

type BarRow = [string, string, number, number, number, number, number, string | null];

const barOf = ([date, ticker, open, high, low, close, volume, columns]: BarRow): TickerBar => ({
  date,
  ticker,
  open,
  high,
  low,
  close,
  volume,
  ...(columns === null ? {} : { columns: JSON.parse(columns) as Record<string, number> }),
});

/** Reads and writes the tables of bars, splits and dividends. Its callers begin and end the transactions. */
export function openBars(db: DatabaseSync) {
  /** The statement's rows, as lists of their columns. */
  const rows = <Columns extends unknown[]>(sql: string) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return (...values: (string | number)[]) => statement.all(...values) as unknown as Columns[];
  };
  const bar = 'SELECT date, ticker, open, high, low, close, volume, columns FROM bars';
  const figures = ['open', 'high', 'low', 'close', 'volume', 'columns'];
  const sql = {
    of: rows<BarRow>(`${bar} WHERE ticker = ? AND date <= ? AND date < ? ORDER BY date DESC LIMIT ?`),
    between: rows<BarRow>(`${bar} WHERE date >= ? AND date <= ? ORDER BY date, ticker`),
    betweenOf: rows<BarRow>(`${bar} WHERE ticker = ? AND date >= ? AND date <= ? ORDER BY date`),
    dates: rows<[string]>(
      'SELECT DISTINCT date FROM bars WHERE date > ? AND date <= ? ORDER BY date LIMIT ?',
    ),
    datesBack: rows<[string]>(
      'SELECT DISTINCT date FROM bars WHERE date <= ? ORDER BY date DESC LIMIT 1 OFFSET ?',
    ),
    datesBefore: rows<[string]>('SELECT DISTINCT date FROM bars WHERE date < ? ORDER BY date DESC LIMIT ?'),
    lastBefore: rows<[string | null]>('SELECT max(date) FROM bars WHERE ticker = ? AND date < ?'),
    span: rows<[number, string | null, string | null]>(
      'SELECT count(*), min(date), max(date) FROM bars WHERE ticker = ?',
    ),
    tickers: rows<[string]>('SELECT ticker FROM ticker_state WHERE bars > 0 ORDER BY ticker'),
    putBar: db.prepare(
      `INSERT INTO bars (date, ticker, ${figures.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET ${figures.map((name) => `${name} = excluded.${name}`).join(', ')}
       WHERE ${figures.map((name) => `${name} IS NOT excluded.${name}`).join(' OR ')}`,
    ),
    seriesNames: rows<[string]>('SELECT DISTINCT name FROM series ORDER BY name'),
    series: rows<[string, string, number]>(
      'SELECT known, date, value FROM series WHERE name = ? AND known <= ? ORDER BY known, date',
    ),
    putValue: db.prepare('INSERT OR REPLACE INTO series VALUES (?, ?, ?, ?)'),
    dropSeries: db.prepare('DELETE FROM series'),
    universe: rows<[string, string, string | null]>(
      'SELECT ticker, from_date, to_date FROM universe ORDER BY ticker, from_date',
    ),
    putMembership: db.prepare('INSERT INTO universe VALUES (?, ?, ?)'),
    dropUniverse: db.prepare('DELETE FROM universe'),
    // A table of dates, so that the dates to keep need not be bound one by one.
    drop: ['bars', 'splits', 'dividends'].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE ticker = ? AND date NOT IN (SELECT value FROM json_each(?))`),
    ),
  };
  const actions = <Action extends Split | Dividend>(table: string, value: string) => {
    const select = `SELECT ticker, date, ${value} FROM ${table}`;
    const of = db.prepare(`${select} WHERE ticker = ? AND date <= ? ORDER BY date`);
    const between = db.prepare(`${select} WHERE date > ? AND date <= ? ORDER BY date`);
    const all = (found: object[]) => found.map((row) => ({ ...row }) as OfTicker<Action>);
    return {
      of: (ticker: string, upTo: string = LAST_DATE) => all(of.all(ticker, upTo)),
      between: (after: string, upTo: string) => all(between.all(after, upTo)),
      put: db.prepare(
        `INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ${value} = excluded.${value}
         WHERE ${value} <> excluded.${value}`,
      ),
    };
  };
  /** The rhythm is kept until a bar is added. */
  let rhythm: Rhythm | null = null;
  const splits = actions<Split>('splits', 'ratio');
  const dividends = actions<Dividend>('dividends', 'amount');

  return {
    /** The newest `limit` bars of a ticker, up to a date (inclusive) and before another date, ascending. */
    of: (ticker: string, limit: number, upTo: string = LAST_DATE, before: string = LAST_DATE) =>
      sql.of(ticker, upTo, before, limit).map(barOf).reverse(),
    /**
     * Puts bars into consecutive sessions, which have none yet: those of all tickers or of `only` one, without the
     * tickers to leave out. No bar's day is between two sessions.
     */
    putInto(sessions: readonly SessionData[], { only, leaveOut }: Wanted): void {
      const [from, upTo] = [sessions[0]!.date, sessions.at(-1)!.date];
      const found = only === undefined ? sql.between(from, upTo) : sql.betweenOf(only, from, upTo);
      let at = 0;
      for (const row of found) {
        const { date, ticker, ...bar } = barOf(row);
        if (leaveOut(ticker)) continue;
        while (sessions[at]!.date < date) at++;
        sessions[at]!.bars[ticker] = bar;
      }
    },
    /** The last `limit` days up to a date on which a ticker traded, ascending. */
    datesOf: (ticker: string, limit: number, upTo: string) =>
      sql
        .of(ticker, upTo, LAST_DATE, limit)
        .map(([date]) => date)
        .reverse(),
    /** The first `limit` days on which anything traded, after one date and up to another. */
    dates: (after: string, upTo: string, limit: number) => sql.dates(after, upTo, limit).flat(),
    /** The trading day that lies `days` trading days before the last one up to a date; `null` if there are too few. */
    dateBack: (upTo: string, days: number) => sql.datesBack(upTo, days)[0]?.[0] ?? null,
    /** The last `limit` days on which anything traded before a date, ascending. */
    datesBefore: (date: string, limit: number) => sql.datesBefore(date, limit).flat().reverse(),
    /** The rhythm of the newest days on which anything traded. */
    rhythm: () => (rhythm ??= rhythmOf(sql.datesBefore(LAST_DATE, RHYTHM_DAYS).flat().reverse())),
    /** The last day before a date on which a ticker traded. */
    lastBefore: (ticker: string, date: string) => sql.lastBefore(ticker, date)[0]![0],
    span(ticker: string) {
      const [bars, first, last] = sql.span(ticker)[0]!;
      return { bars, first, last };
    },
    /** The tickers with stored bars, by name. */
    tickers: () => sql.tickers().flat(),
    splitsOf: splits.of,
    splitsBetween: splits.between,
    dividendsOf: dividends.of,
    dividendsBetween: dividends.between,
    /** The names of the series that are stored. */
    seriesNames: () => sql.seriesNames().flat(),
    /** The values of a series that were known on a day, in the order in which they became known. */
    valuesOf: (name: string, knownBy: string): SeriesValue[] =>
      sql.series(name, knownBy).map(([known, date, value]) => ({ known, date, value })),
    /** Replaces all series. */
    putSeries(series: readonly Series[]): void {
      sql.dropSeries.run();
      for (const { name, values } of series)
        for (const { known, date, value } of values) sql.putValue.run(name, known, date, value);
    },
    /** When each ticker may be bought; empty if there is no restriction. */
    universe: (): Membership[] => sql.universe().map(([ticker, from, to]) => ({ ticker, from, to })),
    /** Replaces the whole universe. */
    putUniverse(universe: readonly Membership[]): void {
      sql.dropUniverse.run();
      for (const { ticker, from, to } of universe) sql.putMembership.run(ticker, from, to);
    },
    /** Adds new rows and replaces those that differ; returns how many of each. */
    put(ticker: string, data: Stored) {
      rhythm = null;
      const changed = { bars: 0, splits: 0, dividends: 0 };
      for (const { date, open, high, low, close, volume, columns } of data.bars) {
        const further = columns === undefined ? null : JSON.stringify(columns);
        changed.bars += Number(sql.putBar.run(date, ticker, open, high, low, close, volume, further).changes);
      }
      for (const { date, ratio } of data.splits) {
        changed.splits += Number(splits.put.run(ticker, date, ratio).changes);
      }
      for (const { date, amount } of data.dividends) {
        changed.dividends += Number(dividends.put.run(ticker, date, amount).changes);
      }
      return changed;
    },
    /** Deletes a ticker's data for all dates but these. */
    keepOnly(ticker: string, data: Stored): void {
      for (const [at, list] of [data.bars, data.splits, data.dividends].entries()) {
        sql.drop[at]!.run(ticker, JSON.stringify(list.map(({ date }) => date)));
      }
    },
  };
}

export type Bars = ReturnType<typeof openBars>;

/** What sessions are made from. */
export type ReadableBars = Pick<
  Bars,
  | 'putInto'
  | 'dates'
  | 'dateBack'
  | 'datesBefore'
  | 'datesOf'
  | 'rhythm'
  | 'lastBefore'
  | 'tickers'
  | 'splitsBetween'
  | 'dividendsBetween'
  | 'seriesNames'
  | 'valuesOf'
  | 'universe'
>;

/** Which bars are put into sessions. */
interface Wanted {
  readonly only?: string | undefined;
  readonly leaveOut: (ticker: string) => boolean;
}

interface Stored {
  readonly bars: readonly SourceBar[];
  readonly splits: readonly Split[];
  readonly dividends: readonly Dividend[];
}
