import { beforeEach, describe, expect, it } from 'vitest';
import { Account } from './account.suite.ts';
import type { AccountDraft } from './commands.ts';
import { ENGINE_LIFECYCLE } from './engine-lifecycle.ts';
import { evolve } from './evolve.ts';
import { isOpen, ORDER_LIFECYCLE } from './order-lifecycle.ts';
import { initialState } from './state.ts';

const ofOrder = { order_id: 'o1', ticker: 'AAA' };

const fill = (quantity: string, trade_id = 't'): AccountDraft => ({
  type: 'OrderFilled',
  data: {
    ...ofOrder,
    trade_id,
    action: 'buy',
    quantity,
    price: '100',
    fee: '0',
    session: '2024-01-02',
    settles_after: 0,
    cursor: 'c',
  },
});

let account: Account;

beforeEach(() => {
  account = new Account();
  account.submit({ quantity: '10' });
});

function expectCorrupt(...events: readonly AccountDraft[]): void {
  expect(() => events.reduce(evolve, account.state)).toThrow(
    expect.objectContaining({ name: 'BelegError', code: 'STREAM_CORRUPT' }),
  );
}

describe('a record that does not add up', () => {
  it('begins with something else than the opening of the account', () => {
    expect(() => evolve(initialState(), { type: 'TradingStarted', data: {} })).toThrow(
      expect.objectContaining({ code: 'STREAM_CORRUPT' }),
    );
  });

  it.each<[string, readonly AccountDraft[]]>([
    ['opens it twice', [{ type: 'AccountOpened', data: { account: 'main', currency: 'USD', cash: '1' } }]],
    ['starts what runs', [{ type: 'TradingStarted', data: {} }]],
    [
      'has an order that was never submitted',
      [{ type: 'OrderCancelRequested', data: { order_id: 'x', ticker: 'AAA' } }],
    ],
    ['books a trade twice', [fill('4'), fill('4')]],
    ['fills more than was ordered, and nobody disputed it', [fill('11')]],
    [
      'fills what was rejected',
      [{ type: 'OrderRejected', data: { ...ofOrder, reason: '', cursor: null } }, fill('1')],
    ],
    ['expires what was not accepted', [{ type: 'OrderExpired', data: { ...ofOrder, cursor: 'c' } }]],
    [
      'splits what is not held',
      [
        {
          type: 'SplitApplied',
          data: {
            ticker: 'BBB',
            session: '2024-01-02',
            ratio: '2/1',
            quantity: '2',
            cost: '1',
            cash_in_lieu: '0',
            realized: '0',
          },
        },
      ],
    ],
    [
      'opens a session that was',
      [
        { type: 'SessionOpened', data: { session: '2024-01-02' } },
        { type: 'SessionOpened', data: { session: '2024-01-02' } },
      ],
    ],
    [
      'closes a session that is not open',
      [{ type: 'SessionClosed', data: { session: '2024-01-02', closes: {}, cash: '0', total_value: '0' } }],
    ],
    [
      'leaves nothing of an order that it changes',
      [
        {
          type: 'OrderAdjusted',
          data: { ...ofOrder, quantity: '5', filled_quantity: '5', price: null, stop_price: null },
        },
      ],
    ],
  ])('%s', (_, events) => {
    expectCorrupt(...events);
  });

  it('submits one order twice', () => {
    expectCorrupt(account.drafts.at(-1)!);
  });
});

it('a recorded event folds as its draft does', () => {
  const draft = account.drafts.at(-1)!;
  const recorded = { ...draft, id: 'id', stream: 'account-main', metadata: { at: '', version: 1 } };
  const state = [account.drafts[0]!, recorded as AccountDraft].reduce(evolve, initialState());
  expect(state.orders.get('o1')).toEqual(account.state.orders.get('o1'));
});

describe('the lifecycle of an order', () => {
  const { statuses, table } = ORDER_LIFECYCLE;

  it('is open where it can still be cancelled', () => {
    expect(statuses.filter(isOpen)).toEqual([
      'submitted',
      'unknown',
      'accepted',
      'triggered',
      'partially_filled',
      'pending_cancel',
    ]);
  });

  it('ends: from every status that is open each end can be reached, and a wish to cancel always', () => {
    for (const status of statuses.filter(isOpen)) {
      expect(table[status]).toMatchObject({
        OrderFilled: 'filled',
        OrderCancelRequested: 'pending_cancel',
      });
    }
  });

  it('is over afterwards, but for a fill that races its cancellation', () => {
    const followers = statuses.filter((status) => !isOpen(status)).map((status) => table[status]);
    expect(followers.filter((row) => Object.keys(row).length > 0)).toEqual([{ OrderFilled: 'filled' }]);
  });
});

it('the engine can be stopped and halted from wherever it is, and started again from there', () => {
  expect(ENGINE_LIFECYCLE.table).toEqual({
    stopped: { TradingStarted: 'running', TradingHalted: 'halted' },
    running: { TradingStopped: 'stopped', TradingHalted: 'halted' },
    halted: {
      TradingStarted: 'running',
      TradingStopped: 'stopped',
      TradingHalted: 'halted',
      TradingResumed: 'running',
    },
  });
});
