import { DAY_MS } from '../../events/dates.ts';
import { markOf } from '../../actors/trading/account-value.ts';
import { unrealized } from '../../actors/trading/position.ts';
import { hasLimit } from '../../actors/trading/state.ts';
import {
  moneyNumber,
  parsePrice,
  parseQuantity,
  perShareNumber,
  quantityNumber,
  type Money,
  valueOf,
} from '../../events/decimal.ts';
import type { AccountFigures, ClosedTradeView } from '../../events/messages/performance.ts';
import type { z } from 'zod';
import type { Rhythm } from '../market/rhythm.ts';
import { profitOf, type AccountHistory, type Earlier, type EquityPoint } from './account-history.ts';
import type { Benchmark } from './benchmark.ts';
import { exposureOf } from './holdings.ts';
import { defined, meanOf, medianOf, turnoverOf } from './performance.ts';
import { relativeTo } from './relative-to-benchmark.ts';
import { moneyWeighted } from './money-weighted.ts';
import { monthlyReturns, performanceOf, returnsOf, withoutFlows } from './periods.ts';
import { resample } from './resample.ts';
import type { TradeJournal } from './trades.ts';

interface MeasuredBy {
  /** How often the account has a value at the close of a day. */
  readonly rhythm: Rhythm;
  readonly benchmarks: readonly Benchmark[];
  /** How much worse than the market price fills of market orders were, in percent. */
  readonly slippagePercent: number;
  /** Percent a year. */
  readonly riskFreePercent: number;
}

/** The results of an account. The same code measures a backtest and a live account. */
export function accountFigures(
  history: AccountHistory,
  { rhythm, benchmarks, slippagePercent, riskFreePercent }: MeasuredBy,
): AccountFigures {
  const { equity, account, journal, matching } = history;
  const grown = withoutFlows(equity);
  const returns = returnsOf(grown);
  const scale = { perYear: rhythm.perYear, riskFreePercent };
  const traded = equity.slice(1);
  const pnl = journal.trades.map((trade) => moneyNumber(trade.pnl - trade.fees));
  const lost = -sum(pnl.filter((value) => value < 0));
  const brought = broughtBy(history);
  const total = (of: keyof Earlier): number => moneyNumber(sumOf(brought, (one) => one[of]));
  const opening = moneyNumber(account.closeValue);
  return {
    currency: account.currency,
    from: traded[0]?.session ?? null,
    to: traded.at(-1)?.session ?? null,
    sessions: traded.length,
    haltedSessions: history.halted,
    rhythm: { perYear: rhythm.perYear, days: rhythm.days, name: rhythm.name },
    riskFreePercent,
    initial: equity[0]?.value ?? opening,
    final: equity.at(-1)?.value ?? opening,
    flows: flowsOf(equity),
    moneyWeighted: moneyWeighted(equity),
    realized: total('realized'),
    unrealized: total('unrealized'),
    dividends: total('dividends'),
    costs: {
      fees: total('fees'),
      slippage: slippageOf(history, slippagePercent / 100),
      borrowing: total('borrowing'),
    },
    performance: performanceOf(grown, scale),
    exposure: exposureOf(history.holdings.exposure),
    turnover: turnoverOf(
      journal.fills.map(({ action, quantity, price }) => ({
        action,
        value: moneyNumber(valueOf(parseQuantity(quantity), parsePrice(price))),
      })),
      equity.map(({ value }) => value),
      traded.length / rhythm.perYear,
    ),
    resampled: resample(returns, rhythm.perYear, riskFreePercent),
    benchmarks: benchmarks.map(({ name, notes, final, performance, equity: other }) => ({
      name,
      notes,
      final,
      performance,
      relative: relativeTo(returns, returnsOf(other), scale),
    })),
    byTicker: byTicker(brought, journal),
    byYear: byYear(grown, benchmarks),
    byReason: byReason(brought, journal),
    byStrategy: byStrategy(brought, history),
    trades: {
      matching,
      closed: pnl.length,
      won: pnl.filter((value) => value > 0).length,
      profitFactor: lost > 0 ? sum(pnl.filter((value) => value > 0)) / lost : null,
      averagePnl: pnl.length === 0 ? null : sum(pnl) / pnl.length,
      daysHeld: daysHeldOf(journal),
      open: [...account.positions.values()].filter(({ quantity }) => quantity !== 0n).length,
    },
  };
}

function flowsOf(equity: readonly EquityPoint[]) {
  const flows = equity.map(({ flow = 0 }) => flow);
  return {
    deposited: sum(flows.filter((flow) => flow > 0)),
    withdrawn: -sum(flows.filter((flow) => flow < 0)) || 0,
  };
}

/** The profit of each ticker over the measured sessions. */
function broughtBy({ account, earlier }: AccountHistory): ReadonlyMap<string, Earlier> {
  const brought = new Map<string, Earlier>();
  for (const [ticker, position] of account.positions) {
    const before = earlier.get(ticker) ?? NOTHING;
    brought.set(ticker, {
      realized: position.realized - before.realized,
      unrealized: unrealized(position, markOf(account, ticker)) - before.unrealized,
      dividends: position.dividends - before.dividends,
      borrowing: position.borrowing - before.borrowing,
      fees: position.fees - before.fees,
    });
  }
  return brought;
}

const NOTHING: Earlier = { realized: 0n, unrealized: 0n, dividends: 0n, borrowing: 0n, fees: 0n };

function daysHeldOf({ trades }: TradeJournal) {
  const days = trades.map(({ opened, closed }) => (Date.parse(closed) - Date.parse(opened)) / DAY_MS);
  return { mean: defined(meanOf(days)), median: medianOf(days) };
}

/** How much more fills without a limit, which are those of market and stop orders, cost than the price that they met. */
function slippageOf({ journal, orders }: AccountHistory, slippage: number): number {
  const types = new Map(orders.map(({ order_id, type }) => [order_id, type]));
  return sum(
    journal.fills.map(({ order_id, action, quantity, price: text }) => {
      const type = types.get(order_id);
      if (type === undefined || hasLimit(type)) return 0;
      const price = Number(text);
      const met = price / (action === 'buy' ? 1 + slippage : 1 - slippage);
      return Math.abs(price - met) * Number(quantity);
    }),
  );
}

/** The profit of each ticker; together they are the profit of the account. */
function byTicker(brought: ReadonlyMap<string, Earlier>, { trades }: TradeJournal) {
  const closed = Map.groupBy(trades, ({ ticker }) => ticker);
  return [...brought]
    .map(([ticker, { realized, unrealized: open, dividends, borrowing, fees }]) => {
      return {
        ticker,
        total: moneyNumber(realized + open + dividends - borrowing),
        realized: moneyNumber(realized),
        unrealized: moneyNumber(open),
        dividends: moneyNumber(dividends),
        borrowing: moneyNumber(borrowing),
        fees: moneyNumber(fees),
        ...counted(closed.get(ticker) ?? []),
      };
    })
    .sort((a, b) => b.total - a.total);
}

const sumOf = (brought: ReadonlyMap<string, Earlier>, of: (one: Earlier) => Money): Money =>
  [...brought.values()].reduce((money, one) => money + of(one), 0n);

const counted = (trades: TradeJournal['trades']) => ({
  trades: trades.length,
  won: trades.filter(({ pnl, fees }) => pnl > fees).length,
});

const net = (trades: TradeJournal['trades']): Money =>
  trades.reduce((money, { pnl, fees }) => money + pnl - fees, 0n);

/** The profit by the reason of closing. Open positions are the last row: their change in value, less their fees. */
function byReason(
  brought: ReadonlyMap<string, Earlier>,
  { trades }: TradeJournal,
): AccountFigures['byReason'] {
  const closed = [...Map.groupBy(trades, ({ reason }) => reason)].map(([reason, own]) => ({
    kind: 'closed' as const,
    reason,
    ...counted(own),
    total: moneyNumber(net(own)),
  }));
  const open = sumOf(brought, ({ realized, unrealized: change }) => realized + change) - net(trades);
  const others = [
    ['open', 'still open', open],
    ['dividends', 'dividends', sumOf(brought, ({ dividends }) => dividends)],
    ['borrowing', 'borrowing for short positions', -sumOf(brought, ({ borrowing }) => borrowing)],
  ] as const;
  return [
    ...closed.sort((a, b) => b.total - a.total),
    ...others
      .filter(([, , total]) => total !== 0n)
      .map(([kind, reason, total]) => ({ kind, reason, trades: 0, won: 0, total: moneyNumber(total) })),
  ];
}

/** The profit of each own strategy by its own books. The rest was traded by hand or by a built-in strategy. */
function byStrategy(
  brought: ReadonlyMap<string, Earlier>,
  { account, journal: { trades }, earlierProfit }: AccountHistory,
): AccountFigures['byStrategy'] {
  const closedBy = Map.groupBy(trades, ({ strategy }) => strategy);
  let left = sumOf(brought, (one) => one.realized + one.unrealized + one.dividends - one.borrowing);
  const own = [...(account.strategies ?? [])].map(([strategy, of]) => {
    const profit = profitOf(of, account) - (earlierProfit.get(strategy) ?? 0n);
    left -= profit;
    return { strategy, ...counted(closedBy.get(strategy) ?? []), total: moneyNumber(profit) };
  });
  const others = closedBy.get(null) ?? [];
  if (own.length > 0 && others.length === 0 && moneyNumber(left) === 0) return own;
  return [...own, { strategy: null, ...counted(others), total: moneyNumber(left) }];
}

/** The return of each year, with those of the benchmarks in their order. */
function byYear(equity: readonly EquityPoint[], benchmarks: readonly Benchmark[]) {
  const others = benchmarks.map((benchmark) => monthlyReturns(benchmark.equity));
  return monthlyReturns(equity).map(({ year, total }, at) => ({
    year,
    total,
    benchmarks: others.map((years) => years[at]?.total ?? null),
  }));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A closed trade with numbers for JSON. Profit is after fees. */
export function tradeNumbers(trade: TradeJournal['trades'][number]): z.output<typeof ClosedTradeView> {
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
    reason: trade.reason,
    strategy: trade.strategy,
  };
}
