import type { AccountState, StrategyState } from '../../actors/trading/state.ts';
import { viewOrder, viewPositions } from '../../actors/trading/view.ts';
import { VERSION } from '../foundation/version.ts';
import type { BacktestParameters } from './parameters.ts';
import { moneyNumber } from '../../events/decimal.ts';
import { profitOf } from './account-history.ts';
import { accountFigures, tradeNumbers } from './account-figures.ts';
import type { Benchmark } from './benchmark.ts';
import type { Rhythm } from '../market/rhythm.ts';
import type { Backtest } from './run-backtest.ts';

/** The network of the predictions. */
interface BacktestModel {
  /** SHA-256 of the file of weights, hexadecimal. */
  readonly weights: string;
  /** The last day that was used in training; `null` if it was never trained. */
  readonly trainedUntil: string | null;
}

/** The result of a backtest with numbers for JSON. */
export type BacktestSummary = ReturnType<typeof summarise>;

/** Facts for a summary that are not in the account's events. */
interface About {
  readonly strategy: string;
  /** `null` if the strategy uses no predictions. */
  readonly model: BacktestModel | null;
  /** The parameters as in the settings. */
  readonly parameters: BacktestParameters;
  readonly source: string;
  /** How often the account has a value at the close of a day. */
  readonly rhythm: Rhythm;
  readonly synthetic: boolean;
  readonly tickers: readonly string[];
  /** Notes on what the tables lack, and on what was derived from them. */
  readonly notes: readonly string[];
  /** Notes on the data that concern only days before the test. */
  readonly earlierNotes: readonly string[];
  readonly benchmarks: readonly Benchmark[];
  /** SHA-256, hexadecimal, of the sessions: the same bars, splits and dividends have the same hash. */
  readonly data: string;
  /** The command that repeats the backtest, with every setting that can change the result. */
  readonly command: string;
}

export function summarise(backtest: Backtest, { model, benchmarks, rhythm, ...about }: About) {
  const { account, history } = backtest;
  const { journal, equity } = history;
  const { slippage_percent: slippagePercent, risk_free_percent: riskFreePercent } = about.parameters;
  const { trades, ...figures } = accountFigures(history, {
    rhythm,
    benchmarks,
    slippagePercent,
    riskFreePercent,
  });
  return {
    ...about,
    /** The version of this program. */
    version: VERSION,
    model: model && {
      ...model,
      /** The number of traded sessions that were used in training. */
      inSample: equity.slice(1).filter(({ session }) => session <= (model.trainedUntil ?? '')).length,
    },
    bars: backtest.bars,
    settlements: journal.settlements.map((of) => numbers(of, 'quantity', 'price', 'amount')),
    marginCalls: journal.marginCalls.map((of) => numbers(of, 'value', 'required')),
    dividendsPaid: journal.dividends.map((of) => numbers(of, 'per_share', 'quantity', 'amount')),
    /** The final positions, by ticker. */
    positions: viewPositions(account),
    halts: journal.halts,
    strategiesHalted: journal.strategiesHalted,
    /** The own strategies with their results. */
    ownStrategies: [...(account.strategies ?? [])].map(([name, of]) => strategyNumbers(name, of, account)),
    /** The targets of each session, how far each was reached, and why not further. */
    decisions: journal.decisions,
    /** Targets of the strategy that were not reached, by reason. */
    unmet: [...backtest.unmet].map(([reason, of]) => ({ reason, ...of })),
    ...figures,
    benchmarks: figures.benchmarks.map((one, at) => ({ ...one, equity: benchmarks[at]!.equity })),
    orders: history.orders.map(viewOrder),
    fills: journal.fills.map(({ session, order_id, ticker, action, quantity, price, fee }) =>
      numbers({ session, order_id, ticker, action, quantity, price, fee }, 'quantity', 'price', 'fee'),
    ),
    trades: { ...trades, list: journal.trades.map(tradeNumbers) },
    /** The first point is the value before the first session. */
    equity,
  };
}

function strategyNumbers(name: string, strategy: StrategyState, account: AccountState) {
  const { source, hash, parameters, share, capital, status, fault } = strategy;
  return {
    name,
    source,
    hash,
    parameters,
    share,
    capital: capital === null ? null : moneyNumber(capital),
    status,
    fault,
    /** The profit from closed and open positions, with dividends, after fees. */
    profit: moneyNumber(profitOf(strategy, account)),
  };
}

/** An event with its amounts as numbers instead of texts. */
const numbers = <Event extends object, Name extends keyof Event>(event: Event, ...names: readonly Name[]) =>
  ({
    ...event,
    ...Object.fromEntries(names.map((name) => [name, Number(event[name])])),
  }) as Omit<Event, Name> & Record<Name, number>;
