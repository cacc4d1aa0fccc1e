import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { SettingsError } from './settings-error.ts';
import { makeDataDir, whyUnusable } from './data-dir.ts';

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
        `DATA_DIR: ${file} is a file, not a folder (ENOTDIR): set DATA_DIR to another path, or move that file away`,
      ],
    });
  }
});

const ROOM = { bsize: 4_096, blocks: 1e6, bfree: 1e6, bavail: 1e6, files: 1e6, ffree: 1e6 };
const refusing = (code: string) => async (path: Parameters<typeof stat>[0]) => {
  throw Object.assign(new Error(code), { code, path });
};
const allowing = () => Promise.resolve();

test.each([
  ['EROFS', { access: refusing('EROFS'), statfs: async () => ROOM }, 'is on a read-only file system'],
  ['EACCES', { access: refusing('EACCES'), statfs: async () => ROOM }, 'may not be written to by this user'],
  ['ENOSPC', { access: allowing, statfs: async () => ({ ...ROOM, bfree: 9, bavail: 9 }) }, 'is full'],
  ['ENOSPC', { access: allowing, statfs: async () => ({ ...ROOM, ffree: 0 }) }, 'is full'],
])('is refused with its path, the cause and what to do: %s', async (code, look, says) => {
  const unusable = await whyUnusable(join(folder, 'later', 'data'), look);
  expect(unusable!.found).toContain(folder);
  expect(unusable!.found).toContain(`${says} (${code})`);
  expect(unusable!.advice).toContain('set DATA_DIR to');
});

test('is not refused where its file system counts nothing', async () => {
  const nothing = { bsize: 4_096, blocks: 0, bfree: 0, bavail: 0, files: 0, ffree: 0 };
  expect(await whyUnusable(folder, { access: allowing, statfs: async () => nothing })).toBeNull();
});
