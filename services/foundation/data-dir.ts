import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from './settings-error.ts';

/**
 * Creates `DATA_DIR` for this user alone, where it is missing.
 *
 * @throws {SettingsError} where that cannot be done
 */
export async function makeDataDir({ dataDir }: { dataDir: string }): Promise<void> {
  await makeFolder(dataDir).catch(async (error: NodeJS.ErrnoException) => {
    const file = await fileInPlaceOf(dataDir);
    throw new SettingsError([
      file === null
        ? `DATA_DIR: ${dataDir} cannot be created (${error.code ?? error.message}): set it to a folder that this user may write to`
        : `DATA_DIR: ${file} is a file, not a folder: ${FILE_ADVICE}`,
    ]);
  });
}

/** What to do where a file stands in the place of the folder. */
export const FILE_ADVICE = 'set DATA_DIR to another path, or move that file away';

/** What stands in the place of `DATA_DIR`, or of a folder above it, and is no folder; `null` if nothing does. */
export async function fileInPlaceOf(dataDir: string): Promise<string | null> {
  try {
    return (await stat(dataDir)).isDirectory() ? null : dataDir;
  } catch {
    const above = dirname(dataDir);
    return above === dataDir ? null : fileInPlaceOf(above);
  }
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
