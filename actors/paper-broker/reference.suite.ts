import { expect } from 'vitest';
import { dateOf } from '../../events/dates.ts';
import {
  moneyNumber,
  parseQuantity,
  plainText,
  priceNumber,
  priceOf,
  quantityNumber,
} from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { expectClose, type CaseRunner } from '../reference-cases.suite.ts';
import type { BrokerOrder } from '../trading/broker.ts';
import { emptyBook, evolve, type Book } from './book.ts';
import { decide } from './decide.ts';
import { reportOf } from './reports.ts';
import type { FeeModel, PaperRules } from './rules.ts';

const TICKER = 'XYZ';
const NO_RULES: PaperRules = {
  fees: { kind: 'none' },
  slippage: 0n,
  volumeLimit: null,
  lot: parseQuantity('1'),
};

interface CaseBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
}

interface Fill {
  readonly price: number;
  readonly quantity: number;
  readonly fee: number;
}

/** The broker itself: orders and bars in, trades out. */
class Trial {
  readonly #book: Book = emptyBook();
  readonly #rules: PaperRules;
  #day = 0;

  constructor(rules: Partial<PaperRules> = {}) {
    this.#rules = { ...NO_RULES, ...rules };
  }

  submit(orderId: string, quantity: number, order: Partial<BrokerOrder> = {}): void {
    const market: BrokerOrder = {
      order_id: orderId,
      ticker: TICKER,
      action: quantity < 0 ? 'sell' : 'buy',
      type: 'market',
      quantity: parseQuantity(plainText(Math.abs(quantity))),
      price: null,
      stop_price: null,
      time_in_force: 'gtc',
      reduce_only: false,
    };
    this.#decide({ type: 'submit', order: { ...market, ...order } });
  }

  /** The trades of one day. */
  bar({ volume = 1_000_000_000, ...prices }: CaseBar): Fill[] {
    const date = dateOf(Date.UTC(2020, 0, 1 + this.#day));
    this.#day += 1;
    const bars = { [TICKER]: { ...prices, volume } };
    const session: SessionData = { date, bars, splits: {}, dividends: {} };
    return this.#decide({ type: 'session', session, funds: null });
  }

  /** A day at one price, with volume for a given number of shares. */
  at(price: number, volume?: number): Fill[] {
    return this.bar({
      open: price,
      high: price,
      low: price,
      close: price,
      ...(volume === undefined ? {} : { volume }),
    });
  }

  #decide(command: Parameters<typeof decide>[0]): Fill[] {
    const fills: Fill[] = [];
    for (const draft of decide(command, this.#book, this.#rules)) {
      evolve(this.#book, draft);
      const report = reportOf(draft, '');
      expect(report?.type).not.toBe('rejected');
      if (report?.type !== 'trade') continue;
      fills.push({
        price: priceNumber(report.price),
        quantity: quantityNumber(report.quantity),
        fee: moneyNumber(report.fee),
      });
    }
    return fills;
  }
}

/** Fees of one order that is filled bit by bit: the volume of each day gives as much. */
function feesOf(fees: FeeModel, fills: readonly (readonly [quantity: number, price: number])[]): number[] {
  const trial = new Trial({ fees, volumeLimit: 100_000_000n });
  trial.submit(
    'order',
    fills.reduce((sum, [quantity]) => sum + quantity, 0),
  );
  return fills.map(([quantity, price]) => {
    const [fill] = trial.at(price, Math.abs(quantity));
    expect(fill?.quantity).toBe(Math.abs(quantity));
    return fill!.fee;
  });
}

const amount = (number: number): bigint => priceOf(number) * 100_000_000n;
const optional = (number: number | null | undefined): bigint | null =>
  number === null || number === undefined ? null : priceOf(number);

/** Cases of other projects about how a broker fills and what it takes, by kind. */
export const BROKER_CASES: Record<string, CaseRunner> = {
  bar_fill(reference) {
    const { order, bar } = reference.input;
    const trial = new Trial();
    trial.submit('order', order.side === 'buy' ? 100 : -100, {
      type: order.type,
      price: optional(order.limit),
      stop_price: optional(order.stop),
    });
    const [fill] = trial.bar(bar);
    const expected: number | null = reference.expected.fill_price;
    if (expected === null) expect(fill).toBeUndefined();
    else expectClose(fill?.price ?? NaN, expected, reference);
  },

  /** The cases fill at the close; we fill at the next open, which has the same price here. */
  slippage_bps(reference) {
    const { close, volume, bps, volume_limit, amount: wanted } = reference.input;
    const trial = new Trial({ slippage: priceOf(bps) / 10_000n, volumeLimit: priceOf(volume_limit) });
    trial.submit('order', wanted);
    const [fill] = trial.at(close, volume);
    expectClose(fill?.price ?? NaN, reference.expected.price, reference);
    expectClose(Math.sign(wanted) * (fill?.quantity ?? NaN), reference.expected.filled, reference);
  },

  fee_ib_us_equity(reference) {
    const { rate, minimum, max_pct, orders } = reference.input;
    const fees: FeeModel = {
      kind: 'per-share',
      perShare: priceOf(rate),
      minimum: amount(minimum),
      maximum: optional(max_pct),
    };
    const expected: number[] = reference.expected.fees;
    for (const [index, order] of orders.entries()) {
      expectClose(feesOf(fees, [order])[0]!, expected[index]!, reference);
    }
  },

  fee_per_share_cum(reference) {
    const { rate, minimum, fills } = reference.input;
    const fees: FeeModel = {
      kind: 'per-share',
      perShare: priceOf(rate),
      minimum: amount(minimum ?? 0),
      maximum: null,
    };
    const each = feesOf(
      fees,
      fills.map((quantity: number) => [quantity, 100]),
    );
    let cumulative = 0;
    const expected: number[] = reference.expected.cumulative;
    for (const [index, fee] of each.entries()) {
      cumulative += fee;
      expectClose(cumulative, expected[index]!, reference);
    }
  },

  fee_bps(reference) {
    const { rate, fills } = reference.input;
    expectFees(feesOf({ kind: 'per-value', rate: priceOf(rate) }, fills), reference);
  },

  fee_per_trade(reference) {
    const { cost, fills } = reference.input;
    expectFees(feesOf({ kind: 'per-order', amount: amount(cost) }, fills), reference);
  },
};

function expectFees(actual: readonly number[], reference: Parameters<CaseRunner>[0]): void {
  const expected: number[] = reference.expected.fees;
  expect(actual).toHaveLength(expected.length);
  for (const [index, fee] of actual.entries()) expectClose(fee, expected[index]!, reference);
}
