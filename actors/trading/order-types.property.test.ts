import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ratioNumber, parseRatio } from '../../events/decimal.ts';
import { isBelegError } from '../../events/errors.ts';
import { Order, OwnStrategyView, TradingStatusReply } from '../../events/messages/trading.ts';
import { Desk, type Prices } from './desk.suite.ts';
import { viewOwnStrategies } from './own-strategies-view.ts';
import { fromSnapshot, stateHash, toSnapshot } from './snapshot.ts';
import { trailOf } from './trail.ts';
import { viewOrder, viewStatus } from './view.ts';

const level = fc.integer({ min: 80, max: 120 });
const bar = fc
  .tuple(level, level, level, level)
  .map(([open, one, other, close]): Prices => [
    open,
    Math.max(open, one, other, close),
    Math.min(open, one, other, close),
    close,
  ]);
const day = fc.record(
  {
    prices: bar,
    volume: fc.integer({ min: 0, max: 20_000 }),
    split: fc.constantFrom('2/1', '1/3', '3/2'),
    amend: fc.record({ quantity: fc.integer({ min: 1, max: 200 }), nth: fc.nat(9) }),
  },
  { requiredKeys: ['prices', 'volume'] },
);
const days = fc.array(day, { minLength: 1, maxLength: 12 });

/** Refusals are expected. */
function tried(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!isBelegError(error)) throw error;
  }
}

test('of a bracket never more is closed than was opened, whatever the bars are, and no exit opens a position', () => {
  fc.assert(
    fc.property(days, fc.boolean(), level, level, (walked, short, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      // The last price is 100, and the stop is on the side of the loss.
      fc.pre(low < high && (short ? high > 100 : low < 100));
      const desk = new Desk({ shorting: true, collarBps: 0n }, { volumeLimit: 1_000_000n }, '1000000');
      const bracket = { take_profit: short ? low : high, stop_loss: short ? high : low };
      desk.place('entry', { quantity: '100', action: short ? 'sell' : 'buy', bracket });
      for (const { prices, volume, split, amend } of walked) {
        const filled = desk.session(prices, { volume, ...(split && { split }) });
        // Both legs of a pair in one bar could close more than the position.
        expect(short ? -desk.held : desk.held).toBeGreaterThanOrEqual(0);
        const isFlat = desk.held === 0 && filled.length > 0;
        const useless = desk.open.filter((words) => isFlat && !words.startsWith('entry:'));
        expect(useless).toEqual([]);
        if (amend !== undefined) tried(() => desk.amend('entry', { quantity: amend.quantity }));
        for (const { quantity, filled: done } of desk.account.state.open.values()) {
          expect(quantity).toBeGreaterThan(done);
        }
      }
      const { orders } = desk.account.state;
      for (const profit of orders.values()) {
        if (!profit.order_id.includes('-profit-')) continue;
        const stop = orders.get(profit.order_id.replace('-profit-', '-stop-'))!;
        expect(profit.status === 'filled' && stop.status === 'filled').toBe(false);
      }
    }),
  );
});

test('reduce-only orders never open or turn a position, linked or not', () => {
  const order = fc.record({
    action: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom('market' as const, 'limit' as const, 'stop' as const),
    price: level,
    quantity: fc.integer({ min: 1, max: 200 }),
    isLinked: fc.boolean(),
    trails: fc.boolean(),
  });
  fc.assert(
    fc.property(
      days,
      fc.array(order, { maxLength: 6 }),
      fc.constantFrom(-100, 0, 100),
      (walked, drawn, held) => {
        const desk = new Desk({ shorting: true, collarBps: 0n }, { volumeLimit: 1_000_000n }, '1000000');
        if (held !== 0)
          desk.place('entry', { quantity: '100', action: held > 0 ? 'buy' : 'sell', tif: 'ioc' });
        desk.session([100, 100, 100, 100]);
        for (const [at, { action, type, price, quantity, isLinked, trails }] of drawn.entries()) {
          const isTrail = trails && type === 'stop';
          tried(() =>
            desk.place(`o${at}`, {
              action,
              type,
              quantity: String(quantity),
              reduceOnly: true,
              ...(type === 'market' || isTrail ? {} : { price: String(price) }),
              ...(isTrail ? { trail: { percent: '4' } } : {}),
              ...(isLinked ? { linkedTo: `o${at - 1}` } : {}),
            }),
          );
        }
        let before = Math.abs(desk.held);
        for (const { prices, volume, split, amend } of walked) {
          desk.session(prices, { volume, ...(split && { split }) });
          expect(Math.abs(desk.held)).toBeLessThanOrEqual(split === undefined ? before : Infinity);
          expect(desk.held * held).toBeGreaterThanOrEqual(0);
          before = Math.abs(desk.held);
          if (amend !== undefined) tried(() => desk.amend(`o${amend.nth}`, { quantity: amend.quantity }));
        }
        const { state } = desk.account;
        expect(stateHash(fromSnapshot(toSnapshot(state)))).toBe(stateHash(state));
      },
    ),
  );
});

/** The clock, of which the account's record does not know. */
const CLOCK = { feed_waiting: false, feed_resting: false, feed_paused: false, reconciling: false };

test('whatever splits make of prices, stops, trails and averages, clients can be shown each order and position', () => {
  const ratio = fc
    .tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 }))
    .map(([shares, old]) => `${shares}/${old}`);
  // The prices that a client, and those that a strategy may name.
  const amount = fc.oneof(
    fc.integer({ min: 1, max: 1_000_000_000 }).map((millionths) => millionths / 1e6),
    fc.integer({ min: 1, max: 1_000_000_000 }),
    fc.double({ min: 1e-8, max: 1e12, noNaN: true }),
  );
  const exits = fc.record({ take_profit: amount, stop_loss: amount, trail: fc.record({ amount }) });
  fc.assert(
    fc.property(
      fc.array(ratio, { minLength: 1, maxLength: 4 }),
      exits,
      amount,
      (splits, bracket, trailing) => {
        const desk = new Desk({ shorting: true, collarBps: 0n }, { volumeLimit: 1_000_000n }, '1000000');
        desk.place('held', { quantity: '300' });
        desk.session([100, 100, 100, 100]);
        tried(() =>
          desk.place('trails', { type: 'stop', action: 'sell', trail: trailOf({ amount: trailing }) }),
        );
        tried(() => desk.place('far', { type: 'limit', price: '0.0001', quantity: '100', bracket }));
        tried(() =>
          desk.says({
            targets: [{ ticker: 'AAA', quantity: 100, trailing_stop: { amount: trailing } }],
            orders: [{ ticker: 'AAA', action: 'buy', quantity: 50, bracket }],
          }),
        );
        let price = 100;
        for (const split of splits) {
          price = Math.max(price / ratioNumber(parseRatio(split)), 0.0001);
          desk.session([price, price, price, price], { split });
          for (const order of desk.account.state.orders.values()) {
            Order.parse(viewOrder(order));
            expect(order.stop_price).not.toBe(0n);
            expect(order.price).not.toBe(0n);
          }
          TradingStatusReply.parse(viewStatus(desk.account.state, { ...CLOCK, strategy: 's' }));
          for (const view of viewOwnStrategies(
            desk.account.state,
            desk.account.policy,
            new Map([['s', { source: 's.ts', share: null }]]),
          ))
            OwnStrategyView.parse(view);
        }
      },
    ),
  );
});
