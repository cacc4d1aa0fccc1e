import { viewOrder, viewPositions } from '../../actors/trading/view.ts';
import type { BacktestParameters } from './parameters.ts';
import { moneyNumber, perShareNumber, quantityNumber } from '../../events/decimal.ts';
import type { Benchmark } from './benchmark.ts';
import { performanceOf } from './periods.ts';
import type { Rhythm } from '../market/rhythm.ts';
import type { Backtest } from './run-backtest.ts';
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
  /** Of the days at whose close the account has a value. */
  readonly rhythm: Rhythm;
  readonly synthetic: boolean;
  readonly tickers: readonly string[];
  /** What the tables do not say, and what was told from them. */
  readonly notes: readonly string[];
  readonly benchmarks: readonly Benchmark[];
  readonly matching: string;
}

export function summarise(backtest: Backtest, journal: TradeJournal, { matching, model, ...about }: About) {
  const { equity, account } = backtest;
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
    /** Sessions after whose close nothing might be opened. They count for every figure, the annual return included. */
    haltedSessions: backtest.halted,
    /** What the strategy wanted and did not get, by why. */
    unmet: [...backtest.unmet].map(([reason, of]) => ({ reason, ...of })),
    initial: equity[0]?.value ?? moneyNumber(account.cash),
    final: equity.at(-1)?.value ?? moneyNumber(account.cash),
    fees: moneyNumber(positions.reduce((total, { fees }) => total + fees, 0n)),
    /** Profit of what was closed, net of fees, without dividends. */
    realized: moneyNumber(positions.reduce((total, { realized }) => total + realized, 0n)),
    borrowing: moneyNumber(positions.reduce((total, { borrowing }) => total + borrowing, 0n)),
    dividends: moneyNumber(positions.reduce((total, { dividends }) => total + dividends, 0n)),
    /** Of what is held at the end, at its last prices. */
    unrealized: sum(Object.values(viewPositions(account)).map(({ unrealized_pnl }) => unrealized_pnl)),
    performance: performanceOf(equity, about.rhythm),
    orders: backtest.orders.map(viewOrder),
    fills: journal.fills.map(({ session, order_id, ticker, action, quantity, price, fee }) =>
      numbers({ session, order_id, ticker, action, quantity, price, fee }, 'quantity', 'price', 'fee'),
    ),
    trades: {
      matching,
      closed: pnl.length,
      won: pnl.filter((value) => value > 0).length,
      /** Gross profit of those that won over the loss of those that lost; `null` where none lost. */
      profitFactor: lost > 0 ? sum(pnl.filter((value) => value > 0)) / lost : null,
      averagePnl: pnl.length === 0 ? null : sum(pnl) / pnl.length,
      open: positions.filter(({ quantity }) => quantity !== 0n).length,
      list: journal.trades.map(tradeNumbers),
    },
    equity,
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
