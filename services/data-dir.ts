import { mkdir } from 'node:fs/promises';
import { SettingsError, type Settings } from './config.ts';

/**
 * Creates `DATA_DIR` for this user alone, where it is missing.
 *
 * @throws {SettingsError} where that cannot be done
 */
export async function makeDataDir({ dataDir }: Settings): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new SettingsError([`DATA_DIR: cannot be created (${error.code ?? error.message})`]);
  });
}
