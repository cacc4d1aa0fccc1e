import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock, type Clock } from '../../clock.ts';

/** Requests of one connection that wait for their answer; clients that pipeline at all send a handful. */
const MAX_UNANSWERED = 32;
/** How long a client may take nothing of what waits for it. */
const STALLED_MS = 30_000;

/** Says of each request whether it is to be answered: no, and its connection is gone, of one that does not wait for its answers. */
export function boundUnanswered(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  // Node parses a whole chunk of pipelined requests before it stops reading.
  return ({ socket }, response) => {
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    if (waiting > MAX_UNANSWERED) {
      socket.destroy();
      return false;
    }
    unanswered.set(socket, waiting);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    return true;
  };
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
