import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { Registry } from 'prom-client';
import { OrderAccepted } from '../events/catalog/trading.ts';
import { decideDashboardAccess } from '../services/gateway/dashboard/access.ts';
import { WORKING } from '../services/gateway/dashboard/dashboard-examples.ts';
import { OPEN } from '../services/gateway/dashboard/dashboard.suite.ts';
import { DashboardLogs } from '../services/gateway/dashboard/logs.ts';
import { startFakeTrading, type FakeTrading } from '../services/gateway/dashboard/fake-trading.suite.ts';
import { openHttpServer } from '../services/gateway/http/server.ts';
import { attachSocket } from '../services/gateway/dashboard/socket/socket.ts';
import { stampOf, type ClientsReport } from './fanout-clients.ts';
import { broadcastNaively } from './fanout-naive.ts';

/** Put before the measurement into the connection of the client that never reads, so that it is full. */
const STUFFING_BYTES = 8 * 1024 * 1024;
const LINE = 'x'.repeat(64 * 1024);

const BURST_MS = 1_000;

interface Arrangement {
  readonly name: string;
  readonly fakes: FakeTrading;
  readonly server: Server;
  /** A line for the client that never reads. */
  readonly stuff: (line: string) => void;
  readonly close: () => Promise<void>;
}

/**
 * `npm run bench -- trading-fanout [--clients 200] [--events 100] [--seconds 5]`: from an event on the bus to the clients
 * of the WebSocket, which are a process of their own; one of them never reads, and its connection is full. The same for
 * a broadcast as one would write it first. Events come evenly, and as fills do: all of a session at once.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      clients: { type: 'string', default: '200' },
      events: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '5' },
    },
  });
  const load = {
    clients: Number(values.clients),
    events: Number(values.events),
    seconds: Number(values.seconds),
  };
  console.log(
    `${load.clients} clients, one of which never reads; ${load.events} events/s for ${load.seconds} s\n`,
  );
  console.log(
    line(['', 'events', 'p50 ms', 'p99 ms', 'max ms', 'lost', 'CPU ms', 'in the silent one’s socket']),
  );
  for (const start of [startBeleg, startNaive]) {
    for (const burst of [false, true]) await measure(await start(), { ...load, burst });
  }
}

async function startBeleg(): Promise<Arrangement> {
  const fakes = startFakeTrading();
  const app = openHttpServer({ allowedHosts: [], logger: pino({ level: 'silent' }) });
  const logs = new DashboardLogs();
  const access = decideDashboardAccess(OPEN);
  attachSocket(app, { bus: fakes.bus, settings: OPEN, access, logs, register: new Registry() });
  await app.ready();
  const stuff = (text: string) => logs.add(new Date(), text);
  return { name: 'beleg', fakes, server: app.server, stuff, close: () => app.close() };
}

async function startNaive(): Promise<Arrangement> {
  const fakes = startFakeTrading();
  const { server, tellFirst } = broadcastNaively(fakes.bus);
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { name: 'send to each', fakes, server, stuff: tellFirst, close };
}

async function measure(
  { name, fakes, server, stuff, close }: Arrangement,
  load: { clients: number; events: number; seconds: number; burst: boolean },
): Promise<void> {
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  if (!server.listening) server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = fork(join(import.meta.dirname, 'fanout-clients.ts'), [String(port), String(load.clients)]);
  try {
    await once(clients, 'message');
    for (let bytes = 0; bytes < STUFFING_BYTES; bytes += LINE.length) {
      stuff(LINE);
      await sleep(0);
    }
    const used = process.cpuUsage();
    const published = await publish(fakes, load);
    await sleep(500);
    const { user, system } = process.cpuUsage(used);
    const { p50, p99, max, fewest } = await ask(clients);
    const held = sockets[0]!.destroyed
      ? 'disconnected'
      : `${Math.round(sockets[0]!.writableLength / 1024)} KiB`;
    const times = [p50, p99, max].map((ms) => ms.toFixed(2));
    const what = `${name}, ${load.burst ? 'bursts' : 'evenly'}`;
    const lost = String(published - fewest);
    const cpu = ((user + system) / 1_000 / published).toFixed(2);
    console.log(line([what, String(published), ...times, lost, cpu, held]));
  } finally {
    clients.disconnect();
    await close();
  }
}

/** Returns how many events there were. */
async function publish(
  fakes: FakeTrading,
  { events, seconds, burst }: { events: number; seconds: number; burst: boolean },
): Promise<number> {
  const at = burst ? events : 1;
  const pauseMs = burst ? BURST_MS : 1_000 / events;
  const total = events * seconds;
  const started = performance.now();
  for (let n = 0; n < total; n += at) {
    const due = started + (n / at) * pauseMs;
    if (due > performance.now()) await sleep(due - performance.now());
    await Promise.all(Array.from({ length: at }, (_, i) => happen(fakes, `order-${n + i}`)));
  }
  return total;
}

function happen(fakes: FakeTrading, order_id: string): Promise<void> {
  fakes.account.orders.push({ ...WORKING, order_id, client_order_id: stampOf(process.hrtime.bigint()) });
  return fakes.publish(OrderAccepted, { order_id, ticker: WORKING.ticker, cursor: order_id });
}

async function ask(clients: ChildProcess): Promise<ClientsReport> {
  clients.send('report');
  const [report] = (await once(clients, 'message')) as [ClientsReport];
  return report;
}

function line(cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(i === 7 ? 28 : 11))).join('');
}
