import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { SettingsError } from './settings-error.ts';
import { makeDataDir } from './data-dir.ts';

const folder = sharedFolder();

const make = (dataDir: string) => makeDataDir(readSettings({ DATA_DIR: dataDir }));

test('is made with the folders above it, for its user alone, once', async () => {
  const dataDir = join(folder, 'a', 'b');
  await make(dataDir);
  await make(dataDir);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('is refused where there can be no folder', async () => {
  await writeFile(join(folder, 'file'), '');
  for (const dataDir of ['/proc/beleg/data', join(folder, 'file'), join(folder, 'file', 'data')]) {
    await expect(make(dataDir)).rejects.toThrow(SettingsError);
  }
});

test('names the file that stands in its place, and what to do', async () => {
  const file = join(folder, 'in-the-way');
  await writeFile(file, '');
  for (const dataDir of [file, join(file, 'data')]) {
    await expect(make(dataDir)).rejects.toMatchObject({
      faults: [
        `DATA_DIR: ${file} is a file, not a folder: set DATA_DIR to another path, or move that file away`,
      ],
    });
  }
});
