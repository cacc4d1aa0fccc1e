import { describe, expect, it } from 'vitest';
import { Account, opening } from './account.suite.ts';
import type { AccountCommand } from './commands.ts';
import { viewOrder } from './view.ts';

const MINE = {
  strategy: 'mine',
  source: './mine.ts',
  hash: 'h',
  parameters: {},
  share: null,
} as const;
const FAULT = { strategy: 'mine', session: '2024-01-02', detail: 'it broke', file: null, line: null };

/** An open order that could open exposure, of a strategy. */
function withOrder(): Account {
  const account = new Account({}, '100000').holds('10', '100');
  account.do({ ...MINE, type: 'use-strategy' });
  account.submit({ id: 'open', type: 'limit', price: '90', tif: 'gtc', strategy: 'mine' });
  account.report('accepted', 'open');
  return account;
}

/** What the broker says of an order that it was to cancel. */
function brokerCancels(account: Account): void {
  const report = {
    type: 'cancelled',
    order_id: 'open',
    cursor: account.cursor(),
    reason: 'requested',
  } as const;
  account.do({ type: 'report', report });
}

const shown = ({ state }: Account) => viewOrder(state.orders.get('open')!);

describe('an order that is cancelled says why', () => {
  it.each<[string, AccountCommand]>([
    ['requested', { type: 'cancel', order_id: 'open' }],
    ['trading_stopped', { type: 'stop' }],
    ['trading_halted', { type: 'compare', positions: new Map() }],
    ['strategy_stopped', { type: 'stop-strategy', strategy: 'mine' }],
    ['strategy_halted', { type: 'halt-strategy', data: FAULT }],
    ['position_closed', { type: 'close', ticker: 'AAA', order_id: 'closing', last_price: null }],
    ['split', opening('2024-01-02', { splits: { AAA: '1/1000' } })],
  ])('%s', (reason, command) => {
    const account = withOrder();
    account.do(command);
    expect(shown(account).status).toBe('pending_cancel');
    brokerCancels(account);
    expect(shown(account)).toMatchObject({ status: 'cancelled', reject_reason: reason });
  });

  it('by the first of several', () => {
    const account = withOrder();
    account.do({ type: 'cancel', order_id: 'open' });
    account.do({ type: 'stop' });
    brokerCancels(account);
    expect(shown(account).reject_reason).toBe('requested');
  });

  it('as the broker has it where that knows better', () => {
    const account = withOrder();
    account.do({ type: 'stop' });
    account.report('cancelled', 'open');
    expect(shown(account).reject_reason).toBe('because');
  });

  it('and one that is filled all the same says nothing', () => {
    const account = withOrder();
    account.do({ type: 'stop' });
    account.trade('1', '90', { id: 'open' });
    expect(shown(account)).toMatchObject({ status: 'filled', reject_reason: null });
  });
});
