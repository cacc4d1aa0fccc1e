import { beforeEach, describe, expect, test } from 'vitest';
import type { Broker, BrokerOrder, BrokerReport } from '../../../actors/trading/broker.ts';
import { parsePrice, parseQuantity } from '../../../events/decimal.ts';

/** A broker under test, over a record that outlives it. */
export interface BrokerHarness {
  /** Opens it; once more without any closing is what a crash leaves. */
  open(): Promise<Broker>;
  /** Lets its market trade once: market orders in `TICKER` are filled whole, at any price; `FAR` is not reached. */
  trade(broker: Broker): Promise<void>;
  /** `down`: it receives nothing. `mute`: it does what it is told, but its reply is lost. */
  setLine(line: 'up' | 'down' | 'mute'): void;
}

export const TICKER = 'AAPL';
/** A limit to buy at that no market reaches. */
export const FAR = parsePrice('0.01');

export function newOrder(orderId: string, order: Partial<BrokerOrder> = {}): BrokerOrder {
  return {
    order_id: orderId,
    ticker: TICKER,
    action: 'buy',
    type: 'market',
    quantity: parseQuantity('10'),
    price: null,
    stop_price: null,
    time_in_force: 'gtc',
    reduce_only: false,
    ...order,
  };
}

/** An order that stays open. */
export const resting = (orderId: string): BrokerOrder => newOrder(orderId, { type: 'limit', price: FAR });

/** All reports behind a cursor, page by page. */
export async function allReports(broker: Broker, after: string | null = null): Promise<BrokerReport[]> {
  const all: BrokerReport[] = [];
  for (;;) {
    const page = await broker.reports(all.at(-1)?.cursor ?? after);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

const said = (reports: readonly BrokerReport[]): string[] =>
  reports.map(({ type, order_id }) => `${order_id} ${type}`);

async function someDays(harness: BrokerHarness, broker: Broker): Promise<void> {
  await Promise.all([broker.submit(newOrder('a')), broker.submit(resting('b'))]);
  await harness.trade(broker);
  await broker.submit(newOrder('c', { action: 'sell' }));
  await harness.trade(broker);
  await broker.cancel('b');
}

const UNAVAILABLE = { code: 'BROKER_UNAVAILABLE' };

/** The contract that the engine relies on for every broker. `create` makes a broker without orders for each test. */
export function brokerContract(name: string, create: () => BrokerHarness): void {
  describe(`Broker contract: ${name}`, () => {
    let harness: BrokerHarness;
    let broker: Broker;

    beforeEach(async () => {
      harness = create();
      broker = await harness.open();
    });

    describe('submitting', () => {
      test('is told of by a report, and the order is there', async () => {
        await broker.submit(resting('a'));
        expect(said(await allReports(broker))).toEqual(['a accepted']);
        expect(await broker.find('a')).toEqual({ open: true });
      });

      test('the same id again is the same order: at once, while it is open, and when it is done', async () => {
        await Promise.all([broker.submit(newOrder('a')), broker.submit(newOrder('a'))]);
        await broker.submit(newOrder('a'));
        await harness.trade(broker);
        await broker.submit(newOrder('a'));
        await harness.trade(broker);
        expect(said(await allReports(broker))).toEqual(['a accepted', 'a trade']);
        expect(await broker.positions()).toEqual(new Map([[TICKER, parseQuantity('10')]]));
      });

      test('64 at once are each accepted once, in the order of the calls', async () => {
        const ids = Array.from({ length: 64 }, (_, n) => `order-${n}`);
        await Promise.all(ids.map((id) => broker.submit(resting(id))));
        expect(said(await allReports(broker))).toEqual(ids.map((id) => `${id} accepted`));
      });

      test('a refusal is a report, and the id is used', async () => {
        await broker.submit(newOrder('a', { type: 'limit', price: null }));
        await broker.submit(newOrder('a'));
        expect(await allReports(broker)).toMatchObject([
          { type: 'rejected', order_id: 'a', reason: expect.stringMatching(/^[A-Z_]+$/) },
        ]);
        expect(await broker.find('a')).toEqual({ open: false });
      });
    });

    describe('cancelling', () => {
      test('an open order is told of by a report', async () => {
        await broker.submit(resting('a'));
        await broker.cancel('a');
        expect(said(await allReports(broker))).toEqual(['a accepted', 'a cancelled']);
        expect(await broker.find('a')).toEqual({ open: false });
      });

      test('is quiet for an order that is done or cancelled already', async () => {
        await Promise.all([broker.submit(newOrder('a')), broker.submit(resting('b'))]);
        await harness.trade(broker);
        await broker.cancel('b');
        const before = await allReports(broker);
        for (const id of ['a', 'b']) await broker.cancel(id);
        expect(await allReports(broker)).toEqual(before);
      });

      test('can come before its order, which is not taken any more, by whoever opens the broker next either', async () => {
        await broker.cancel('a');
        expect(await broker.find('a')).toEqual({ open: false });
        for (const opened of [broker, await harness.open()]) {
          await opened.submit(newOrder('a'));
          await harness.trade(opened);
          expect(said(await allReports(opened))).toEqual(['a cancelled']);
          expect(await opened.positions()).toEqual(new Map());
        }
      });
    });

    describe('finding', () => {
      test('says null only of what was never there', async () => {
        expect(await broker.find('a')).toBeNull();
        const submitted = broker.submit(newOrder('a'));
        const found = broker.find('a');
        await submitted;
        expect(await found).toEqual({ open: true });
        await harness.trade(broker);
        expect(await broker.find('a')).toEqual({ open: false });
      });
    });

    describe('reports', () => {
      test('hold what happened in its order; trades say how much, at what price, when', async () => {
        await someDays(harness, broker);
        const reports = await allReports(broker);
        expect(said(reports)).toEqual([
          'a accepted',
          'b accepted',
          'a trade',
          'c accepted',
          'c trade',
          'b cancelled',
        ]);
        const trades = reports.filter((report) => report.type === 'trade');
        expect(new Set(trades.map((trade) => trade.trade_id)).size).toBe(2);
        for (const trade of trades) {
          expect(trade.quantity).toBe(parseQuantity('10'));
          expect(trade.price).toBeGreaterThan(0n);
          expect(trade.session).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        }
        expect(await broker.positions()).toEqual(new Map());
      });

      test('go on from any cursor, the same whenever they are read, cursors growing', async () => {
        await someDays(harness, broker);
        const all = await allReports(broker);
        for (const opened of [broker, await harness.open()]) {
          for (const [index, { cursor }] of all.entries()) {
            expect(await allReports(opened, cursor)).toEqual(all.slice(index + 1));
          }
        }
        const cursors = all.map(({ cursor }) => cursor);
        expect(cursors).toEqual([...new Set(cursors)].sort());
      });

      test('a listener is called when there are new ones, and no more after its end', async () => {
        let calls = 0;
        const end = broker.onReports(() => (calls += 1));
        await broker.submit(resting('a'));
        await broker.find('a');
        expect(calls).toBe(1);
        end();
        await broker.cancel('a');
        await broker.find('a');
        expect(calls).toBe(1);
      });
    });

    describe('after a crash', () => {
      test('everything is as it was, and the same orders again change nothing', async () => {
        const orders = [newOrder('a'), resting('b'), newOrder('c', { quantity: parseQuantity('7') })];
        for (const order of orders) await broker.submit(order);
        await harness.trade(broker);
        const [reports, positions] = [await allReports(broker), await broker.positions()];
        const reopened = await harness.open();
        for (const order of orders) await reopened.submit(order);
        await harness.trade(reopened);
        expect(await allReports(reopened)).toEqual(reports);
        expect(await reopened.positions()).toEqual(positions);
        expect(positions).toEqual(new Map([[TICKER, parseQuantity('17')]]));
        expect(await reopened.find('b')).toEqual({ open: true });
      });

      test('an answer that was lost with it stands', async () => {
        harness.setLine('mute');
        await expect(broker.submit(newOrder('a'))).rejects.toMatchObject(UNAVAILABLE);
        harness.setLine('up');
        const reopened = await harness.open();
        expect(await reopened.find('a')).toEqual({ open: true });
        await reopened.submit(newOrder('a'));
        await harness.trade(reopened);
        expect(said(await allReports(reopened))).toEqual(['a accepted', 'a trade']);
      });
    });

    describe('on a bad line', () => {
      test('nothing is answered while it is down', async () => {
        await broker.submit(resting('a'));
        harness.setLine('down');
        await expect(broker.submit(newOrder('b'))).rejects.toMatchObject(UNAVAILABLE);
        await expect(broker.cancel('a')).rejects.toMatchObject(UNAVAILABLE);
        await expect(broker.find('a')).rejects.toMatchObject(UNAVAILABLE);
        await expect(harness.open()).rejects.toMatchObject(UNAVAILABLE);
      });

      test.each(['down', 'mute'] as const)('an order sent while it is %s is there once', async (line) => {
        harness.setLine(line);
        await expect(broker.submit(newOrder('a'))).rejects.toMatchObject(UNAVAILABLE);
        harness.setLine('up');
        const possible = line === 'mute' ? [{ open: true }] : [{ open: true }, null];
        expect(possible).toContainEqual(await broker.find('a'));
        await broker.submit(newOrder('a'));
        await harness.trade(broker);
        expect(said(await allReports(broker))).toEqual(['a accepted', 'a trade']);
      });

      test('whatever was not answered comes in its order, and once', async () => {
        await broker.submit(newOrder('a'));
        harness.setLine('mute');
        await expect(broker.cancel('a')).rejects.toMatchObject(UNAVAILABLE);
        await expect(broker.submit(resting('b'))).rejects.toMatchObject(UNAVAILABLE);
        harness.setLine('up');
        await broker.submit(resting('b'));
        await broker.submit(resting('c'));
        expect(said(await allReports(broker))).toEqual([
          'a accepted',
          'a cancelled',
          'b accepted',
          'c accepted',
        ]);
      });

      test.each(['down', 'mute'] as const)(
        'a market that trades while it is %s trades once',
        async (line) => {
          await broker.submit(newOrder('a'));
          harness.setLine(line);
          await expect(harness.trade(broker)).rejects.toMatchObject(UNAVAILABLE);
          harness.setLine('up');
          await broker.positions();
          await harness.trade(broker);
          expect(said(await allReports(broker))).toEqual(['a accepted', 'a trade']);
          expect(await broker.positions()).toEqual(new Map([[TICKER, parseQuantity('10')]]));
        },
      );
    });
  });
}
