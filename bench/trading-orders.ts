import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Pool } from 'undici';
import type { MessageBus } from '../events/bus/bus.ts';
import { call } from '../events/messages/define.ts';
import { StartTrading, SubmitOrder, TradingStatus } from '../events/messages/trading.ts';
import { startApplication } from '../services/composition/application.ts';
import type { Application } from '../services/composition/running.ts';
import { readSettings } from '../services/composition/settings.ts';
import type { Environment } from '../services/foundation/settings-error.ts';
import { BelegProcess } from '../testing/processes/process.suite.ts';
import { PlainInserts } from './store-load.ts';
import { measureWriter } from './trading-writer.ts';
import { quantile } from '../testing/quantile.ts';

export interface OrderRates {
  readonly what: string;
  readonly clients: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const TICKERS = ['DEMO-OAK', 'DEMO-PINE', 'DEMO-ALDER', 'DEMO-BIRCH'];

/** An account that pays for everything, so that each order opens and each session fills what has come in. */
function environment(folder: string): Environment {
  return {
    DATA_DIR: folder,
    PV_PORT: '0',
    TD_PORT: '0',
    TD_STRATEGY: 'none',
    TD_CASH: '999999999999',
    TD_FEES: 'none',
    TD_VOLUME_LIMIT: '0',
    LOG_LEVEL: 'fatal',
  };
}

/**
 * Orders a second from the call to the reply, which comes when the intent is on disk. The broker takes them, fills them
 * and all of that is recorded meanwhile. `inspect` sees the folder of the in-process run, when all is closed.
 */
export async function measureOrders(
  seconds: number,
  inspect: (folder: string) => Promise<void>,
): Promise<OrderRates[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
  const folder = temporary.path;
  const plain = new PlainInserts(join(folder, 'plain.db'));
  const rates: OrderRates[] = [
    {
      what: 'plain SQLite, one commit a row',
      ...withoutTimes(plain.insertFor(1, seconds * 1_000)),
      clients: 1,
    },
  ];
  plain.close();
  await measureWriter(environment(join(folder, 'writer')), async (order) => {
    await drive(64, 1, order);
    for (const clients of [1, 64]) {
      rates.push({
        what: "the account's writer alone",
        clients,
        ...(await drive(clients, seconds, order)),
      });
    }
  });
  const application = await startApplication(
    readSettings(environment(join(folder, 'in-process'))),
    pino({ level: 'silent' }),
    { services: ['market', 'models', 'trading'] },
  );
  const { bus } = application.runtime;
  await ready(bus);
  const orders = submitter(application);
  await drive(64, 1, orders);
  for (const clients of [1, 64])
    rates.push({ what: 'whole service, in process', clients, ...(await drive(clients, seconds, orders)) });
  await application.close();
  await inspect(join(folder, 'in-process'));
  rates.push(...(await measureHttp(join(folder, 'http'), seconds)));
  return rates;
}

const withoutTimes = (perSecond: number) => ({ perSecond, p50: 1_000 / perSecond, p99: Number.NaN });

let calls = 0;
const context = () => ({ correlationId: 'bench', callId: `bench-${++calls}` });

async function ready(bus: MessageBus): Promise<void> {
  for (;;) {
    // The synthetic market is being made at first.
    const { session } = await call(bus, TradingStatus, {}, context());
    if (session !== null) break;
  }
  await call(bus, StartTrading, {}, context());
}

function submitter({ runtime }: Application): () => Promise<void> {
  return async () => {
    await call(
      runtime.bus,
      SubmitOrder,
      { ticker: TICKERS[calls % TICKERS.length]!, action: 'buy', quantity: 1 },
      context(),
    );
  };
}

async function measureHttp(folder: string, seconds: number): Promise<OrderRates[]> {
  const server = new BelegProcess(['serve'], environment(folder));
  try {
    const pool = new Pool(await server.dashboard, { connections: 64 });
    const post = async (path: string, body?: string): Promise<void> => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await pool.request({ path, method: 'POST', headers, body: body ?? null });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text}`);
    };
    await untilStarted(pool);
    await post('/api/trading/start');
    const order = (): Promise<void> =>
      post(
        '/api/trading/order',
        JSON.stringify({ ticker: TICKERS[++calls % TICKERS.length], action: 'buy', quantity: 1 }),
      );
    await drive(64, 1, order);
    const rates: OrderRates[] = [];
    for (const clients of [1, 64]) {
      rates.push({ what: 'whole service, over HTTP', clients, ...(await drive(clients, seconds, order)) });
    }
    await pool.close();
    return rates;
  } finally {
    await server.stop();
  }
}

async function untilStarted(pool: Pool): Promise<void> {
  for (;;) {
    const { body } = await pool.request({ path: '/api/trading/status', method: 'GET' });
    if (((await body.json()) as { session?: string | null }).session) return;
  }
}

async function drive(clients: number, seconds: number, order: () => Promise<void>) {
  const times: number[] = [];
  const began = performance.now();
  const end = began + seconds * 1_000;
  const client = async (): Promise<void> => {
    for (let now = performance.now(); now < end;) {
      await order();
      const after = performance.now();
      times.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = times.length / ((performance.now() - began) / 1_000);
  return { perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
