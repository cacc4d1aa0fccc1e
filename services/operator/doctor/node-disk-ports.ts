import { stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import process from 'node:process';
import { z } from 'zod';
import { readJson } from '../../../events/json.ts';
import { isRecordHeld } from '../../composition/runtime.ts';
import type { Settings } from '../../composition/settings.ts';
import { nearestTo, SPACE_ADVICE, whyUnusable } from '../../foundation/data-dir.ts';
import { listenAdvice, readListening, type ListenAt } from '../../foundation/listening.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const REQUIRED_NODE = 24;
const GIB = 1024 ** 3;
/**
 * Less free space than this is a warning. A record grows slowly, but erasing needs space for two copies of the tables.
 */
const LITTLE_BYTES = 2 * GIB;
const TOO_LITTLE_BYTES = GIB / 4;

export function lookAtNode(version: string = process.versions.node): Finding {
  const major = Number(version.split('.')[0]);
  return major >= REQUIRED_NODE
    ? ok('Node', version)
    : fault('Node', `version ${version}`, `install Node ${REQUIRED_NODE} or newer, or start with npm start`);
}

/** Checks the free space on the disk of `DATA_DIR`, or of the nearest folder that exists. */
export async function lookAtDisk({ dataDir }: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestTo(dataDir));
  const free = bavail * bsize;
  const found = `${(free / GIB).toFixed(1)} GiB free for ${dataDir}`;
  if (free < TOO_LITTLE_BYTES) return fault('disk', found, SPACE_ADVICE);
  return free < LITTLE_BYTES ? warning('disk', found, SPACE_ADVICE) : ok('disk', found);
}

/** Checks whether this user may write to `DATA_DIR`, and who else may read it. */
export async function lookAtDataDir({ dataDir }: Settings): Promise<Finding> {
  const what = 'DATA_DIR';
  const unusable = await whyUnusable(dataDir);
  if (unusable !== null) return fault(what, unusable.found, unusable.advice);
  if ((await nearestTo(dataDir)) !== dataDir)
    return ok(what, `${dataDir} will be created at the first start`);
  if (((await stat(dataDir)).mode & 0o077) === 0) return ok(what, dataDir);
  const found = `other users of this machine can read ${dataDir}`;
  return warning(what, found, `chmod 700 ${dataDir}`);
}

/** Checks whether both ports are free, or used by our own services. */
export async function lookAtPorts(settings: Settings): Promise<Finding[]> {
  const isServed = isRecordHeld(settings);
  const noted = isServed ? await readListening(settings.dataDir) : null;
  // Without a note of its address our service may still be the listener: the note could not be written, or was removed
  // just now.
  const isOther = noted !== null && Number(new URL(noted).port || 80) !== settings.port;
  return Promise.all([
    lookAtPort('PV_PORT', settings, isServed && !isOther),
    lookAtPort('TD_PORT', settings.dashboard, isServed),
  ]);
}

/** Checks one port. `isOurs`: whether the service of this `DATA_DIR` may be the listener. */
async function lookAtPort(
  setting: 'PV_PORT' | 'TD_PORT',
  { host, port }: ListenAt,
  isOurs: boolean,
): Promise<Finding> {
  const at = `${host}:${port}`;
  const refused = await tryListening(host, port);
  if (refused === null) return ok(setting, `${at} is free`);
  if (refused !== 'EADDRINUSE') {
    return fault(setting, `this process cannot listen on ${at} (${refused})`, listenAdvice(setting, refused));
  }
  const user = await whoAnswers(host, port);
  if (user === 'beleg' && isOurs) return ok(setting, `beleg is running on ${at}`);
  if (user === 'beleg') {
    return fault(
      setting,
      `a beleg with another DATA_DIR is using ${at}`,
      `stop that one, or set ${setting} to another port`,
    );
  }
  if (user === 'nobody') {
    const found = `${at} is in use, and what uses it gave no answer within ${ANSWER_MS / 1_000} seconds`;
    // If no service runs on this DATA_DIR, the listener is another program, and a start is refused.
    if (!isOurs) return fault(setting, found, `stop that program, or set ${setting} to another port`);
    return warning(
      setting,
      found,
      `a busy service does that, so try again in a minute; if it is another program, stop it, or set ${setting} to another port`,
    );
  }
  return fault(
    setting,
    `another program is using ${at}`,
    `stop that program, or set ${setting} to another port`,
  );
}

function tryListening(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

const ANSWER_MS = 2_000;
/** These statuses come from a service of ours that is overloaded or stopping. */
const BUSY: readonly number[] = [429, 503];

/**
 * Finds out who answers at an address: both services describe themselves. `nobody`: there was no HTTP answer in time,
 * which does not prove that the port is free.
 */
async function whoAnswers(host: string, port: number): Promise<'beleg' | 'another' | 'nobody'> {
  const address =
    host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host === '::' ? '::1' : host}]` : host;
  try {
    const response = await fetch(`http://${address}:${port}/openapi.json`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (BUSY.includes(response.status)) return 'nobody';
    const text = await response.text();
    return readJson(OurDocument, text) === undefined ? 'another' : 'beleg';
  } catch (error) {
    // A reply that is no HTTP comes from another program. A timeout or a broken connection proves nothing.
    return isNoHttp(error) ? 'another' : 'nobody';
  }
}

const OurDocument = z.object({ info: z.object({ title: z.string().startsWith('Beleg ') }) });

function isNoHttp(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code?.startsWith('HPE_') === true;
}
