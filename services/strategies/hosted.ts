import type { StrategyAnswer } from '../../actors/strategy/answer.ts';
import type { Forecast } from '../../actors/strategy/forecast.ts';
import type { StrategyAccount } from '../../actors/strategy/port.ts';
import { parseRatio, ratioNumber } from '../../events/decimal.ts';
import { isEmpty } from '../../events/is-empty.ts';
import type { Json } from '../../events/json.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { StrategyFault } from './fault.ts';
import type { Hello, SessionLine } from './protocol.ts';

/** The query to a strategy after a session. */
export interface Question {
  readonly session: SessionData;
  readonly previous: string | null;
  readonly decided: string | null;
  /**
   * The account at the time of reading: each member is calculated when it is read. Read them in `decide`, not later.
   */
  readonly account: StrategyAccount;
  readonly state: Json;
  readonly predictions?: ReadonlyMap<string, Forecast> | undefined;
}

/**
 * A strategy that can be asked, in live trading and backtests alike. A strategy that is part of the product runs in
 * this process, any other in a process of its own. Its faults are thrown as `StrategyFault`, or reject with it.
 */
export interface HostedStrategy {
  readonly name: string;
  /** The text by which it was named. */
  readonly source: string;
  /** The share of the account, 0 … 1; `null` for all of it. */
  readonly share: number | null;
  /** The SHA-256 of its files. */
  readonly hash: string;
  /** The parameters of the strategy, and the values in use. */
  readonly declared: Hello['parameters'];
  readonly parameters: Readonly<Record<string, number>>;
  /** The number of sessions that it sees, including the present one. */
  readonly history: number;
  readonly usesPredictions: boolean;
  /** Shows it the sessions before its first query; those beyond its history are left out. */
  begin(past: readonly SessionData[]): Promise<void> | void;
  decide(question: Question): Promise<StrategyAnswer> | StrategyAnswer;
  close(): Promise<void>;
}

/** The place of a strategy in its files. */
export interface Place {
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
}

/**
 * The values of a strategy's parameters.
 *
 * @throws {StrategyFault} for an unknown parameter, and for a value outside its bounds.
 */
export function valuesOf(
  declared: Hello['parameters'],
  given: Readonly<Record<string, number>>,
  at: Place,
): Readonly<Record<string, number>> {
  for (const [name, value] of Object.entries(given)) {
    const of = declared[name];
    if (of === undefined) {
      const names = Object.keys(declared).join(', ') || 'none';
      throw new StrategyFault(`it has no parameter ${name}; its parameters: ${names}`, at);
    }
    if (!(value >= of.min && value <= of.max)) {
      throw new StrategyFault(`the parameter ${name} must be from ${of.min} to ${of.max}`, at);
    }
  }
  return Object.fromEntries(Object.entries(declared).map(([name, of]) => [name, given[name] ?? of.default]));
}

/**
 * Checks that the market has all these tickers.
 *
 * @throws {StrategyFault} for a ticker that the market does not have.
 */
export function requireTickers(
  { targets, orders }: StrategyAnswer,
  hasTicker: (ticker: string) => boolean,
  at: Place,
): void {
  for (const named of [targets, orders]) {
    for (const { ticker } of named) {
      if (!hasTicker(ticker))
        throw new StrategyFault(`it names ${ticker}, which the market does not have`, at);
    }
  }
}

/** The sessions before the present one that a strategy with this history is shown. */
export const shownBefore = (past: readonly SessionData[], history: number): readonly SessionData[] =>
  history > 1 ? past.slice(1 - history) : [];

const NO_SPLITS: SessionLine['splits'] = Object.freeze({});

/**
 * A session in the form for strategies, with the tickers that the market has and the universe allows to buy. A bar to
 * which nothing is added is the session's own object.
 */
export function lineOf(
  { date, bars, splits, dividends, series, universe }: SessionData,
  predictions?: ReadonlyMap<string, Forecast>,
  hasTicker?: (ticker: string) => boolean,
): SessionLine {
  const isPlain = predictions === undefined && isEmpty(dividends);
  return {
    date,
    bars: isPlain ? bars : withMore(bars, dividends, predictions),
    splits: isEmpty(splits) ? NO_SPLITS : ratiosOf(splits),
    series,
    universe: hasTicker && universe?.filter(hasTicker),
  };
}

const ratiosOf = (splits: SessionData['splits']): SessionLine['splits'] =>
  Object.fromEntries(Object.entries(splits).map(([ticker, text]) => [ticker, ratioNumber(parseRatio(text))]));

function withMore(
  bars: SessionData['bars'],
  dividends: SessionData['dividends'],
  predictions: ReadonlyMap<string, Forecast> | undefined,
): SessionLine['bars'] {
  const all: Record<string, SessionLine['bars'][string]> = {};
  for (const ticker in bars) {
    const bar = bars[ticker]!;
    const prediction = predictions?.get(ticker);
    const dividend = dividends[ticker];
    const isPlain = prediction === undefined && dividend === undefined;
    all[ticker] = isPlain
      ? bar
      : { ...bar, ...(dividend !== undefined && { dividend }), ...(prediction && { prediction }) };
  }
  return all;
}
