import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { BelegError } from '../../../../events/errors.ts';
import { endWithProblem } from '../../http/client-error.ts';
import type { DashboardContext } from '../dashboard-context.ts';
import { sendProblem, toBelegError } from '../../http/problem.ts';
import { requestIdOf } from '../../http/server.ts';
import { BEAT_MS, MAX_CLIENT_MESSAGE_BYTES, SOCKET_LIMITS, type SocketLimits } from './socket-limits.ts';
import { Client } from './client.ts';
import { systemClock, type Clock } from '../../../foundation/clock.ts';
import { GOING_AWAY } from './errors.ts';
import { startFeeds } from './feeds.ts';
import { exposeFigures, noCounts, type SocketFigures } from './socket-metrics.ts';
import { Hub } from './subscriptions.ts';
import type { DashboardAccess, DashboardGatewaySettings } from '../access.ts';
import { stripBasePath } from '../../http/base-path.ts';
import { createHostCheck, bearerOf } from '../../http/keys-and-hosts.ts';

/**
 * The WebSocket of the dashboard on `/ws`, which pushes what a client subscribes to, each message with a number within
 * its connection. A client that reads slowly does not delay others: its states wait in their newest form, and its
 * events up to a limit. Call it before the server is ready; `close()` of the server ends the connections with 1001.
 *
 * @example
 * const socket = attachSocket(app, { bus, settings, access, logs, register });
 * socket.figures().connections;
 */
export function attachSocket(
  app: FastifyInstance,
  { bus, settings, access, logs, register }: DashboardContext,
  { clock = systemClock, limits }: { clock?: Clock; limits?: Partial<SocketLimits> } = {},
): { readonly figures: () => SocketFigures } {
  const { maxClients, maxUnknownClients, ...ofClient } = { ...SOCKET_LIMITS, ...limits };
  const counts = noCounts();
  const hub = new Hub();
  const clients = new Set<Client>();
  const feeds = startFeeds({ hub, bus, settings, logs, clock, counts, log: app.log });
  const open = createDoor(settings, access);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_CLIENT_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  const allGone = Promise.withResolvers<void>();

  function enter(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A stop first closes the listener, and then waits for what connected clients still send.
    if (!app.server.listening) throw new BelegError('SERVICE_UNAVAILABLE');
    const { admitted } = open(request);
    const known = [...clients].filter((client) => client.admitted).length;
    if (admitted && known >= maxClients) throw new BelegError('OVERLOADED');
    if (!admitted) makeRoom();
    const address = request.socket.remoteAddress ?? '';
    const admits = (key: string) => access.readerOf(key, address) !== null;
    server.handleUpgrade(request, socket, head, (ws) => {
      const parts = { hub, clock, counts, limits: ofClient, admits, address };
      const client = new Client(ws, socket, parts, { admitted });
      clients.add(client);
      counts.accepted += 1;
      ws.on('close', () => {
        clients.delete(client);
        if (!app.server.listening && clients.size === 0) allGone.resolve();
      });
      logUpgrade(request, 101);
    });
  }

  /**
   * Closes a client without a key if there are too many. Browsers connect without a key and send it at once. The oldest
   * client of the address with the most such clients is closed, so that an attacker who opens many connections loses
   * its own.
   */
  function makeRoom(): void {
    const unknown = [...clients].filter((client) => !client.admitted);
    if (unknown.length < maxUnknownClients) return;
    const byAddress = [...Map.groupBy(unknown, ({ address }) => address).values()];
    const [oldest] = byAddress.reduce((most, each) => (each.length > most.length ? each : most));
    clients.delete(oldest!);
    counts.refused += 1;
    oldest!.drop();
  }

  function refuse(request: IncomingMessage, socket: Duplex, error: BelegError): void {
    counts.refused += 1;
    if (error.status === 500) app.log.error({ err: error }, 'request failed');
    socket.once('finish', () => socket.destroy());
    endWithProblem(socket, error, requestIdOf(request));
    logUpgrade(request, error.status);
  }

  function logUpgrade(request: IncomingMessage, status: number): void {
    app.log.info(
      { request_id: requestIdOf(request), method: request.method, route: '/ws', status },
      'request',
    );
  }

  server.on('wsClientError', (error, socket, request) => {
    refuse(
      request,
      socket,
      new BelegError('BAD_REQUEST', { detail: 'Not a WebSocket handshake', cause: error }),
    );
  });
  app.get('/ws', { schema: { hide: true } }, (_, reply) => {
    const connection = reply.raw.shouldKeepAlive ? 'upgrade' : 'upgrade, close';
    void reply.header('upgrade', 'websocket').header('connection', connection);
    return sendProblem(reply, new BelegError('UPGRADE_REQUIRED'));
  });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer that resets the connection is gone, even if an answer was about to be sent.
    socket.on('error', () => socket.destroy());
    try {
      enter(request, socket, head);
    } catch (error) {
      refuse(request, socket, toBelegError(error));
    }
  });

  const stopBeat = clock.every(BEAT_MS, () => {
    for (const client of clients) client.beat();
  });
  app.addHook('preClose', async () => {
    stopBeat();
    feeds.close();
    for (const client of clients) client.close(GOING_AWAY);
    if (clients.size > 0) await allGone.promise;
  });

  const figures = () => ({ ...counts, connections: clients.size });
  exposeFigures(register, figures);
  return { figures };
}

/**
 * Checks an upgrade by the same rules as other requests, and throws the `BelegError` to answer with. A browser cannot
 * send a key with an upgrade. So if keys are configured and none was sent, `admitted` is false, and the client's first
 * message must have a key.
 */
function createDoor(
  { allowedHosts, apiKeys, readKeys, basePath = '' }: DashboardGatewaySettings,
  access: DashboardAccess,
): (request: IncomingMessage) => { admitted: boolean } {
  const assertHost = createHostCheck(allowedHosts);
  const strip = stripBasePath(basePath);
  const hasKeys = apiKeys.length > 0 || readKeys.length > 0;

  return (request) => {
    assertHost(request);
    if (strip(request.url ?? '').split('?')[0] !== '/ws') throw new BelegError('NOT_FOUND');
    const { authorization } = request.headers;
    if (hasKeys && authorization === undefined) return { admitted: false };
    if (access.readerOf(bearerOf(authorization), request.socket.remoteAddress ?? '') === null) {
      throw new BelegError('UNAUTHORIZED');
    }
    return { admitted: true };
  };
}
