import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { letComeIn } from '../../../kb/turns.ts';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import { closeListener } from './close-listener.ts';
import { countArriving } from './connections-arriving.ts';
import { MAX_UNANSWERED, STALLED_MS } from './http-limits.ts';

/** The unanswered requests of each connection. */
export class Unanswered {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Adds a request; false if it must not be answered. A connection with too many unanswered requests is destroyed. */
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

  isIdle(socket: Socket): boolean {
    return (this.#waiting.get(socket)?.size ?? 0) === 0;
  }

  /**
   * Whether the client would take data that is written now for the answer to its last request. It would not while an
   * earlier request is unanswered, or after a part of an answer was sent.
   */
  isNext(socket: Socket): boolean {
    const [first, ...others] = this.#waiting.get(socket) ?? [];
    return others.length === 0 && first?.headersSent !== true;
  }
}

/** Drops connections of clients that send requests and do not read the answers. */
export function dropStalled(server: Server, clock: Pick<Clock, 'every'> = systemClock): void {
  /** The number of bytes that each client had read at the last check; -1 if no data waited for it. */
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
 * Accepts waiting connections before the next piece of work. The event loop accepts one in a turn, so with a piece of
 * work in each turn the last of sixty connections, which may be that of a probe, would wait for sixty pieces.
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
 * Milliseconds without a new connection after which none is expected any more, unless the kernel reports one. A client
 * is connected a moment before the listener has its connection: over a network, and on a machine so busy that the
 * kernel hands packets on late.
 */
const QUIET_MS = 100;
/** The longest time to wait for that, because new connections may keep arriving. */
const ACCEPT_MS = 500;
/**
 * Milliseconds within which a connection must send something once the listener is closed, and how often this is
 * checked.
 */
const SPEAK_MS = 500;
const LOOK_MS = 10;

/**
 * Makes a stop lose no request. The returned function accepts connections for a moment, closes the listener, and waits
 * until each connection has sent something since the stop began, or has a request in work. A connection that has never
 * sent anything is closed after half a second, and idle ones may be. Closing a connection with unread bytes would reset
 * it, and its client could not know whether its request was handled.
 */
export function prepareDrain(
  server: Server,
  {
    clock = systemClock,
    arriving = countArriving,
    isIdle = () => true,
  }: {
    readonly clock?: Clock;
    readonly arriving?: (port: number) => Promise<number>;
    /** Whether a connection has no request in work. */
    readonly isIdle?: (socket: Socket) => boolean;
  } = {},
): () => Promise<void> {
  const connections = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  const pause = (): Promise<void> => new Promise((resolve) => void clock.after(LOOK_MS, resolve));

  return async () => {
    const { port } = server.address() as AddressInfo;
    const before = new Map([...connections].map((socket) => [socket, socket.bytesRead]));
    const isSilent = (socket: Socket): boolean =>
      isIdle(socket) && socket.bytesRead === (before.get(socket) ?? 0);
    const until = clock.now() + ACCEPT_MS;
    for (let quiet = 0; quiet < QUIET_MS && clock.now() < until;) {
      const count = accepted;
      await pause();
      quiet = accepted === count ? quiet + LOOK_MS : 0;
      if (quiet >= QUIET_MS && (await arriving(port)) > 0) quiet = 0;
    }
    await closeListener(server, clock);
    for (let ms = 0; ms < SPEAK_MS && [...connections].some(isSilent); ms += LOOK_MS) await pause();
    // Everything that has arrived by now is read first.
    await nextTurn();
    // Node counts a connection that never sent a request as busy, and would wait for it.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
}
