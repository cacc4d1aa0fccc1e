import { rename, rm, writeFile } from 'node:fs/promises';
import { isIP, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson } from '../../events/json.ts';
import { readText } from '../../kb/snapshot/durable-file.ts';
import { isLoopback } from './settings-fields.ts';

const Listening = z.object({ url: z.url({ protocol: /^http$/ }) });

const fileIn = (dataDir: string): string => join(dataDir, 'listening.json');

/** The address of a server that listens on a port. */
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * Notes where the process that holds the record of this `DATA_DIR` listens, for commands that need it. Whoever takes
 * the record first removes an older note (`forgetListening`). So while the record is held, the note is its holder's,
 * and another program on that port is not taken for it.
 */
export async function noteListening(dataDir: string, url: string): Promise<void> {
  const file = fileIn(dataDir);
  await writeFile(`${file}.new`, JSON.stringify({ url } satisfies z.input<typeof Listening>), {
    mode: 0o600,
  });
  await rename(`${file}.new`, file);
}

export async function forgetListening(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

/**
 * The noted address; `null` if there is none, or if it is not on this machine. The admin key is sent there, so a note
 * that somebody else wrote must not lead elsewhere.
 */
export async function readListening(dataDir: string): Promise<string | null> {
  const noted = readJson(Listening, (await readText(fileIn(dataDir))) ?? '');
  return noted !== undefined && isOfThisMachine(new URL(noted.url).hostname) ? noted.url : null;
}

const ALL_ADDRESSES: readonly string[] = ['0.0.0.0', '::'];

function isOfThisMachine(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/u, '$1');
  if (isIP(address) === 0) return false;
  if (isLoopback(address) || ALL_ADDRESSES.includes(address)) return true;
  return Object.values(networkInterfaces()).some((own) => own?.some((one) => one.address === address));
}
