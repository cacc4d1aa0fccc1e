import { expect } from 'vitest';
import {
  moneyNumber,
  mulDiv,
  parseMoney,
  parsePrice,
  parseQuantity,
  parseRatio,
  plainText,
  PRICE_DECIMALS,
  priceNumber,
  priceOf,
  priceText,
  quantityNumber,
  quantityText,
  valueOf,
  type Ratio,
} from '../../events/decimal.ts';
import { expectClose, type CaseRunner, type ReferenceCase } from '../reference-cases.suite.ts';
import { Account } from './account.suite.ts';
import type { TradingPolicy } from './commands.ts';
import type { AccountData, AccountDraft } from './draft.ts';
import { LotBook, type ClosedTrade, type Matching } from './lots.ts';
import { runLifecycle } from './reference-lifecycle.suite.ts';
import { viewPositions, viewStatus } from './view.ts';

type SignedFill = readonly [quantity: number, price: number];

const TICKER = 'AAA';
const ONE = 10n ** BigInt(PRICE_DECIMALS);

/** Fills of any size in any direction, through the account's own commands. */
class Trader {
  readonly account: Account;
  #fills = 0;

  constructor(policy: Partial<TradingPolicy> = {}, cash: number = 1e12) {
    this.account = new Account({ shorting: true, collarBps: 0n, lot: 1n, ...policy }, plainText(cash));
  }

  /** `fee`: an amount, or a share of the fill's value. */
  book([quantity, price]: SignedFill, fee: { amount: number } | { rate: number } = { amount: 0 }): void {
    const id = `fill-${this.#fills++}`;
    const size = quantityText(priceOf(Math.abs(quantity)));
    const at = priceText(priceOf(price));
    const value = valueOf(priceOf(Math.abs(quantity)), priceOf(price));
    const charged = 'amount' in fee ? priceOf(fee.amount) * ONE : mulDiv(value, priceOf(fee.rate), ONE);
    const [order] = this.account.submit({
      id,
      ticker: TICKER,
      action: quantity > 0 ? 'buy' : 'sell',
      quantity: size,
      last: at,
    });
    expect(order?.type).toBe('OrderSubmitted');
    this.account.do({
      type: 'report',
      report: {
        type: 'trade',
        order_id: id,
        cursor: this.account.cursor(),
        trade_id: id,
        quantity: priceOf(Math.abs(quantity)),
        price: priceOf(price),
        fee: charged,
        session: this.account.state.session ?? '2024-01-01',
      },
    });
  }

  openSession(session: string, splits: Record<string, Ratio> = {}): readonly AccountDraft[] {
    const opening = {
      session,
      splits: new Map(Object.entries(splits)),
      dividends: new Map(),
      opens: new Map(),
    };
    return this.account.do({ type: 'open-session', opening });
  }

  /** Marks what is held at a price. */
  closeSession(session: string, price: number): void {
    this.account.do({ type: 'close-session', session, closes: new Map([[TICKER, priceOf(price)]]) });
  }

  /** `[0, 0]` when flat. */
  position(): SignedFill {
    const view = viewPositions(this.account.state)[TICKER];
    return view === undefined ? [0, 0] : [view.quantity, view.average_price];
  }

  status(): ReturnType<typeof viewStatus> {
    return viewStatus(this.account.state, { reconciling: false, feed_waiting: false, strategy: 'none' });
  }

  last<Type extends AccountDraft['type']>(type: Type): AccountData<Type> {
    return this.account.drafts.findLast((draft) => draft.type === type)!.data as AccountData<Type>;
  }
}

function expectPosition(trader: Trader, [quantity, average]: SignedFill, reference: ReferenceCase): void {
  const [held, price] = trader.position();
  expectClose(held, quantity, reference);
  expectClose(price, average, reference);
}

const runAverages: CaseRunner = (reference) => {
  const trader = new Trader();
  for (const [index, fill] of (reference.input.fills as SignedFill[]).entries()) {
    trader.book(fill);
    expectPosition(trader, reference.expected.states[index], reference);
  }
};

const runFinalAverage: CaseRunner = (reference) => {
  const trader = new Trader();
  for (const fill of reference.input.fills as SignedFill[]) trader.book(fill);
  expectPosition(trader, reference.expected.final, reference);
};

/** `null` in a list of what is expected: nothing is stated there. */
const runProfit: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = new Trader();
  for (const [index, fill] of (input.fills as SignedFill[]).entries()) {
    trader.book(fill, { rate: input.commission_rate });
    const [quantity, average] = trader.position();
    const figures = { qty: quantity, avg: average, realized: trader.status().realized_pnl };
    for (const [name, figure] of Object.entries(figures)) {
      const stated = expected[name]?.[index] ?? null;
      if (stated !== null) expectClose(figure, stated, reference);
    }
  }
};

/** `avg_open`: the average while it was open last. */
const runProfitAtPrice: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = new Trader();
  let averageOpen = 0;
  trader.openSession('2024-01-01');
  for (const [index, fill] of (input.fills as SignedFill[]).entries()) {
    trader.book(fill, { amount: input.commissions?.[index] ?? input.commission_each ?? 0 });
    const [quantity, average] = trader.position();
    if (quantity !== 0) averageOpen = average;
  }
  trader.closeSession('2024-01-01', input.last);
  const { realized_pnl: realized, unrealized_pnl: unrealized } = trader.status();
  const figures: Record<string, number> = {
    avg: trader.position()[1],
    avg_open: averageOpen,
    realized,
    unrealized,
    total: realized + unrealized,
  };
  for (const [name, stated] of Object.entries(expected))
    expectClose(figures[name]!, stated as number, reference);
};

const MATCHINGS = { fifo: 'fifo', lifo: 'lifo', flat_to_flat: 'flat-to-flat' } as const;

/** The closed trades of what the account has booked. */
function tradesOf({ account }: Trader, matching: Matching): ClosedTrade[] {
  const lots = new LotBook(matching);
  return account.drafts.flatMap((draft): readonly ClosedTrade[] => {
    if (draft.type === 'OrderFilled') {
      const { action, quantity, price, fee, session } = draft.data;
      const size = parseQuantity(quantity);
      return lots.take({
        quantity: action === 'buy' ? size : -size,
        price: parsePrice(price),
        fee: parseMoney(fee),
        at: session,
      });
    }
    if (draft.type !== 'SplitApplied') return [];
    const { ratio, quantity, cash_in_lieu, session } = draft.data;
    return lots.split(parseRatio(ratio), parseQuantity(quantity), parseMoney(cash_in_lieu), session);
  });
}

/** Figures of single trades are stated as lists, figures of all of them together as numbers. */
function expectTrades(
  trades: ClosedTrade[],
  expected: Record<string, number | number[]>,
  reference: ReferenceCase,
): void {
  const sum = (figure: (trade: ClosedTrade) => bigint): bigint =>
    trades.reduce((total, trade) => total + figure(trade), 0n);
  const quantity = quantityNumber(sum((trade) => trade.quantity));
  const all: Record<string, number> = {
    pnl: moneyNumber(sum(({ pnl }) => pnl)),
    fees: moneyNumber(sum(({ fees }) => fees)),
    avg_entry: moneyNumber(sum(({ entryValue }) => entryValue)) / quantity,
    avg_exit: moneyNumber(sum(({ exitValue }) => exitValue)) / quantity,
  };
  for (const [name, stated] of Object.entries(expected)) {
    if (typeof stated === 'number') {
      expectClose(all[name]!, stated, reference);
      continue;
    }
    const figures = trades.map((trade) => moneyNumber(name === 'pnl' ? trade.pnl : trade.fees));
    expect(figures, `${reference.id}: ${name}`).toHaveLength(stated.length);
    for (const [index, figure] of figures.entries()) expectClose(figure, stated[index]!, reference);
  }
}

const runLots: CaseRunner = (reference) => {
  const trader = new Trader();
  for (const fill of reference.input.fills as SignedFill[]) {
    trader.book(fill, { amount: reference.input.fee_per_order });
  }
  for (const [name, matching] of Object.entries(MATCHINGS)) {
    const stated = reference.expected[name];
    if (stated !== undefined) expectTrades(tradesOf(trader, matching), stated, reference);
  }
};

const runLotsSplit: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = new Trader();
  trader.book(input.open, { amount: input.fee_per_order });
  trader.openSession('2024-01-02', { [TICKER]: parseRatio(plainText(input.split_new_per_old)) });
  trader.book(input.close, { amount: input.fee_per_order });
  const [trade, ...more] = tradesOf(trader, 'fifo');
  expect(more).toEqual([]);
  expectClose(quantityNumber(trade!.quantity), expected.quantity, reference);
  expectClose(
    moneyNumber(trade!.entryValue) / quantityNumber(trade!.quantity),
    expected.entry_price,
    reference,
  );
  expectClose(moneyNumber(trade!.pnl), expected.pnl, reference);
  expectClose(moneyNumber(trade!.fees), expected.fees, reference);
};

const runRealizedGross: CaseRunner = (reference) => {
  const { position, fill, fee } = reference.input;
  const trader = new Trader();
  if (position[0] !== 0) trader.book(position);
  trader.book(fill, { amount: fee });
  // Realized profit is net of fees here.
  const { realized_pnl, fees } = trader.status();
  expectClose(realized_pnl + fees, reference.expected.realized_gross, reference);
};

/** Sessions are the weekdays from the first trade on; holidays are not in such a case. */
const runSettlement: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = new Trader({ settlementSessions: input.settle_days }, input.cash);
  const stated = new Map<string, { cash: number; unsettled: number }>();
  for (const [name, figures] of Object.entries(expected)) {
    const [, year, month, day] = /^on_(\d{4})_(\d{2})_(\d{2})(?:_open)?$/.exec(name) ?? [];
    if (year !== undefined)
      stated.set(`${year}-${month}-${day}`, figures as { cash: number; unsettled: number });
  }
  const expectCash = ({ cash, unsettled }: { cash: number; unsettled: number }): void => {
    expectClose(trader.status().cash, cash, reference);
    expectClose(trader.status().unsettled_cash, unsettled, reference);
  };
  const days: string[] = [...stated.keys(), input.sell.date];
  const end = days.toSorted().at(-1)!;
  for (const session of weekdays(input.buy.date, end)) {
    trader.openSession(session);
    const at = stated.get(session);
    if (at !== undefined) expectCash(at);
    if (session === input.buy.date) {
      trader.book([input.buy.qty, input.buy.px], { amount: input.buy.fee });
      expectCash({ cash: expected.after_buy, unsettled: 0 });
    }
    if (session === input.sell.date) {
      trader.book([-input.sell.qty, input.sell.px], { amount: input.sell.fee });
      expectCash(expected.after_sell);
    }
  }
};

function weekdays(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = Date.parse(first); day <= Date.parse(last); day += 86_400_000) {
    const date = new Date(day);
    if (date.getUTCDay() % 6 !== 0) days.push(date.toISOString().slice(0, 10));
  }
  return days;
}

/** A position at its average price, marked at its last price, goes through a split in whole shares. */
function splitPosition(quantity: number, average: number, price: number, ratio: Ratio): Trader {
  const trader = new Trader({ lot: ONE });
  trader.openSession('2024-01-01');
  trader.book([quantity, average]);
  trader.closeSession('2024-01-01', price);
  trader.openSession('2024-01-02', { [TICKER]: ratio });
  return trader;
}

const runSplitPosition: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = splitPosition(input.qty, input.avg, input.price, parseRatio(plainText(input.new_per_old)));
  expectPosition(trader, [expected.qty, expected.avg], reference);
  expectClose(priceNumber(trader.account.state.marks.get(TICKER)!), expected.price, reference);
  expectClose(Number(trader.last('SplitApplied').cash_in_lieu), expected.cash_in_lieu, reference);
};

/** `factor`: what prices are multiplied with, that is old shares for a new one. */
const runSplitPositionCash: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = splitPosition(
    input.qty,
    input.avg,
    input.ref_price,
    parseRatio(`1/${plainText(input.factor)}`),
  );
  expectPosition(trader, [expected.qty, expected.avg], reference);
  expectClose(Number(trader.last('SplitApplied').cash_in_lieu), expected.cash_in_lieu, reference);
};

const runSplitOrder: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = new Trader({ lot: ONE });
  trader.account.submit({
    id: 'o',
    ticker: TICKER,
    type: 'limit',
    quantity: plainText(input.qty),
    price: plainText(input.limit),
    tif: 'gtc',
  });
  trader.openSession('2024-01-02', { [TICKER]: parseRatio(`1/${plainText(input.factor)}`) });
  const order = trader.account.state.orders.get('o')!;
  expectClose(quantityNumber(order.quantity), expected.qty, reference);
  expectClose(priceNumber(order.price!), expected.limit, reference);
};

const runRoundTrip: CaseRunner = (reference) => {
  const { input, expected } = reference;
  const trader = new Trader();
  trader.book([input.amount, input.open], { rate: input.fee_open });
  const { cost, fees } = trader.account.state.positions.get(TICKER)!;
  const openValue = moneyNumber(cost + fees);
  trader.book([-input.amount, input.close], { rate: input.fee_close });
  const profit = trader.status().realized_pnl;
  expectClose(openValue, expected.open_value, reference);
  expectClose(profit, expected.profit, reference);
  expectClose(profit / openValue, expected.profit_ratio, reference);
};

/** The cases that concern the account, by kind. */
export const TRADING_CASES: Record<string, CaseRunner> = {
  position_avg: runAverages,
  position_avg_final: runFinalAverage,
  position_pnl: runProfit,
  position_pnl_flat: runProfitAtPrice,
  lots: runLots,
  lots_split: runLotsSplit,
  realized_gross: runRealizedGross,
  settlement: runSettlement,
  split_position: runSplitPosition,
  split_position_cash: runSplitPositionCash,
  split_order: runSplitOrder,
  roundtrip_profit: runRoundTrip,
  fsm: runLifecycle,
};
