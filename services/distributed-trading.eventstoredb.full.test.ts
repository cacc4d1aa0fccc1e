import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CATALOG } from '../events/catalog/catalog.ts';
import { createCodec } from '../events/define.ts';
import { hasNatsServer } from '../testing/nats/server.suite.ts';
import { openEventStoreDb } from '../events/store/eventstoredb/eventstoredb.ts';
import { sharedFolder } from '../events/temporary-folder.suite.ts';
import type { Vault } from '../events/vault/vault.ts';
import { Client, type Reply } from '../testing/processes/application.suite.ts';
import type { BelegProcess } from '../testing/processes/process.suite.ts';
import { Cluster } from '../testing/processes/cluster.suite.ts';
import { readTradingRecord, type TradingRecord } from './trading/record-check.suite.ts';
import { PATIENT } from '../events/patient.suite.ts';

const CLIENTS = 4;

interface Status {
  readonly active: boolean;
  readonly state: string;
  readonly orders_count: number;
  readonly discrepancies: number;
  readonly session: string;
  readonly positions: Readonly<Record<string, { readonly quantity: number }>>;
}

interface OrderReply {
  readonly order_id: string;
  readonly client_order_id: string | null;
  readonly status: string;
}

/** Events of trading have no free text. */
const NO_VAULT = {} as Vault;

/** Orders that were acknowledged, by the id that their client gave them. */
type Acknowledged = Map<string, string>;

describe.skipIf(!hasNatsServer)('trading as separate processes on NATS and an event store', () => {
  const folder = sharedFolder();
  let cluster: Cluster;
  let client: Client;
  const acknowledged: Acknowledged = new Map();

  beforeAll(async () => {
    cluster = await Cluster.start(
      folder,
      {
        DATA_DIR: join(folder, 'data'),
        PV_PORT: '0',
        TD_PORT: '0',
        TD_STRATEGY: 'none',
        TD_FEED_SPEED: '5',
        TD_FEES: 'per-order:1',
        LOG_LEVEL: 'fatal',
      },
      { knowledge: 0, audit: 1, trading: 2 },
    );
    client = new Client(await cluster.gateway.dashboard);
    await vi.waitFor(async () => expect((await status()).session).not.toBeNull(), PATIENT);
  });

  afterAll(async () => {
    const codes = await cluster?.stop();
    expect(new Set(codes)).toEqual(new Set([0]));
    expect(cluster.violations).toEqual([]);
  });

  /** Retries like a careful client, while the service says `Retry-After` because leases change hands. */
  const get = <T>(path: string): Promise<Reply<T>> =>
    vi.waitFor(async () => {
      const reply = await client.get<T>(path);
      expect(reply.status).not.toBe(503);
      return reply;
    }, PATIENT);

  async function status(): Promise<Status> {
    const reply = await get<Status>('/api/trading/status');
    expect(reply.status).toBe(200);
    return reply.body;
  }

  const orders = async () => (await get<OrderReply[]>('/api/trading/orders?limit=10000')).body;

  /** Repeats the same order under the same id until there is an answer, like a careful client. */
  async function submit(body: Record<string, unknown>): Promise<Reply<{ order_id: string }>> {
    const client_order_id = randomUUID();
    for (;;) {
      const reply = await client
        .post<{ order_id: string }>('/api/trading/order', { ...body, client_order_id })
        .catch(() => null);
      if (reply === null || reply.status === 503) continue;
      if (reply.status === 200) acknowledged.set(client_order_id, reply.body.order_id);
      return reply;
    }
  }

  /** Several clients order until `until` settles, and once more each. */
  async function orderMeanwhile(until: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    void until.finally(() => over.abort());
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, n) => {
        for (let i = 0; i === 0 || !over.signal.aborted; i++) {
          const ticker = ['DEMO-OAK', 'DEMO-PINE'][n % 2];
          const { status } = await submit({ ticker, action: i % 3 === 2 ? 'sell' : 'buy', quantity: 1 });
          expect([200, 422]).toContain(status);
        }
      }),
    );
    await until;
  }

  /** Waits until no order is open. Then the positions are what was filled, and the cash is what that left over. */
  async function settled(): Promise<void> {
    await vi.waitFor(async () => {
      const { state, discrepancies } = await status();
      expect({ state, discrepancies }).toEqual({ state: 'running', discrepancies: 0 });
      const open = (await orders()).filter(
        ({ status }) => !['filled', 'cancelled', 'expired'].includes(status),
      );
      expect(open).toEqual([]);
    }, PATIENT);
    const all = await orders();
    const { orders_count } = await status();
    for (const [client_order_id, order_id] of acknowledged) {
      const found = all.filter((order) => order.client_order_id === client_order_id);
      expect(found.map((order) => order.order_id)).toEqual([order_id]);
    }
    const { account, faults } = await record();
    expect(faults).toEqual([]);
    const times = (event: string) => account.filter(({ type }) => type === event).length;
    const there = times('OrderSubmitted') - times('OrderWithdrawn');
    expect({ listed: all.length, orders_count }).toEqual({ listed: there, orders_count: there });
  }

  /** The recorded events of account and broker, read by a connection of its own. */
  async function record(): Promise<TradingRecord> {
    const store = await openEventStoreDb({ url: cluster.store.url });
    try {
      return await readTradingRecord(store, createCodec(CATALOG, NO_VAULT), 'main');
    } finally {
      await store.close();
    }
  }

  async function holder(): Promise<BelegProcess> {
    for (const process of cluster.trading) {
      // A process that stands still does not answer.
      const signal = AbortSignal.timeout(1_000);
      const reply = await fetch(`${await process.operations}/ready`, { signal }).catch(() => null);
      const body = (await reply?.json()) as { leases: string[] } | undefined;
      if (body?.leases.includes('trading')) return process;
    }
    throw new Error('nobody trades');
  }

  /** Kills a process, then starts another one in its place. */
  async function replace(process: BelegProcess, service: 'trading' | 'market', list: BelegProcess[]) {
    await process.kill();
    const next = cluster.run(service);
    list.splice(list.indexOf(process), 1, next);
    await next.ready;
  }

  test('trades', async () => {
    expect((await client.post('/api/trading/start')).body).toEqual({ status: 'started' });
    expect(await submit({ ticker: 'DEMO-OAK', action: 'buy', quantity: 20 })).toMatchObject({ status: 200 });
    expect(await submit({ ticker: 'DEMO-PINE', action: 'buy', quantity: 20 })).toMatchObject({ status: 200 });
    await settled();
    expect((await status()).positions).toMatchObject({ 'DEMO-OAK': { quantity: 20 } });
  });

  test('the process that has the account is killed under orders: the other one takes over, nothing is lost or doubled', async () => {
    for (let round = 0; round < 2; round++) {
      await orderMeanwhile(replace(await vi.waitFor(holder, PATIENT), 'trading', cluster.trading));
      await settled();
    }
  });

  test('the process that has the account stands still: the other one answers everything, and what waited is not done', async () => {
    const still = await vi.waitFor(holder, PATIENT);
    still.pause();
    const other = await vi.waitFor(async () => {
      const next = await holder();
      expect(next).not.toBe(still);
      return next;
    }, PATIENT);
    await settled();
    for (let n = 0; n < 20; n++) {
      const { status, body } = await client.post(`/api/trading/${n % 2 === 0 ? 'stop' : 'start'}`);
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: n % 2 === 0 ? 'stopped' : 'started' },
      });
    }
    still.resume();
    await settled();
    expect(await vi.waitFor(holder, PATIENT)).toBe(other);
    expect(await status()).toMatchObject({ active: true });
  });

  test('the event store is killed and comes back', async () => {
    await orderMeanwhile(cluster.store.kill().then(() => cluster.store.restart()));
    await settled();
  });

  test('NATS is killed and comes back', async () => {
    await orderMeanwhile(cluster.nats.kill().then(() => cluster.nats.restart()));
    await settled();
  });

  test('the market is killed and comes back: time stands still meanwhile, and goes on', async () => {
    await replace(cluster.market[0]!, 'market', cluster.market);
    const { session } = await status();
    await vi.waitFor(async () => expect((await status()).session > session).toBe(true), PATIENT);
    await settled();
  });
});
