import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readText } from '../kb/snapshot/durable-file.ts';

/** More processes than this below one folder are a mistake. */
const MAX_SLOTS = 256;

/** A folder below `DATA_DIR` that is one process's own while it runs. */
export interface Slot {
  readonly folder: string;
  /** Whose folder it is, the same after each restart: hexadecimal. */
  readonly owner: string;
  release(): Promise<void>;
}

/**
 * Claims `DATA_DIR/slots/<n>`, the first one that no living process has. Processes of one machine can share a
 * `DATA_DIR`: each keeps its spool in its slot, and what a dead one left there is found by the next that starts. The
 * claim is a lock of the operating system on a SQLite file, which a kill releases too.
 */
export async function claimSlot(dataDir: string): Promise<Slot> {
  for (let n = 0; n < MAX_SLOTS; n++) {
    const folder = join(dataDir, 'slots', String(n));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = tryLock(join(folder, 'lock.db'));
    if (lock === undefined) continue;
    try {
      const owner = await readOwner(join(folder, 'owner'));
      return {
        folder,
        owner,
        release: async () => {
          if (lock.isOpen) lock.close();
        },
      };
    } catch (error) {
      lock.close();
      throw error;
    }
  }
  throw new Error(`all ${MAX_SLOTS} slots in DATA_DIR are in use by other processes`);
}

function tryLock(file: string): DatabaseSync | undefined {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // Never ended: the lock goes with the connection.
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

const SQLITE_BUSY = 5;

async function readOwner(file: string): Promise<string> {
  const known = (await readText(file)) ?? '';
  if (/^[0-9a-f]{32}$/.test(known)) return known;
  const owner = randomBytes(16).toString('hex');
  await writeFile(`${file}.new`, owner, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return owner;
}
