import { beforeEach, describe, expect, it } from 'vitest';
import { parseMoney } from '../../events/decimal.ts';
import { Account, opening, order, type OrderWords } from './account.suite.ts';
import { findByClientOrderId } from './submit-order.ts';

let account: Account;

beforeEach(() => {
  account = new Account();
});

describe('an order', () => {
  it('is recorded as an intent, with the feed’s time and the price that its reserve rests on', () => {
    account.do(opening('2024-01-02'));
    expect(
      account.submit({ quantity: '3', price: '99.5', timestamp: '2024-01-01 12:00:00', last: '100.25' }),
    ).toEqual([
      {
        type: 'OrderSubmitted',
        data: {
          order_id: 'o1',
          client_order_id: null,
          ticker: 'AAA',
          action: 'buy',
          type: 'market',
          quantity: '3',
          price: '99.5',
          stop_price: null,
          time_in_force: 'day',
          reduce_only: false,
          origin: 'client',
          weights: null,
          client_timestamp: '2024-01-01 12:00:00',
          session: '2024-01-02',
          reference_price: '100.25',
        },
      },
    ]);
  });

  it('is the same order under the same id', () => {
    account.submit();
    expect(account.submit({ quantity: '2' })).toEqual([]);
  });

  it.each<[string, OrderWords]>([
    ['a limit order without a price', { type: 'limit' }],
    ['a stop order without a price', { type: 'stop' }],
    ['a stop-limit order without a stop price', { type: 'stop_limit', price: '100' }],
    ['a stop-limit order without a price', { type: 'stop_limit', stop: '100' }],
    ['a price of zero', { type: 'limit', price: '0' }],
  ])('needs its prices: %s', (_, words) => {
    account.refusesOrder(words, 'PRICE_REQUIRED');
  });

  it.each<[string, OrderWords]>([
    ['a market order', { type: 'market', stop: '100' }],
    ['a limit order', { type: 'limit', price: '100', stop: '100' }],
    ['a stop order with two of them', { type: 'stop', price: '100', stop: '101' }],
  ])('has no stop price where none belongs: %s', (_, words) => {
    account.refusesOrder(words, 'INVALID_REQUEST');
  });

  it.each<[OrderWords]>([[{ price: '95' }], [{ stop: '95' }], [{ price: '95', stop: '95' }]])(
    'of type stop carries its price as the stop price too: %o',
    (words) => {
      const [draft] = account.submit({ type: 'stop', ...words });
      expect(draft!.data).toMatchObject({ price: '95', stop_price: '95' });
    },
  );

  it('is a multiple of the lot', () => {
    account.refusesOrder({ quantity: '1.5' }, 'QUANTITY_STEP');
    account.refusesOrder({ quantity: '0' }, 'QUANTITY_STEP');
    account.refusesOrder({ quantity: '-1' }, 'QUANTITY_STEP');
    const fractional = new Account({ lot: 10_000_000n });
    expect(fractional.submit({ quantity: '1.5' })).toHaveLength(1);
    fractional.refusesOrder({ id: 'o2', quantity: '1.55' }, 'QUANTITY_STEP');
  });

  it('needs a price of its ticker', () => {
    account.refusesOrder({ last: null }, 'MARKET_DATA_MISSING');
    account.refusesOrder({ type: 'limit', price: '100', last: null }, 'MARKET_DATA_MISSING');
  });
});

describe('a client_order_id', () => {
  const words = { client: 'c1', type: 'limit', price: '90', timestamp: '2024-01-01 12:00:00' } as const;

  it('with the same body is the first order again', () => {
    account.submit(words);
    expect(account.submit({ ...words, id: 'o2' })).toEqual([]);
    expect(findByClientOrderId(account.state, order({ ...words, id: 'o2' }))).toBe('o1');
  });

  it('is the first order again also once that is done, and whatever the price is by then', () => {
    account.submit(words);
    account.report('rejected');
    expect(account.submit({ ...words, id: 'o2', last: '50' })).toEqual([]);
  });

  it.each<[OrderWords]>([
    [{ quantity: '2' }],
    [{ price: '91' }],
    [{ action: 'sell' }],
    [{ ticker: 'BBB' }],
    [{ tif: 'gtc' }],
    [{ type: 'stop' }],
    [{ timestamp: null }],
  ])('with another body is refused: %o', (other) => {
    account.submit(words);
    account.refusesOrder({ ...words, id: 'o2', ...other }, 'CLIENT_ORDER_ID_REUSED');
  });

  it('belongs to the order as it was sent, whatever a split made of it', () => {
    account.submit({ ...words, tif: 'gtc' });
    account.do(opening('2024-01-02', { splits: { AAA: '2' } }));
    expect(account.submit({ ...words, tif: 'gtc', id: 'o2' })).toEqual([]);
  });

  it('is free again once the order is withdrawn', () => {
    account.submit(words);
    expect(account.does({ type: 'withdraw', order_id: 'o1' })).toEqual(['OrderWithdrawn']);
    expect(account.state.orders.size).toBe(0);
    expect(account.submit({ ...words, id: 'o2', quantity: '5' })).toHaveLength(1);
  });

  it('is not asked for', () => {
    account.submit();
    expect(findByClientOrderId(account.state, order({ id: 'o2' }))).toBeUndefined();
    expect(account.submit({ id: 'o2' })).toHaveLength(1);
  });
});

describe('exposure', () => {
  it('is opened only while trading runs', () => {
    account.holds('10', '100');
    account.do({ type: 'stop' });
    account.refusesOrder({}, 'TRADING_INACTIVE');
    expect(account.submit({ action: 'sell', quantity: '10' })).toHaveLength(1);
    account.refusesOrder({ id: 'o2', action: 'sell' }, 'TRADING_INACTIVE');
  });

  it('is not opened while trading is halted', () => {
    account.do({ type: 'compare', positions: new Map([['AAA', 1n]]) });
    account.refusesOrder({}, 'TRADING_HALTED');
  });

  it('is opened by selling more than is held, less what open sell orders take', () => {
    account.refusesOrder({ action: 'sell' }, 'SHORT_NOT_ALLOWED');
    account.holds('10', '100');
    account.submit({ id: 'a', action: 'sell', quantity: '6', type: 'limit', price: '120' });
    expect(() => account.submit({ id: 'b', action: 'sell', quantity: '5' })).toThrow(
      expect.objectContaining({
        code: 'SHORT_NOT_ALLOWED',
        detail: expect.stringMatching(/^10 are held, and open orders sell 6 of them already, .*reduce_only/),
      }),
    );
    account.submit({ id: 'b', action: 'sell', quantity: '4' });
    account.report('cancelled', 'a');
    expect(account.submit({ id: 'c', action: 'sell', quantity: '6' })).toHaveLength(1);
  });

  it('is not opened by an order that only reduces', () => {
    account.do({ type: 'stop' });
    expect(account.submit({ action: 'sell', reduceOnly: true })).toHaveLength(1);
  });
});

describe('funds', () => {
  it('pay for a limit order at its limit', () => {
    account.refusesOrder({ type: 'limit', price: '100.01', quantity: '100' }, 'INSUFFICIENT_FUNDS');
    expect(account.submit({ type: 'limit', price: '100', quantity: '100' })).toHaveLength(1);
    account.refusesOrder({ id: 'o2', type: 'limit', price: '0.01' }, 'INSUFFICIENT_FUNDS');
  });

  it('pay for a market order and a stop order with the collar on it', () => {
    account.refusesOrder({ quantity: '96' }, 'INSUFFICIENT_FUNDS');
    account.refusesOrder({ quantity: '96', type: 'stop', price: '100', last: '90' }, 'INSUFFICIENT_FUNDS');
    expect(account.submit({ quantity: '95' })).toHaveLength(1);
  });

  it('are free again as orders end, and taken as they fill', () => {
    account.submit({ id: 'a', type: 'limit', price: '100', quantity: '100' });
    account.trade('40', '90', { id: 'a' });
    expect(account.state).toMatchObject({ cash: parseMoney('6400'), reservedAtLimit: parseMoney('6000') });
    account.report('cancelled', 'a');
    expect(account.state.reservedAtLimit).toBe(0n);
    expect(account.submit({ id: 'b', type: 'limit', price: '64', quantity: '100' })).toHaveLength(1);
  });

  it('do not include sales that are not settled', () => {
    const slow = new Account({ settlementSessions: 2 }).holds('90', '100');
    slow.submit({ id: 's', action: 'sell', quantity: '90' });
    slow.trade('90', '100', { id: 's' });
    slow.refusesOrder({ type: 'limit', price: '10.01', quantity: '100' }, 'INSUFFICIENT_FUNDS');
    slow.do(opening('2024-01-03'));
    slow.refusesOrder({ type: 'limit', price: '10.01', quantity: '100' }, 'INSUFFICIENT_FUNDS');
    slow.do(opening('2024-01-04'));
    expect(slow.submit({ type: 'limit', price: '100', quantity: '100' })).toHaveLength(1);
  });

  it('cover a short sale at the last price, however little it asks for', () => {
    const short = new Account({ shorting: true });
    short.refusesOrder({ action: 'sell', type: 'limit', price: '1', quantity: '96' }, 'INSUFFICIENT_FUNDS');
    short.refusesOrder({ action: 'sell', type: 'limit', price: '106', quantity: '90' }, 'INSUFFICIENT_FUNDS');
    expect(short.submit({ action: 'sell', type: 'limit', price: '1', quantity: '95' })).toHaveLength(1);
    expect(short.state.reservedAtMarket).toBe(parseMoney('9500'));
  });

  it('are tied up by a short position as by a long one, and free again as it is covered', () => {
    const short = new Account({ shorting: true }).holds('-60', '100');
    short.refusesOrder({ type: 'limit', price: '100', quantity: '41', ticker: 'BBB' }, 'INSUFFICIENT_FUNDS');
    short.refusesOrder({ action: 'sell', type: 'limit', price: '100', quantity: '41' }, 'INSUFFICIENT_FUNDS');
    expect(short.submit({ quantity: '60' })).toHaveLength(1);
    short.trade('60', '100');
    expect(short.submit({ id: 'o2', type: 'limit', price: '100', quantity: '100' })).toHaveLength(1);
  });
});

describe('risk limits', () => {
  it('bound what one order is worth', () => {
    const bounded = new Account({ maxOrderValue: parseMoney('1000') });
    bounded.refusesOrder({ quantity: '11' }, 'RISK_LIMIT');
    expect(bounded.submit({ quantity: '10' })).toHaveLength(1);
  });

  it('bound the share of one position, with what is working', () => {
    const bounded = new Account({ maxPositionBps: 2_000n }).holds('10', '100');
    bounded.submit({ id: 'a', quantity: '5' });
    bounded.refusesOrder({ id: 'b', quantity: '6' }, 'RISK_LIMIT');
    expect(bounded.submit({ id: 'b', quantity: '5' })).toHaveLength(1);
    expect(bounded.submit({ id: 'c', quantity: '20', ticker: 'BBB' })).toHaveLength(1);
  });

  it('leave a position all of its room on the side that it crosses to', () => {
    const bounded = new Account({ maxPositionBps: 2_000n, shorting: true }).holds('-10', '100');
    bounded.refusesOrder({ quantity: '31' }, 'RISK_LIMIT');
    expect(bounded.submit({ quantity: '30' })).toHaveLength(1);
  });

  it('do not hold back what closes', () => {
    const bounded = new Account({ maxOrderValue: parseMoney('1000') }).holds('10', '100');
    expect(bounded.submit({ action: 'sell', quantity: '10', last: '500' })).toHaveLength(1);
  });
});

it('says what is needed and what is free where funds do not suffice', () => {
  expect(() => new Account().submit({ id: 'o', quantity: '1000', type: 'limit', price: '90' })).toThrow(
    expect.objectContaining({ detail: expect.stringMatching(/^90000 is needed; 10000 of 10000 is free/) }),
  );
});
