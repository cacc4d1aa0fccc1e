import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMoney, parsePrice, quantityText, type Price } from '../../events/decimal.ts';
import { Account } from './account.suite.ts';
import { ordersFor, type Unmet } from './sizing.ts';

const prices = (texts: Record<string, string>): ReadonlyMap<string, Price> =>
  new Map(Object.entries(texts).map(([ticker, text]) => [ticker, parsePrice(text)]));

function sized(account: Account, weights: Record<string, number>, at: Record<string, string>): string[] {
  const targets = Object.entries(weights).map(([ticker, weight]) => ({ ticker, weight }));
  return ordersFor(targets, account.state, account.policy, prices(at)).map(
    ({ ticker, action, quantity }) => `${action} ${quantityText(quantity)} ${ticker}`,
  );
}

describe('orders for target weights', () => {
  it('are whole lots toward zero', () => {
    expect(sized(new Account(), { AAA: 0.5, BBB: 0.25 }, { AAA: '101', BBB: '3' })).toEqual([
      'buy 49 AAA',
      'buy 833 BBB',
    ]);
  });

  it('sell before they buy, and leave what is there in whole lots', () => {
    const account = new Account().strategyHolds('50', '100').strategyHolds('20', '100', 'BBB');
    expect(sized(account, { CCC: 0.1, AAA: 0.1, BBB: 0.2 }, { AAA: '100', BBB: '96', CCC: '50' })).toEqual([
      'sell 40 AAA',
      'buy 20 CCC',
    ]);
  });

  it('leave alone what is held by hand: only what the strategy opened is sold, or counts as there', () => {
    const account = new Account().holds('10', '100').strategyHolds('20', '100');
    expect(sized(account, { AAA: 0 }, { AAA: '100' })).toEqual(['sell 20 AAA']);
    expect(sized(new Account().holds('30', '100'), { AAA: 0 }, { AAA: '100' })).toEqual([]);
    expect(sized(new Account().holds('30', '100'), { AAA: 0.3 }, { AAA: '100' })).toEqual(['buy 30 AAA']);
  });

  it('leave alone what has no price, what has an order working, and what is not named', () => {
    const account = new Account().strategyHolds('10', '100');
    account.submit({ ticker: 'BBB', type: 'limit', price: '1' });
    expect(sized(account, { BBB: 0.1, CCC: 0.1, DDD: Number.NaN }, { BBB: '10', DDD: '10' })).toEqual([]);
  });

  it('take no more than funds allow with the collar', () => {
    const account = new Account();
    expect(sized(account, { AAA: 1 }, { AAA: '100' })).toEqual(['buy 95 AAA']);
    expect(sized(account, { AAA: 0.6, BBB: 0.6 }, { AAA: '100', BBB: '100' })).toEqual([
      'buy 60 AAA',
      'buy 35 BBB',
    ]);
  });

  it('go short only where that is allowed', () => {
    const at = { AAA: '100' };
    expect(sized(new Account().strategyHolds('10', '100'), { AAA: -0.2 }, at)).toEqual(['sell 10 AAA']);
    expect(sized(new Account({ shorting: true }).strategyHolds('10', '100'), { AAA: -0.2 }, at)).toEqual([
      'sell 30 AAA',
    ]);
  });

  it('stay within risk limits', () => {
    const account = new Account({ maxOrderValue: parseMoney('2000'), maxPositionBps: 1_000n });
    expect(sized(account, { AAA: 0.5 }, { AAA: '100' })).toEqual(['buy 10 AAA']);
    const loose = new Account({ maxOrderValue: parseMoney('2000') });
    expect(sized(loose, { AAA: 0.5 }, { AAA: '100' })).toEqual(['buy 20 AAA']);
  });

  it('leave room for the collar being rounded once over all of them', () => {
    const account = new Account({ lot: 1n, collarBps: 1_500n }, '0.000000000001');
    const targets = Object.entries({ AAA: 0.2003, BBB: 0.2003, CCC: 0.9 });
    const at = prices({ AAA: '0.00000001', BBB: '0.00000001', CCC: '0.00000001' });
    const wanted = targets.map(([ticker, weight]) => ({ ticker, weight }));
    for (const order of ordersFor(wanted, account.state, account.policy, at)) {
      expect(account.does({ type: 'submit', order: { ...order, order_id: order.ticker } })).toHaveLength(1);
    }
    expect(account.state.orders.size).toBe(3);
  });

  it('are all accepted by the account, one after the other', () => {
    const weight = fc.double({ min: -1.5, max: 1.5, noNaN: true });
    const price = fc.bigInt({ min: 1n, max: 50_000_000_000n });
    const terms = fc.record({
      lot: fc.constantFrom(100_000_000n, 10_000n, 1n),
      collarBps: fc.bigInt({ min: 0n, max: 1_500n }),
      shorting: fc.boolean(),
      maxPositionBps: fc.constantFrom(null, 2_500n),
    });
    fc.assert(
      fc.property(terms, fc.array(fc.tuple(weight, price), { maxLength: 5 }), (policy, wanted) => {
        const account = new Account(policy);
        const targets = wanted.map(([weight], index) => ({ ticker: `T${index}`, weight }));
        const at = new Map(wanted.map(([, price], index) => [`T${index}`, price]));
        for (const [index, order] of ordersFor(targets, account.state, account.policy, at).entries()) {
          const command = { type: 'submit', order: { ...order, order_id: String(index) } } as const;
          expect(account.does(command)).toEqual(['OrderSubmitted']);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('what a strategy wanted and did not get', () => {
  it('is said, each with why', () => {
    const account = new Account();
    const told: Unmet[] = [];
    const at = prices({ AAPL: '100' });
    const targets = [
      { ticker: 'AAPL', weight: 5 },
      { ticker: 'NAN', weight: Number.NaN },
      { ticker: 'NOBODY', weight: 0.1 },
      { ticker: 'AAPL', weight: -1 },
    ];
    ordersFor(targets, account.state, account.policy, at, (unmet) => told.push(unmet));
    expect(told.map(({ ticker, reason }) => `${ticker}: ${reason}`)).toEqual([
      'NAN: weight is no number',
      'NOBODY: no price',
      'AAPL: short is not allowed',
      'AAPL: not enough cash',
    ]);
  });

  it.each([
    [{ maxPositionBps: 1_000n }, 'more than the largest position'],
    [{ maxOrderValue: parseMoney('200') }, 'more than the largest order'],
    [{ maxOrderValue: parseMoney('1000000') }, 'not enough cash'],
  ])('names which limit cuts it: %#', (policy, reason) => {
    const account = new Account(policy);
    const told: Unmet[] = [];
    const targets = [{ ticker: 'AAPL', weight: 5 }];
    ordersFor(targets, account.state, account.policy, prices({ AAPL: '100' }), (unmet) => told.push(unmet));
    expect(told).toMatchObject([{ ticker: 'AAPL', reason }]);
  });
});
