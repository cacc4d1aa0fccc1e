import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { OrderAccepted } from '../../../../events/catalog/trading.ts';
import { ORDER_STATUSES, type OrderView } from '../../../../events/messages/trading.ts';
import { WORKING } from '../dashboard-examples.ts';
import { positionAt, startSocket, type Started } from './dashboard-socket.suite.ts';
import type { Peer } from './peer.suite.ts';

let started: Started;
afterEach(() => started.close());

/** What may happen to an event on its way, or to the bus. */
const step = fc.record({
  order: fc.integer({ min: 0, max: 5 }),
  status: fc.constantFrom(...ORDER_STATUSES),
  fate: fc.constantFrom('comes', 'comes', 'is lost', 'comes twice', 'comes early', 'an old one comes again'),
  thenCatchUp: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const NOW = { interval: 1 };

let revision = 0;
/** Changes of orders that become visible after their events, which are at these positions. */
const late: { position: string; change: Promise<void> }[] = [];

function happen({ order, status, fate }: Step): void {
  const { orders } = started.fakes.account;
  const order_id = `o${order}`;
  const view: OrderView = { ...WORKING, order_id, status };
  const change = () => {
    const at = orders.findIndex((known) => known.order_id === order_id);
    if (at === -1) orders.push(view);
    else orders[at] = view;
  };
  const publish = (which: number) =>
    started.publishAt(which, OrderAccepted, { order_id, ticker: 'MSFT', cursor: String(which) });
  revision += 1;
  if (fate === 'comes early') {
    publish(revision);
    // The change comes after the event is heard and the order is asked for.
    late.push({ position: positionAt(revision), change: turns(3).then(change) });
    return;
  }
  change();
  if (fate === 'is lost') return;
  publish(revision);
  if (fate === 'comes twice') publish(revision);
  if (fate === 'an old one comes again') publish(Math.max(0, revision - 3));
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await setImmediate();
}

/** The orders as a client knows them from the pushes alone. */
function fold(known: Map<string, OrderView>, peer: Peer): Map<string, OrderView> {
  for (const message of peer.messages) {
    if (message.type !== 'order') continue;
    if (message.order === null) known.delete(message.order_id);
    else known.set(message.order_id, message.order);
  }
  peer.forget();
  return known;
}

test('whatever the bus loses or doubles, who listens ends up with the orders as they stand', async () => {
  started = await startSocket({ limits: { rate: { burst: 1e9, perSecond: 1 } } });
  const { script } = started.fakes;
  const { orders: answer } = script;
  script.orders = async (request, context) => {
    const { including = '' } = request;
    for (const { position, change } of late) if (position <= including) await change;
    return answer(request, context);
  };
  const peer = await started.open();
  await peer.follow('orders');
  await peer.caughtUp();
  // After the first event that is heard, a gap in the revisions is noticed.
  started.publishAt(++revision, OrderAccepted, { order_id: 'first', ticker: 'MSFT', cursor: '' });
  await expect.poll(() => peer.messages.some(({ type }) => type === 'order'), NOW).toBe(true);
  const known = new Map(started.fakes.account.orders.map((order) => [order.order_id, order]));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const each of steps) {
        happen(each);
        if (each.thenCatchUp) await peer.caughtUp();
      }
      // The next event shows that earlier ones were lost. Once it is pushed, all that came before it is pushed too.
      const order_id = 'last';
      started.publishAt(++revision, OrderAccepted, { order_id, ticker: 'MSFT', cursor: '' });
      await expect
        .poll(() => peer.messages.some((each) => each.type === 'order' && each.order_id === order_id), NOW)
        .toBe(true);
      const orders = started.fakes.account.orders.map((each) => [each.order_id, each]);
      expect(Object.fromEntries(fold(known, peer))).toEqual(Object.fromEntries(orders));
      late.length = 0;
    }),
    { numRuns: 150 },
  );
  expect(started.fakes.faults).toEqual([]);
});
