import { beforeEach, describe, expect, it } from 'vitest';
import { alreadyDone } from './order-terms.ts';
import type { OrderState } from './state.ts';
import { opening, type OrderWords } from './account.suite.ts';
import { Desk } from './desk.suite.ts';
import { fromSnapshot, stateHash, toSnapshot } from './snapshot.ts';

// Every expected figure is reckoned by hand from the bars, with the rules of docs/orders.md.

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  desk.place('entry', { quantity: '100' });
  desk.session([100, 100, 100, 100]);
});

describe('a reduce-only order', () => {
  it('sells what is held, and its rest is cancelled', () => {
    desk.place('exit', { action: 'sell', quantity: '150', reduceOnly: true });
    expect(desk.session([90, 95, 85, 92])).toEqual(['exit sell 100 at 90']);
    expect(desk.held).toBe(0);
    expect(desk.order('exit')).toMatchObject({ status: 'cancelled', reject_reason: 'reduce_only' });
    expect(desk.cash).toBe(100_000 - 100 * 100 + 100 * 90);
  });

  it('is taken while trading is stopped', () => {
    desk.do({ type: 'stop' });
    desk.place('exit', { action: 'sell', quantity: '100', reduceOnly: true });
    expect(desk.session([90, 95, 85, 92])).toEqual(['exit sell 100 at 90']);
  });
});

/** A target and a stop for the position, linked. */
function both(): void {
  desk.place('profit', { action: 'sell', type: 'limit', price: '110', quantity: '100', reduceOnly: true });
  desk.place('stop', {
    action: 'sell',
    type: 'stop',
    price: '95',
    quantity: '100',
    reduceOnly: true,
    linkedTo: 'profit',
  });
}

describe('linked orders', () => {
  it('cancel each other: the profit is taken at the limit', () => {
    both();
    expect(desk.session([104, 112, 103, 108])).toEqual(['profit sell 100 at 110']);
    expect(desk.order('stop')).toMatchObject({ status: 'cancelled', reject_reason: 'linked' });
    expect(desk.cash).toBe(100_000 - 10_000 + 11_000);
  });

  it('the stop is filled at the open of a gap beyond it', () => {
    both();
    expect(desk.session([91, 93, 90, 92])).toEqual(['stop sell 100 at 91']);
    expect(desk.order('profit').status).toBe('cancelled');
  });

  it('of a bar that reaches both, the stop counts', () => {
    both();
    expect(desk.session([100, 115, 94, 111])).toEqual(['stop sell 100 at 95']);
    expect(desk.held).toBe(0);
  });

  it('of a bar that opens beyond the limit and falls to the stop, the open counts', () => {
    both();
    expect(desk.session([113, 115, 94, 95])).toEqual(['profit sell 100 at 113']);
  });

  it('a fill of one takes as much from the other', () => {
    desk = new Desk({}, { volumeLimit: 1_000_000n });
    desk.place('entry', { quantity: '100' });
    desk.session([100, 100, 100, 100]);
    both();
    // 1 % of 4,000 shares.
    expect(desk.session([104, 112, 103, 108], { volume: 4_000 })).toEqual(['profit sell 40 at 110']);
    expect(desk.open).toEqual(['profit: sell 60 limit 110', 'stop: sell 60 stop 95']);
    expect(desk.session([96, 97, 94, 95])).toEqual(['stop sell 60 at 95']);
    expect(desk.held).toBe(0);
    expect(desk.open).toEqual([]);
  });

  it('a split between placing and fill changes both', () => {
    both();
    // 2 for 1: 200 shares at 50; limit 55, stop 47.50.
    expect(desk.session([50, 54, 48, 53], { split: '2/1', dividend: 0.5 })).toEqual([]);
    expect(desk.open).toEqual(['profit: sell 200 limit 55', 'stop: sell 200 stop 47.5']);
    expect(desk.session([48, 49, 47, 48])).toEqual(['stop sell 200 at 47.5']);
    expect(desk.cash).toBe(100_000 - 10_000 + 200 * 0.5 + 200 * 47.5);
  });

  it('the other one goes on if one is cancelled or expires', () => {
    both();
    desk.cancel('profit');
    expect(desk.session([96, 97, 94, 95])).toEqual(['stop sell 100 at 95']);
  });

  it('need an open order of the same ticker and quantity', () => {
    both();
    const stop = { id: 'x', action: 'sell', type: 'stop', price: '95', reduceOnly: true } as const;
    desk.account.refusesOrder({ ...stop, quantity: '100', linkedTo: 'nobody' }, 'UNKNOWN_ORDER');
    desk.account.refusesOrder({ ...stop, quantity: '100', linkedTo: 'entry' }, 'LINK_REFUSED');
    desk.account.refusesOrder({ ...stop, quantity: '90', linkedTo: 'profit' }, 'LINK_REFUSED');
    desk.account.refusesOrder(
      { ...stop, ticker: 'BBB', quantity: '100', linkedTo: 'profit' },
      'LINK_REFUSED',
    );
  });

  it('need no room twice: what one may sell the other may, too', () => {
    desk.place('profit', { action: 'sell', type: 'limit', price: '110', quantity: '100' });
    desk.place('stop', { action: 'sell', type: 'stop', price: '95', quantity: '100', linkedTo: 'profit' });
    expect(desk.session([96, 97, 94, 95])).toEqual(['stop sell 100 at 95']);
    expect(desk.held).toBe(0);
  });
});

describe('a trailing stop', () => {
  it('begins behind the last price and follows the highs from the bar after each on', () => {
    desk.place('trail', { action: 'sell', type: 'stop', quantity: '100', trail: { amount: '5' } });
    expect(desk.open).toEqual(['trail: sell 100 stop 95']);
    // The high of 110 would be a stop of 105: it is not hit by the low of the same bar.
    expect(desk.session([100, 110, 99, 106])).toEqual([]);
    expect(desk.open).toEqual(['trail: sell 100 stop 105']);
    expect(desk.session([107, 108, 106, 107])).toEqual([]);
    expect(desk.open).toEqual(['trail: sell 100 stop 105']);
    expect(desk.session([106, 106, 104, 104])).toEqual(['trail sell 100 at 105']);
  });

  it('in percent, and filled at the open of a gap', () => {
    desk.place('trail', { action: 'sell', type: 'stop', quantity: '100', trail: { percent: '10' } });
    expect(desk.order('trail').price).toBe(90);
    desk.session([100, 120, 100, 118]);
    expect(desk.order('trail').price).toBe(108);
    expect(desk.session([101, 103, 100, 102])).toEqual(['trail sell 100 at 101']);
  });

  it('of a short position follows the lows', () => {
    desk = new Desk({ shorting: true });
    desk.place('entry', { action: 'sell', quantity: '100' });
    desk.session([100, 100, 100, 100]);
    desk.place('trail', { type: 'stop', quantity: '100', reduceOnly: true, trail: { amount: '4' } });
    expect(desk.order('trail').price).toBe(104);
    desk.session([99, 101, 90, 92]);
    expect(desk.order('trail').price).toBe(94);
    expect(desk.session([93, 95, 92, 94])).toEqual(['trail buy 100 at 94']);
    expect(desk.cash).toBe(100_000 + 100 * 100 - 100 * 94);
  });

  it('a split changes stop, amount and quantity; a dividend changes none', () => {
    desk.place('trail', { action: 'sell', type: 'stop', quantity: '100', trail: { amount: '5' } });
    desk.session([100, 110, 99, 106]);
    // 2 for 1: stop 105 is 52.50, the amount 2.50; the high of 56 makes it 53.50.
    desk.session([53, 56, 53, 54], { split: '2/1', dividend: 1 });
    expect(desk.order('trail')).toMatchObject({ quantity: 200, price: 53.5, trail: { amount: 2.5 } });
    expect(desk.session([54, 54, 53, 53])).toEqual(['trail sell 200 at 53.5']);
  });

  it('does not move on a day without a bar', () => {
    desk = new Desk({}, { volumeLimit: 10_000_000n });
    desk.place('entry', { quantity: '100' });
    desk.session([100, 100, 100, 100]);
    desk.place('trail', { action: 'sell', type: 'stop', quantity: '100', trail: { amount: '5' } });
    desk.session([200, 200, 200, 200], { volume: 0 });
    expect(desk.order('trail').price).toBe(95);
  });

  it('has no price of its own, and is a stop order', () => {
    const trail = { amount: '5' };
    desk.account.refusesOrder({ id: 'x', type: 'stop', price: '95', trail }, 'INVALID_REQUEST');
    desk.account.refusesOrder({ id: 'x', type: 'market', trail }, 'INVALID_REQUEST');
    desk.account.refusesOrder(
      { id: 'x', action: 'sell', type: 'stop', trail: { amount: '100' } },
      'INVALID_REQUEST',
    );
  });

  it('is the same order under the same client_order_id, whatever the last price is by then', () => {
    const words = { type: 'stop', trail: { percent: '5' }, client: 'c1' } as const;
    desk.place('first', words);
    desk.session([110, 110, 104, 110]);
    expect(desk.account.submit({ ...words, id: 'again', tif: 'gtc', last: '110' })).toEqual([]);
    desk.account.refusesOrder(
      { ...words, id: 'other', tif: 'gtc', trail: { percent: '6' } },
      'CLIENT_ORDER_ID_REUSED',
    );
  });
});

describe('a bracket', () => {
  const bracket = { take_profit: 120, stop_loss: 90 };

  beforeEach(() => {
    desk = new Desk({}, { volumeLimit: 1_000_000n });
    desk.session([100, 100, 100, 100]);
  });

  it('has exits with the fill, from the next bar on', () => {
    desk.place('entry', { quantity: '100', bracket });
    // The low of 85 is below the stop, and may have been before the fill.
    expect(desk.session([101, 104, 85, 102])).toEqual(['entry buy 100 at 101']);
    expect(desk.open).toEqual(['entry-profit-1: sell 100 limit 120', 'entry-stop-1: sell 100 stop 90']);
    expect(desk.order('entry-stop-1')).toMatchObject({
      exit_of: 'entry',
      linked_to: 'entry-profit-1',
      reduce_only: true,
      time_in_force: 'gtc',
    });
    expect(desk.session([118, 121, 117, 119])).toEqual(['entry-profit-1 sell 100 at 120']);
    expect(desk.open).toEqual([]);
    expect(desk.cash).toBe(100_000 - 10_100 + 12_000);
  });

  it('each partial fill has its own', () => {
    desk.place('entry', { quantity: '100', type: 'limit', price: '101', bracket });
    expect(desk.session([100, 102, 99, 101], { volume: 3_000 })).toEqual(['entry buy 30 at 100']);
    expect(desk.session([101, 102, 100, 101], { volume: 7_000 })).toEqual(['entry buy 70 at 101']);
    expect(desk.open).toEqual([
      'entry-profit-1: sell 30 limit 120',
      'entry-stop-1: sell 30 stop 90',
      'entry-profit-2: sell 70 limit 120',
      'entry-stop-2: sell 70 stop 90',
    ]);
    expect(desk.session([92, 93, 88, 89])).toEqual([
      'entry-stop-1 sell 30 at 90',
      'entry-stop-2 sell 70 at 90',
    ]);
    expect(desk.held).toBe(0);
    expect(desk.open).toEqual([]);
  });

  it('a split before the fill changes entry and exits, one after it the exits', () => {
    desk.place('entry', {
      quantity: '100',
      type: 'limit',
      price: '80',
      bracket: { ...bracket, stop_loss: 70 },
    });
    desk.session([50, 51, 45, 50], { split: '2/1' });
    expect(desk.order('entry')).toMatchObject({
      quantity: 200,
      price: 40,
      bracket: { take_profit: 60, stop_loss: 35 },
    });
    desk.session([41, 42, 39, 41]);
    expect(desk.open).toEqual(['entry-profit-1: sell 200 limit 60', 'entry-stop-1: sell 200 stop 35']);
    desk.session([14, 15, 13, 14], { split: '3/1' });
    // 35 / 3 is 11.67 to the cent.
    expect(desk.open).toEqual(['entry-profit-1: sell 600 limit 20', 'entry-stop-1: sell 600 stop 11.67']);
  });

  it('its stop can trail, from the price of the fill on', () => {
    desk.place('entry', { quantity: '100', bracket: { trail: { percent: 10 } } });
    desk.session([102, 105, 100, 104]);
    expect(desk.open).toEqual(['entry-stop-1: sell 100 stop 91.8']);
    desk.session([104, 110, 103, 109]);
    expect(desk.open).toEqual(['entry-stop-1: sell 100 stop 99']);
    expect(desk.session([98, 99, 97, 98])).toEqual(['entry-stop-1 sell 100 at 98']);
  });

  it('its stop begins above zero, however far below the last price the order is filled', () => {
    desk.place('entry', { quantity: '10', bracket: { trail: { amount: 60 } } });
    desk.session([50, 55, 45, 50]);
    expect(desk.open).toEqual(['entry-stop-1: sell 10 stop 1e-8']);
    desk.session([50, 75, 50, 70]);
    expect(desk.open).toEqual(['entry-stop-1: sell 10 stop 15']);
  });

  it('of a short sale mirrors that', () => {
    desk = new Desk({ shorting: true });
    desk.place('entry', { action: 'sell', quantity: '50', bracket: { take_profit: 80, stop_loss: 110 } });
    desk.session([100, 101, 99, 100]);
    expect(desk.open).toEqual(['entry-profit-1: buy 50 limit 80', 'entry-stop-1: buy 50 stop 110']);
    expect(desk.session([112, 113, 111, 112])).toEqual(['entry-stop-1 buy 50 at 112']);
  });

  it('its exits end with a position that is closed by something else', () => {
    desk.place('entry', { quantity: '100', bracket });
    desk.session([100, 101, 99, 100]);
    desk.place('out', { action: 'sell', quantity: '100', reduceOnly: true });
    desk.session([100, 101, 99, 100]);
    expect(desk.held).toBe(0);
    expect(desk.open).toEqual([]);
  });

  it('its exits expire with a ticker that no longer trades', () => {
    desk.place('entry', { quantity: '100', bracket });
    desk.session([100, 101, 99, 100]);
    desk.session([0, 0, 0, 0], { gone: true });
    expect(desk.open).toEqual([]);
    expect(desk.held).toBe(0);
  });

  it('closes only what it opened: what covers a short position has no exits', () => {
    desk = new Desk({ shorting: true });
    desk.place('short', { action: 'sell', quantity: '60' });
    desk.session([100, 100, 100, 100]);
    desk.place('entry', { quantity: '100', bracket });
    desk.session([100, 100, 100, 100]);
    expect(desk.open).toEqual(['entry-profit-1: sell 40 limit 120', 'entry-stop-1: sell 40 stop 90']);
  });

  it.each<[string, OrderWords, number]>([
    ['a market order', {}, 100],
    ['a limit below the price', { type: 'limit', price: '60' }, 60],
    ['a limit that the price meets already', { type: 'limit', price: '130' }, 100],
    ['a stop above the price', { type: 'stop', price: '130' }, 130],
    ['a stop with a limit', { type: 'stop_limit', price: '125', stop: '130' }, 125],
  ])('its stop is on the side of the loss: %s', (_, words, entry) => {
    const withStop = (stop_loss: number) => ({ ...words, quantity: '1', bracket: { stop_loss } });
    desk.account.refusesOrder(withStop(entry), 'INVALID_REQUEST');
    desk.account.refusesOrder(withStop(entry + 1), 'INVALID_REQUEST');
    desk.place('taken', withStop(entry - 1));
    expect(desk.order('taken').status).toBe('accepted');
  });

  it('the stop of a short sale is above it', () => {
    desk = new Desk({ shorting: true });
    desk.session([100, 100, 100, 100]);
    const sale = { action: 'sell', quantity: '1' } as const;
    desk.account.refusesOrder({ ...sale, bracket: { stop_loss: 99 } }, 'INVALID_REQUEST');
    desk.account.refusesOrder(
      { ...sale, type: 'limit', price: '110', bracket: { stop_loss: 105 } },
      'INVALID_REQUEST',
    );
    desk.place('taken', { ...sale, type: 'stop', price: '90', bracket: { stop_loss: 95 } });
    expect(desk.open).toEqual(['taken: sell 1 stop 90']);
  });

  it('must be on the right sides, and on an order that opens', () => {
    desk.account.refusesOrder({ id: 'x', bracket: { take_profit: 90, stop_loss: 95 } }, 'INVALID_REQUEST');
    desk.account.refusesOrder({ id: 'x', bracket: {} }, 'INVALID_REQUEST');
    const trail = { amount: 100 };
    desk.account.refusesOrder({ id: 'x', bracket: { trail } }, 'INVALID_REQUEST');
    desk.account.refusesOrder(
      { id: 'x', type: 'limit', price: '60', bracket: { trail: { amount: 60 } } },
      'INVALID_REQUEST',
    );
    desk.account.refusesOrder({ id: 'x', reduceOnly: true, bracket }, 'INVALID_REQUEST');
  });
});

describe('an order that is changed', () => {
  it('goes by its new price and quantity', () => {
    desk.place('buy', { type: 'limit', price: '90', quantity: '10' });
    desk.amend('buy', { price: 95, quantity: 20 });
    expect(desk.order('buy')).toMatchObject({ price: 95, quantity: 20, status: 'accepted' });
    expect(desk.session([97, 98, 94, 96])).toEqual(['buy buy 20 at 95']);
  });

  it('keeps its turn where only its quantity falls', () => {
    desk = new Desk({}, { volumeLimit: 1_000_000n });
    desk.session([100, 100, 100, 100]);
    for (const id of ['first', 'second', 'third'])
      desk.place(id, { type: 'limit', price: '90', quantity: '50' });
    desk.amend('first', { quantity: 40 });
    desk.amend('second', { quantity: 60 });
    // 1 % of 10,000: 40 for the first, then the third, and the rest for the second.
    expect(desk.session([89, 90, 88, 89], { volume: 10_000 })).toEqual([
      'first buy 40 at 89',
      'third buy 50 at 89',
      'second buy 10 at 89',
    ]);
  });

  it('is checked again against the cash, with its own reserve free', () => {
    desk = new Desk({}, {}, '1000');
    desk.place('buy', { type: 'limit', price: '90', quantity: '11' });
    desk.account.refuses(
      {
        type: 'amend',
        order_id: 'buy',
        quantity: null,
        price: 91_00000000n,
        stop_price: null,
        last_price: null,
      },
      'INSUFFICIENT_FUNDS',
    );
    desk.amend('buy', { price: 50, quantity: 20 });
    expect(desk.account.state.reservedAtLimit).toBe(20n * 50n * 10n ** 16n);
  });

  it('is never good for less than is filled', () => {
    desk = new Desk({}, { volumeLimit: 1_000_000n });
    desk.session([100, 100, 100, 100]);
    desk.place('buy', { type: 'limit', price: '90', quantity: '50' });
    desk.session([89, 90, 88, 89], { volume: 3_000 });
    const amend = {
      type: 'amend',
      order_id: 'buy',
      price: null,
      stop_price: null,
      last_price: null,
    } as const;
    desk.account.refuses({ ...amend, quantity: 30_00000000n }, 'NOT_AMENDABLE');
    desk.account.refuses({ ...amend, quantity: 30_50000000n }, 'QUANTITY_STEP');
    desk.amend('buy', { quantity: 31 });
    expect(desk.session([89, 90, 88, 89], { volume: 3_000 })).toEqual(['buy buy 1 at 89']);
    desk.account.refuses({ ...amend, quantity: 40_00000000n }, 'NOT_AMENDABLE');
  });

  it('refuses what its type does not have, and an order that is done or unknown', () => {
    const amend = { type: 'amend', quantity: null, price: null, stop_price: null, last_price: null } as const;
    desk.account.refuses({ ...amend, order_id: 'entry', quantity: 100_000_000n }, 'NOT_AMENDABLE');
    desk.account.refuses({ ...amend, order_id: 'nobody', quantity: 100_000_000n }, 'UNKNOWN_ORDER');
    desk.place('market', {});
    desk.account.refuses({ ...amend, order_id: 'market', price: 100_000_000n }, 'INVALID_REQUEST');
    desk.place('limit', { type: 'limit', price: '90' });
    desk.account.refuses({ ...amend, order_id: 'limit', stop_price: 100_000_000n }, 'INVALID_REQUEST');
    desk.cancel('limit');
    desk.account.refuses({ ...amend, order_id: 'limit', price: 100_000_000n }, 'NOT_AMENDABLE');
  });

  it('says of an order whose cancellation is over that it is cancelled, and of one that waits for it that it is being cancelled', () => {
    const of = { cancelRequested: true } as OrderState;
    expect(alreadyDone({ ...of, status: 'cancelled' })).toBe('The order is already cancelled');
    expect(alreadyDone({ ...of, status: 'accepted' })).toBe('The order is already being cancelled');
  });

  it('the quantity of linked orders stays, their prices can change', () => {
    both();
    const amend = { type: 'amend', price: null, stop_price: null, last_price: null } as const;
    desk.account.refuses({ ...amend, order_id: 'profit', quantity: 90_00000000n }, 'NOT_AMENDABLE');
    desk.amend('stop', { price: 98 });
    expect(desk.session([99, 99, 97, 98])).toEqual(['stop sell 100 at 98']);
    expect(desk.open).toEqual([]);
  });

  it('is quiet where it is like that already', () => {
    desk.place('buy', { type: 'limit', price: '90', quantity: '10' });
    const amend = { type: 'amend', order_id: 'buy', stop_price: null, last_price: null } as const;
    const again = { ...amend, price: 90_00000000n, quantity: 10_00000000n };
    expect(desk.account.does(again)).toEqual([]);
  });

  it('a split changes a wish that the broker has not heard of', () => {
    desk.place('buy', { type: 'limit', price: '90', quantity: '10' });
    desk.account.do({
      type: 'amend',
      order_id: 'buy',
      quantity: 12_00000000n,
      price: 80_00000000n,
      stop_price: null,
      last_price: null,
    });
    desk.account.do(opening('2024-01-03', { splits: { AAA: '2/1' } }));
    expect(desk.account.state.orders.get('buy')!.amending).toEqual({
      quantity: 24_00000000n,
      price: 40_00000000n,
      stop_price: null,
    });
  });
});

it('what these orders are survives a snapshot', () => {
  desk.place('trail', { action: 'sell', type: 'stop', quantity: '100', trail: { amount: '5' } });
  desk.place('more', { type: 'limit', price: '90', bracket: { take_profit: 120, trail: { percent: 3 } } });
  desk.account.do({
    type: 'amend',
    order_id: 'more',
    quantity: 200_000_000n,
    price: null,
    stop_price: null,
    last_price: null,
  });
  const { state } = desk.account;
  expect(stateHash(fromSnapshot(toSnapshot(state)))).toBe(stateHash(state));
});
