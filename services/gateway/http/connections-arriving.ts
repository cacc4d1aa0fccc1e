import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** States of a socket in the kernel's tables. */
const ESTABLISHED = '01';
const SYN_RECEIVED = '03';
const LISTENING = '0A';

const FOLDER = '/proc/net';
const TABLES = ['tcp', 'tcp6'];

interface Row {
  readonly remotePort: number;
  readonly state: string;
  /** The number of connections that wait to be accepted, for a listener. */
  readonly waiting: number;
}

const portOf = (address: string | undefined): number => Number.parseInt(address?.split(':')[1] ?? '', 16);

/** The rows of the sockets of one port. */
function rowsOf(tables: readonly string[], port: number): Row[] {
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, local]) => portOf(local) === port)
    .map(([, , remote, state = '', queues = '']) => ({
      remotePort: portOf(remote),
      state,
      // The kernel writes both queues as `tx_queue:rx_queue`. For a listener, the second one counts the waiting
      // connections.
      waiting: state === LISTENING ? Number.parseInt(queues.split(':')[1] ?? '0', 16) : 0,
    }));
}

const waitingIn = (rows: readonly Row[]): number => rows.reduce((sum, { waiting }) => sum + waiting, 0);

/**
 * The number of connections to a port that its listener does not have yet: connections whose last packet is on its way,
 * or is in the kernel while it is busy, and those that wait to be accepted. Only Linux reports this; elsewhere it is 0.
 */
export async function countArriving(port: number, folder = FOLDER): Promise<number> {
  const tables = TABLES.map((name) => readFile(join(folder, name), 'latin1').catch(() => ''));
  const rows = rowsOf(await Promise.all(tables), port);
  return waitingIn(rows) + rows.filter(({ state }) => state === SYN_RECEIVED).length;
}

/**
 * The number of connections that wait at this moment to be accepted on a port, and whether one from a given port of
 * this machine is connected. If the system does not report this, none waits.
 */
export function readQueue(
  port: number,
  from: number | undefined,
  folder = FOLDER,
): { readonly waiting: number; readonly hasFrom: boolean } {
  const rows = rowsOf(
    TABLES.map((name) => read(join(folder, name))),
    port,
  );
  return {
    waiting: waitingIn(rows),
    hasFrom: rows.some(({ state, remotePort }) => state === ESTABLISHED && remotePort === from),
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
