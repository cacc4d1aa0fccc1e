import { DAY_MS } from '../../events/dates.ts';
import { markOf } from '../../actors/trading/account-value.ts';
import { unrealized } from '../../actors/trading/position.ts';
import { isAtMarket, type AccountState, type StrategyState } from '../../actors/trading/state.ts';
import { viewOrder, viewPositions } from '../../actors/trading/view.ts';
import type { BacktestParameters } from './parameters.ts';
import { moneyNumber, perShareNumber, quantityNumber, valueOf } from '../../events/decimal.ts';
import type { Benchmark } from './benchmark.ts';
import type { Exposure } from './holdings.ts';
import { exposureOf, medianOf, relativeTo, turnoverOf } from './measures.ts';
import { meanOf, defined } from './performance.ts';
import { resample } from './resample.ts';
import { monthlyReturns, performanceOf, returnsOf } from './periods.ts';
import type { Rhythm } from '../market/rhythm.ts';
import type { Backtest, EquityPoint } from './run-backtest.ts';
import type { TradeJournal } from './trades.ts';

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
  readonly matching: string;
  /** SHA-256 of the sessions that it was given, hexadecimal: the same bars, splits and dividends have the same. */
  readonly data: string;
  /** The exposure at the close of each session that was traded. */
  readonly exposure: readonly Exposure[];
}

export function summarise(
  backtest: Backtest,
  journal: TradeJournal,
  { matching, model, benchmarks, exposure, ...about }: About,
) {
  const { equity, account } = backtest;
  const { perYear } = about.rhythm;
  const returns = returnsOf(equity);
  const fills = journal.fills.map(({ session, order_id, ticker, action, quantity, price, fee }) =>
    numbers({ session, order_id, ticker, action, quantity, price, fee }, 'quantity', 'price', 'fee'),
  );
  const traded = equity.slice(1);
  const pnl = journal.trades.map((trade) => moneyNumber(trade.pnl - trade.fees));
  const lost = -sum(pnl.filter((value) => value < 0));
  const positions = [...account.positions.values()];
  return {
    ...about,
    model: model && {
      ...model,
      /** Sessions that were traded on, of which training knew. */
      inSample: traded.filter(({ session }) => session <= (model.trainedUntil ?? '')).length,
    },
    currency: account.currency,
    from: traded[0]?.session ?? null,
    to: traded.at(-1)?.session ?? null,
    sessions: traded.length,
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
    /** Sessions after whose close nothing might be opened. They count for every figure, the annual return included. */
    haltedSessions: backtest.halted,
    /** What the strategy wanted and did not get, by why. */
    unmet: [...backtest.unmet].map(([reason, of]) => ({ reason, ...of })),
    initial: equity[0]?.value ?? moneyNumber(account.cash),
    final: equity.at(-1)?.value ?? moneyNumber(account.cash),
    /** Profit of what was closed, net of fees, without dividends. */
    realized: moneyNumber(positions.reduce((total, { realized }) => total + realized, 0n)),
    costs: {
      fees: moneyNumber(positions.reduce((total, { fees }) => total + fees, 0n)),
      slippage: slippageOf(fills, backtest, about.parameters.slippage_percent / 100),
      borrowing: moneyNumber(positions.reduce((total, { borrowing }) => total + borrowing, 0n)),
    },
    dividends: moneyNumber(positions.reduce((total, { dividends }) => total + dividends, 0n)),
    /** The unrealised profit of what is held at the end, at its last prices. */
    unrealized: sum(Object.values(viewPositions(account)).map(({ unrealized_pnl }) => unrealized_pnl)),
    performance: performanceOf(equity, about.rhythm),
    exposure: exposureOf(exposure),
    turnover: turnoverOf(
      fills.map(({ action, quantity, price }) => ({ action, value: quantity * price })),
      equity.map(({ value }) => value),
      traded.length / perYear,
    ),
    resampled: resample(returns, perYear),
    benchmarks: benchmarks.map((benchmark) => ({
      ...benchmark,
      relative: relativeTo(returns, returnsOf(benchmark.equity), about.rhythm),
    })),
    byTicker: byTicker(account, journal),
    byYear: byYear(equity, benchmarks),
    orders: backtest.orders.map(viewOrder),
    fills,
    trades: {
      matching,
      closed: pnl.length,
      won: pnl.filter((value) => value > 0).length,
      /** Gross profit of those that won over the loss of those that lost; `null` where none lost. */
      profitFactor: lost > 0 ? sum(pnl.filter((value) => value > 0)) / lost : null,
      averagePnl: pnl.length === 0 ? null : sum(pnl) / pnl.length,
      /** Calendar days from the opening to the close. */
      daysHeld: daysHeldOf(journal),
      open: positions.filter(({ quantity }) => quantity !== 0n).length,
      list: journal.trades.map(tradeNumbers),
    },
    equity,
  };
}

function daysHeldOf({ trades }: TradeJournal) {
  const days = trades.map(({ opened, closed }) => (Date.parse(closed) - Date.parse(opened)) / DAY_MS);
  return { mean: defined(meanOf(days)), median: medianOf(days) };
}

/** How much more fills of market orders cost than the price that they met. */
function slippageOf(
  fills: readonly { order_id: string; action: 'buy' | 'sell'; quantity: number; price: number }[],
  { account }: Backtest,
  slippage: number,
): number {
  const paid = fills.map(({ order_id, action, quantity, price }) => {
    const order = account.orders.get(order_id);
    if (order === undefined || !isAtMarket(order.type)) return 0;
    const met = price / (action === 'buy' ? 1 + slippage : 1 - slippage);
    return Math.abs(price - met) * quantity;
  });
  return sum(paid);
}

/** What each ticker brought: all of them together are what the account gained. */
function byTicker(account: AccountState, { trades }: TradeJournal) {
  return [...account.positions]
    .map(([ticker, position]) => {
      const { realized, dividends, borrowing, fees } = position;
      const open = unrealized(position, markOf(account, ticker));
      const own = trades.filter((trade) => trade.ticker === ticker);
      return {
        ticker,
        total: moneyNumber(realized + open + dividends - borrowing),
        realized: moneyNumber(realized),
        unrealized: moneyNumber(open),
        dividends: moneyNumber(dividends),
        borrowing: moneyNumber(borrowing),
        fees: moneyNumber(fees),
        trades: own.length,
        won: own.filter(({ pnl, fees: paid }) => pnl > paid).length,
      };
    })
    .sort((a, b) => b.total - a.total);
}

/** The return of each year beside those of the benchmarks, in their order. */
function byYear(equity: readonly EquityPoint[], benchmarks: readonly Benchmark[]) {
  const others = benchmarks.map((benchmark) => monthlyReturns(benchmark.equity));
  return monthlyReturns(equity).map(({ year, total }, at) => ({
    year,
    total,
    benchmarks: others.map((years) => years[at]?.total ?? null),
  }));
}

function strategyNumbers(name: string, strategy: StrategyState, account: AccountState) {
  const { source, hash, parameters, share, capital, status, fault, holdings, income } = strategy;
  let profit = income;
  for (const [ticker, { quantity, cost, realized }] of holdings) {
    profit += realized + valueOf(quantity, account.marks.get(ticker) ?? 0n) - cost;
  }
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
    profit: moneyNumber(profit),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** An event's amounts, which are texts, in JSON's numbers. */
const numbers = <Event extends object, Name extends keyof Event>(event: Event, ...names: readonly Name[]) =>
  ({
    ...event,
    ...Object.fromEntries(names.map((name) => [name, Number(event[name])])),
  }) as Omit<Event, Name> & Record<Name, number>;

/** A closed trade in JSON's numbers. Profit is net of its fees. */
function tradeNumbers(trade: TradeJournal['trades'][number]) {
  return {
    ticker: trade.ticker,
    side: trade.side,
    quantity: quantityNumber(trade.quantity),
    opened: trade.opened,
    closed: trade.closed,
    closed_by: trade.by,
    entry: perShareNumber(trade.entryValue, trade.quantity),
    exit: perShareNumber(trade.exitValue, trade.quantity),
    pnl: moneyNumber(trade.pnl - trade.fees),
    fees: moneyNumber(trade.fees),
  };
}
