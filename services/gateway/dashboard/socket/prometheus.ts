import { Counter, Gauge, type Registry } from 'prom-client';
import type { SocketFigures } from './figures.ts';

const COUNTED: Readonly<Record<Exclude<keyof SocketFigures, 'connections'>, string>> = {
  accepted: 'WebSocket connections accepted',
  refused: 'WebSocket connections turned away',
  sent: 'Messages sent to WebSocket connections',
  coalesced: 'States that were replaced by a newer one before they were sent',
  left_out: 'Log lines skipped for slow clients',
  too_slow: 'Clients disconnected because too many messages were waiting for them',
  dead: 'Clients disconnected because they did not answer a ping',
  resyncs: 'How often missed order events were sent later',
};

/** Lets whoever scrapes see the figures as they are then. */
export function exposeFigures(register: Registry, read: () => SocketFigures): void {
  const connections = new Gauge({
    name: 'beleg_websocket_connections',
    help: 'Open WebSocket connections',
    registers: [],
    collect() {
      this.set(read().connections);
    },
  });
  const counters = Object.entries(COUNTED).map(
    ([figure, help]) =>
      new Counter({
        name: `beleg_websocket_${figure}_total`,
        help,
        registers: [],
        collect() {
          this.reset();
          this.inc(read()[figure as keyof SocketFigures]);
        },
      }),
  );
  for (const metric of [connections, ...counters]) register.registerMetric(metric);
}
