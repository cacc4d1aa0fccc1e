import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrokerOrder } from '../../../actors/trading/broker.ts';
import { paperBrokerStream } from '../../../events/catalog/broker.ts';
import { parsePrice, parseQuantity } from '../../../events/decimal.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import type { AppendResult, EventStore, NewEvent, RecordedEvent } from '../../../events/store/store.ts';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { FaultyStore } from '../../../testing/faults/faulty-store.suite.ts';
import { allReports, newOrder, resting, TICKER } from './broker.suite.ts';
import { openOver, PLENTY, RULES, sessionOf } from './paper-broker.suite.ts';

const UNAVAILABLE = { code: 'BROKER_UNAVAILABLE' };

/** Counts the events of each append, and fails after some appends. */
class CountingStore extends FaultyStore {
  readonly appends: number[] = [];
  /** The number of appends that still work. */
  left = Infinity;

  override async append(
    stream: string,
    expected: bigint,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    if (this.left === 0) this.mode = 'down';
    this.left -= 1;
    const result = await super.append(stream, expected, events);
    this.appends.push(events.length);
    return result;
  }
}

const many = (count: number, order: (n: number) => BrokerOrder): BrokerOrder[] =>
  Array.from({ length: count }, (_, n) => order(n));

describe('the paper broker', () => {
  const folder = sharedFolder();
  let inner: EventStore;
  let store: CountingStore;
  let account: string;
  let accounts = 0;

  beforeAll(async () => {
    inner = await openEmbeddedStore({ file: join(folder, 'events.db') });
  });

  afterAll(async () => {
    await inner.close();
  });

  beforeEach(() => {
    store = new CountingStore(inner);
    account = `account-${(accounts += 1)}`;
  });

  const open = (over: EventStore = store, rules = RULES) => openOver(over, account, rules);

  async function recorded(): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of inner.readStream(paperBrokerStream(account))) events.push(event);
    return events;
  }

  const types = async () => (await recorded()).map(({ type }) => type);

  test('meets each session once, never goes back, and knows after a restart how far it was', async () => {
    const broker = await open();
    expect(broker.session).toBeNull();
    await broker.advance(sessionOf(1), PLENTY);
    await broker.submit(newOrder('a'));
    await broker.advance(sessionOf(1), PLENTY);
    await broker.advance(sessionOf(0), PLENTY);
    expect(await broker.find('a')).toEqual({ open: true });
    const reopened = await open();
    expect(reopened.session).toBe('2024-01-03');
    await reopened.advance(sessionOf(1), PLENTY);
    expect(await reopened.find('a')).toEqual({ open: true });
    await reopened.advance(sessionOf(2), PLENTY);
    expect(await reopened.find('a')).toEqual({ open: false });
    expect(reopened.session).toBe('2024-01-04');
  });

  test('does not claim a session that is not on disk', async () => {
    const broker = await open();
    await broker.submit(newOrder('a'));
    store.mode = 'down';
    await expect(broker.advance(sessionOf(0), PLENTY)).rejects.toMatchObject(UNAVAILABLE);
    expect(broker.session).toBeNull();
    store.mode = 'up';
    await broker.advance(sessionOf(0), PLENTY);
    expect(broker.session).toBe('2024-01-02');
  });

  test('records a session in which nothing happens with what happens next', async () => {
    const broker = await open();
    await broker.advance(sessionOf(0), PLENTY);
    await broker.advance(sessionOf(1), PLENTY);
    expect(await types()).toEqual([]);
    expect(broker.session).toBe('2024-01-03');
    await broker.submit(newOrder('a'));
    await broker.submit(newOrder('b'));
    expect(await types()).toEqual(['PaperSessionMatched', 'PaperOrderAccepted', 'PaperOrderAccepted']);
    const reopened = await open();
    expect(reopened.session).toBe('2024-01-03');
    await reopened.advance(sessionOf(1), PLENTY);
    expect(await reopened.find('a')).toEqual({ open: true });
  });

  test('writes what is asked at once in one append, and what is asked meanwhile in the next', async () => {
    const broker = await open();
    const first = many(20, (n) => resting(`first-${n}`)).map((order) => broker.submit(order));
    await new Promise((resolve) => setImmediate(resolve));
    const second = [broker.cancel('first-3'), broker.submit(resting('a')), broker.submit(resting('b'))];
    await Promise.all([...first, ...second]);
    expect(store.appends).toEqual([20, 3]);
  });

  test('gives the same events the same ids, so that an append is recognised', async () => {
    const file = join(folder, 'other.db');
    const other = await openEmbeddedStore({ file });
    const lists: string[][] = [];
    for (const each of [inner, other]) {
      const broker = await open(each);
      // The bars give 100,000 shares a day.
      const large = newOrder('b', { quantity: parseQuantity('250000') });
      await Promise.all([broker.submit(newOrder('a')), broker.submit(large), broker.submit(resting('c'))]);
      await broker.advance(sessionOf(0), PLENTY);
      await broker.cancel('c');
      for (const n of [1, 2]) await broker.advance(sessionOf(n, { splits: { [TICKER]: '2/1' } }), PLENTY);
      await broker.cancel('b');
      const ids: string[] = [];
      for await (const { id } of each.readStream(paperBrokerStream(account))) ids.push(id);
      lists.push(ids);
    }
    await other.close();
    expect(lists[0]).toEqual(lists[1]);
    expect(new Set(lists[0]).size).toBe(3 + 4 + 1 + 2 * 5 + 1);
  });

  test('keeps splits: positions and open orders are the same after a restart', async () => {
    const broker = await open();
    await broker.submit(newOrder('a'));
    await broker.advance(sessionOf(0), PLENTY);
    await broker.submit(
      newOrder('b', {
        action: 'sell',
        type: 'limit',
        price: parsePrice('208'),
        quantity: parseQuantity('4'),
      }),
    );
    await broker.advance(sessionOf(1, { bars: {}, splits: { [TICKER]: '2/1' } }), PLENTY);
    const reopened = await open();
    expect(await reopened.positions()).toEqual(new Map([[TICKER, parseQuantity('20')]]));
    await reopened.advance(sessionOf(2), PLENTY);
    expect((await allReports(reopened)).at(-1)).toMatchObject({
      type: 'trade',
      order_id: 'b',
      quantity: parseQuantity('8'),
      price: parsePrice('104'),
    });
  });

  test('reads reports from the stream that it no longer remembers', async () => {
    const broker = await open();
    const orders = many(1_100, (n) => newOrder(`order-${n}`, { quantity: parseQuantity('1') }));
    await Promise.all(orders.slice(0, 100).map((order) => broker.submit(order)));
    // The split adjusts 22 times 100 orders, for which there are no reports.
    for (let n = 0; n < 22; n++)
      void broker.advance(
        sessionOf(n, { bars: {}, splits: { [TICKER]: n % 2 === 0 ? '2/1' : '1/2' } }),
        PLENTY,
      );
    await Promise.all(orders.slice(100).map((order) => broker.submit(order)));
    await broker.advance(sessionOf(22), PLENTY);
    const ids = orders.map(({ order_id }) => order_id);
    for (const opened of [broker, await open()]) {
      const reports = await allReports(opened);
      expect(reports.map(({ type, order_id }) => `${type} ${order_id}`)).toEqual([
        ...ids.map((id) => `accepted ${id}`),
        ...ids.map((id) => `trade ${id}`),
      ]);
      expect(await allReports(opened, reports[70]!.cursor)).toEqual(reports.slice(71));
      expect(await allReports(opened, reports[2_000]!.cursor)).toEqual(reports.slice(2_001));
    }
  });

  describe('where a session is more than one append', () => {
    /** 700 shares for 900 orders of one share each, that expire unless they are filled. Stops: two events each. */
    const bar = sessionOf(0, {}, 7_000);
    const orders = many(900, (n) =>
      newOrder(`order-${n}`, {
        ...(n === 0 ? {} : { type: 'stop', stop_price: parsePrice('99') }),
        quantity: parseQuantity('1'),
        time_in_force: 'day',
      }),
    );
    const held = new Map([[TICKER, parseQuantity('700')]]);

    test('a crash between two of them loses and doubles nothing', async () => {
      const broker = await open();
      await Promise.all(orders.map((order) => broker.submit(order)));
      store.left = 1;
      await expect(broker.advance(bar, PLENTY)).rejects.toMatchObject(UNAVAILABLE);
      // The process that is gone never gets through again.
      const reopened = await open(inner);
      expect(reopened.session).toBeNull();
      // An append has up to 500 events, and one more if it would end between two of one order; the first states the
      // funds.
      expect(await reopened.positions()).toEqual(new Map([[TICKER, parseQuantity('250')]]));
      await reopened.advance(bar, PLENTY);
      expect(await reopened.positions()).toEqual(held);
      const reports = (await allReports(reopened)).slice(orders.length);
      expect(reports.map(({ type, order_id }) => `${type} ${order_id}`)).toEqual(
        orders.flatMap(({ order_id, type }, n) => [
          ...(type === 'stop' ? [`triggered ${order_id}`] : []),
          `${n < 700 ? 'trade' : 'expired'} ${order_id}`,
        ]),
      );
    });

    test('the rest follows when the session comes again', async () => {
      const broker = await open();
      await Promise.all(orders.map((order) => broker.submit(order)));
      store.left = 1;
      await expect(broker.advance(bar, PLENTY)).rejects.toMatchObject(UNAVAILABLE);
      await expect(broker.submit(resting('next'))).rejects.toMatchObject(UNAVAILABLE);
      store.mode = 'up';
      store.left = Infinity;
      expect(await broker.find('next')).toBeNull();
      expect(broker.session).toBeNull();
      await broker.advance(bar, PLENTY);
      expect(broker.session).toBe('2024-01-02');
      expect(await broker.positions()).toEqual(held);
      expect(await recorded()).toHaveLength(900 + 1 + 2 * 900 - 1 + 1);
    });
  });

  test('where another holder took over, the old one writes nothing and answers nothing any more', async () => {
    const old = await open();
    await old.submit(newOrder('a'));
    const next = await open();
    await next.submit(resting('b'));
    await next.advance(sessionOf(0), PLENTY);
    const before = await recorded();
    await expect(old.advance(sessionOf(0), PLENTY)).rejects.toMatchObject(UNAVAILABLE);
    await expect(old.find('b')).rejects.toMatchObject(UNAVAILABLE);
    expect(await recorded()).toEqual(before);
    expect(old.session).toBeNull();
  });

  test('an order of an earlier holder that lands after its cancellation is not taken', async () => {
    const old = await open();
    const next = await open();
    expect(await next.find('a')).toBeNull();
    await next.cancel('a');
    await expect(old.submit(newOrder('a'))).rejects.toMatchObject(UNAVAILABLE);
    await next.advance(sessionOf(0), PLENTY);
    expect(await types()).toEqual(['PaperOrderCancelled']);
  });

  test('an order of a lot that is no longer traded is still filled', async () => {
    const fractions = await open(store, { ...RULES, lot: parseQuantity('0.5') });
    await fractions.submit(newOrder('a', { quantity: parseQuantity('1.5') }));
    const whole = await open();
    await whole.advance(sessionOf(0), PLENTY);
    expect(await whole.positions()).toEqual(new Map([[TICKER, parseQuantity('1.5')]]));
  });
});
