import { createServer, type Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import type { MessageBus } from '../events/bus/bus.ts';
import { call } from '../events/messages/define.ts';
import { Orders } from '../events/messages/trading.ts';

/** What one writes first: each event is looked up, and written and sent to each client as it comes. */
export function broadcastNaively(bus: MessageBus): {
  server: Server;
  readonly tellFirst: (line: string) => void;
} {
  const server = createServer();
  const clients = new Set<WebSocket>();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => {});
    client.send(JSON.stringify({ type: 'hello' }));
  });
  bus.subscribe('beleg.v1.evt.trading.*.*', async ({ data }) => {
    const {
      type,
      revision,
      data: of,
    } = JSON.parse(new TextDecoder().decode(data)) as {
      type: string;
      revision: number;
      data: { order_id: string };
    };
    const query = { limit: 1, before: null, ids: [of.order_id] };
    const { orders } = await call(bus, Orders, query, { correlationId: 'naive', callId: 'naive' });
    for (const client of clients) {
      client.send(JSON.stringify({ type: 'order', event: type, revision, order: orders[0] }));
    }
  });
  return {
    server,
    tellFirst: (line) => [...clients][0]?.send(JSON.stringify({ type: 'log', line })),
  };
}
