import { randomBytes } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isInUse } from '../../events/sqlite/faults.ts';
import { ifAbsent } from '../../kb/if-absent.ts';
import { readText, writeDurably } from '../../kb/snapshot/durable-file.ts';

/** The most processes below one folder; more are a mistake. */
const MAX_SLOTS = 256;

/** A folder below `DATA_DIR` that belongs to one process while it runs. */
export interface Slot {
  readonly folder: string;
  /**
   * The owner of the folder, in hexadecimal. It stays equal after restarts, and after the folder's files were removed.
   */
  readonly owner: string;
  /**
   * Locks the folder again if its files were removed, because another process could otherwise claim it. False if one
   * already has.
   */
  keep(): boolean;
  release(): Promise<void>;
}

/**
 * Claims `DATA_DIR/slots/<n>`, the first slot that no living process has and that `fits`. Processes of one machine can
 * share a `DATA_DIR`: each keeps its spool in its slot. A process that records also delivers what a dead process left
 * in its slot, so a process that records nothing must not take a slot with entries. The claim is a lock of the
 * operating system on a SQLite file, which ends with the process, even by a kill.
 */
export async function claimSlot(
  dataDir: string,
  fits: (folder: string) => Promise<boolean> = async () => true,
): Promise<Slot> {
  for (let n = 0; n < MAX_SLOTS; n++) {
    const folder = join(dataDir, 'slots', String(n));
    const slot = await claim(folder, fits);
    if (slot !== undefined) return slot;
  }
  throw new Error(`all ${MAX_SLOTS} slots in DATA_DIR are in use by other processes`);
}

/** The slot of this folder, unless a living process has it, or it does not fit. */
export async function claim(
  folder: string,
  fits: (folder: string) => Promise<boolean>,
): Promise<Slot | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'lock.db');
  let lock = tryLock(file);
  if (lock === undefined) return undefined;
  try {
    if (!(await fits(folder))) {
      lock.close();
      return undefined;
    }
    const inode = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;
    let locked = inode();
    const ownerFile = join(folder, 'owner');
    const owner = await readOwner(ownerFile);
    return {
      folder,
      owner,
      keep: () => {
        if (inode() === locked) return true;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const again = tryLock(file);
        if (again === undefined) return false;
        writeFileSync(ownerFile, owner, { mode: 0o600 });
        lock?.close();
        lock = again;
        locked = inode();
        return true;
      },
      release: async () => {
        lock?.close();
        lock = undefined;
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The folders of all slots, in use or not. */
export async function slotFolders(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'slots');
  const names = await readdir(folder).catch(ifAbsent([]));
  return names.filter((name) => /^\d+$/.test(name)).map((name) => join(folder, name));
}

function tryLock(file: string): DatabaseSync | undefined {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // The transaction is never ended: the lock is released with the connection.
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if (isInUse(error)) return undefined;
    throw error;
  }
}

async function readOwner(file: string): Promise<string> {
  const known = (await readText(file)) ?? '';
  if (/^[0-9a-f]{32}$/.test(known)) return known;
  const owner = randomBytes(16).toString('hex');
  await writeDurably(file, owner, { mode: 0o600 });
  return owner;
}
