import { connect, Server as NetServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import { readQueue } from './connections-arriving.ts';

/** Milliseconds for accepting connections that wait in the kernel; the event loop may be busy. */
const TAKE_MS = 2_000;

/** The loopback address of a listener on all addresses. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Closes a listener so that no connection is reset, although clients keep connecting. The kernel completes connections
 * before the listener takes them, and resets waiting ones when it is closed. So their queue is made as short as
 * possible, and a connection of our own is put at its end. While that one waits, the queue is full and the kernel takes
 * no further connection: such a client tries again, and is refused then. Earlier connections are taken, and the
 * listener is closed when our own arrives.
 *
 * If the system does not report the queue, the listener is closed at once.
 */
export async function closeListener(
  server: Server,
  clock: Pick<Clock, 'after'> = systemClock,
): Promise<void> {
  const { address, port } = server.address() as AddressInfo;
  const own = connect(port, LOOPBACK[address] ?? address);
  own.on('error', () => {});
  // Connecting begins in the next tick, and is done there.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  makeQueueShort(server);
  const queue = readQueue(port, own.localPort);
  let { waiting } = queue;
  let isOwnThere = queue.hasFrom;
  const isDone = (): boolean => waiting <= (isOwnThere ? 1 : 0);

  const taken = Promise.withResolvers<void>();
  // The listener is closed within the event of the last connection, before another can come in.
  const close = (): void => {
    server.off('connection', take);
    endWait();
    // Closes only the listener: `http.Server` would also close idle connections with unread bytes.
    NetServer.prototype.close.call(server);
    own.destroy();
    taken.resolve();
  };
  const take = (socket: Socket): void => {
    waiting -= 1;
    if (socket.remotePort === own.localPort) isOwnThere = false;
    if (isDone()) close();
  };
  server.on('connection', take);
  const endWait = clock.after(TAKE_MS, close);
  if (isDone()) close();
  return taken.promise;
}

/**
 * Reduces the kernel's queue for the listener to one connection, the least possible. Node has no call for this on a
 * listener that is already open.
 */
function makeQueueShort(server: Server): void {
  const { _handle: handle } = server as unknown as {
    readonly _handle?: { listen?(backlog: number): number };
  };
  handle?.listen?.(0);
}
