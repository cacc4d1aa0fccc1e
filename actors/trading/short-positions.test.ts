import { beforeEach, describe, expect, it } from 'vitest';
import { parseMoney, parsePrice } from '../../events/decimal.ts';
import { Account, opening } from './account.suite.ts';
import { marginOrderId } from './short-positions.ts';
import type { TradingPolicy } from './commands.ts';

let account: Account;

/** An account with 10,000 that is short 50 of AAA at 100. */
function short(policy: Partial<TradingPolicy> = {}): void {
  account = new Account({ shorting: true, ...policy });
  account.do(opening('2024-01-04'));
  account.holds('-50', '100');
}

const close = (price: string, session = '2024-01-04') =>
  account.do({ type: 'close-session', session, closes: new Map([['AAA', parsePrice(price)]]) });
const types = (drafts: readonly { readonly type: string }[]) => drafts.map(({ type }) => type);

describe('borrowing for a short position', () => {
  it('is paid for at the opening, for the calendar days since the last close, on its worth then', () => {
    short({ borrowBps: 360n });
    close('120');
    // From Thursday to Monday.
    expect(account.do(opening('2024-01-08'))).toEqual([
      { type: 'SessionOpened', data: { session: '2024-01-08' } },
      {
        type: 'BorrowCharged',
        data: { ticker: 'AAA', session: '2024-01-08', days: 4, quantity: '50', value: '6000', amount: '2.4' },
      },
    ]);
    expect(account.state.cash).toBe(parseMoney('14997.6'));
    expect(account.state.positions.get('AAA')).toMatchObject({ borrowing: parseMoney('2.4'), realized: 0n });
  });

  it('costs nothing where nothing was borrowed, and before there was a close', () => {
    short({ borrowBps: 360n });
    account.holds('50', '100');
    close('120');
    expect(types(account.do(opening('2024-01-05')))).toEqual(['SessionOpened']);
  });
});

describe('a margin call', () => {
  beforeEach(() => short());

  it('comes at the close at which the account is worth less than the share, and not a hair before', () => {
    // 15,000 in cash: worth 15,000 - 50 p, and 30 % of 50 p is needed. They meet at 230.77.
    expect(types(close('230.76'))).toEqual(['SessionClosed']);
    account.do(opening('2024-01-05'));
    expect(close('230.77', '2024-01-05').slice(1)).toMatchObject([
      {
        type: 'MarginCalled',
        data: { session: '2024-01-05', value: '3461.5', short: '11538.5', required: '3461.55' },
      },
      {
        type: 'OrderSubmitted',
        data: {
          order_id: marginOrderId(account.state, '2024-01-05', 'AAA'),
          action: 'buy',
          type: 'market',
          quantity: '50',
          reduce_only: true,
          time_in_force: 'gtc',
          origin: 'close',
        },
      },
    ]);
    expect(account.state.engine).toBe('running');
  });

  it('cancels what is open in the ticker, once, and is quiet while the position is being closed', () => {
    account.submit({ id: 'more', action: 'sell', type: 'limit', price: '300', tif: 'gtc' });
    expect(types(close('290'))).toEqual([
      'SessionClosed',
      'MarginCalled',
      'OrderCancelRequested',
      'OrderSubmitted',
    ]);
    account.do(opening('2024-01-05'));
    expect(types(close('295', '2024-01-05'))).toEqual(['SessionClosed']);
  });

  it('leaves nothing open for who is worth nothing: trading is halted, and cannot be started', () => {
    account.submit({ id: 'more', action: 'sell', type: 'limit', price: '400', tif: 'gtc' });
    account.submit({ id: 'other', ticker: 'BBB' });
    const drafts = close('320');
    expect(types(drafts)).toEqual([
      'SessionClosed',
      'MarginCalled',
      'OrderCancelRequested',
      'OrderSubmitted',
      'TradingHalted',
      'OrderCancelRequested',
    ]);
    expect(drafts.at(-2)!.data).toEqual({ reason: 'no_equity', detail: 'the account is worth -1000' });
    expect(types(account.do(opening('2024-01-05')))).toEqual(['SessionOpened']);
    account.trade('50', '320', { id: marginOrderId(account.state, '2024-01-04', 'AAA') });
    expect(account.state.positions.get('AAA')).toMatchObject({ quantity: 0n });
    account.refuses({ type: 'start' }, 'TRADING_HALTED');
    // A stop does not hide the reason of the halt.
    expect(account.do({ type: 'stop' })).toEqual([]);
    expect(account.state.engine).toBe('halted');
  });
});
