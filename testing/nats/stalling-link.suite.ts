import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to a server that can be stalled in both directions while it stays connected. */
export interface StallingLink {
  readonly url: string;
  stall(): void;
  /** Delivers everything that was held back. */
  resume(): void;
  close(): Promise<void>;
}

export async function openStallingLink(port: number): Promise<StallingLink> {
  const sockets = new Set<Socket>();
  let stalled = false;
  const add = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    if (stalled) socket.pause();
    socket.on('data', (chunk) => other.write(chunk));
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const listener = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    add(near, far);
    add(far, near);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `nats://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    stall() {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
