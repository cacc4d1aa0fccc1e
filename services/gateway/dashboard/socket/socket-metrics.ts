import { Counter, Gauge, type Registry } from 'prom-client';

/** Counters since the start, under their names in `GET /metrics`. */
const COUNTED = {
  accepted: 'WebSocket connections accepted',
  /** WebSocket connections that were refused at the upgrade, or later because they sent no key. */
  refused: 'WebSocket connections turned away',
  sent: 'Messages sent to WebSocket connections',
  coalesced: 'States that were replaced by a newer one before they were sent',
  left_out: 'Log lines skipped for slow clients',
  too_slow: 'Clients disconnected because too many messages were waiting for them',
  dead: 'Clients disconnected because they did not answer a ping',
  resyncs: 'How often missed order events were sent later',
};

type Counted = keyof typeof COUNTED;
const NAMES = Object.keys(COUNTED) as Counted[];

export type SocketCounts = Record<Counted, number>;

/** The figures of the WebSocket. */
export interface SocketFigures extends Readonly<SocketCounts> {
  /** The connections that are open now. */
  readonly connections: number;
}

export const noCounts = (): SocketCounts =>
  Object.fromEntries(NAMES.map((name) => [name, 0])) as SocketCounts;

/** Shows the figures at each scrape. */
export function exposeFigures(register: Registry, read: () => SocketFigures): void {
  const connections = new Gauge({
    name: 'beleg_websocket_connections',
    help: 'Open WebSocket connections',
    registers: [],
    collect() {
      this.set(read().connections);
    },
  });
  const counters = NAMES.map(
    (name) =>
      new Counter({
        name: `beleg_websocket_${name}_total`,
        help: COUNTED[name],
        registers: [],
        collect() {
          this.reset();
          this.inc(read()[name]);
        },
      }),
  );
  for (const metric of [connections, ...counters]) register.registerMetric(metric);
}
