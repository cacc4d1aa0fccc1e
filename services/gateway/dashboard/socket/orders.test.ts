import { afterEach, describe, expect, test } from 'vitest';
import { submitted } from '../../../../events/catalog/order-submitted.suite.ts';
import {
  accountStream,
  OrderAccepted,
  OrderCancelled,
  OrderFilled,
  OrderSubmitted,
  OrderWithdrawn,
  TradingStarted,
} from '../../../../events/catalog/trading.ts';
import { BelegError } from '../../../../events/errors.ts';
import type { OrderView } from '../../../../events/messages/trading.ts';
import { FILLED, WORKING } from '../dashboard-examples.ts';
import { positionAt, startSocket, type Started } from './dashboard-socket.suite.ts';
import type { Peer } from './peer.suite.ts';

let started: Started;
let peer: Peer;
afterEach(() => started.close());

/** A client that follows orders, after their states were read for the first time. */
async function follow(options?: Parameters<typeof startSocket>[0]): Promise<void> {
  started = await startSocket(options);
  peer = await started.open();
  await peer.follow('orders');
  await expect.poll(() => questions().length).toBeGreaterThan(0);
  await peer.caughtUp();
}

/** The queries for orders. */
const questions = () =>
  started.fakes.asked.filter(({ name }) => name === 'orders').map(({ request }) => request);

function put(order: Partial<OrderView> & { order_id: string }): void {
  const { orders } = started.fakes.account;
  const at = orders.findIndex(({ order_id }) => order_id === order.order_id);
  if (at === -1) orders.push({ ...WORKING, ...order });
  else orders[at] = { ...orders[at]!, ...order };
}

const accepted = (revision: number, order_id: string, cursor = '1') =>
  started.publishAt(revision, OrderAccepted, { order_id, ticker: 'MSFT', cursor });

const told = (pushes: readonly { event: string; revision: number; order_id: string }[]) =>
  pushes.map(({ event, revision, order_id }) => [event, revision, order_id]);

describe('events of orders', () => {
  test('each is pushed with the order as it stands, and nothing before the first', async () => {
    await follow();
    put({ order_id: 'o1', status: 'submitted' });
    await started.fakes.publish(
      OrderSubmitted,
      submitted({ order_id: 'o1', ticker: 'MSFT', type: 'limit', price: '400', time_in_force: 'gtc' }),
    );
    const [first] = await peer.heard('order');
    expect(first).toEqual({
      type: 'order',
      seq: expect.any(Number),
      event: 'OrderSubmitted',
      revision: 0,
      order_id: 'o1',
      order: { ...WORKING, order_id: 'o1', status: 'submitted' },
    });
    put({ order_id: 'o1', status: 'filled', filled_quantity: 10 });
    await started.fakes.publish(OrderFilled, {
      order_id: 'o1',
      ticker: 'MSFT',
      trade_id: 't1',
      action: 'buy',
      quantity: '10',
      price: '400',
      fee: '1',
      session: '2025-06-16',
      settles_after: 0,
      cursor: '2',
    });
    const [, second] = await peer.heard('order', 2);
    expect(second).toMatchObject({ event: 'OrderFilled', revision: 1, order: { status: 'filled' } });
    expect(peer.messages.filter(({ type }) => type === 'order')).toHaveLength(2);
  });

  test('an order that exists no more is null', async () => {
    await follow();
    await started.fakes.publish(OrderWithdrawn, { order_id: 'gone', ticker: 'AAPL' });
    expect((await peer.heard('order'))[0]).toMatchObject({
      event: 'OrderWithdrawn',
      order_id: 'gone',
      order: null,
    });
  });

  test('what came during a query is asked for a hundred at a time, and comes in order, more than may wait', async () => {
    await follow();
    const held = Promise.withResolvers<void>();
    const { orders } = started.fakes.script;
    started.fakes.script.orders = async (request, context) => (await held.promise, orders(request, context));
    for (let n = 0; n < 300; n++) put({ order_id: `o${n}` });
    const before = questions().length;
    for (let n = 0; n < 1_500; n++) accepted(n, `o${n % 300}`, String(n));
    await expect.poll(() => questions().length).toBe(before + 1);
    held.resolve();
    const pushes = await peer.heard('order', 1_500);
    expect(told(pushes)).toEqual(
      Array.from({ length: 1_500 }, (_, n) => ['OrderAccepted', n, `o${n % 300}`]),
    );
    expect(questions().length - before).toBeLessThanOrEqual(16);
  });

  test('of nobody who follows them nothing is asked', async () => {
    started = await startSocket();
    peer = await started.open();
    put({ order_id: 'o1' });
    accepted(0, 'o1');
    await started.settled();
    expect(questions()).toEqual([]);
    await peer.follow('orders');
    accepted(1, 'o1');
    expect(told(await peer.heard('order'))).toEqual([['OrderAccepted', 1, 'o1']]);
  });

  test('wait for a trading service that is away, and come in order when it is back', async () => {
    await follow();
    const { orders } = started.fakes.script;
    started.fakes.script.orders = () => Promise.reject(new BelegError('RECONCILING'));
    put({ order_id: 'o1' });
    for (let n = 0; n < 3; n++) accepted(n, 'o1', String(n));
    const before = questions().length;
    await expect.poll(() => (started.clock.advance(500), questions().length - before)).toBeGreaterThan(3);
    expect(peer.messages.filter(({ type }) => type === 'order')).toEqual([]);
    started.fakes.script.orders = orders;
    await expect
      .poll(() => (started.clock.advance(500), peer.messages.filter(({ type }) => type === 'order').length))
      .toBeGreaterThanOrEqual(3);
    expect(told(await peer.heard('order'))).toEqual([0, 1, 2].map((n) => ['OrderAccepted', n, 'o1']));
    expect(started.lines.filter(({ level }) => Number(level) >= 40)).toHaveLength(1);
  });
});

describe('what the bus does not promise', () => {
  test('a message that is no event of the record changes nothing', async () => {
    await follow();
    started.logs.follow(started.fakes.bus);
    put({ order_id: 'o1' });
    const stream = accountStream('main');
    const event = {
      id: '1',
      type: OrderAccepted.type,
      stream,
      revision: 9,
      position: positionAt(9),
      data: { order_id: 'o1' },
      metadata: { at: new Date(0).toISOString() },
    };
    const others = [
      null,
      [],
      'text',
      { ...event, revision: '9' },
      { ...event, revision: 1.5 },
      { ...event, position: 9 },
      { ...event, data: 'text' },
      { ...event, metadata: { at: 'soon' } },
    ].map((other) => JSON.stringify(other));
    for (const text of ['{', ...others])
      started.fakes.bus.publish(OrderAccepted.subject(stream), Buffer.from(text), {
        'event-type': OrderAccepted.type,
      });
    accepted(0, 'o1');
    expect(told(await peer.heard('order'))).toEqual([['OrderAccepted', 0, 'o1']]);
    expect(started.fakes.faults).toEqual([]);
  });

  test('an event that comes twice is pushed once', async () => {
    await follow();
    put({ order_id: 'o1' });
    for (const revision of [4, 4, 5, 4, 5, 6]) accepted(revision, 'o1', String(revision));
    const pushes = await peer.heard('order', 3);
    await peer.caughtUp();
    expect(told(await peer.heard('order'))).toEqual([4, 5, 6].map((n) => ['OrderAccepted', n, 'o1']));
    expect(pushes).toHaveLength(3);
    expect(started.figures().resyncs).toBe(0);
  });

  test('accounts are counted apart', async () => {
    await follow();
    put({ order_id: 'o1' });
    accepted(4, 'o1');
    started.publishAt(0, OrderAccepted, { order_id: 'o1', ticker: 'MSFT', cursor: '1' }, 'account-other');
    await peer.heard('order', 2);
    expect(started.figures().resyncs).toBe(0);
  });

  test('events that did not come are made up for: orders that changed meanwhile, once each, before the next event', async () => {
    await follow();
    put({ order_id: 'o1' });
    put({ order_id: 'o2' });
    for (const [n, id] of ['o1', 'o2'].entries()) accepted(n, id);
    await peer.heard('order', 2);
    peer.forget();
    put({ order_id: 'o2', status: 'cancelled' });
    put({ order_id: 'o3', status: 'submitted' });
    put({ order_id: 'o1', status: 'partially_filled' });
    started.publishAt(9, OrderCancelled, { order_id: 'o2', ticker: 'MSFT', reason: 'day', cursor: null });
    const pushes = await peer.heard('order', 4);
    expect(told(pushes)).toEqual([
      ['resync', 9, 'o1'],
      ['resync', 9, 'o2'],
      ['resync', 9, 'o3'],
      ['OrderCancelled', 9, 'o2'],
    ]);
    expect(pushes[0]!.order).toMatchObject({ status: 'partially_filled' });
    expect(started.figures().resyncs).toBe(1);
  });

  test('events of anything else that did not come may have hidden some of orders, too', async () => {
    await follow();
    started.publishAt(0, TradingStarted, {});
    put({ order_id: 'o1', status: 'rejected' });
    started.publishAt(3, TradingStarted, {});
    expect(told(await peer.heard('order'))).toEqual([['resync', 3, 'o1']]);
  });

  test('an open order beyond the newest 500 is looked at, too, and one that is gone is told', async () => {
    await follow();
    for (let n = 0; n < 600; n++) put({ ...FILLED, order_id: `later-${n}` });
    accepted(0, WORKING.order_id);
    put({ order_id: 'vanishes', status: 'submitted' });
    accepted(1, 'vanishes');
    await peer.heard('order', 2);
    peer.forget();
    const { account } = started.fakes;
    account.orders.pop();
    put({ order_id: WORKING.order_id, status: 'expired' });
    accepted(5, 'later-0');
    await peer.heard('order', 503);
    const resyncs = peer.messages.filter((message) => message.type === 'order');
    expect(resyncs.find(({ order_id }) => order_id === WORKING.order_id)?.order).toMatchObject({
      status: 'expired',
    });
    expect(resyncs.find(({ order_id }) => order_id === 'vanishes')?.order).toBeNull();
  });

  test('a bus that was away and is back is enough to look, though no event has shown a gap', async () => {
    await follow();
    started.publishAt(7, TradingStarted, {});
    started.busState = 'reconnecting';
    await started.pass(1_000);
    put({ order_id: WORKING.order_id, status: 'expired' });
    await peer.caughtUp();
    expect(peer.messages.filter(({ type }) => type === 'order')).toEqual([]);
    started.busState = 'connected';
    await started.pass(1_000);
    expect(told(await peer.heard('order'))).toEqual([['resync', 7, WORKING.order_id]]);
  });

  test('orders are asked for as they stand at the newest event that was heard, at first too', async () => {
    started = await startSocket();
    accepted(0, 'o1');
    await started.settled();
    peer = await started.open();
    await peer.follow('orders');
    await expect.poll(questions).toMatchObject([{ ids: null, including: positionAt(0) }]);
    accepted(1, 'o1');
    await peer.heard('order');
    expect(questions().at(-1)).toMatchObject({ ids: ['o1'], including: positionAt(1) });
    accepted(5, 'o1');
    await peer.heard('order', 2);
    expect(questions().slice(-2)).toMatchObject([
      { ids: null, including: positionAt(5) },
      { ids: ['o1'], including: positionAt(5) },
    ]);
  });

  test('more events than can wait are made up for like missed ones', async () => {
    await follow();
    const { orders } = started.fakes.script;
    started.fakes.script.orders = () => Promise.reject(new BelegError('RECONCILING'));
    for (const order_id of ['o1', 'o2']) put({ order_id });
    for (let n = 0; n < 10_600; n++) accepted(n, n < 1_000 || n > 5_000 ? 'o1' : 'o2');
    await peer.caughtUp();
    await started.settled();
    started.fakes.script.orders = orders;
    await expect
      .poll(() => (started.clock.advance(500), peer.messages))
      .toContainEqual(expect.objectContaining({ event: 'resync', order_id: 'o2' }));
    await peer.caughtUp();
    expect((await peer.heard('order')).length).toBeLessThan(1_200);
  });
});

test('one who comes again gets what happens from then on, numbered from 1', async () => {
  await follow();
  put({ order_id: 'o1' });
  accepted(0, 'o1');
  await peer.heard('order');
  peer.ws.close();
  await peer.closed;
  accepted(1, 'o1');
  peer = await started.open();
  await peer.follow('orders');
  await peer.caughtUp();
  put({ order_id: 'o1', status: 'filled' });
  accepted(2, 'o1');
  const pushes = await peer.heard('order');
  expect(told(pushes)).toEqual([['OrderAccepted', 2, 'o1']]);
  expect(started.figures().resyncs).toBe(0);
});
