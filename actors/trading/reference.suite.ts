import { DAY_MS } from '../../events/dates.ts';
import {
  moneyNumber,
  parseRatio,
  plainText,
  priceNumber,
  quantityNumber,
  type Ratio,
} from '../../events/decimal.ts';
import { expectClose, type CaseRunner, type ReferenceCase } from '../reference-cases.suite.ts';
import { runLifecycle } from './reference-lifecycle.suite.ts';
import { runLots, runLotsSplit } from './reference-lots.suite.ts';
import { ONE, TICKER, Trader, type SignedFill } from './trader.suite.ts';

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
    trader.book(fill, { rate: input.commission_rate ?? 0 });
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
  for (let day = Date.parse(first); day <= Date.parse(last); day += DAY_MS) {
    const date = new Date(day);
    if (date.getUTCDay() % 6 !== 0) days.push(date.toISOString().slice(0, 10));
  }
  return days;
}

/** A position with an average and a last price goes through a split, in whole shares. */
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
