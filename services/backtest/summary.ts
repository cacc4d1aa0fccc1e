import type { Performance } from './performance.ts';
import { viewOrder, viewPositions, type PositionView } from '../../actors/trading/view.ts';
import type { OrderView } from '../../events/messages/trading.ts';
import type { BacktestParameters } from './parameters.ts';
import { moneyNumber, quantityNumber } from '../../events/decimal.ts';
import type { Benchmark } from './benchmark.ts';
import { performanceOf } from './periods.ts';
import type { Backtest, EquityPoint } from './run.ts';
import type { TradeJournal } from './trades.ts';

/** Which network predicted. */
export interface BacktestModel {
  /** SHA-256 of the file of weights, hexadecimal. */
  readonly weights: string;
  /** The last day that training has seen; `null`: it was never trained. */
  readonly trainedUntil: string | null;
}

/** What a backtest came to, in JSON's numbers. */
export interface BacktestSummary {
  readonly strategy: string;
  /** `null`: the strategy uses no predictions. `inSample`: sessions that were traded on, of which training knew. */
  readonly model: (BacktestModel & { readonly inSample: number }) | null;
  /** What it was run with, as the settings say it. */
  readonly parameters: BacktestParameters;
  readonly source: string;
  readonly synthetic: boolean;
  readonly tickers: readonly string[];
  /** What the tables do not say, and what was told from them. */
  readonly notes: readonly string[];
  readonly currency: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly sessions: number;
  readonly bars: number;
  readonly settlements: readonly SettlementNumbers[];
  readonly marginCalls: readonly MarginCallNumbers[];
  readonly dividendsPaid: readonly DividendNumbers[];
  /** What is held at the end, by ticker. */
  readonly positions: Readonly<Record<string, PositionView>>;
  readonly halts: TradeJournal['halts'];
  /** Sessions after whose close nothing might be opened. They count for every figure, the annual return included. */
  readonly haltedSessions: number;
  readonly initial: number;
  readonly final: number;
  readonly fees: number;
  /** Profit of what was closed, net of fees, without dividends. */
  readonly realized: number;
  readonly dividends: number;
  readonly borrowing: number;
  /** Of what is held at the end, at its last prices. */
  readonly unrealized: number;
  readonly performance: Performance;
  readonly orders: readonly OrderView[];
  readonly fills: readonly FillNumbers[];
  readonly trades: {
    readonly matching: string;
    readonly closed: number;
    readonly won: number;
    /** Gross profit of those that won over the loss of those that lost; `null` where none lost. */
    readonly profitFactor: number | null;
    readonly averagePnl: number | null;
    readonly open: number;
    readonly list: readonly TradeNumbers[];
  };
  readonly benchmarks: readonly Benchmark[];
  readonly equity: readonly EquityPoint[];
}

export function summarise(
  backtest: Backtest,
  journal: TradeJournal,
  about: Pick<
    BacktestSummary,
    'strategy' | 'parameters' | 'source' | 'synthetic' | 'tickers' | 'notes' | 'benchmarks'
  > & {
    readonly model: BacktestModel | null;
    readonly matching: string;
  },
): BacktestSummary {
  const { equity, account } = backtest;
  const { matching, model, ...rest } = about;
  const traded = equity.slice(1);
  const pnl = journal.trades.map((trade) => moneyNumber(trade.pnl - trade.fees));
  const lost = -sum(pnl.filter((value) => value < 0));
  const positions = [...account.positions.values()];
  return {
    ...rest,
    model: model && {
      ...model,
      inSample: traded.filter(({ session }) => session <= (model.trainedUntil ?? '')).length,
    },
    currency: account.currency,
    from: traded[0]?.session ?? null,
    to: traded.at(-1)?.session ?? null,
    sessions: traded.length,
    bars: backtest.bars,
    settlements: journal.settlements.map(settlementNumbers),
    marginCalls: journal.marginCalls.map(marginCallNumbers),
    dividendsPaid: journal.dividends.map(dividendNumbers),
    positions: viewPositions(account),
    halts: journal.halts,
    haltedSessions: backtest.halted,
    initial: equity[0]?.value ?? moneyNumber(account.cash),
    final: equity.at(-1)?.value ?? moneyNumber(account.cash),
    fees: moneyNumber(positions.reduce((total, { fees }) => total + fees, 0n)),
    realized: moneyNumber(positions.reduce((total, { realized }) => total + realized, 0n)),
    borrowing: moneyNumber(positions.reduce((total, { borrowing }) => total + borrowing, 0n)),
    dividends: moneyNumber(positions.reduce((total, { dividends }) => total + dividends, 0n)),
    unrealized: sum(Object.values(viewPositions(account)).map(({ unrealized_pnl }) => unrealized_pnl)),
    performance: performanceOf(equity),
    orders: backtest.orders.map(viewOrder),
    fills: journal.fills.map(fillNumbers),
    trades: {
      matching,
      closed: pnl.length,
      won: pnl.filter((value) => value > 0).length,
      profitFactor: lost > 0 ? sum(pnl.filter((value) => value > 0)) / lost : null,
      averagePnl: pnl.length === 0 ? null : sum(pnl) / pnl.length,
      open: positions.filter(({ quantity }) => quantity !== 0n).length,
      list: journal.trades.map(tradeNumbers),
    },
    equity,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Events = { readonly [List in 'settlements' | 'marginCalls' | 'dividends']: TradeJournal[List][number] };

type SettlementNumbers = ReturnType<typeof settlementNumbers>;
type MarginCallNumbers = ReturnType<typeof marginCallNumbers>;
type DividendNumbers = ReturnType<typeof dividendNumbers>;

const settlementNumbers = ({ quantity, price, amount, ...of }: Events['settlements']) => ({
  ...of,
  quantity: Number(quantity),
  price: Number(price),
  amount: Number(amount),
});

const marginCallNumbers = ({ value, required, ...of }: Events['marginCalls']) => ({
  ...of,
  value: Number(value),
  required: Number(required),
});

const dividendNumbers = ({ per_share, quantity, amount, ...of }: Events['dividends']) => ({
  ...of,
  per_share: Number(per_share),
  quantity: Number(quantity),
  amount: Number(amount),
});

type FillNumbers = ReturnType<typeof fillNumbers>;
type TradeNumbers = ReturnType<typeof tradeNumbers>;

/** A fill in JSON's numbers. */
function fillNumbers(fill: TradeJournal['fills'][number]) {
  return {
    session: fill.session,
    order_id: fill.order_id,
    ticker: fill.ticker,
    action: fill.action,
    quantity: Number(fill.quantity),
    price: Number(fill.price),
    fee: Number(fill.fee),
  };
}

/** A closed trade in JSON's numbers. Profit is net of its fees. */
function tradeNumbers(trade: TradeJournal['trades'][number]) {
  const quantity = quantityNumber(trade.quantity);
  return {
    ticker: trade.ticker,
    side: trade.side,
    quantity,
    opened: trade.opened,
    closed: trade.closed,
    closed_by: trade.by,
    entry: moneyNumber(trade.entryValue) / quantity,
    exit: moneyNumber(trade.exitValue) / quantity,
    pnl: moneyNumber(trade.pnl - trade.fees),
    fees: moneyNumber(trade.fees),
  };
}
