import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { parseMoney } from '../../events/decimal.ts';
import type { TradingPolicy } from './commands.ts';
import { evolve } from './evolve.ts';
import { unsettledCash } from './account-value.ts';
import { priceBasis, reserveOf } from './order-reserve.ts';
import { stateHash, fromSnapshot, toSnapshot } from './snapshot.ts';
import { initialState, leftOf, type AccountState } from './state.ts';
import { anyStep } from './steps.suite.ts';
import { Walk } from './walk.suite.ts';

const steps = fc.array(anyStep, { maxLength: 60, size: 'max' });
const policies: fc.Arbitrary<Partial<TradingPolicy>> = fc.record({
  shorting: fc.boolean(),
  settlementSessions: fc.nat(3),
  maxDailyLossBps: fc.constantFrom(null, 500n),
  maxPositionBps: fc.constantFrom(null, 5_000n),
  borrowBps: fc.constantFrom(0n, 333n),
});

/** The opening cash is conserved to the last digit, whatever happened. */
function expectConserved(state: AccountState): void {
  let sum = state.cash + unsettledCash(state);
  for (const { cost, realized, dividends, borrowing } of state.positions.values()) {
    sum += cost - realized - dividends + borrowing;
  }
  expect(sum).toBe(parseMoney('10000'));
}

/** Maintained sums equal computed ones. */
function expectSums(state: AccountState): void {
  const reserved = { limit: 0n, market: 0n };
  const working = new Map<string, { buying: bigint; selling: bigint; orders: number }>();
  for (const order of state.open.values()) {
    reserved[priceBasis(order).limited ? 'limit' : 'market'] += reserveOf(order);
    const book = working.get(order.ticker) ?? { buying: 0n, selling: 0n, orders: 0 };
    book[order.action === 'buy' ? 'buying' : 'selling'] += leftOf(order);
    book.orders += 1;
    working.set(order.ticker, book);
  }
  const kept = new Map(
    [...state.books].map(([ticker, book]) => [ticker, { ...book, orders: book.orders.size }]),
  );
  expect(kept).toEqual(working);
  expect([state.reservedAtLimit, state.reservedAtMarket]).toEqual([reserved.limit, reserved.market]);
}

describe('whatever happens to an account', () => {
  it('money is conserved to the last digit, and sums are what they sum', () => {
    fc.assert(
      fc.property(policies, steps, (policy, taken) => {
        const walk = new Walk(policy);
        for (const step of taken) {
          walk.take(step);
          expectConserved(walk.account.state);
          expectSums(walk.account.state);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('an order is filled beyond its quantity only with a discrepancy on record', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const walk = new Walk();
        for (const step of taken) walk.take(step);
        for (const order of walk.account.state.orders.values()) {
          const found = walk.account.drafts.some(
            ({ type, data }) => type === 'DiscrepancyFound' && data.order_id === order.order_id,
          );
          expect(order.filled <= order.quantity || found).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('the record replays to the same state, from the start and from a snapshot', () => {
    fc.assert(
      fc.property(policies, steps, fc.nat(), (policy, taken, cut) => {
        const walk = new Walk(policy);
        for (const step of taken) walk.take(step);
        const { account } = walk;
        const recorded = structuredClone(account.drafts);
        const hash = stateHash(account.state);
        expect(stateHash(recorded.reduce(evolve, initialState()))).toBe(hash);
        const at = cut % (recorded.length + 1);
        const snapshot = JSON.stringify(toSnapshot(recorded.slice(0, at).reduce(evolve, initialState())));
        const resumed = recorded.slice(at).reduce(evolve, fromSnapshot(JSON.parse(snapshot)));
        expect(stateHash(resumed)).toBe(hash);
        expect(resumed).toEqual(account.state);
      }),
      { numRuns: 100 },
    );
  });

  it('what is decided is what the catalogue says it is', () => {
    const schemas = new Map(CATALOG.map(({ type, schema }) => [type, schema]));
    fc.assert(
      fc.property(policies, steps, (policy, taken) => {
        const walk = new Walk(policy);
        for (const step of taken) {
          for (const { type, data } of walk.take(step)) expect(schemas.get(type)!.parse(data)).toEqual(data);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('with a broker that keeps to what was ordered', () => {
  // Without orders that only reduce: they coexist with orders that are being cancelled, and both may be filled.
  const fair = steps.map((drawn) =>
    drawn.filter((step) => step.do !== 'close' && !(step.do === 'submit' && step.order.reduce_only)),
  );

  it('nothing is sold that is not held, unless short positions are allowed', () => {
    fc.assert(
      fc.property(fair, (taken) => {
        const walk = new Walk({}, { honest: true });
        for (const step of taken) {
          walk.take(step);
          for (const { quantity } of walk.account.state.positions.values()) expect(quantity >= 0n).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('nothing is bought that is not paid for', () => {
    const unsplit = fair.map((drawn) =>
      drawn.map((step) => (step.do === 'session' ? { ...step, splits: [] } : step)),
    );
    fc.assert(
      fc.property(fc.nat(2), unsplit, (settlementSessions, taken) => {
        const walk = new Walk({ settlementSessions }, { honest: true });
        for (const step of taken) {
          walk.take(step);
          expect(walk.account.state.cash >= 0n).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
