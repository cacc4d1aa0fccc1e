import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from './settings-error.ts';

/**
 * Creates `DATA_DIR` for this user alone, where it is missing.
 *
 * @throws {SettingsError} where that cannot be done
 */
export async function makeDataDir({ dataDir }: { dataDir: string }): Promise<void> {
  await makeFolder(dataDir).catch((error: NodeJS.ErrnoException) => {
    throw new SettingsError([`DATA_DIR: the folder cannot be created (${error.code ?? error.message})`]);
  });
}

/** Makes a folder and those above it. Node's `recursive` never ends where a folder cannot be made, such as in `/proc`. */
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
