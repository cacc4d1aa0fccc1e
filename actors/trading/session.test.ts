import { beforeEach, describe, expect, it } from 'vitest';
import { parseMoney, parsePrice, parseQuantity } from '../../events/decimal.ts';
import { Account, opening } from './account.suite.ts';

let account: Account;

beforeEach(() => {
  account = new Account();
});

const close = (session: string, closes: Record<string, string>) =>
  ({
    type: 'close-session',
    session,
    closes: new Map(Object.entries(closes).map(([ticker, text]) => [ticker, parsePrice(text)])),
  }) as const;

describe('the opening of a session', () => {
  it('moves the feed’s time on, once', () => {
    expect(account.does(opening('2024-01-02'))).toEqual(['SessionOpened']);
    expect(account.does(opening('2024-01-02'))).toEqual([]);
    expect(account.does(opening('2024-01-01'))).toEqual([]);
  });

  it('settles the cash of sales that is due', () => {
    account = new Account({ settlementSessions: 2 });
    account.do(opening('2024-01-02'));
    account.holds('10', '100');
    account.submit({ id: 'a', action: 'sell', quantity: '4' });
    account.trade('4', '110', { id: 'a', fee: '1' });
    expect(account.state).toMatchObject({
      cash: parseMoney('8999'),
      unsettled: [{ amount: parseMoney('440') }],
    });
    account.do(opening('2024-01-03'));
    account.submit({ id: 'b', action: 'sell', quantity: '6' });
    account.trade('6', '110', { id: 'b' });
    expect(account.state.unsettled).toHaveLength(2);
    account.do(opening('2024-01-04'));
    expect(account.state).toMatchObject({
      cash: parseMoney('9439'),
      unsettled: [{ amount: parseMoney('660') }],
    });
    account.do(opening('2024-01-05'));
    expect(account.state).toMatchObject({ cash: parseMoney('10099'), unsettled: [] });
  });
});

describe('a split', () => {
  it('leaves what a position is worth and what it cost', () => {
    account.holds('10', '100');
    expect(account.do(opening('2024-01-02', { splits: { AAA: '7' } }))[1]).toEqual({
      type: 'SplitApplied',
      data: {
        ticker: 'AAA',
        session: '2024-01-02',
        ratio: '7/1',
        quantity: '70',
        cost: '1000',
        cash_in_lieu: '0',
        realized: '0',
      },
    });
    expect(account.state.marks.get('AAA')).toBe(parsePrice('14.28571429'));
  });

  it('pays for the fraction that is cut off, at the opening price, and its cost leaves with it', () => {
    account.holds('15', '100');
    // 1.5 shares: the half is paid with 600, and cost 500.
    const [, split] = account.do(opening('2024-01-02', { splits: { AAA: '1/10' }, opens: { AAA: '1200' } }));
    expect(split!.data).toMatchObject({ quantity: '1', cost: '1000', cash_in_lieu: '600', realized: '100' });
    expect(account.state.cash).toBe(parseMoney('9100'));
    expect(account.state.positions.get('AAA')).toMatchObject({ realized: parseMoney('100') });
  });

  it('pays for it at the last price where the ticker has no opening price', () => {
    account.holds('15', '100');
    const [, split] = account.do(opening('2024-01-02', { splits: { AAA: '1/10' } }));
    expect(split!.data).toMatchObject({ quantity: '1', cash_in_lieu: '500', realized: '0' });
  });

  it('of a short position is owed instead of paid', () => {
    account = new Account({ shorting: true }).holds('-15', '100');
    const [, split] = account.do(opening('2024-01-02', { splits: { AAA: '1/10' }, opens: { AAA: '1200' } }));
    expect(split!.data).toMatchObject({
      quantity: '-1',
      cost: '-1000',
      cash_in_lieu: '-600',
      realized: '-100',
    });
  });

  it('can leave nothing: then the ticker is flat', () => {
    account.holds('3', '100');
    account.do(opening('2024-01-02', { splits: { AAA: '1/10' } }));
    expect(account.state.positions.get('AAA')).toEqual({
      quantity: 0n,
      ofStrategy: 0n,
      cost: 0n,
      realized: 0n,
      dividends: 0n,
      borrowing: 0n,
      fees: 0n,
      priced: '2024-01-02',
    });
    expect(account.state).toMatchObject({ cash: parseMoney('10000') });
    expect(account.state.marks.size).toBe(0);
  });

  it('changes open orders: quantity down to the lot, prices to the cent', () => {
    account.submit({ quantity: '10', type: 'stop_limit', price: '10.01', stop: '9', tif: 'gtc' });
    const drafts = account.do(opening('2024-01-02', { splits: { AAA: '3/2' } }));
    expect(drafts.slice(1)).toEqual([
      {
        type: 'OrderAdjusted',
        data: {
          order_id: 'o1',
          ticker: 'AAA',
          quantity: '15',
          filled_quantity: '0',
          price: '6.67',
          stop_price: '6',
        },
      },
    ]);
  });

  it('rounds prices below 1 to the hundredth of a cent', () => {
    account.submit({ type: 'limit', price: '1', tif: 'gtc' });
    account.do(opening('2024-01-02', { splits: { AAA: '3' } }));
    expect(account.state.orders.get('o1')?.price).toBe(parsePrice('0.3333'));
  });

  it('cuts what is filled and what is left of an order each by itself', () => {
    account.submit({ quantity: '100', type: 'limit', price: '10', tif: 'gtc' });
    account.trade('33', '10');
    account.do(opening('2024-01-02', { splits: { AAA: '3/2' } }));
    expect(account.state.orders.get('o1')).toMatchObject({
      quantity: parseQuantity('149'),
      filled: parseQuantity('49'),
      status: 'partially_filled',
    });
    expect(account.trade('100', '6.67')).toEqual(['OrderFilled']);
    expect(account.state.open.size).toBe(0);
  });

  it('can leave nothing of what is filled of an order: the broker has it all the same', () => {
    account.submit({ quantity: '25', type: 'limit', price: '10', tif: 'gtc' });
    account.trade('4', '10');
    account.do(opening('2024-01-02', { splits: { AAA: '1/10' } }));
    expect(account.state.orders.get('o1')).toMatchObject({ filled: 0n, quantity: parseQuantity('2') });
    expect(account.report('accepted')).toEqual([]);
    expect(account.report('rejected')).toEqual(['DiscrepancyFound', 'TradingHalted', 'OrderCancelRequested']);
  });

  it('cancels an order of which nothing is left', () => {
    account.submit({ quantity: '5', type: 'limit', price: '10', tif: 'gtc' });
    expect(account.does(opening('2024-01-02', { splits: { AAA: '1/10' } }))).toEqual([
      'SessionOpened',
      'OrderCancelRequested',
    ]);
    expect(account.report('cancelled')).toEqual(['OrderCancelled']);
  });

  it('changes an order that is to be cancelled too: it may still be filled', () => {
    account.submit({ quantity: '5', type: 'limit', price: '10', tif: 'gtc' });
    account.do({ type: 'cancel', order_id: 'o1' });
    account.do(opening('2024-01-02', { splits: { AAA: '2' } }));
    expect(account.trade('10', '5')).toEqual(['OrderFilled']);
  });

  it('keeps reserves in proportion', () => {
    account.submit({ quantity: '10', tif: 'gtc' });
    account.submit({ id: 'o2', quantity: '10', type: 'limit', price: '50', tif: 'gtc' });
    account.do(opening('2024-01-02', { splits: { AAA: '2' } }));
    expect(account.state).toMatchObject({
      reservedAtMarket: parseMoney('1000'),
      reservedAtLimit: parseMoney('500'),
    });
    account.report('cancelled', 'o1');
    account.report('cancelled', 'o2');
    expect(account.state).toMatchObject({ reservedAtMarket: 0n, reservedAtLimit: 0n });
  });

  it('of another ticker changes nothing here', () => {
    account.holds('10', '100');
    expect(account.does(opening('2024-01-02', { splits: { BBB: '2' } }))).toEqual(['SessionOpened']);
  });
});

describe('a dividend', () => {
  it('is paid for what is held at the opening of the ex-date', () => {
    account.holds('10', '100');
    expect(account.do(opening('2024-01-02', { dividends: { AAA: '0.205', BBB: '1' } }))).toEqual([
      { type: 'SessionOpened', data: { session: '2024-01-02' } },
      {
        type: 'DividendPaid',
        data: { ticker: 'AAA', session: '2024-01-02', per_share: '0.205', quantity: '10', amount: '2.05' },
      },
    ]);
    expect(account.state.cash).toBe(parseMoney('9002.05'));
    expect(account.state.positions.get('AAA')).toMatchObject({
      dividends: parseMoney('2.05'),
      realized: 0n,
    });
  });

  it('is paid by a short position', () => {
    account = new Account({ shorting: true }).holds('-10', '100');
    account.do(opening('2024-01-02', { dividends: { AAA: '0.5' } }));
    expect(account.state.cash).toBe(parseMoney('10995'));
  });

  it('on the day of a split is a new share’s', () => {
    account.holds('10', '100');
    const drafts = account.do(opening('2024-01-02', { splits: { AAA: '4' }, dividends: { AAA: '0.5' } }));
    expect(drafts.at(-1)!.data).toMatchObject({ quantity: '40', amount: '20' });
  });
});

describe('a ticker that no longer trades', () => {
  it('is settled at its last price at the opening of the session that says so, once', () => {
    account.do(opening('2024-01-02'));
    account.holds('10', '100', 'AAA', '1').holds('2', '50', 'BBB');
    account.do(close('2024-01-02', { AAA: '90', BBB: '50' }));
    const gone = { AAA: '2024-01-02', CCC: '2023-12-29' };
    expect(account.do(opening('2024-02-01', { gone }))).toEqual([
      { type: 'SessionOpened', data: { session: '2024-02-01' } },
      {
        type: 'PositionSettled',
        data: {
          ticker: 'AAA',
          session: '2024-02-01',
          last_traded: '2024-01-02',
          quantity: '10',
          price: '90',
          amount: '900',
        },
      },
    ]);
    expect(account.state.cash).toBe(parseMoney('9799'));
    expect(account.state.positions.get('AAA')).toMatchObject({ quantity: 0n, realized: parseMoney('-101') });
    expect(account.state.marks.has('AAA')).toBe(false);
    account.do(close('2024-02-01', { BBB: '50' }));
    expect(account.does(opening('2024-02-02', { gone }))).toEqual(['SessionOpened']);
  });

  it('costs who is short what it takes to buy back, in shares of after a split of that day', () => {
    account = new Account({ shorting: true }).holds('-10', '100');
    const words = { gone: { AAA: '2024-01-02' }, splits: { AAA: '2' } };
    expect(account.do(opening('2024-02-01', words)).at(-1)!.data).toMatchObject({
      quantity: '-20',
      price: '50',
      amount: '-1000',
    });
    expect(account.state.cash).toBe(parseMoney('10000'));
  });
});

describe('the close of a session', () => {
  it('marks what is held and says what the account is worth, once', () => {
    account.do(opening('2024-01-02'));
    account.holds('10', '100').holds('1', '7', 'BBB');
    account.submit({ id: 'flat', ticker: 'BBB', action: 'sell' });
    account.trade('1', '7', { id: 'flat' });
    expect(account.do(close('2024-01-02', { AAA: '103.5', BBB: '7', CCC: '1' }))).toEqual([
      {
        type: 'SessionClosed',
        data: { session: '2024-01-02', closes: { AAA: '103.5' }, cash: '9000', total_value: '10035' },
      },
    ]);
    expect(account.do(close('2024-01-02', { AAA: '1' }))).toEqual([]);
  });

  it('keeps the last mark of what did not trade, and counts cash that is not settled', () => {
    account = new Account({ settlementSessions: 1 });
    account.do(opening('2024-01-02'));
    account.holds('10', '100');
    account.submit({ id: 's', action: 'sell', quantity: '4' });
    account.trade('4', '100', { id: 's' });
    expect(account.do(close('2024-01-02', {}))[0]!.data).toMatchObject({
      cash: '9000',
      total_value: '10000',
    });
  });

  it('is of the session that is open', () => {
    account.refuses(close('2024-01-02', {}), 'INTERNAL');
  });
});
