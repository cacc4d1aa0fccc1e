import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBelegError } from '../../events/errors.ts';
import { Desk, type Prices } from './desk.suite.ts';
import { fromSnapshot, stateHash, toSnapshot } from './snapshot.ts';

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
      fc.pre(one !== other);
      const desk = new Desk({ shorting: true, collarBps: 0n }, { volumeLimit: 1_000_000n }, '1000000');
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
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
