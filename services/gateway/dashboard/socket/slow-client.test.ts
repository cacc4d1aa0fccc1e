import { afterEach, describe, expect, test } from 'vitest';
import { OrderAccepted, SessionClosed } from '../../../../events/catalog/trading.ts';
import { TRADING_STATUS, WORKING } from '../dashboard-examples.ts';
import { METRICS_INTERVAL_MS, startSocket, type Started } from './dashboard-socket.suite.ts';
import type { Peer } from './peer.suite.ts';

let started: Started;
afterEach(() => started.close());

/** Far more than the buffers between two sockets hold on this machine. */
const MUCH = 'x'.repeat(100_000);

/** A client that follows these channels and has stopped reading: more has been sent than its socket holds. */
async function stuffed(...channels: string[]): Promise<Peer> {
  const peer = await started.open();
  await peer.follow('logs');
  for (const channel of channels) peer.say({ action: 'subscribe', channel });
  await peer.caughtUp();
  await started.settled();
  await peer.caughtUp();
  peer.ws.pause();
  // Lines are left out once some wait, which shows that the socket is full.
  const before = started.figures().left_out;
  while (started.figures().left_out === before) {
    started.logs.add(new Date(), MUCH);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return peer;
}

function accept(from: number, count: number): void {
  for (let n = from; n < from + count; n++) {
    started.publishAt(n, OrderAccepted, { order_id: WORKING.order_id, ticker: 'MSFT', cursor: String(n) });
  }
}

describe('a client that does not read', () => {
  test('delays nobody, and is disconnected when more events wait for it than may', async () => {
    started = await startSocket({ limits: { maxMessages: 100 } });
    const slow = await stuffed('orders');
    const other = await started.open();
    await other.follow('orders');
    await other.caughtUp();
    accept(0, 60);
    await other.heard('order', 60);
    expect(started.figures()).toMatchObject({ connections: 2, too_slow: 0 });
    accept(60, 60);
    expect((await other.heard('order', 120)).map(({ revision }) => revision)).toEqual(
      Array.from({ length: 120 }, (_, n) => n),
    );
    expect(started.figures().too_slow).toBe(1);
    slow.ws.resume();
    expect(await slow.closed).toBe(4408);
    expect(slow.messages.at(-1)).toMatchObject({ type: 'error', code: 'TOO_SLOW' });
  });

  test('and never reads again is gone two seconds later', async () => {
    started = await startSocket({ limits: { maxMessages: 10 } });
    const slow = await stuffed('orders');
    accept(0, 20);
    await expect.poll(() => started.figures().too_slow).toBe(1);
    expect(started.figures().connections).toBe(1);
    await started.pass(2_000);
    await expect.poll(() => started.figures().connections).toBe(0);
    slow.ws.terminate();
  });

  test('is disconnected for answers that it does not take, too', async () => {
    started = await startSocket({ limits: { maxMessages: 20, rate: { burst: 1_000, perSecond: 1 } } });
    const slow = await stuffed();
    for (let n = 0; n < 50; n++) slow.say({ action: 'ping' });
    await expect.poll(() => started.figures().too_slow).toBe(1);
  });

  test('gets the newest state when it reads again, every event in order, and numbers without a gap', async () => {
    started = await startSocket({ limits: { maxMessages: 1_000, maxBytes: 2 ** 24 } });
    const slow = await stuffed('orders', 'metrics', 'positions', 'prices');
    const metrics = slow.messages.filter(({ type }) => type === 'metrics').length;
    for (let n = 1; n <= 9; n++) {
      started.fakes.account.status = { ...TRADING_STATUS, cash: n };
      await started.fakes.publish(SessionClosed, {
        session: `2025-06-0${n}`,
        closes: {},
        cash: '1',
        total_value: '1',
      });
      accept(10 + n, 1);
      const asked = started.fakes.asked.length;
      await started.pass(METRICS_INTERVAL_MS);
      await expect.poll(() => started.fakes.asked.length).toBeGreaterThan(asked);
      // There is a beat each 15 seconds of this clock, and this client answers none.
      if (n === 2) break;
    }
    await expect.poll(() => started.figures().coalesced).toBeGreaterThan(0);
    slow.ws.resume();
    const orders = await slow.heard('order', 2);
    await slow.caughtUp();
    expect(orders.map(({ event }) => event)).toContain('OrderAccepted');
    expect((await slow.heard('positions')).at(-1)).toMatchObject({ cash: 2 });
    expect((await slow.heard('metrics')).length - metrics).toBeLessThan(3);
    const seqs = slow.messages.flatMap((message) => ('seq' in message ? [message.seq] : []));
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  });
});
