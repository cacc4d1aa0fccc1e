/** A day of a ticker. Prices are in the currency, finite and above 0; the volume is a whole number of shares. */
export interface SourceBar {
  /** `YYYY-MM-DD`, by the exchange's calendar. */
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** What further columns of the table say of the day, by their names; absent where they say nothing. */
  readonly columns?: Readonly<Record<string, number>> | undefined;
}

export interface Split {
  /** The first day that trades after it. */
  readonly date: string;
  /** New shares per old share, as `ratioText` writes it: `7/1`. */
  readonly ratio: string;
}

export interface Dividend {
  /** The first day without it. */
  readonly date: string;
  /** Cash a share. */
  readonly amount: number;
}

/**
 * `as-traded`: what was paid on that day. `split-adjusted` (Yahoo's convention): in today's shares, that is divided by
 * every later split, volumes multiplied.
 */
export type Convention = 'as-traded' | 'split-adjusted';

/** What a source has of one ticker, each list in ascending order without a date twice. */
export interface Fetched {
  readonly bars: readonly SourceBar[];
  readonly splits: readonly Split[];
  readonly dividends: readonly Dividend[];
  /** True if there is nothing else: stored data that is not among this is dropped. */
  readonly complete?: boolean;
  /** The convention of prices and volumes, and that of the dividends' amounts. */
  readonly convention: { readonly bars: Convention; readonly dividends: Convention };
  /** Code of the currency that prices and dividends are in, such as `USD`, or `GBp` for pence; absent if the source does not say. */
  readonly currency?: string | undefined;
  /** Notes for people: what was derived from the data itself, and what the data cannot show. */
  readonly notes?: readonly string[];
}

/** A value of a series, and from which day on it was known. */
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

/** The series of a source. `leftOut` says of each one that cannot be read why not. */
export interface SeriesFound {
  readonly series: readonly Series[];
  readonly leftOut: readonly string[];
}

/** That strategies may buy a ticker from one day to another; `to` is `null` while they still may. */
export interface Membership {
  readonly ticker: string;
  readonly from: string;
  readonly to: string | null;
}

/** What may be bought when; empty: there is no such list, and everything may. `leftOut` names what has no table. */
export interface UniverseFound {
  readonly universe: readonly Membership[];
  readonly leftOut: readonly string[];
}

/** The source of bars: a folder (`csvSource`), a synthetic market (`demoSource`), Yahoo (`yahooSource`). */
export interface BarSource {
  /** The source's name for people: `demo`, `yahoo`, `csv`. */
  readonly name: string;
  readonly synthetic: boolean;
  /** The ticker that the others are compared with, where the source knows. */
  readonly index: string | null;
  /**
   * The default start of this source's feed: after what is stored, or one year (252 sessions) before its end, so that there
   * is something to replay.
   */
  readonly feedStart: 'end' | 'year-before-end';
  /**
   * All tickers that can be fetched, the index among them where it has bars, in the order to show them in.
   * Rejects with `SERVICE_UNAVAILABLE` when the source is away.
   */
  tickers(): Promise<readonly string[]>;
  /**
   * Bars and actions of `since` and later, all that there are for `null`; the same days again are the same or corrected.
   * Only days that are over. With split-adjusted bars, all splits from `since` to today must be among them.
   *
   * Rejects with `SERVICE_UNAVAILABLE` when the source is away or turns us down for now (tried again, after `retryAfter`
   * seconds where it says so), with `SourceFaults` when what it has of this ticker is no good, with the signal's reason.
   */
  fetch(ticker: string, since: string | null, signal: AbortSignal): Promise<Fetched>;
  /** All series beside the tickers, and why others are left out. Absent if the source has none. */
  readonly series?: () => Promise<SeriesFound>;
  /**
   * What may be bought when. Absent if the source cannot say. Rejects with `SERVICE_UNAVAILABLE` for a list that cannot be read:
   * without it everything might be bought.
   */
  readonly universe?: () => Promise<UniverseFound>;
  /** Tickers that exist but cannot be fetched, each with its reason. */
  readonly leftOut?: () => Promise<readonly string[]>;
  /** A text that changes once there is something new to fetch. Only for sources that know it cheaply. */
  readonly version?: () => Promise<string>;
  /**
   * Only of a source without an end: the `count` sessions after a date, by ticker, the same whenever they are asked for.
   * `fetch` of such a source ends where its history ends; what follows comes from here.
   */
  readonly extend?: (after: string, count: number) => Promise<ReadonlyMap<string, Fetched>>;
}

/** What is wrong with a ticker's data, line by line. Trying again is no use. */
export class SourceFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'SourceFaults';
    this.faults = faults;
  }
}

/** The series and the universe of a source, and why tickers and series of it are left out: each file is read once. */
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
