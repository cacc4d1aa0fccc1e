import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Where free ports are looked for: below those that systems give to outgoing connections and to servers on port 0 (from
 * 32768 on Linux, from 49152 elsewhere). One of those could be given away before its server starts, or while it
 * restarts.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Free ports of 127.0.0.1 for servers that must know their port before they start, or keep it over a restart. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
