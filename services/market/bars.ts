import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Dividend, SourceBar, Split } from './sources/source.ts';

/** Before and after all dates. */
export const FIRST_DATE = '0000-01-01';
export const LAST_DATE = '9999-12-31';

/** One row of a day, prices as traded. */
interface TickerBar extends SourceBar {
  readonly ticker: string;
}

/** A split or dividend and whose it is. */
export type OfTicker<T> = T & { readonly ticker: string };

type BarRow = [string, string, number, number, number, number, number];
type ActionRow<T> = [string, string, T];

const barOf = ([date, ticker, open, high, low, close, volume]: BarRow): TickerBar => ({
  date,
  ticker,
  open,
  high,
  low,
  close,
  volume,
});

/** The tables of bars, splits and dividends. Transactions are its caller's. */
export class Bars {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(db: DatabaseSync) {
    this.#sql = prepare(db);
  }

  /** The newest `limit` bars of a ticker up to a date and before another, ascending. */
  of(ticker: string, limit: number, upTo: string = LAST_DATE, before: string = LAST_DATE): TickerBar[] {
    return (this.#sql.of.all(ticker, upTo, before, limit) as unknown as BarRow[]).map(barOf).reverse();
  }

  /** Of all tickers, in the order of their dates: after the first date, up to the second. */
  between(after: string, upTo: string): TickerBar[] {
    return (this.#sql.between.all(after, upTo) as unknown as BarRow[]).map(barOf);
  }

  /** The first `limit` days on which anything traded, after one date and up to another. */
  dates(after: string, upTo: string, limit: number): string[] {
    return (this.#sql.dates.all(after, upTo, limit) as unknown as [string][]).map(([date]) => date);
  }

  /** The day on which something traded, so many such days before the last one up to a date; `null`: not so many. */
  dateBack(upTo: string, days: number): string | null {
    return (this.#sql.datesBack.get(upTo, days) as unknown as [string] | undefined)?.[0] ?? null;
  }

  /** The last `limit` days on which anything traded before a date, ascending. */
  datesBefore(date: string, limit: number): string[] {
    return (this.#sql.datesBefore.all(date, limit) as unknown as [string][]).map(([day]) => day).reverse();
  }

  /** The last day before a date on which a ticker traded. */
  lastBefore(ticker: string, date: string): string | null {
    return (this.#sql.lastBefore.get(ticker, date) as unknown as [string | null])[0];
  }

  span(ticker: string): { bars: number; first: string | null; last: string | null } {
    const [bars, first, last] = this.#sql.span.get(ticker) as unknown as [
      number,
      string | null,
      string | null,
    ];
    return { bars, first, last };
  }

  /** Those that updates have stored bars of, by name. */
  tickers(): string[] {
    return (this.#sql.tickers.all() as unknown as [string][]).map(([ticker]) => ticker);
  }

  splitsOf(ticker: string, upTo: string = LAST_DATE): OfTicker<Split>[] {
    return splitsIn(this.#sql.splits.of.all(ticker, upTo));
  }

  dividendsOf(ticker: string, upTo: string = LAST_DATE): OfTicker<Dividend>[] {
    return dividendsIn(this.#sql.dividends.of.all(ticker, upTo));
  }

  splitsBetween(after: string, upTo: string): OfTicker<Split>[] {
    return splitsIn(this.#sql.splits.between.all(after, upTo));
  }

  dividendsBetween(after: string, upTo: string): OfTicker<Dividend>[] {
    return dividendsIn(this.#sql.dividends.between.all(after, upTo));
  }

  /** Adds what is new and replaces what differs; says how many of each. */
  put(ticker: string, data: Stored): { bars: number; splits: number; dividends: number } {
    const changed = { bars: 0, splits: 0, dividends: 0 };
    for (const { date, open, high, low, close, volume } of data.bars) {
      changed.bars += Number(this.#sql.putBar.run(date, ticker, open, high, low, close, volume).changes);
    }
    for (const { date, ratio } of data.splits) {
      changed.splits += Number(this.#sql.splits.put.run(ticker, date, ratio).changes);
    }
    for (const { date, amount } of data.dividends) {
      changed.dividends += Number(this.#sql.dividends.put.run(ticker, date, amount).changes);
    }
    return changed;
  }

  /** Drops what is stored of a ticker on other dates than these. */
  keepOnly(ticker: string, data: Stored): void {
    for (const [at, list] of [data.bars, data.splits, data.dividends].entries()) {
      this.#sql.drop[at]!.run(ticker, JSON.stringify(list.map(({ date }) => date)));
    }
  }
}

function prepare(db: DatabaseSync) {
  const rows = (sql: string): StatementSync => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const bar = 'SELECT date, ticker, open, high, low, close, volume FROM bars';
  const actions = (table: string, value: string) => ({
    of: rows(`SELECT ticker, date, ${value} FROM ${table} WHERE ticker = ? AND date <= ? ORDER BY date`),
    between: rows(`SELECT ticker, date, ${value} FROM ${table} WHERE date > ? AND date <= ? ORDER BY date`),
    put: db.prepare(
      `INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ${value} = excluded.${value}
         WHERE ${value} <> excluded.${value}`,
    ),
  });
  const figures = ['open', 'high', 'low', 'close', 'volume'];
  return {
    of: rows(`${bar} WHERE ticker = ? AND date <= ? AND date < ? ORDER BY date DESC LIMIT ?`),
    between: rows(`${bar} WHERE date > ? AND date <= ? ORDER BY date, ticker`),
    dates: rows('SELECT DISTINCT date FROM bars WHERE date > ? AND date <= ? ORDER BY date LIMIT ?'),
    datesBack: rows('SELECT DISTINCT date FROM bars WHERE date <= ? ORDER BY date DESC LIMIT 1 OFFSET ?'),
    datesBefore: rows('SELECT DISTINCT date FROM bars WHERE date < ? ORDER BY date DESC LIMIT ?'),
    lastBefore: rows('SELECT max(date) FROM bars WHERE ticker = ? AND date < ?'),
    span: rows('SELECT count(*), min(date), max(date) FROM bars WHERE ticker = ?'),
    tickers: rows('SELECT ticker FROM ticker_state WHERE bars > 0 ORDER BY ticker'),
    splits: actions('splits', 'ratio'),
    dividends: actions('dividends', 'amount'),
    putBar: db.prepare(
      `INSERT INTO bars VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET ${figures.map((name) => `${name} = excluded.${name}`).join(', ')}
       WHERE ${figures.map((name) => `${name} <> excluded.${name}`).join(' OR ')}`,
    ),
    // A table of dates, so that those that are kept need not be bound one by one.
    drop: ['bars', 'splits', 'dividends'].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE ticker = ? AND date NOT IN (SELECT value FROM json_each(?))`),
    ),
  };
}

interface Stored {
  readonly bars: readonly SourceBar[];
  readonly splits: readonly Split[];
  readonly dividends: readonly Dividend[];
}

const splitsIn = (rows: unknown): OfTicker<Split>[] =>
  (rows as ActionRow<string>[]).map(([ticker, date, ratio]) => ({ ticker, date, ratio }));

const dividendsIn = (rows: unknown): OfTicker<Dividend>[] =>
  (rows as ActionRow<number>[]).map(([ticker, date, amount]) => ({ ticker, date, amount }));
