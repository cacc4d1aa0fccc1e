import { Counter, Gauge, type Registry } from 'prom-client';
import type { SocketFigures } from './figures.ts';

const COUNTED: Readonly<Record<Exclude<keyof SocketFigures, 'connections'>, string>> = {
  accepted: 'WebSocket connections accepted',
  refused: 'WebSocket connections turned away',
  sent: 'Messages handed to WebSocket connections',
  coalesced: 'States that a newer one replaced before they were sent',
  left_out: 'Log lines left out for clients that were behind',
  too_slow: 'Clients disconnected because too much waited for them',
  dead: 'Clients disconnected because they did not answer a ping',
  resyncs: 'Times that missed events of orders were made up for',
};

/** Lets whoever scrapes see the figures as they are then. */
export function exposeFigures(register: Registry, read: () => SocketFigures): void {
  const connections = new Gauge({
    name: 'beleg_websocket_connections',
    help: 'WebSocket connections that are open',
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
