import type { BarColumns } from '../bar-columns.ts';
import type { Warning } from '../bar-warnings.ts';

/** A daily bar of a ticker. Prices are in the currency, finite and above 0; the volume is a whole number of shares. */
export interface SourceBar {
  /** `YYYY-MM-DD`, by the exchange's calendar. */
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** The values of the table's further columns by name; absent if there are none. */
  readonly columns?: Readonly<Record<string, number>> | undefined;
}

export interface Split {
  /** The first day of trading after the split. */
  readonly date: string;
  /** New shares per old share, as `ratioText` writes it: `7/1`. */
  readonly ratio: string;
}

export interface Dividend {
  /** The ex-dividend day. */
  readonly date: string;
  /** Cash per share. */
  readonly amount: number;
}

/**
 * `as-traded`: the prices paid on that day. `split-adjusted` (Yahoo's convention): prices divided by every later split,
 * and volumes multiplied.
 */
export type Convention = 'as-traded' | 'split-adjusted';

/** The data of a source for one ticker, each list ascending without duplicate dates. */
export interface Fetched {
  readonly bars: readonly SourceBar[];
  readonly splits: readonly Split[];
  readonly dividends: readonly Dividend[];
  /** Whether this is all data of the ticker: then stored data that is not in it is deleted. */
  readonly complete?: boolean;
  /** The convention of prices and volumes, and that of dividends. */
  readonly convention: { readonly bars: Convention; readonly dividends: Convention };
  /** The currency code of prices and dividends, such as `USD`, or `GBp` for pence; absent if unknown. */
  readonly currency?: string | undefined;
  /** Notes for people: what was derived from the data, and what the data cannot show. */
  readonly notes?: readonly string[];
}

/** All data of a ticker, with its bars as columns, and doubtful bars. */
export type FetchedColumns = Omit<Fetched, 'bars' | 'complete'> & {
  readonly bars: BarColumns;
  readonly warnings: readonly Warning[];
};

/** A value of a series, and the day from which it was known. */
export interface SeriesValue {
  readonly date: string;
  readonly known: string;
  readonly value: number;
}

/** Figures that belong to no ticker, such as a rate or an index of volatility. */
export interface Series {
  readonly name: string;
  readonly values: readonly SeriesValue[];
}

/** The series of a source. `leftOut` has the reasons for those that cannot be read. */
export interface SeriesFound {
  readonly series: readonly Series[];
  readonly leftOut: readonly string[];
}

/** Strategies may buy the ticker from the day `from` to the day `to`, which is `null` if they still may. */
export interface Membership {
  readonly ticker: string;
  readonly from: string;
  readonly to: string | null;
}

/** When each ticker may be bought; empty if there is no restriction. `leftOut` names tickers without a table. */
export interface UniverseFound {
  readonly universe: readonly Membership[];
  readonly leftOut: readonly string[];
}

/** The source of bars: a folder (`csvSource`), a synthetic market (`demoSource`), Yahoo (`yahooSource`). */
export interface BarSource {
  /** The name of the source for people: `demo`, `yahoo`, `csv`. */
  readonly name: string;
  readonly synthetic: boolean;
  /** The index to compare with, if the source has one. */
  readonly index: string | null;
  /**
   * Where the feed begins by default: after the stored data, or one year (252 sessions) before its end, so that there
   * is something to replay.
   */
  readonly feedStart: 'end' | 'year-before-end';
  /**
   * All tickers that can be fetched, with the index if it has bars, in display order. Rejects with
   * `SERVICE_UNAVAILABLE` if the source cannot be reached.
   */
  tickers(): Promise<readonly string[]>;
  /**
   * Fetches bars and actions from `since` on, all of them for `null`. A day that is fetched again is equal or
   * corrected. Only completed days are given. With split-adjusted bars, all splits from `since` to today must be
   * included.
   *
   * Rejects with `SERVICE_UNAVAILABLE` if the source cannot be reached or refuses for now (the caller retries, after
   * `retryAfter` seconds if given), with `SourceFaults` if the data of this ticker is invalid, or with the signal's
   * reason.
   */
  fetch(ticker: string, since: string | null, signal: AbortSignal): Promise<Fetched>;
  /** Fetches all data of a ticker as columns. Only for sources that have columns. */
  readonly columns?: (ticker: string, signal: AbortSignal) => Promise<FetchedColumns>;
  /** All series, and why others cannot be read. Absent if the source has no series. */
  readonly series?: () => Promise<SeriesFound>;
  /**
   * When each ticker may be bought. Absent if the source has no such list. Rejects with `SERVICE_UNAVAILABLE` for a
   * list that cannot be read, because without it everything could be bought.
   */
  readonly universe?: () => Promise<UniverseFound>;
  /** Tickers that exist but cannot be fetched, each with its reason. */
  readonly leftOut?: () => Promise<readonly string[]>;
  /** A text that changes when there is something new to fetch. Only for sources that can tell cheaply. */
  readonly version?: () => Promise<string>;
  /**
   * Only for a source without an end: the `count` sessions after a date, by ticker, always the same. `fetch` of such a
   * source ends with its history; later sessions come from here.
   */
  readonly extend?: (after: string, count: number) => Promise<ReadonlyMap<string, Fetched>>;
}

/** The faults in a ticker's data, line by line. A retry cannot help. */
export class SourceFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'SourceFaults';
    this.faults = faults;
  }
}

/** The series and the universe of a source, and why tickers and series are left out. Each file is read once. */
export async function besideBars({
  series,
  universe,
  leftOut,
}: BarSource): Promise<SeriesFound & UniverseFound> {
  const tickers = (await leftOut?.()) ?? [];
  const found = (await series?.()) ?? { series: [], leftOut: [] };
  const listed = (await universe?.()) ?? { universe: [], leftOut: [] };
  return {
    series: found.series,
    universe: listed.universe,
    leftOut: [...tickers, ...found.leftOut, ...listed.leftOut],
  };
}
