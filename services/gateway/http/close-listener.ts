import { connect, Server as NetServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import { readQueue } from './connections-arriving.ts';

/** How long connections that wait in the kernel may take to be accepted; the event loop may be busy. */
const TAKE_MS = 2_000;

/** Where a listener on all addresses is reached. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Closes a listener so that no connection is reset, although clients keep connecting. The kernel completes connections before
 * the listener takes them, and resets those that wait when it is closed. So their queue is made as short as can be, with a
 * connection of our own at its end. While that stands there, the queue is full and the kernel takes no further one in: such a client
 * tries again, and is refused then. Those before it are taken, and the listener is closed over our own.
 *
 * Where the system does not tell of the queue, the listener is closed at once.
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
  // The listener is closed within the event of the last one, before another can come in.
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

/** Lets the kernel keep one connection for the listener, the fewest that it can. Node has no call for a listener that listens already. */
function makeQueueShort(server: Server): void {
  const { _handle: handle } = server as unknown as {
    readonly _handle?: { listen?(backlog: number): number };
  };
  handle?.listen?.(0);
}
