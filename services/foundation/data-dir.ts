import type { StatsFs } from 'node:fs';
import { access, constants, mkdir, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { SettingsError } from './settings-error.ts';

/**
 * Creates `DATA_DIR` for this user alone, if it is missing.
 *
 * @throws {SettingsError} if it cannot be created or written to.
 */
export async function makeDataDir({ dataDir }: { dataDir: string }): Promise<void> {
  const unusable = await whyUnusable(dataDir);
  if (unusable !== null) throw new SettingsError([`DATA_DIR: ${unusable.found}: ${unusable.advice}`]);
  await makeFolder(dataDir).catch((error: NodeJS.ErrnoException) => {
    throw new SettingsError([
      `DATA_DIR: ${dataDir} cannot be created (${error.code ?? error.message}): set it to a folder that this user may write to`,
    ]);
  });
}

/** Why nothing can be written to a folder, and what to do. */
export interface Unusable {
  readonly found: string;
  readonly advice: string;
}

export const SPACE_ADVICE = 'free some disk space, or set DATA_DIR to a folder on another disk';
const RIGHTS_ADVICE = 'make it writable for the user who runs beleg, or set DATA_DIR to another folder';
const RIGHTS: Readonly<Record<string, string>> = {
  EROFS: 'is on a read-only file system',
  EACCES: 'may not be written to by this user',
};
/** The least free space. With less, not even an empty record can be opened. */
const LEAST_BYTES = 2 ** 20;

/** Why nothing can be written to `DATA_DIR`, or to the nearest folder above it that exists; `null` if it can be. */
export async function whyUnusable(
  dataDir: string,
  look: { access: typeof access; statfs: (path: string) => Promise<Room> } = { access, statfs },
): Promise<Unusable | null> {
  const file = await fileInPlaceOf(dataDir);
  if (file !== null)
    return {
      found: `${file} is a file, not a folder (ENOTDIR)`,
      advice: 'set DATA_DIR to another path, or move that file away',
    };
  const { R_OK, W_OK, X_OK } = constants;
  try {
    const there = await nearestTo(dataDir);
    await look.access(there, R_OK | W_OK | X_OK);
    return isFull(await look.statfs(there))
      ? { found: `the disk of ${there} is full (ENOSPC)`, advice: SPACE_ADVICE }
      : null;
  } catch (error) {
    const { code = '', path = dataDir } = error as NodeJS.ErrnoException;
    return { found: `${path} ${RIGHTS[code] ?? 'is not writable'} (${code})`, advice: RIGHTS_ADVICE };
  }
}

type Room = Pick<StatsFs, 'bsize' | 'blocks' | 'bfree' | 'bavail' | 'files' | 'ffree'>;

/** Whether a file system is full. Some do not count blocks or files. The last blocks are for root alone. */
function isFull({ bsize, blocks, bfree, bavail, files, ffree }: Room): boolean {
  const free = process.getuid?.() === 0 ? bfree : bavail;
  return (blocks > 0 && free * bsize < LEAST_BYTES) || (files > 0 && ffree === 0);
}

/** The folder itself, or the nearest existing one above it. */
export async function nearestTo(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(path) === path) throw error;
    return nearestTo(dirname(path));
  }
}

/** The file that is at the path of `DATA_DIR`, or of a folder above it; `null` if there is none. */
export async function fileInPlaceOf(dataDir: string): Promise<string | null> {
  try {
    return (await stat(dataDir)).isDirectory() ? null : dataDir;
  } catch {
    const above = dirname(dataDir);
    return above === dataDir ? null : fileInPlaceOf(above);
  }
}

/** Creates a folder and those above it. Node's `recursive` never ends if a folder cannot be created, as in `/proc`. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}
