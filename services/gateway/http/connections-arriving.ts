import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** States of a socket in the kernel's tables. */
const SYN_RECEIVED = '03';
const LISTENING = '0A';

/**
 * The number of connections to a port that its listener does not have yet: those whose last packet is on its way, or lies in the
 * kernel while it is busy, and those that wait to be accepted. Only Linux tells; elsewhere it is 0.
 */
export async function countArriving(port: number, folder = '/proc/net'): Promise<number> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(join(folder, name), 'latin1').catch(() => '')),
  );
  const place = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, local]) => local?.endsWith(place) === true)
    .reduce((sum, [, , , state, queues = '']) => {
      if (state === SYN_RECEIVED) return sum + 1;
      // `tx_queue:rx_queue`: of a listener, the second one counts what waits to be accepted.
      return state === LISTENING ? sum + Number.parseInt(queues.split(':')[1] ?? '0', 16) : sum;
    }, 0);
}
