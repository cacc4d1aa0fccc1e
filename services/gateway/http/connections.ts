import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock, type Clock } from '../../clock.ts';

/** Requests of one connection that wait for their answer; clients that pipeline at all send a handful. */
const MAX_UNANSWERED = 32;
/** How long a client may take nothing of what waits for it. */
const STALLED_MS = 30_000;

/**
 * An HTTP server that drops connections which would fill the memory: those that send more requests than they wait for
 * answers to, and those that ask and do not read. Node parses a whole chunk of pipelined requests before it stops reading.
 */
export function createBoundedServer(
  options: ServerOptions,
  handle: RequestListener,
  clock: Pick<Clock, 'every'> = systemClock,
): Server {
  const unanswered = new WeakMap<Socket, number>();
  const handleBounded: RequestListener = (request, response) => {
    const { socket } = request;
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    if (waiting > MAX_UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, waiting);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    handle(request, response);
  };
  const server = createServer(options, handleBounded);
  // What a client expects beyond the protocol is no reason for an answer without a body (RFC 9110, 10.1.1).
  server.on('checkExpectation', handleBounded);

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
  return server;
}
