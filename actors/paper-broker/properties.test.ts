import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf } from '../../events/dates.ts';
import { parsePrice, parseQuantity, priceOf, type Price, type Quantity } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { BrokerOrder } from '../trading/broker.ts';
import { emptyBook, evolve, type Book, type BookOrder, type PaperDraft } from './book.ts';
import { decide } from './decide.ts';
import type { BookCommand } from './commands.ts';
import type { PaperRules } from './rules.ts';
import { slipped } from './fill.ts';

const TICKERS = ['AAA', 'BBB'] as const;

const price = fc.integer({ min: 90, max: 110 }).map((dollars) => parsePrice(String(dollars)));

/** Orders that a broker accepts. */
const submit = fc
  .record({
    ticker: fc.constantFrom(...TICKERS),
    action: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom('market' as const, 'limit' as const, 'stop' as const, 'stop_limit' as const),
    quantity: fc.integer({ min: 1, max: 60 }).map((shares) => parseQuantity(String(shares))),
    price,
    stop_price: price,
    time_in_force: fc.constantFrom('day' as const, 'gtc' as const, 'ioc' as const, 'fok' as const),
    reduce_only: fc.boolean(),
  })
  .map((order) => ({ type: 'submit' as const, order }));

const cancel = fc.nat({ max: 30 }).map((order) => ({ type: 'cancel' as const, order }));

const bar = fc
  .record({
    prices: fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 90, max: 110 }))) as fc.Arbitrary<
      [number, number, number, number]
    >,
    volume: fc.nat({ max: 500 }),
  })
  .map(({ prices: [open, one, another, close], volume }) => ({
    open,
    high: Math.max(open, one, another, close),
    low: Math.min(open, one, another, close),
    close,
    volume,
  }));

const session = fc
  .record({
    bars: fc.record({ AAA: bar, BBB: bar }, { requiredKeys: [] }),
    splits: fc.oneof(
      { weight: 5, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ AAA: fc.constantFrom('2/1', '1/3', '3/2') }) },
    ),
  })
  .map((day) => ({ type: 'session' as const, ...day }));

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: submit },
    { weight: 1, arbitrary: cancel },
    { weight: 3, arbitrary: session },
  ),
  { maxLength: 30 },
);
type Step = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never;

const rules: fc.Arbitrary<PaperRules> = fc.record({
  fees: fc.constantFrom<PaperRules['fees']>(
    { kind: 'none' },
    { kind: 'per-share', perShare: 500_000n, minimum: 10_000_000_000_000_000n, maximum: 1_000_000n },
    { kind: 'per-value', rate: 150_000n },
  ),
  slippage: fc.constantFrom(0n, 50_000n),
  volumeLimit: fc.constantFrom(null, 10_000_000n),
  lot: fc.constant(parseQuantity('1')),
});

function commandOf(step: Step, index: number): BookCommand {
  switch (step.type) {
    case 'submit':
      return { type: 'submit', order: orderOf(step, index) };
    case 'cancel':
      return { type: 'cancel', order_id: String(step.order) };
    case 'session': {
      const date = dateOf(Date.UTC(2024, 0, 1 + index));
      const { bars, splits } = step;
      return { type: 'session', session: { date, bars, splits, dividends: {} }, funds: null };
    }
  }
}

function orderOf({ order }: Extract<Step, { type: 'submit' }>, index: number): BrokerOrder {
  const limited = order.type === 'limit' || order.type === 'stop_limit';
  const stopped = order.type === 'stop' || order.type === 'stop_limit';
  return {
    ...order,
    order_id: String(index),
    price: limited ? order.price : null,
    stop_price: stopped ? order.stop_price : null,
  };
}

type TradeData = Extract<PaperDraft, { type: 'PaperTradeExecuted' }>['data'];

const tradesOf = (drafts: readonly PaperDraft[]): TradeData[] =>
  drafts.filter((draft) => draft.type === 'PaperTradeExecuted').map(({ data }) => data);

const idOf = (data: object): string => ('order_id' in data ? String(data.order_id) : '');

/** A trade, and how things stood just before it. */
interface Trade {
  readonly quantity: Quantity;
  readonly price: Price;
  readonly fee: string;
  readonly order: BookOrder;
  readonly held: Quantity;
  readonly bar: SessionData['bars'][string];
}

/** Runs the steps; `check` sees the trades of each. */
function run(
  all: readonly Step[],
  rulesOf: PaperRules,
  check: (step: { trades: readonly Trade[] }) => void = () => undefined,
): { book: Book; drafts: PaperDraft[] } {
  const book = emptyBook();
  const drafts: PaperDraft[] = [];
  for (const [index, step] of all.entries()) {
    const command = commandOf(step, index);
    const trades: Trade[] = [];
    for (const draft of decide(command, book, rulesOf)) {
      if (draft.type === 'PaperTradeExecuted' && command.type === 'session') {
        trades.push(tradeOf(draft.data, book, command.session));
      }
      evolve(book, draft);
      drafts.push(draft);
    }
    check({ trades });
  }
  return { book, drafts };
}

function tradeOf({ order_id, quantity, price, fee }: TradeData, book: Book, { bars }: SessionData): Trade {
  const order = book.open.get(order_id)!;
  return {
    quantity: parseQuantity(quantity),
    price: parsePrice(price),
    fee,
    order,
    held: book.positions.get(order.ticker) ?? 0n,
    bar: bars[order.ticker]!,
  };
}

/** The range between the bar's best price and the worst one that is allowed for an order. */
function fairRange(
  { action, type, price: limit }: BrokerOrder,
  { high, low }: { high: number; low: number },
  { slippage }: PaperRules,
): [least: Price, most: Price] {
  const limited = type === 'limit' || type === 'stop_limit';
  if (action === 'buy') return [priceOf(low), limited ? limit! : slipped(priceOf(high), action, slippage)];
  return [limited ? limit! : slipped(priceOf(low), action, slippage), priceOf(high)];
}

const RUNS = { numRuns: 100 };

describe('whatever is ordered, whatever the bars are', () => {
  it('the book folded again from its events is the same book', () => {
    fc.assert(
      fc.property(steps, rules, (all, rulesOf) => {
        const { book, drafts } = run(all, rulesOf);
        expect(drafts.reduce(evolve, emptyBook())).toEqual(book);
      }),
      RUNS,
    );
  });

  it('no order fills beyond its quantity, and none pays a negative fee', () => {
    fc.assert(
      fc.property(steps, rules, (all, rulesOf) => {
        run(all, rulesOf, ({ trades }) => {
          for (const { order, quantity, fee } of trades) {
            expect(quantity).toBeGreaterThan(0n);
            expect(quantity).toBeLessThanOrEqual(order.quantity - order.filled);
            expect(fee).not.toMatch(/^-/);
          }
        });
      }),
      RUNS,
    );
  });

  it('every order that was accepted or cancelled is open or done, ended once at most, its trades of different names', () => {
    fc.assert(
      fc.property(steps, rules, (all, rulesOf) => {
        const { book, drafts } = run(all, rulesOf);
        const of = (...types: PaperDraft['type'][]) => drafts.filter(({ type }) => types.includes(type));
        const known = of('PaperOrderAccepted', 'PaperOrderCancelled').map(({ data }) => idOf(data));
        expect([...book.open.keys(), ...book.done].toSorted()).toEqual([...new Set(known)].toSorted());
        const ended = of('PaperOrderCancelled', 'PaperOrderExpired').map(({ data }) => idOf(data));
        expect(ended).toEqual([...new Set(ended)]);
        const trades = tradesOf(drafts).map(({ trade_id }) => trade_id);
        expect(trades).toEqual([...new Set(trades)]);
      }),
      RUNS,
    );
  });

  it('where a share of the volume limits fills, all of a bar together stay within it, and a bar without volume has none', () => {
    const limited = rules.filter(({ volumeLimit }) => volumeLimit !== null);
    fc.assert(
      fc.property(steps, limited, (all, rulesOf) => {
        run(all, rulesOf, ({ trades }) => {
          const taken = new Map<string, bigint>();
          for (const { order, quantity, bar } of trades) {
            const sum = (taken.get(order.ticker) ?? 0n) + quantity;
            taken.set(order.ticker, sum);
            expect(bar.volume).toBeGreaterThan(0);
            expect(sum).toBeLessThanOrEqual(BigInt(bar.volume) * rulesOf.volumeLimit!);
          }
        });
      }),
      RUNS,
    );
  });

  it('no fill is better than the bar allows, nor worse than the limit', () => {
    fc.assert(
      fc.property(steps, rules, (all, rulesOf) => {
        run(all, rulesOf, ({ trades }) => {
          for (const { price, order, bar } of trades) {
            const [least, most] = fairRange(order, bar, rulesOf);
            expect(price).toBeGreaterThanOrEqual(least);
            expect(price).toBeLessThanOrEqual(most);
          }
        });
      }),
      RUNS,
    );
  });

  it('an order that only reduces never takes the position through zero', () => {
    fc.assert(
      fc.property(steps, rules, (all, rulesOf) => {
        run(all, rulesOf, ({ trades }) => {
          for (const { order, quantity, held } of trades.filter((trade) => trade.order.reduce_only)) {
            expect(quantity).toBeLessThanOrEqual(order.action === 'sell' ? held : -held);
          }
        });
      }),
      RUNS,
    );
  });
});
