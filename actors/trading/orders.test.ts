import { beforeEach, describe, expect, it } from 'vitest';
import { quantityText } from '../../events/decimal.ts';
import { Account, opening } from './account.suite.ts';

let account: Account;

beforeEach(() => {
  account = new Account();
});

describe('cancelling', () => {
  it('records the wish', () => {
    account.submit();
    expect(account.do({ type: 'cancel', order_id: 'o1' })).toEqual([
      { type: 'OrderCancelRequested', data: { order_id: 'o1', ticker: 'AAA' } },
    ]);
  });

  it('is quiet when the wish is on record, also after a fill or an acceptance in between', () => {
    account.submit({ quantity: '10' });
    account.do({ type: 'cancel', order_id: 'o1' });
    expect(account.does({ type: 'cancel', order_id: 'o1' })).toEqual([]);
    account.report('accepted');
    expect(account.does({ type: 'cancel', order_id: 'o1' })).toEqual([]);
    account.trade('4', '100');
    expect(account.does({ type: 'cancel', order_id: 'o1' })).toEqual([]);
    expect(account.report('cancelled')).toEqual(['OrderCancelled']);
  });

  it('needs an order', () => {
    account.refuses({ type: 'cancel', order_id: 'o1' }, 'UNKNOWN_ORDER');
  });

  it.each(['rejected', 'cancelled', 'expired'] as const)('an order that is %s is refused', (end) => {
    account.submit();
    account.report('accepted');
    account.report(end);
    account.refuses({ type: 'cancel', order_id: 'o1' }, 'NOT_CANCELLABLE');
  });

  it('an order that is filled is refused', () => {
    account.holds('1', '100');
    const [filled] = account.state.orders.keys();
    account.refuses({ type: 'cancel', order_id: filled! }, 'NOT_CANCELLABLE');
  });
});

describe('closing a position', () => {
  const close = { type: 'close', ticker: 'AAA', order_id: 'c', last_price: 100n } as const;

  it('cancels what is open in the ticker, then sells all of it at the market', () => {
    account.holds('10', '100');
    account.submit({ id: 'a', action: 'sell', quantity: '4', type: 'limit', price: '120' });
    account.submit({ id: 'b', ticker: 'BBB' });
    expect(account.do(close)).toMatchObject([
      { type: 'OrderCancelRequested', data: { order_id: 'a' } },
      {
        type: 'OrderSubmitted',
        data: {
          order_id: 'c',
          action: 'sell',
          type: 'market',
          quantity: '10',
          reduce_only: true,
          origin: 'close',
        },
      },
    ]);
    expect(account.does(close)).toEqual([]);
  });

  it('buys back a short position', () => {
    account = new Account({ shorting: true }).holds('-10', '100');
    expect(account.do(close)).toMatchObject([{ data: { action: 'buy', quantity: '10' } }]);
  });

  it('needs a position', () => {
    account.refuses(close, 'NO_POSITION');
    account.holds('10', '100');
    account.submit({ id: 'x', action: 'sell', quantity: '10' });
    account.trade('10', '100', { id: 'x' });
    account.refuses(close, 'NO_POSITION');
  });

  it('works while trading is stopped, while it is halted, and without a price', () => {
    account.holds('10', '100');
    account.do({ type: 'stop' });
    expect(account.does(close)).toEqual(['OrderSubmitted']);
    account.do({ type: 'compare', positions: new Map() });
    expect(account.state.engine).toBe('halted');
    expect(account.does({ ...close, order_id: 'd', last_price: null })).toEqual([
      'OrderCancelRequested',
      'OrderSubmitted',
    ]);
  });

  it('takes a position that is no multiple of the lot', () => {
    account = new Account({ lot: 50_000_000n }).holds('1.5', '100');
    const whole = Object.assign(Object.create(account) as Account, {
      policy: { ...account.policy, lot: 100_000_000n },
    });
    expect(whole.do(close)).toMatchObject([{ data: { quantity: '1.5' } }]);
  });
});

describe('delivery', () => {
  beforeEach(() => {
    account.submit();
  });

  it('is unknown when the broker did not answer, once', () => {
    const unknown = { type: 'delivery-unknown', order_id: 'o1' } as const;
    expect(account.does(unknown)).toEqual(['OrderDeliveryUnknown']);
    expect(account.does(unknown)).toEqual([]);
    expect(account.report('accepted')).toEqual(['OrderAccepted']);
    expect(account.does(unknown)).toEqual([]);
  });

  it('is unknown to whoever takes up the account, of each order that the broker has not spoken about', () => {
    account.do({ type: 'delivery-unknown', order_id: 'o1' });
    for (const id of ['o2', 'o3', 'o4']) account.submit({ id });
    account.report('accepted', 'o3');
    account.do({ type: 'cancel', order_id: 'o4' });
    const doubted = account.do({ type: 'doubt-unanswered' });
    expect(doubted.map(({ type, data }) => [type, data])).toEqual(
      ['o1', 'o2'].map((order_id) => ['OrderDeliveryUnknown', { order_id, ticker: 'AAA' }]),
    );
    account.refuses({ type: 'withdraw', order_id: 'o2' }, 'NOT_CANCELLABLE');
  });

  it('never was where the broker cancels an order that it had not had', () => {
    account.do({ type: 'cancel', order_id: 'o1' });
    expect(account.report('cancelled')).toEqual(['OrderCancelled']);
  });

  it('is of an order that there is', () => {
    account.refuses({ type: 'delivery-unknown', order_id: 'x' }, 'UNKNOWN_ORDER');
  });

  it('never began where the order is withdrawn, and that only then', () => {
    expect(account.does({ type: 'withdraw', order_id: 'x' })).toEqual([]);
    account.report('accepted');
    account.refuses({ type: 'withdraw', order_id: 'o1' }, 'NOT_CANCELLABLE');
  });

  it('leaves nothing behind of an order that is withdrawn', () => {
    account.do({ type: 'withdraw', order_id: 'o1' });
    expect(account.state).toMatchObject({ reservedAtMarket: 0n, reservedAtLimit: 0n });
    expect([account.state.orders.size, account.state.open.size, account.state.books.size]).toEqual([0, 0, 0]);
    expect(account.report('accepted')).toEqual(['DiscrepancyFound', 'TradingHalted']);
  });

  it('is no matter to an order that is withdrawn where the broker says that it is cancelled', () => {
    account.do({ type: 'cancel', order_id: 'o1' });
    account.do({ type: 'withdraw', order_id: 'o1' });
    expect(account.report('cancelled')).toEqual([]);
  });
});

it('an order submitted before the first session has no time of the feed', () => {
  expect(account.submit()[0]!.data).toMatchObject({ session: null });
  account.do(opening('2024-01-02'));
  expect(account.submit({ id: 'o2' })[0]!.data).toMatchObject({ session: '2024-01-02' });
});

const ofStrategy = () => quantityText(account.state.positions.get('AAA')!.ofStrategy);
const sell = (id: string, quantity: string, origin: 'client' | 'strategy' | 'close') => {
  account.submit({ id, action: 'sell', quantity, origin });
  account.trade(quantity, '100', { id });
};

describe('what the strategy opened', () => {
  it('is its own; by hand, what was bought by hand is sold first', () => {
    account.holds('10', '100').strategyHolds('20', '100').holds('5', '100');
    expect(ofStrategy()).toBe('20');
    sell('a', '12', 'client');
    expect(ofStrategy()).toBe('20');
    sell('b', '6', 'client');
    expect(ofStrategy()).toBe('17');
    sell('c', '7', 'strategy');
    expect(ofStrategy()).toBe('10');
    sell('d', '10', 'close');
    expect(ofStrategy()).toBe('0');
  });

  it('is split as the position is, in whole shares', () => {
    account.holds('10', '100').strategyHolds('15', '100');
    account.do(opening('2024-01-02', { splits: { AAA: '3/2' } }));
    expect(ofStrategy()).toBe('22');
    account.do(opening('2024-01-03', { gone: { AAA: '2024-01-02' } }));
    expect(ofStrategy()).toBe('0');
  });

  it('is all of a split position that is all its own', () => {
    account.strategyHolds('15', '100');
    account.do(opening('2024-01-02', { splits: { AAA: '3/2' } }));
    expect(ofStrategy()).toBe('22');
  });
});
