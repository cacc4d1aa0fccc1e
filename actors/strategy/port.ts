// The types of a strategy of your own. This file imports nothing: `beleg strategy new` puts a copy beside your file.

/** A number in your rule, and the bounds between which it may be tried. */
export interface Parameter {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** One day of a ticker, prices as traded. */
export interface TodaysBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** The cash dividend a share whose ex-date is today; missing where there is none. */
  readonly dividend?: number;
  /** Further columns of the ticker's table, by name, with their values of today; missing where they have none. */
  readonly columns?: Readonly<Record<string, number>> | undefined;
  /** What the model expects of the next day; missing where there is no prediction, or `predictions` is not set. */
  readonly prediction?: { readonly return: number; readonly volatility: number };
}

/** Bars of one ticker, oldest first, today's last; prices and volumes adjusted for the splits up to today. */
export interface Columns {
  readonly dates: readonly string[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  readonly volume: readonly number[];
  /** Further columns of the ticker's table, by name, as they are in the table; NaN on a day without a value. */
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

/** The last `history` sessions, today's included. */
export interface Past {
  /** Days of the sessions, oldest first. */
  readonly dates: readonly string[];
  /** The tickers with a bar in these sessions, sorted by name. */
  readonly tickers: readonly string[];
  /** The bars of a ticker in these sessions; empty columns where it has none. */
  of(ticker: string): Columns;
  /**
   * The newest `count` closes of a ticker; fewer where it has fewer bars in these sessions.
   *
   * @throws {RangeError} if `count` is above `history`, as more would never come.
   */
  closes(ticker: string, count?: number): readonly number[];
  /**
   * The average of the newest `count` closes of a ticker; NaN where it has fewer bars in these sessions.
   *
   * @throws {RangeError} if `count` is above `history`, or is not a whole number from 1 on.
   */
  average(ticker: string, count: number): number;
  /** What was known of a series at the close of each of `dates`; NaN if nothing was. */
  series(name: string): readonly number[];
}

type Values = ArrayLike<number>;

/**
 * The usual indicators, one value for each value of a series, oldest first; NaN where there were too few values before
 * it.
 */
export interface Indicators {
  simpleAverage(values: Values, period: number): Float64Array;
  exponentialAverage(values: Values, period: number): Float64Array;
  relativeStrength(closes: Values, period?: number): Float64Array;
  averageTrueRange(highs: Values, lows: Values, closes: Values, period?: number): Float64Array;
  macd(
    closes: Values,
    fast?: number,
    slow?: number,
    signal?: number,
  ): { macd: Float64Array; signal: Float64Array };
  /** Each value less the value `period` places before it. */
  momentum(values: Values, period: number): Float64Array;
}

/** The part of the account that is your strategy's. Orders by hand and other strategies are not in it. */
export interface StrategyAccount {
  /** The value of the strategy's cash and positions, at today's closes. */
  readonly value: number;
  /** The cash that may be spent: it is settled, and not reserved by open orders. */
  readonly cash: number;
  readonly positions: Readonly<
    Record<
      string,
      {
        /** Negative for a short position. */
        readonly quantity: number;
        readonly average_price: number;
        /** The session of the fill that opened the position. */
        readonly opened: string;
        /** The highest close since the position was opened. */
        readonly high: number;
      }
    >
  >;
  readonly orders: readonly {
    readonly order_id: string;
    readonly ticker: string;
    readonly action: 'buy' | 'sell';
    readonly type: string;
    readonly quantity: number;
    readonly filled: number;
    readonly price: number | null;
    readonly stop_price: number | null;
    readonly time_in_force: string;
    readonly reduce_only: boolean;
    /** How far the order's stop stays behind the price; `null` for a stop that does not follow the price. */
    readonly trail: Trail | null;
    /**
     * The id of the first of the orders that this order is linked to; `null` if it is the first itself, or not linked.
     */
    readonly linked_to: string | null;
    /**
     * The id of the order whose exit this order is, by a bracket or by the stop of a target; `null` if it is no exit.
     */
    readonly exit_of: string | null;
  }[];
  /** Today's fills of your strategy's orders. */
  readonly trades: readonly {
    readonly order_id: string;
    readonly ticker: string;
    readonly action: 'buy' | 'sell';
    readonly quantity: number;
    readonly price: number;
  }[];
}

/** What `onSession` receives, after the close of a session. */
export interface Day<Names extends string = string> {
  readonly date: string;
  /** The session before; `null` where there is none. */
  readonly previous: string | null;
  /** The last session that your strategy decided on; `null` at first. It is `previous` unless trading paused. */
  readonly decided: string | null;
  /** The bars of today by ticker; only tickers that traded have one. */
  readonly bars: Readonly<Record<string, TodaysBar>>;
  readonly past: Past;
  /** By name, the newest value of each series that is known today, and the date of that value. */
  readonly series: Readonly<Record<string, { readonly date: string; readonly value: number }>>;
  /**
   * Tickers that may be bought today, sorted by name: those that `universe.csv` lists for today or, without that file,
   * those of `past`. Of other tickers you can only sell what you hold.
   */
  readonly universe: readonly string[];
  readonly account: StrategyAccount;
  readonly parameters: Readonly<Record<Names, number>>;
  /** What you returned last as `state`; `null` at first. */
  // Whatever you put there.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly state: any;
  readonly indicators: Indicators;
}

/** Where a position should be. A target stands until it is reached or replaced, or trading stops. */
export type Target = {
  readonly ticker: string;
  /** `day`: the target is dropped if the next session does not reach it. Default `gtc`: it stands. */
  readonly time_in_force?: 'day' | 'gtc';
  readonly reason?: string;
  /** Stop price at which the position is closed. It replaces your earlier stops for the ticker. */
  readonly stop?: number;
  /** A stop that closes the position and follows the price, from the last price on. */
  readonly trailing_stop?: Trail;
  /**
   * A position that differs from the target by no more than this share of the target is left as it is. Default 0: each
   * share counts.
   */
  readonly tolerance?: number;
} & (
  | { /** Share of the account's value. */ readonly weight: number }
  | { /** Shares. */ readonly quantity: number }
  | { /** Money. */ readonly value: number }
);

interface StrategyOrder {
  readonly ticker: string;
  readonly action: 'buy' | 'sell';
  readonly quantity: number;
  /** The type of the order. Default `market`. */
  readonly type?: 'market' | 'limit' | 'stop' | 'stop_limit';
  /** The limit price, or the stop price of a stop order. */
  readonly price?: number;
  /** The stop price of a `stop_limit` order. Other orders do not have this field. */
  readonly stop_price?: number;
  /** How long the order is good. Default `day`: for the ticker's next bar. */
  readonly time_in_force?: 'day' | 'gtc' | 'ioc' | 'fok';
  /** Whether the order never takes the position through zero. */
  readonly reduce_only?: boolean;
  /** A name by which later orders of the same answer can be linked to this order. */
  readonly name?: string;
  /**
   * The id of an open order of the same ticker and quantity, or the `name` of an earlier order of this answer. A fill
   * of one order reduces the other by as much.
   */
  readonly linked_to?: string;
  /** For a stop order without a price: how far the stop stays behind the price. */
  readonly trail?: Trail;
  /** Exits that come with each fill: a limit order for the profit, a stop order against the loss. */
  readonly bracket?: { readonly take_profit?: number; readonly stop_loss?: number; readonly trail?: Trail };
  readonly reason?: string;
}

/** A change of an open order; what is left out stays as it is. */
export interface Amendment {
  readonly order_id: string;
  /** The whole quantity of the order, including what is filled already. */
  readonly quantity?: number;
  readonly price?: number;
  readonly stop_price?: number;
}

/** Either an amount a share, or hundredths of the price. */
export type Trail = { readonly amount: number } | { readonly percent: number };

/** What `onSession` returns. If it returns nothing, everything stays as it is. */
export interface Answer {
  readonly targets?: readonly Target[];
  readonly orders?: readonly StrategyOrder[];
  /** The ids of open orders that are to be cancelled. */
  readonly cancel?: readonly string[];
  readonly amend?: readonly Amendment[];
  /** What you want to remember, at most 64 KiB of JSON. Nothing else lives from one session to the next. */
  readonly state?: unknown;
  /** Figures to be kept beside the decision. */
  readonly plot?: Readonly<Record<string, number>>;
}

/** What a strategy's file has as its default export; `Names` are those of its parameters. */
export interface Strategy<Names extends string = string> {
  readonly parameters?: Readonly<Record<Names, Parameter>>;
  /** How many sessions of the past the strategy needs, today's included: 1 to 2,000. */
  readonly history: number;
  /** Whether the strategy's bars need the trained model's predictions. */
  readonly predictions?: boolean;
  // Nothing returned is an answer, too.
  // oxlint-disable-next-line typescript/no-invalid-void-type
  onSession(day: Day<Names>): Answer | void;
}
