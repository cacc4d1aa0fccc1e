import { rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, isIP, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { readJson } from '../../events/json.ts';
import { isSystemError } from '../../events/system-error.ts';
import { readText } from '../../kb/snapshot/durable-file.ts';
import { lookEvery, systemClock, type Clock } from './clock.ts';
import { isLoopback } from './settings-fields.ts';

const Listening = z.object({ url: z.url({ protocol: /^http$/ }) });

const fileIn = (dataDir: string): string => join(dataDir, 'listening.json');

/** The address of a server that listens on a port. */
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Where a service listens, and which setting has the port. */
export interface ListenAt {
  readonly host: string;
  readonly port: number;
}

/** The error of listening, with the setting that has the port. */
interface ListenError extends NodeJS.ErrnoException {
  readonly address: string;
  readonly port: number;
  readonly setting?: string;
}

export function isListenError(error: unknown): error is ListenError {
  return isSystemError(error) && error.syscall === 'listen' && 'port' in error;
}

/** Advice if a port cannot be listened on; `setting` is the name of the port's setting, such as PV_PORT. */
export function listenAdvice(setting: string, code: string | undefined): string {
  if (code === 'EACCES') return `set ${setting} to 1024 or higher`;
  if (code === 'EADDRINUSE') return `set ${setting} to another port`;
  return `set ${setting.replace('PORT', 'HOST')} to an address of this machine`;
}

/**
 * Checks that a service could listen at this address, before it does anything else: a start that fails must not have
 * recorded anything. Rejects with a `ListenError`.
 */
export async function assertFree(setting: string, at: ListenAt): Promise<void> {
  const server = createServer();
  try {
    await namingPort(setting, async () => {
      server.listen(at.port, at.host);
      await once(server, 'listening');
    });
  } finally {
    server.close();
  }
}

/** Listens. If this fails, the error names the setting of the port. */
export async function namingPort(setting: string, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen();
  } catch (error) {
    throw isListenError(error) ? Object.assign(error, { setting }) : error;
  }
}

/** Milliseconds between two checks whether the note is still there. */
const LOOK_MS = 1_000;

/**
 * Notes the address of the process that holds the record of this `DATA_DIR`, for commands that need it. A process that
 * takes the record removes an older note before anything else (`forgetListening`). So while the record is held, the
 * note belongs to its holder, and another program on that port is not mistaken for it.
 *
 * The note is written again if somebody removes or changes it, and tried again if it cannot be written: the service
 * works without it. Returns a function that ends this and removes the note.
 */
export async function keepListening(
  dataDir: string,
  url: string,
  logger: Pick<Logger, 'info' | 'warn'>,
  clock: Pick<Clock, 'every'> = systemClock,
): Promise<() => Promise<void>> {
  let state: 'new' | 'noted' | 'not noted' = 'new';

  async function keep(): Promise<void> {
    try {
      if (await isNoted(dataDir, url)) return;
      await noteListening(dataDir, url);
      if (state === 'noted') logger.warn('listening.json was removed or changed, and has been made again');
      if (state === 'not noted') logger.info('the address of this service is saved now');
      state = 'noted';
    } catch (error) {
      if (state !== 'not noted') {
        logger.warn(
          { err: error },
          'the address of this service could not be saved, and is tried again; until then beleg commands will not find it',
        );
      }
      state = 'not noted';
    }
  }

  await keep();
  const endLooks = lookEvery(LOOK_MS, keep, clock);
  return async () => {
    await endLooks();
    await forgetListening(dataDir).catch(() => undefined);
  };
}

const noteOf = (url: string): string => JSON.stringify({ url } satisfies z.input<typeof Listening>);

/** A note that cannot be read is not the one that was written. */
const isNoted = (dataDir: string, url: string): Promise<boolean> =>
  readText(fileIn(dataDir)).then(
    (text) => text === noteOf(url),
    () => false,
  );

export async function noteListening(dataDir: string, url: string): Promise<void> {
  const file = fileIn(dataDir);
  await writeFile(`${file}.new`, noteOf(url), { mode: 0o600 });
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
