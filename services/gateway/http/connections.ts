import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { letComeIn } from '../../../kb/turns.ts';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import { countArriving } from './connections-arriving.ts';
import { MAX_UNANSWERED, STALLED_MS } from './http-limits.ts';

/** The unanswered requests of each connection. */
export class Unanswered {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Returns whether the request is to be answered. A connection with too many unanswered requests is destroyed. */
  add({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const waiting = this.#waiting.get(socket) ?? new Set();
    this.#waiting.set(socket, waiting);
    // Node parses a whole chunk of pipelined requests before it stops reading.
    if (waiting.size >= MAX_UNANSWERED) {
      socket.destroy();
      return false;
    }
    waiting.add(response);
    response.once('close', () => waiting.delete(response));
    return true;
  }

  /**
   * Whether the client would take data that is written now for the answer to its last request: not while an earlier
   * request is unanswered, or after a part of an answer was sent.
   */
  isNext(socket: Socket): boolean {
    const [first, ...others] = this.#waiting.get(socket) ?? [];
    return others.length === 0 && first?.headersSent !== true;
  }
}

/** Drops connections of clients that send requests and do not read the answers. */
export function dropStalled(server: Server, clock: Pick<Clock, 'every'> = systemClock): void {
  /** The bytes that each client had read at the last check; -1 if no data waited for it. */
  const taken = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    taken.set(socket, -1);
    socket.once('close', () => taken.delete(socket));
  });
  const stop = clock.every(STALLED_MS, () => {
    for (const [socket, before] of taken) {
      const now = socket.writableLength === 0 ? -1 : socket.bytesWritten - socket.writableLength;
      if (now !== -1 && now === before) socket.destroy();
      else taken.set(socket, now);
    }
  });
  server.once('close', stop);
}

/**
 * Lets connections in before the next piece of work. The event loop accepts one in a turn, so with a piece of work in each turn
 * the last of sixty connections, which may be that of a probe, would wait for sixty pieces.
 */
export function acceptFirst(server: Server): void {
  let hasCome = false;
  server.on('connection', () => void (hasCome = true));
  server.on('listening', () => {
    const end = letComeIn(() => {
      const come = hasCome;
      hasCome = false;
      return come;
    });
    server.once('close', end);
  });
}

/**
 * When no connection has come for so long, none is expected any more, unless the kernel tells of one. A client is connected a moment before
 * the listener has its connection: over a network, and on a machine that is so busy that the kernel hands packets on late.
 * Closing the listener resets those.
 */
const QUIET_MS = 100;
/** How long to wait for that, because new connections may keep arriving: half of the time of a stop. */
const ACCEPT_MS = 5_000;
/** How long a connection may take to send its first byte once the stop has begun, and how often that is looked at. */
const FIRST_BYTE_MS = 500;
const LOOK_MS = 10;

/**
 * Makes a stop lose no request. The returned function accepts the connections that wait for the listener, closes the
 * listener, and waits until each connection has sent something; one that has not after half a second is closed. Closing
 * a connection with unread bytes resets it, and its client could not know whether its request was handled.
 */
export function prepareDrain(
  server: Server,
  {
    clock = systemClock,
    arriving = countArriving,
  }: { readonly clock?: Clock; readonly arriving?: (port: number) => Promise<number> } = {},
): () => Promise<void> {
  const connections = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const silent = (): Socket[] => [...connections].filter(({ bytesRead }) => bytesRead === 0);

  const pause = (): Promise<void> => new Promise((resolve) => void clock.after(LOOK_MS, resolve));

  return async () => {
    const { port } = server.address() as AddressInfo;
    const until = clock.now() + ACCEPT_MS;
    for (let quiet = 0; quiet < QUIET_MS && clock.now() < until;) {
      const before = accepted;
      await pause();
      quiet = accepted === before ? quiet + LOOK_MS : 0;
      if (quiet >= QUIET_MS && (await arriving(port)) > 0) quiet = 0;
    }
    // Closes only the listener: `http.Server` would also close idle connections with unread bytes.
    NetServer.prototype.close.call(server);
    for (let ms = 0; ms < FIRST_BYTE_MS && silent().length > 0; ms += LOOK_MS) await pause();
    // Node takes a connection that never sent a request for busy, and would wait for it.
    for (const socket of silent()) socket.destroy();
  };
}
