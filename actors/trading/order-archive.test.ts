import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { archived, stateHash, fromLines, toLines } from './order-archive.ts';
import { evolve } from './evolve.ts';
import { initialState, type AccountState } from './state.ts';
import { anyStep } from './steps.suite.ts';
import { Walk } from './walk.suite.ts';

/** Orders, which may be put away as text, as they are. */
const plain = (state: AccountState): unknown => ({
  ...state,
  orders: [...state.orders.values()],
  clientOrders: null,
});

describe('an account whose orders are put away as they are written', () => {
  it('goes on from there as if they never had been', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyStep, fc.constantFrom('nothing', 'hash', 'lines')), { maxLength: 60 }),
        (steps) => {
          const walk = new Walk({ shorting: true, settlementSessions: 1 });
          let state = archived(initialState()) as AccountState;
          for (const draft of walk.account.drafts) state = evolve(state, draft);
          for (const [step, look] of steps) {
            for (const draft of walk.take(step)) state = evolve(state, draft);
            if (look === 'hash') stateHash(state);
            if (look === 'lines') state = fromLines(toLines(state));
          }
          expect(stateHash(state)).toBe(stateHash(walk.account.state));
          expect(plain(state)).toEqual(plain(walk.account.state));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds an order whose id JSON writes in another way', () => {
    const walk = new Walk();
    walk.account.submit({ id: 'a "b" \\ c' });
    const state = fromLines(toLines(walk.account.state));
    expect(state.orders.get('a "b" \\ c')).toEqual(walk.account.state.orders.get('a "b" \\ c'));
  });
});
