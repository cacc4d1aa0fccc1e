import type { Forecast } from './forecast.ts';

/** The close of a ticker on one day, split-adjusted as known on that day. */
interface StrategyBar {
  readonly close: number;
  /** The prediction of that day. Missing if no model could give one, or the strategy uses none. */
  readonly prediction?: Forecast | undefined;
}

/** What a strategy sees of a session, by ticker. */
export type StrategyBars = Readonly<Record<string, StrategyBar>>;

/** Shares by ticker. */
interface OwnShares extends Pick<ReadonlyMap<string, number>, 'get' | 'has'> {
  keys(): Iterable<string>;
}

/** What a strategy may know of the account when it decides. */
export interface StrategyView {
  /**
   * The strategy's own shares by ticker, held or short; no entries of 0. Shares that were bought by hand are not in it,
   * because the strategy may not trade them.
   */
  readonly positions: OwnShares;
  /** Tickers with an open order, for which the strategy waits. */
  readonly working: Pick<ReadonlySet<string>, 'has'>;
  /** The value of the account, in its currency. */
  readonly totalValue: number;
  readonly cash: number;
}

/** The share of the account's value that a ticker's position should have, 0 … 1 (negative: short). */
export interface TargetWeight {
  readonly ticker: string;
  readonly weight: number;
}

/** What the record says of a pause, in which no process remembered what the strategy was about to do. */
export interface StrategyPause {
  /** Tickers with orders of the strategy that are open, or that ended in the last session. */
  readonly working: ReadonlySet<string>;
  /** Tickers of which somebody else has sold after the strategy had bought, if the strategy has ordered none since. */
  readonly sold: ReadonlySet<string>;
}

/**
 * Decides after each session what to hold. It is given every session once and in order, including those of its warm-up,
 * and remembers what it needs of them: the same sessions give the same targets.
 */
export interface Strategy {
  readonly name: string;
  /** The parameters of the strategy's rule, for readers of its results. */
  readonly parameters: Readonly<Record<string, number>>;
  /**
   * How many sessions with a bar of each ticker a new process shows to the strategy first, so that it is in the state
   * that it had before.
   */
  readonly warmUp: number;
  /**
   * Whether the strategy's bars need predictions, in sessions in which it may act and in those of the warm-up. In a
   * session without predictions it changes nothing.
   */
  readonly usesPredictions: boolean;
  /**
   * Called when a split takes effect. The strategy multiplies the prices that it remembers by `factor` (old shares for
   * a new one). A strategy that remembers no prices has no such function.
   */
  onSplit?(ticker: string, factor: number): void;
  /**
   * Called after the warm-up of a new process if an earlier process was acting: the strategy goes on with its own
   * positions and its unfinished targets. Without this call it takes over an account that others have traded.
   */
  resume?(pause: StrategyPause): void;
  /**
   * Called with each session; returns what to hold from now on. The target of a ticker that is not named stays as it
   * is.
   */
  onSession(bars: StrategyBars, view: StrategyView | null): readonly TargetWeight[];
}
