import { assert, bigInt, property } from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { moneyText, parseMoney, parsePrice } from '../../events/decimal.ts';
import { Account, opening } from './account.suite.ts';
import { valueAt } from './account-value.ts';
import type { AccountCommand } from './commands.ts';
import { undo } from './decide.ts';
import { stateHash } from './snapshot.ts';

const moved = (amount: string, id: string | null = null, reason = 'deposit'): AccountCommand => ({
  type: 'move-cash',
  amount: parseMoney(amount),
  reason,
  client_cash_id: id,
});

let account: Account;
beforeEach(() => {
  account = new Account();
});

describe('cash from outside', () => {
  it('is recorded with the time of the feed, and is in the cash from then on', () => {
    account.do(opening('2024-01-02'));
    expect(account.do(moved('2500.5', 'c-1'))).toEqual([
      {
        type: 'CashMoved',
        data: { amount: '2500.5', reason: 'deposit', client_cash_id: 'c-1', session: '2024-01-02' },
      },
    ]);
    expect(moneyText(account.state.cash)).toBe('12500.5');
  });

  it('under an id that is known is booked once; another amount under it is refused', () => {
    account.do(moved('100', 'c-1'));
    expect(account.does(moved('100', 'c-1'))).toEqual([]);
    account.refuses(moved('101', 'c-1'), 'CLIENT_CASH_ID_REUSED');
    account.refuses(moved('100', 'c-1', 'other'), 'CLIENT_CASH_ID_REUSED');
    expect(account.does(moved('100'))).toEqual(['CashMoved']);
  });

  it('leaves only as far as it is free: not what open orders need', () => {
    account.submit({ type: 'limit', price: '90', quantity: '100' });
    account.refuses(moved('-1000.01'), 'INSUFFICIENT_FUNDS');
    expect(account.does(moved('-1000'))).toEqual(['CashMoved']);
    account.refuses(moved('-0.01'), 'INSUFFICIENT_FUNDS');
  });

  it('is neither profit nor loss: a withdrawal halts nothing, and a deposit hides no loss', () => {
    const limited = new Account({ maxDailyLossBps: 1_000n });
    limited.do(opening('2024-01-02'));
    limited.do(moved('-5000'));
    expect(limited.does({ type: 'close-session', session: '2024-01-02', closes: new Map() })).toEqual([
      'SessionClosed',
    ]);
    expect(moneyText(limited.state.closeValue)).toBe('5000');
  });

  it('can be taken back, whatever it was used for: then its id is free again', () => {
    const before = stateHash(account.state);
    account.do(opening('2024-01-02'));
    const [event] = account.do(moved('100', 'c-1'));
    const [command] = undo([event as never]);
    expect(account.do(command!)).toMatchObject([
      { type: 'CashMoved', data: { amount: '-100', takes_back: true } },
    ]);
    expect(moneyText(account.state.cash)).toBe('10000');
    expect(account.does(moved('70', 'c-1'))).toEqual(['CashMoved']);
    expect(before).not.toBe(stateHash(account.state));
  });

  it('changes the value by itself alone, and nothing that is held', () => {
    assert(
      property(bigInt({ min: -9_000n, max: 1_000_000n }), (whole) => {
        const one = new Account();
        one.do(opening('2024-01-02'));
        one.submit({ type: 'limit', price: '1', quantity: '10' });
        const before = valueAt(new Map([['AAA', parsePrice('1')]]), one.state).value;
        const amount = whole * parseMoney('1');
        one.do({ type: 'move-cash', amount, reason: 'x', client_cash_id: null });
        expect(valueAt(new Map([['AAA', parsePrice('1')]]), one.state).value - before).toBe(amount);
        expect(one.state.closeValue - parseMoney('10000')).toBe(amount);
        expect(one.state.open.size).toBe(1);
      }),
    );
  });
});
