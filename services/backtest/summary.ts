import type { AccountState, StrategyState } from '../../actors/trading/state.ts';
import { viewOrder, viewPositions } from '../../actors/trading/view.ts';
import type { BacktestParameters } from './parameters.ts';
import { moneyNumber } from '../../events/decimal.ts';
import { profitOf } from './account-history.ts';
import { accountFigures, tradeNumbers } from './account-figures.ts';
import type { Benchmark } from './benchmark.ts';
import type { Rhythm } from '../market/rhythm.ts';
import type { Backtest } from './run-backtest.ts';

/** Which network predicted. */
export interface BacktestModel {
  /** SHA-256 of the file of weights, hexadecimal. */
  readonly weights: string;
  /** The last day that training has seen; `null`: it was never trained. */
  readonly trainedUntil: string | null;
}

/** What a backtest came to, in JSON's numbers. */
export type BacktestSummary = ReturnType<typeof summarise>;

/** What the account and its events do not say. */
interface About {
  readonly strategy: string;
  /** `null`: the strategy uses no predictions. */
  readonly model: BacktestModel | null;
  /** What it was run with, as the settings say it. */
  readonly parameters: BacktestParameters;
  readonly source: string;
  /** The rhythm of the days at whose close the account has a value. */
  readonly rhythm: Rhythm;
  readonly synthetic: boolean;
  readonly tickers: readonly string[];
  /** What the tables do not say, and what was told from them. */
  readonly notes: readonly string[];
  readonly benchmarks: readonly Benchmark[];
  /** SHA-256 of the sessions that it was given, hexadecimal: the same bars, splits and dividends have the same. */
  readonly data: string;
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
    model: model && {
      ...model,
      /** Sessions that were traded on, of which training knew. */
      inSample: equity.slice(1).filter(({ session }) => session <= (model.trainedUntil ?? '')).length,
    },
    bars: backtest.bars,
    settlements: journal.settlements.map((of) => numbers(of, 'quantity', 'price', 'amount')),
    marginCalls: journal.marginCalls.map((of) => numbers(of, 'value', 'required')),
    dividendsPaid: journal.dividends.map((of) => numbers(of, 'per_share', 'quantity', 'amount')),
    /** What is held at the end, by ticker. */
    positions: viewPositions(account),
    halts: journal.halts,
    strategiesHalted: journal.strategiesHalted,
    /** The operator's own, with what each came to. */
    ownStrategies: [...(account.strategies ?? [])].map(([name, of]) => strategyNumbers(name, of, account)),
    /** Their wishes in each session, what they got, and why not more. */
    decisions: journal.decisions,
    /** What the strategy wanted and did not get, by why. */
    unmet: [...backtest.unmet].map(([reason, of]) => ({ reason, ...of })),
    ...figures,
    benchmarks: figures.benchmarks.map((one, at) => ({ ...one, equity: benchmarks[at]!.equity })),
    orders: [...history.orders.values()].map(viewOrder),
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
    /** Of what it closed and holds, with dividends, after fees. */
    profit: moneyNumber(profitOf(strategy, account)),
  };
}

/** An event's amounts, which are texts, in JSON's numbers. */
const numbers = <Event extends object, Name extends keyof Event>(event: Event, ...names: readonly Name[]) =>
  ({
    ...event,
    ...Object.fromEntries(names.map((name) => [name, Number(event[name])])),
  }) as Omit<Event, Name> & Record<Name, number>;
