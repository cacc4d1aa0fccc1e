import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { isMainThread } from 'node:worker_threads';

// Is preloaded into `beleg serve`: reports over a socket the longest block of the event loop since the last query.

export interface Blocked {
  /** The milliseconds between two turns of the event loop, and how many of them its thread worked. */
  readonly wall: number;
  readonly cpu: number;
}

const EVERY_MS = 1;
const now = (): Blocked => {
  const { user, system } = process.threadCpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1_000 };
};

const path = process.env['BELEG_BENCH_PROBE'];

if (path !== undefined && isMainThread && process.argv.includes('serve')) {
  let most: Blocked = { wall: 0, cpu: 0 };
  let before = now();
  setInterval(() => {
    const at = now();
    most = {
      wall: Math.max(most.wall, at.wall - before.wall - EVERY_MS),
      cpu: Math.max(most.cpu, at.cpu - before.cpu),
    };
    before = at;
  }, EVERY_MS).unref();
  createServer((socket) => {
    socket.end(JSON.stringify(most));
    most = { wall: 0, cpu: 0 };
  })
    .listen(path)
    .unref();
}

/** The environment for a `beleg serve` that reports at this socket. */
export const probedAt = (socket: string): Record<string, string> => ({
  BELEG_BENCH_PROBE: socket,
  NODE_OPTIONS: `--import ${import.meta.filename}`,
});

/** The longest block since the last query. */
export async function blockedAt(socket: string): Promise<Blocked> {
  return JSON.parse(await text(connect(socket))) as Blocked;
}
