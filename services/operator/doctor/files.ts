import { access, constants, readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Settings } from '../../composition/settings.ts';
import { damageOf } from '../../../events/sqlite/integrity.ts';
import {
  fault,
  inUseBy,
  LOOK_AGAIN,
  namedFaults,
  ok,
  unlessInUse,
  warning,
  type Finding,
} from './finding.ts';

/** The most faults that are explained; of further ones only the files are named. */
const SHOWN = 3;
/** The folder for the files of NATS in docs/deployment.md. It may belong to another user. */
const NATS_FOLDER = 'nats';
/** The depth of folders that are searched. The services store nothing deeper. */
const MAX_DEPTH = 4;

/** Checks whether this user can open everything that a start opens: all existing files, folders and databases. */
export async function lookAtFiles({ dataDir, audit }: Settings): Promise<Finding> {
  const what = 'files';
  const outside = [audit.dbPath, audit.checkpointFile].filter((path) => existsSync(path));
  const faults: string[] = [];
  const inUse: string[] = [];
  let looked = 0;
  const look = async (path: string, isFolder: boolean): Promise<void> => {
    looked += 1;
    const found = await unlessInUse(
      () => faultOf(path, isFolder),
      () => (inUse.push(path), null),
    );
    if (found !== null) faults.push(`${path}: ${found}`);
  };
  for await (const [path, isFolder] of below(dataDir)) await look(path, isFolder);
  for (const path of outside) if (!path.startsWith(join(dataDir, '/'))) await look(path, false);
  if (faults.length === 0 && inUse.length > 0) return warning(what, inUseBy(inUse.join(', ')), LOOK_AGAIN);
  if (faults.length === 0) return ok(what, `all ${looked} that are there can be opened`);
  return fault(
    what,
    namedFaults(faults, SHOWN, (found) => found.split(': ', 1)[0]!),
    'give them to the user who runs beleg (chown), readable and writable; what is damaged is restored from a backup, but for market-….db, which a start loads anew',
  );
}

/** The record, its keys and the tables have checks of their own; the lock belongs to the running process. */
const JUDGED_ELSEWHERE: readonly string[] = ['events.db', 'keys.db', 'audit.db', 'trading.db', 'lock.db'];

/** Yields all visible files; a folder that cannot be opened is itself reported. */
async function* below(folder: string, depth = 1): AsyncGenerator<[path: string, isFolder: boolean]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (depth === 1 && entry.name === NATS_FOLDER) continue;
    const path = join(folder, entry.name);
    yield [path, entry.isDirectory()];
    if (entry.isDirectory() && depth < MAX_DEPTH) yield* below(path, depth + 1);
  }
}

/** What is wrong with a file or folder; `null` if nothing is. */
async function faultOf(path: string, isFolder: boolean): Promise<string | null> {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    await access(path, isFolder ? R_OK | W_OK | X_OK : R_OK | W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Files may disappear while services run.
    return code === 'ENOENT' ? null : `this user cannot read and write it (${code})`;
  }
  if (isFolder && path.endsWith('.db')) return 'is a folder, where a database file belongs';
  return !isFolder && path.endsWith('.db') && !JUDGED_ELSEWHERE.includes(basename(path))
    ? damageOf(path)
    : null;
}
