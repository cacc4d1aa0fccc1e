import { beforeEach, describe, expect, it } from 'vitest';
import { parseMoney, parseQuantity } from '../../events/decimal.ts';
import { Account } from './account.suite.ts';
import { stateHash } from './snapshot.ts';

let account: Account;

beforeEach(() => {
  account = new Account();
  account.submit({ quantity: '10', type: 'limit', price: '100' });
});

const status = (id = 'o1') => account.state.orders.get(id)?.status;

describe('a broker’s report', () => {
  it('moves the order on and is where reports are resumed from', () => {
    expect(account.report('accepted')).toEqual(['OrderAccepted']);
    expect(account.state.cursor).toBe('000000001');
    expect(account.trade('4', '99')).toEqual(['OrderFilled']);
    expect(status()).toBe('partially_filled');
    expect(account.trade('6', '98')).toEqual(['OrderFilled']);
    expect(status()).toBe('filled');
    expect(account.state.cursor).toBe('000000003');
  });

  it('is quiet where it says what is known', () => {
    account.report('accepted');
    expect(account.report('accepted')).toEqual([]);
    account.report('cancelled');
    expect(account.report('cancelled')).toEqual([]);
    expect(account.report('expired')).toEqual([]);
    expect(account.report('rejected')).toEqual([]);
    expect(account.report('triggered')).toEqual([]);
    expect(account.report('accepted')).toEqual([]);
  });

  it('that triggers or expires an order says that it was accepted', () => {
    expect(account.report('expired')).toEqual(['OrderAccepted', 'OrderExpired']);
    account.submit({ id: 'o2', type: 'stop_limit', price: '100', stop: '99' });
    account.do({ type: 'delivery-unknown', order_id: 'o2' });
    expect(account.report('triggered', 'o2')).toEqual(['OrderAccepted', 'OrderTriggered']);
  });

  it('that triggers an order on its way to be cancelled changes nothing', () => {
    account.do({ type: 'cancel', order_id: 'o1' });
    expect(account.report('triggered')).toEqual([]);
  });

  it('answers an unknown delivery', () => {
    account.do({ type: 'delivery-unknown', order_id: 'o1' });
    expect(account.trade('10', '99')).toEqual(['OrderFilled']);
    expect(status()).toBe('filled');
  });

  it('keeps why an order was rejected', () => {
    account.report('rejected');
    expect(account.state.orders.get('o1')).toMatchObject({ status: 'rejected', reason: 'because' });
  });
});

it('an acceptance that comes after a fill is old news', () => {
  account.trade('4', '99');
  expect(account.report('accepted')).toEqual([]);
  expect(status()).toBe('partially_filled');
});

describe('a trade', () => {
  it('says when the cash of a sale settles; a purchase is paid at once', () => {
    account = new Account({ settlementSessions: 2 }).holds('10', '100');
    expect(account.drafts.at(-1)!.data).toMatchObject({ settles_after: 0 });
    account.submit({ action: 'sell', quantity: '10' });
    account.trade('6', '100');
    account.trade('4', '110');
    expect(account.drafts.at(-1)!.data).toMatchObject({ settles_after: 2 });
    expect(account.state.unsettled).toEqual([{ amount: parseMoney('1040'), sessionsLeft: 2 }]);
  });

  it('is booked once, whatever is reported twice', () => {
    account.trade('4', '99', { trade: 't', fee: '1' });
    const before = stateHash(account.state);
    expect(account.trade('4', '99', { trade: 't', fee: '1' })).toEqual([]);
    account.trade('6', '99', { trade: 'u' });
    expect(account.trade('4', '99', { trade: 't', fee: '1' })).toEqual([]);
    expect(stateHash(account.state)).not.toBe(before);
    expect(account.state.positions.get('AAA')).toMatchObject({ quantity: parseQuantity('10') });
  });

  it('moves money: cash pays price and fee, the fee is a loss at once', () => {
    account.trade('10', '99.5', { fee: '1.25' });
    expect(account.state.cash).toBe(parseMoney('9003.75'));
    expect(account.state.positions.get('AAA')).toEqual({
      quantity: parseQuantity('10'),
      ofStrategy: 0n,
      cost: parseMoney('995'),
      realized: parseMoney('-1.25'),
      dividends: 0n,
      borrowing: 0n,
      fees: parseMoney('1.25'),
      priced: '2024-01-02',
    });
  });

  it('races the cancellation: all of it fills the order, a part leaves the rest cancelled', () => {
    account.report('cancelled');
    expect(account.trade('4', '99')).toEqual(['OrderFilled']);
    expect(status()).toBe('cancelled');
    expect(account.state.open.size).toBe(0);
    expect(account.trade('6', '99')).toEqual(['OrderFilled']);
    expect(status()).toBe('filled');
  });
});

describe('a discrepancy', () => {
  it('is a trade beyond the order: booked, on record, and trading is halted', () => {
    account.submit({ id: 'other' });
    expect(account.trade('11', '99')).toEqual([
      'DiscrepancyFound',
      'OrderFilled',
      'TradingHalted',
      'OrderCancelRequested',
    ]);
    expect(account.state.discrepancies).toMatchObject([{ kind: 'overfill', order_id: 'o1', ticker: 'AAA' }]);
    expect(account.state.positions.get('AAA')).toMatchObject({ quantity: parseQuantity('11') });
    expect(account.state).toMatchObject({ engine: 'halted', cash: parseMoney('8911') });
    expect(account.state.orders.get('o1')).toMatchObject({ status: 'filled', filled: parseQuantity('11') });
  });

  it('is a trade of an order that is filled', () => {
    account.trade('10', '99');
    expect(account.trade('1', '99')).toEqual(['DiscrepancyFound', 'OrderFilled', 'TradingHalted']);
    expect(account.trade('1', '99')).toEqual(['DiscrepancyFound', 'OrderFilled']);
    expect(account.state.discrepancies).toHaveLength(2);
    expect(account.state.positions.get('AAA')).toMatchObject({ quantity: parseQuantity('12') });
  });

  it.each(['rejected', 'expired'] as const)('is a trade of an order that is %s', (end) => {
    account.report('accepted');
    account.report(end);
    expect(account.trade('10', '99')).toEqual(['DiscrepancyFound', 'OrderFilled', 'TradingHalted']);
    expect(account.state.discrepancies).toMatchObject([{ kind: 'late_report' }]);
    expect(status()).toBe(end);
    expect(account.state.positions.get('AAA')).toMatchObject({ quantity: parseQuantity('10') });
  });

  it('is a rejection of what was filled in part', () => {
    account.trade('4', '99');
    expect(account.report('rejected')).toEqual(['DiscrepancyFound', 'TradingHalted', 'OrderCancelRequested']);
  });

  it('is a report of an order that nobody knows, each once', () => {
    const report = { type: 'accepted', order_id: 'x', cursor: '7' } as const;
    expect(account.does({ type: 'report', report })).toEqual([
      'DiscrepancyFound',
      'TradingHalted',
      'OrderCancelRequested',
    ]);
    expect(account.does({ type: 'report', report })).toEqual([]);
    expect(account.state.cursor).toBe('7');
    expect(account.trade('5', '99', { id: 'x' })).toEqual(['DiscrepancyFound']);
    expect(account.state.discrepancies[1]).toMatchObject({ kind: 'unknown_order', order_id: 'x' });
  });

  it('sees what its own trade does to the position when it cancels what could open exposure', () => {
    account.trade('10', '99');
    account.submit({ id: 'protect', action: 'sell', quantity: '5', type: 'stop', price: '80' });
    account.submit({ id: 'half', action: 'sell', quantity: '5', type: 'limit', price: '120' });
    // Ten are sold instead of five: nothing is left that the other order could close.
    expect(account.trade('10', '120', { id: 'half' })).toEqual([
      'DiscrepancyFound',
      'OrderFilled',
      'TradingHalted',
      'OrderCancelRequested',
    ]);
    expect(account.state.orders.get('protect')?.cancelRequested).toBe(true);
  });
});
