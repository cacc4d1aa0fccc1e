import { describe, expect, it } from 'vitest';
import { soldByOthers } from './sold-by-others.ts';
import type { OrderState } from './state.ts';

type Done = Pick<OrderState, 'origin' | 'action'> & {
  readonly trades?: readonly string[];
  readonly isOpen?: boolean;
};

/** An account that has had these orders in one ticker, oldest first, and once had others that it no longer keeps. */
function soldAfter(done: readonly Done[], dropped = 0): boolean {
  const entries = done.map(
    ({ trades = ['t'], origin, action }, at) =>
      [
        `o-${at}`,
        { order_id: `o-${at}`, ticker: 'A', trades, origin, action } as unknown as OrderState,
      ] as const,
  );
  const orders = new Map(entries);
  const open = new Map(entries.filter((_, at) => done[at]!.isOpen === true));
  const positions = new Map([['A', {} as never]]);
  return soldByOthers({ orders, open, orderCount: orders.size + dropped, positions }).has('A');
}

const BOUGHT = { origin: 'strategy', action: 'buy' } as const;
const SOLD = { origin: 'strategy', action: 'sell' } as const;
const CLOSED = { origin: 'close', action: 'sell' } as const;

describe('what others have sold of the strategy', () => {
  it.each([
    ['nothing', [BOUGHT], false],
    ['a closed position', [BOUGHT, CLOSED], true],
    ['a position that is being closed', [BOUGHT, { ...CLOSED, trades: [], isOpen: true }], true],
    ['nothing by an order that was cancelled', [BOUGHT, { ...CLOSED, trades: [] }], false],
    ['nothing since the strategy bought again', [BOUGHT, CLOSED, BOUGHT], false],
    ['nothing where it sold itself', [BOUGHT, SOLD], false],
    ['nothing of what they bought before it did', [CLOSED, BOUGHT], false],
    ['nothing by buying', [BOUGHT, { origin: 'client', action: 'buy' }], false],
  ] as const)('%s', (_, done, expected) => {
    expect(soldAfter(done)).toBe(expected);
  });

  it('is taken for all where the orders are no longer kept', () => {
    expect([soldAfter([], 1), soldAfter([CLOSED], 1), soldAfter([BOUGHT], 1)]).toEqual([true, true, false]);
  });
});
