import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '../../foundation/clock.ts';

/** Requests of one connection that wait for their answer; clients that pipeline at all send a handful. */
const MAX_UNANSWERED = 32;
/** How long a client may take nothing of what waits for it. */
const STALLED_MS = 30_000;

/** The answers that each connection waits for. */
export class Unanswered {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Whether a request is to be answered: no, and its connection is gone, of one that does not wait for its answers. */
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
   * Whether what is written to the connection now is taken for the answer to what it sent last: not where an earlier request still
   * waits for its own, or a part of an answer has gone.
   */
  isNext(socket: Socket): boolean {
    const [first, ...others] = this.#waiting.get(socket) ?? [];
    return others.length === 0 && first?.headersSent !== true;
  }
}

/** Drops connections of clients that ask and do not read. */
export function dropStalled(server: Server, clock: Pick<Clock, 'every'> = systemClock): void {
  /** Bytes that each client had taken when somebody last looked; -1 where nothing waited for it. */
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

/** Turns of the event loop without a new connection after which no more are taken to wait for the listener. */
const QUIET_TURNS = 3;
/** The most turns to wait for, because new connections may keep arriving. */
const MAX_TURNS = 100;
/** How long a connection may take to send anything once the stop has begun, and how often that is looked at. */
const FIRST_BYTE_MS = 500;
const LOOK_MS = 10;

/**
 * Makes a stop lose no request. What it returns takes the connections that wait for the listener, closes that, and waits
 * until each connection has sent something; one that has not after half a second is closed. What closes a connection
 * with bytes that nobody has read resets it, and its client cannot know whether it was heard.
 */
export function prepareDrain(server: Server): () => Promise<void> {
  const connections = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const silent = (): Socket[] => [...connections].filter(({ bytesRead }) => bytesRead === 0);

  return async () => {
    for (let turns = 0, quiet = 0; turns < MAX_TURNS && quiet < QUIET_TURNS; turns++) {
      const before = accepted;
      await nextTurn();
      quiet = accepted === before ? quiet + 1 : 0;
    }
    // Closes only the listener: `http.Server` would close idle connections too, read or not.
    NetServer.prototype.close.call(server);
    for (let ms = 0; ms < FIRST_BYTE_MS && silent().length > 0; ms += LOOK_MS) await delay(LOOK_MS);
    // Node takes one that never asked for busy, and would wait for it.
    for (const socket of silent()) socket.destroy();
  };
}
