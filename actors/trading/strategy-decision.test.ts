import { beforeEach, describe, expect, it } from 'vitest';
import { parseMoney, parsePrice, parseQuantity } from '../../events/decimal.ts';
import { StrategyAnswer } from '../strategy/answer.ts';
import { Account } from './account.suite.ts';
import { strategyOrderId, type AccountData } from './commands.ts';
import { fromSnapshot, stateHash, toSnapshot } from './snapshot.ts';
import { accountShown } from './strategy-account.ts';
import { evolve } from './evolve.ts';

let account: Account;
let day: number;

const TAKEN = { type: 'use-strategy', source: './mine.ts', hash: 'h', parameters: { x: 1 } } as const;

beforeEach(() => {
  account = new Account();
  account.do({ ...TAKEN, strategy: 'mine', share: null });
  day = 2;
});

interface DayOf {
  readonly closes?: Readonly<Record<string, number>>;
  readonly splits?: Readonly<Record<string, string>>;
  readonly strategy?: string;
  readonly universe?: string[];
}

/** A session of AAA at 100, and what a strategy answers after it. */
function decided(
  answer: unknown,
  { closes = { AAA: 100 }, splits = {}, strategy = 'mine', universe }: DayOf = {},
) {
  const date = `2024-01-${String(day).padStart(2, '0')}`;
  const bars = Object.fromEntries(
    Object.entries(closes).map(([ticker, price]) => [
      ticker,
      { open: price, high: price, low: price, close: price, volume: 1_000 },
    ]),
  );
  const session = { date, bars, splits, dividends: {}, ...(universe && { universe }) };
  const [draft] = account.do({
    type: 'decide-strategy',
    strategy,
    session,
    answer: StrategyAnswer.parse(answer),
  });
  return draft?.data as AccountData<'StrategyDecided'> | undefined;
}

/** The orders of the last decision. */
function submits() {
  const { orders } = account.state.strategies!.get('mine')!;
  for (const [at, order] of orders.entries()) {
    const id = `d${day}-${at}`;
    const { reason, quantity, price: limit, stop_price, trails_from: _, ...said } = order;
    account.do({
      type: 'submit',
      order: {
        ...said,
        order_id: id,
        quantity: parseQuantity(quantity),
        price: limit === null ? null : parsePrice(limit),
        stop_price: stop_price === null ? null : parsePrice(stop_price),
        client_order_id: null,
        origin: 'strategy',
        client_timestamp: null,
        last_price: parsePrice('100'),
        strategy: { name: 'mine', hash: 'h', parameters: { x: 1 }, reason },
      },
    });
  }
  return orders;
}

/** The next session, opened and closed, with the orders of the last decision filled at a price. */
function fills(
  price: string,
  { splits = {}, upTo }: { splits?: Record<string, string>; upTo?: string } = {},
): void {
  const orders = submits();
  day += 1;
  const date = `2024-01-${String(day).padStart(2, '0')}`;
  const session = { date, bars: {}, splits, dividends: {} };
  account.do({ type: 'open-session', session });
  for (const [at, order] of orders.entries()) {
    account.trade(upTo ?? order.quantity, price, { id: `d${day - 1}-${at}` });
  }
  account.do({ type: 'close-session', session: date, closes: new Map([['AAA', parsePrice(price)]]) });
}

const wish = (quantity: number, tolerance?: number) => ({
  targets: [{ ticker: 'AAA', quantity, tolerance }],
});

describe('a target', () => {
  it('is turned into shares once, and said with the order that leads there', () => {
    expect(decided({ targets: [{ ticker: 'AAA', weight: 0.5, reason: 'up' }] })).toMatchObject({
      targets: [{ ticker: 'AAA', by: 'weight', amount: 0.5, quantity: '50', reason: 'up' }],
      orders: [{ ticker: 'AAA', action: 'buy', type: 'market', quantity: '50', reason: 'up' }],
      unmet: [],
    });
  });

  it.each([
    [{ quantity: 7.9 }, '7'],
    [{ value: 555 }, '5'],
    [{ weight: 0.1234 }, '12'],
  ])('of %j is cut to whole lots', (wanted, quantity) => {
    expect(decided({ targets: [{ ticker: 'AAA', ...wanted }] })!.targets).toMatchObject([{ quantity }]);
  });

  it('stands until it is reached', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    fills('110', { upTo: '4' });
    account.do({ type: 'report', report: { type: 'expired', order_id: 'd2-0', cursor: 'x1' } });
    expect(decided({})).toMatchObject({ targets: [{ quantity: '10' }], orders: [{ quantity: '6' }] });
    fills('120');
    expect(decided({})).toMatchObject({ targets: [], orders: [], unmet: [] });
    expect(account.state.strategies!.get('mine')!.holdings.get('AAA')).toMatchObject({
      quantity: parseQuantity('10'),
      opened: '2024-01-02',
      high: parsePrice('120'),
    });
  });

  it('of a day does not stand, and takes the place of one that does', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10, time_in_force: 'day', stop: 90 }] });
    fills('110', { upTo: '4' });
    account.do({ type: 'report', report: { type: 'expired', order_id: 'd2-0', cursor: 'x1' } });
    expect(decided({})).toMatchObject({ targets: [], orders: [], unmet: [] });
    expect([...account.state.open.values()]).toMatchObject([{ type: 'stop', quantity: parseQuantity('4') }]);
    day += 1;
    decided({ targets: [{ ticker: 'BBB', quantity: 5 }] });
    day += 1;
    decided({ targets: [{ ticker: 'BBB', quantity: 7, time_in_force: 'day' }] });
    day += 1;
    expect(decided({}, { closes: { BBB: 10 } })).toMatchObject({ targets: [], orders: [] });
  });

  it('with a tolerance leaves a position within it alone, and a rest within it when it stands', () => {
    decided(wish(50, 0.05));
    fills('100', { upTo: '48' });
    account.do({ type: 'report', report: { type: 'expired', order_id: 'd2-0', cursor: 'x1' } });
    expect(decided({})).toMatchObject({ targets: [], orders: [], unmet: [] });
    const orders = (answer: unknown) => {
      day += 1;
      return decided(answer)!.orders.map(({ action, quantity }) => `${action} ${quantity}`);
    };
    expect(orders(wish(46, 0.05))).toEqual([]);
    expect(orders(wish(45, 0.05))).toEqual(['sell 3']);
    expect(orders(wish(50, 0.05))).toEqual([]);
    expect(orders(wish(51, 0.05))).toEqual(['buy 3']);
    expect(orders(wish(49))).toEqual(['buy 1']);
    expect(orders(wish(0, 0.5))).toEqual(['sell 48']);
  });

  it('stands in shares of its day after a split', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    expect(account.state.strategies!.get('mine')!.targets).toHaveLength(1);
    day += 1;
    expect(decided({}, { splits: { AAA: '3/1' }, closes: { AAA: 33 } })).toMatchObject({
      targets: [{ quantity: '30' }],
      orders: [{ quantity: '30' }],
    });
  });

  it('has its stop where the stop order is after a split', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10, stop: 95.01 }] });
    day += 1;
    expect(decided({}, { splits: { AAA: '2/1' }, closes: { AAA: 50 } })).toMatchObject({
      targets: [{ protection: { stop: '47.51' } }],
      orders: [{ bracket: { stop_loss: '47.51' } }],
    });
  });

  it('is replaced by another one of its ticker', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    day += 1;
    expect(decided({ targets: [{ ticker: 'AAA', quantity: 3 }] })!.targets).toMatchObject([
      { quantity: '3' },
    ]);
  });

  it('ends when trading stops', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    account.do({ type: 'stop' });
    expect(decided({})).toBeUndefined();
    account.do({ type: 'start' });
    day += 1;
    expect(decided({})).toMatchObject({ targets: [], orders: [] });
  });

  it('that is no multiple of the smallest quantity is cut, which is said, and an order alike', () => {
    const unmet = [
      { ticker: 'AAA', reason: 'no multiple of the smallest quantity', wanted: '1.5', got: '1' },
    ];
    expect(decided({ targets: [{ ticker: 'AAA', quantity: 1.5 }] })).toMatchObject({
      orders: [{ quantity: '1' }],
      unmet,
    });
    day += 1;
    const order = { ticker: 'AAA', action: 'buy', quantity: 1.5 } as const;
    expect(decided({ targets: [{ ticker: 'AAA', quantity: 0 }], orders: [order] })).toMatchObject({
      orders: [{ quantity: '1' }],
      unmet,
    });
  });

  it('that costs too much is cut, which is said', () => {
    expect(decided({ targets: [{ ticker: 'AAA', quantity: 500 }] })).toMatchObject({
      orders: [{ quantity: '95' }],
      unmet: [{ ticker: 'AAA', reason: 'not enough cash', wanted: '500', got: '95' }],
    });
  });

  it.each([
    [{ ticker: 'AAA', quantity: -5 }, 'short is not allowed'],
    [{ ticker: 'BBB', weight: 0.5 }, 'no bar in this session'],
    [{ ticker: 'BBB', quantity: 5 }, 'no bar in this session'],
  ])('%j that cannot be is said: %s', (target, reason) => {
    expect(decided({ targets: [target] })).toMatchObject({ orders: [], unmet: [{ reason }] });
  });

  it('in what was bought by hand sells nothing of it', () => {
    account.holds('20', '100');
    expect(decided({ targets: [{ ticker: 'AAA', weight: 0 }] })).toMatchObject({ orders: [], unmet: [] });
  });
});

describe('orders of its own', () => {
  it('are submitted as they are said, and cancelled by their ids', () => {
    const order = {
      ticker: 'AAA',
      action: 'buy',
      quantity: 5,
      type: 'limit',
      price: 90.5,
      time_in_force: 'gtc',
    };
    expect(decided({ orders: [order] })!.orders).toEqual([
      { ...order, quantity: '5', price: '90.5', stop_price: null, reduce_only: false, reason: null },
    ]);
    fills('1', { upTo: '1' });
    expect(accountShown(account.state, 'mine', account.policy).orders).toMatchObject([
      { order_id: 'd2-0', ticker: 'AAA', quantity: 5, filled: 1, price: 90.5 },
    ]);
    expect(decided({ cancel: ['d2-0', 'o-of-somebody-else'] })!.cancels).toEqual(['d2-0']);
  });

  it('sell no more than it holds', () => {
    account.holds('20', '100');
    expect(decided({ orders: [{ ticker: 'AAA', action: 'sell', quantity: 5 }] })).toMatchObject({
      orders: [],
      unmet: [{ reason: 'more than it holds', wanted: '5', got: '0' }],
    });
  });
});

describe('orders of one answer', () => {
  it('that sell what another open order sells already say so', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 4 }] });
    fills('100');
    const sale = { ticker: 'AAA', action: 'sell', quantity: 3, time_in_force: 'gtc' } as const;
    expect(
      decided({
        orders: [
          { ...sale, type: 'limit', price: 120 },
          { ...sale, quantity: 2 },
        ],
      }),
    ).toMatchObject({
      unmet: [{ reason: 'more than it holds beside what its open orders sell', wanted: '2', got: '1' }],
    });
  });

  const leg = { ticker: 'AAA', action: 'sell', quantity: 4, time_in_force: 'gtc' } as const;

  it('are linked by a name, and sell what it holds once', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 4 }] });
    fills('100');
    const said = [
      { ...leg, type: 'limit', price: 120, name: 'profit' },
      { ...leg, type: 'stop', price: 80, linked_to: 'profit' },
    ];
    const [first, second] = decided({ orders: said })!.orders;
    expect(first).not.toHaveProperty('name');
    expect(second).toMatchObject({
      quantity: '4',
      linked_to: strategyOrderId('main', 'mine', '2024-01-03', 0),
    });
  });

  it('are not placed where the one that they are linked to is not', () => {
    const { orders, unmet } = decided({
      orders: [
        { ...leg, name: 'a' },
        { ...leg, linked_to: 'a' },
      ],
    })!;
    expect(orders).toEqual([]);
    expect(unmet).toMatchObject([
      { reason: 'more than it holds' },
      { reason: 'linked to an order that is not placed' },
    ]);
  });

  it('have a name each, said before it is linked to', () => {
    const twice = [
      { ...leg, name: 'a' },
      { ...leg, name: 'a' },
    ];
    expect(() => decided({ orders: twice })).toThrow('two orders named a');
    const late = [
      { ...leg, linked_to: 'a' },
      { ...leg, name: 'a' },
    ];
    expect(() => decided({ orders: late })).toThrow('a must come before');
  });
});

describe('its open orders', () => {
  it('are shown with what they are, and changed by their ids', () => {
    decided({
      orders: [
        {
          ticker: 'AAA',
          action: 'buy',
          quantity: 4,
          type: 'stop',
          trail: { percent: 5 },
          time_in_force: 'gtc',
        },
      ],
    });
    submits();
    const [order] = accountShown(account.state, 'mine', account.policy).orders;
    expect(order).toMatchObject({
      time_in_force: 'gtc',
      reduce_only: false,
      trail: { percent: 5 },
      linked_to: null,
      exit_of: null,
    });
    day += 1;
    const amends = decided({
      amend: [
        { order_id: order!.order_id, quantity: 3 },
        { order_id: 'of another', price: 1 },
      ],
    })!.amends;
    expect(amends).toEqual([{ order_id: order!.order_id, quantity: '3', price: null, stop_price: null }]);
  });
});

describe('its account', () => {
  it('is told what it holds and what was filled today', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    fills('110');
    expect(accountShown(account.state, 'mine', account.policy)).toMatchObject({
      value: 10_000,
      cash: 8_900,
      positions: { AAA: { quantity: 10, average_price: 110, opened: '2024-01-02', high: 110 } },
      trades: [{ ticker: 'AAA', action: 'buy', quantity: 10, price: 110 }],
    });
  });

  it('loses what is sold by hand', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    fills('110');
    account.submit({ id: 'hand', action: 'sell', quantity: '4' });
    account.trade('4', '120', { id: 'hand' });
    expect(accountShown(account.state, 'mine', account.policy).positions).toMatchObject({
      AAA: { quantity: 6 },
    });
  });

  it('is split as the position is', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    fills('110');
    const session = { date: '2024-02-01', bars: {}, splits: { AAA: '2/1' }, dividends: { AAA: 1 } };
    account.do({ type: 'open-session', session });
    expect(accountShown(account.state, 'mine', account.policy).positions).toEqual({
      AAA: { quantity: 20, average_price: 55, opened: '2024-01-02', high: 55 },
    });
    expect(account.state.strategies!.get('mine')!.income).toBe(parseMoney('20'));
  });

  it('with a share is worth what it began with and what became of that', () => {
    account.do({ ...TAKEN, strategy: 'mine', share: 0.25 });
    expect(decided({ targets: [{ ticker: 'AAA', weight: 1 }] })!.orders).toMatchObject([{ quantity: '23' }]);
    fills('110');
    expect(accountShown(account.state, 'mine', account.policy)).toMatchObject({ value: 2_500, cash: -30 });
  });
});

describe('what it remembers', () => {
  it('is recorded where it changed', () => {
    expect(decided({ state: { n: 1 } })).toMatchObject({ state: { n: 1 } });
    day += 1;
    expect(decided({ state: { n: 1 } })).not.toHaveProperty('state');
    expect(account.state.strategies!.get('mine')!.state).toEqual({ n: 1 });
  });
});

describe('a strategy', () => {
  it('decides on a session once', () => {
    expect(decided({})).toBeDefined();
    expect(decided({})).toBeUndefined();
  });

  it('is taken again where its file or a parameter is another one', () => {
    expect(account.does({ ...TAKEN, strategy: 'mine', share: null })).toEqual([]);
    expect(account.does({ ...TAKEN, strategy: 'mine', share: null, hash: 'other' })).toEqual([
      'StrategyTaken',
    ]);
    expect(
      account.does({ ...TAKEN, strategy: 'mine', share: null, hash: 'other', parameters: { x: 2 } }),
    ).toEqual(['StrategyTaken']);
  });

  it('that is halted wants nothing until it is taken again', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    const data = { strategy: 'mine', session: '2024-01-03', detail: 'it broke', file: 'mine.ts', line: 7 };
    expect(account.does({ type: 'halt-strategy', data })).toEqual(['StrategyHalted']);
    expect(account.does({ type: 'halt-strategy', data })).toEqual([]);
    day += 1;
    expect(decided({})).toBeUndefined();
    expect(account.state.strategies!.get('mine')).toMatchObject({
      status: 'halted',
      fault: 'it broke',
      place: { file: 'mine.ts', line: 7 },
      targets: [],
    });
    const other = { ...data, detail: 'another reason' };
    expect(account.does({ type: 'halt-strategy', data: other })).toEqual(['StrategyHalted']);
    expect(account.state.strategies!.get('mine')!.fault).toBe('another reason');
  });

  it('runs where an earlier release took it again although it was halted', () => {
    const data = { strategy: 'mine', session: null, detail: 'it broke', file: null, line: null };
    account.do({ type: 'halt-strategy', data });
    const taken = {
      strategy: 'mine',
      source: 'mine.ts',
      hash: 'i',
      parameters: {},
      share: null,
      capital: null,
    };
    evolve(account.state, { type: 'StrategyTaken', data: taken });
    expect(account.state.strategies!.get('mine')).toMatchObject({
      status: 'running',
      fault: null,
      hash: 'i',
    });
  });

  it('stays halted until somebody starts it, also as another file', () => {
    const data = { strategy: 'mine', session: null, detail: 'it broke', file: null, line: null };
    account.do({ type: 'halt-strategy', data });
    expect(account.does({ ...TAKEN, strategy: 'mine', share: null })).toEqual([]);
    expect(account.does({ ...TAKEN, hash: 'i', strategy: 'mine', share: null })).toEqual([]);
    expect(decided({})).toBeUndefined();
    const start = { ...TAKEN, type: 'start-strategy', hash: 'i', strategy: 'mine', share: null } as const;
    expect(account.does(start)).toEqual(['StrategyStarted', 'StrategyTaken']);
    expect(account.does(start)).toEqual([]);
    expect(account.state.strategies!.get('mine')).toMatchObject({
      status: 'running',
      hash: 'i',
      fault: null,
    });
    expect(decided({})).toMatchObject({ targets: [] });
  });

  it('that rests has no open order that could open exposure', () => {
    const order = { ticker: 'AAA', quantity: 1, type: 'limit', time_in_force: 'gtc' };
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] });
    fills('100');
    decided({
      orders: [
        { ...order, action: 'buy', price: 50 },
        { ...order, action: 'sell', price: 150, reduce_only: true },
      ],
    });
    submits();
    const sale = [...account.state.open.values()].find(({ action }) => action === 'sell')!;
    expect(account.does({ type: 'stop-strategy', strategy: 'mine' })).toEqual([
      'StrategyStopped',
      'OrderCancelRequested',
    ]);
    expect(sale.cancelRequested).toBe(false);
    expect(account.state.strategies!.get('mine')!.holdings.get('AAA')!.quantity).toBe(parseQuantity('10'));
  });

  it('is stopped and started by its name', () => {
    expect(account.does({ type: 'stop-strategy', strategy: 'mine' })).toEqual(['StrategyStopped']);
    expect(decided({})).toBeUndefined();
    expect(account.does({ ...TAKEN, type: 'start-strategy', strategy: 'mine', share: null })).toEqual([
      'StrategyStarted',
    ]);
    expect(decided({})).toBeDefined();
    account.refuses({ type: 'stop-strategy', strategy: 'other' }, 'UNKNOWN_STRATEGY');
  });

  it('is in the snapshot and the hash, and an account without any has neither', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }], state: { a: [1] }, plot: { p: 1 } });
    fills('110');
    const again = fromSnapshot(toSnapshot(account.state));
    expect(again.strategies).toEqual(account.state.strategies);
    expect(stateHash(again)).toBe(stateHash(account.state));
    expect(toSnapshot(new Account().state)).not.toHaveProperty('strategies');
  });
});

const refused = (wanted: string | null, got: string) => ({
  ticker: 'AAA',
  reason: 'not in the universe',
  wanted,
  got,
});

describe('outside the universe of the day', () => {
  const outside = { universe: ['BBB'] };
  it('nothing is bought, which is said once, and not when it is in it again', () => {
    expect(decided({ targets: [{ ticker: 'AAA', weight: 0.5 }] }, outside)).toMatchObject({
      orders: [],
      unmet: [refused('50', '0')],
    });
    day += 1;
    expect(decided({}, outside)).toMatchObject({ targets: [], orders: [], unmet: [] });
    day += 1;
    expect(decided({}, { universe: ['AAA'] })).toMatchObject({ targets: [], orders: [], unmet: [] });
  });

  it('nothing is bought of what has no bar either', () => {
    expect(decided({ targets: [{ ticker: 'AAA', weight: 0.5 }] }, { ...outside, closes: {} })).toMatchObject({
      targets: [{ quantity: '0' }],
      unmet: [refused(null, '0')],
    });
  });

  it('what is bought in it is bought as ever', () => {
    const all = decided({ targets: [{ ticker: 'AAA', quantity: 5 }] }, { universe: ['AAA', 'BBB'] });
    expect(all).toMatchObject({ orders: [{ quantity: '5' }], unmet: [] });
  });

  it('a position stays, may be sold, in part too, and is not added to', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] }, { universe: ['AAA'] });
    fills('100');
    expect(decided({}, outside)).toMatchObject({ targets: [], orders: [], unmet: [] });
    day += 1;
    expect(decided({ targets: [{ ticker: 'AAA', quantity: 15 }] }, outside)).toMatchObject({
      orders: [],
      unmet: [refused('5', '0')],
    });
    day += 1;
    expect(decided({ targets: [{ ticker: 'AAA', quantity: 4 }] }, outside)).toMatchObject({
      orders: [{ action: 'sell', quantity: '6' }],
      unmet: [],
    });
    day += 1;
    expect(decided({ targets: [{ ticker: 'AAA', quantity: 0 }] }, outside)).toMatchObject({
      orders: [{ action: 'sell', quantity: '10' }],
      unmet: [],
    });
  });

  it('a target that was not reached before it left ends with what is held', () => {
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] }, { universe: ['AAA'] });
    fills('100', { upTo: '4' });
    account.do({ type: 'report', report: { type: 'expired', order_id: 'd2-0', cursor: 'x1' } });
    expect(decided({}, outside)).toMatchObject({ targets: [], orders: [], unmet: [refused('6', '0')] });
  });

  it('an order that waits to buy is cancelled, and one that waits to sell stays', () => {
    const waits = { ticker: 'AAA', type: 'limit', time_in_force: 'gtc' };
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] }, { universe: ['AAA'] });
    fills('100');
    decided(
      {
        orders: [
          { ...waits, action: 'buy', quantity: 3, price: 80 },
          { ...waits, action: 'sell', quantity: 10, price: 120 },
        ],
      },
      { universe: ['AAA'] },
    );
    submits();
    day += 1;
    expect(decided({ amend: [{ order_id: 'd3-1', quantity: 12 }] }, outside)).toMatchObject({
      cancels: ['d3-0'],
      unmet: [refused('3', '0'), refused('12', '10')],
    });
  });

  it('orders only close: no purchase, and no short sale beyond what is held', () => {
    account = new Account({ shorting: true });
    account.do({ ...TAKEN, strategy: 'mine', share: null });
    decided({ targets: [{ ticker: 'AAA', quantity: 10 }] }, { universe: ['AAA'] });
    fills('100');
    const order = { ticker: 'AAA', quantity: 8 };
    expect(
      decided(
        {
          orders: [
            { ...order, action: 'buy' },
            { ...order, action: 'sell' },
            { ...order, action: 'sell' },
          ],
        },
        outside,
      ),
    ).toMatchObject({
      orders: [
        { action: 'sell', quantity: '8' },
        { action: 'sell', quantity: '2' },
      ],
      unmet: [refused('8', '0'), refused('8', '2')],
    });
  });
});
