import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { z } from 'zod';
import type { BusStatus, MessageBus } from '../../../../events/bus/bus.ts';
import { accountStream } from '../../../../events/catalog/trading.ts';
import type { EventDefinition } from '../../../../events/define.ts';
import { decideDashboardAccess, type DashboardGatewaySettings } from '../access.ts';
import { OPEN } from '../dashboard.suite.ts';
import { DashboardLogs } from '../logs.ts';
import { startFakeTrading, type FakeTrading, type TradingScript } from '../fake-trading.suite.ts';
import { openHttpServer } from '../../http/server.ts';
import type { SocketFigures } from './socket-metrics.ts';
import { ManualClock } from '../../../../testing/faults/manual-clock.suite.ts';
import { Peer } from './peer.suite.ts';
import type { SocketLimits } from './socket-limits.ts';
import { attachSocket } from './socket.ts';

export const METRICS_INTERVAL_MS = 5_000;

/** The position of the event that `publishAt` publishes with this revision. */
export const positionAt = (revision: number): string => String(revision).padStart(16, '0');

export interface Started {
  app: FastifyInstance;
  fakes: FakeTrading;
  logs: DashboardLogs;
  clock: ManualClock;
  register: Registry;
  port: number;
  figures: () => SocketFigures;
  /** Lines of the log. */
  lines: Record<string, unknown>[];
  /** The state of the bus connection that the gateway sees. */
  busState: BusStatus['state'];
  open(headers?: Record<string, string>): Promise<Peer>;
  /** Resolves when all events are delivered, every query of the gateway is answered, and its next timer is set. */
  settled(): Promise<void>;
  /** Advances the clock by this many milliseconds once all is settled. */
  pass(ms: number): Promise<void>;
  /** Publishes an event with a given revision, which `fakes.publish` would choose itself. */
  publishAt<S extends z.ZodRawShape>(
    revision: number,
    definition: EventDefinition<string, S, never>,
    data: z.input<z.ZodObject<S>>,
    stream?: string,
  ): void;
  close(): Promise<void>;
}

/** The WebSocket alone on a server on loopback, with fakes behind it and a clock that stands still. */
export async function startSocket({
  settings = {},
  limits = {},
  script = {},
  host = '127.0.0.1',
}: {
  settings?: Partial<DashboardGatewaySettings>;
  limits?: Partial<SocketLimits>;
  script?: Partial<TradingScript>;
  host?: string;
} = {}): Promise<Started> {
  const fakes = startFakeTrading(script);
  const clock = new ManualClock();
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'trace' },
    { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const all: DashboardGatewaySettings = {
    ...OPEN,
    metricsIntervalMs: METRICS_INTERVAL_MS,
    ...settings,
  };
  const app = openHttpServer({ allowedHosts: all.allowedHosts, logger });
  const logs = new DashboardLogs();
  const register = new Registry();
  const asking = new Set<Promise<unknown>>();
  const bus: MessageBus = {
    publish: (subject, data, headers) => fakes.bus.publish(subject, data, headers),
    subscribe: (subject, handler, options) => fakes.bus.subscribe(subject, handler, options),
    request(subject, data, options) {
      const reply = fakes.bus.request(subject, data, options);
      asking.add(reply);
      return reply.finally(() => asking.delete(reply));
    },
    requestMany: (subject, data, options) => fakes.bus.requestMany(subject, data, options),
    drain: () => fakes.bus.drain(),
    status: () => ({ state: started.busState, inFlight: 0 }),
  };
  const context = { bus, settings: all, access: decideDashboardAccess(all), logs, register };
  const { figures } = attachSocket(app, context, { clock, limits });
  await app.listen({ host, port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const peers: Peer[] = [];
  const started: Started = {
    app,
    fakes,
    logs,
    clock,
    register,
    port,
    figures,
    lines,
    busState: 'connected',
    async open(headers = {}) {
      const peer = await Peer.open(port, { headers });
      peers.push(peer);
      return peer;
    },
    async settled() {
      await fakes.delivered();
      do {
        await Promise.allSettled(asking);
        await nextTurn();
      } while (asking.size > 0);
    },
    async pass(ms) {
      await started.settled();
      clock.advance(ms);
    },
    publishAt(revision, definition, data, stream = accountStream('main')) {
      const { type } = definition;
      const metadata = { at: new Date(0).toISOString() };
      const event = {
        id: `${stream}-${revision}`,
        type,
        stream,
        revision,
        position: positionAt(revision),
        data,
        metadata,
      };
      fakes.bus.publish(definition.subject(stream), Buffer.from(JSON.stringify(event)), {
        'event-type': type,
      });
    },
    async close() {
      for (const { ws } of peers) ws.terminate();
      await app.close();
    },
  };
  return started;
}
