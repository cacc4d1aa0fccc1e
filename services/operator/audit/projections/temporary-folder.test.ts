import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../events/temporary-folder.suite.ts';
import { inTemporaryFolder, removeLeftFolders } from './temporary-folder.ts';

let temporary: string;

beforeEach(() => {
  temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('what a killed process has left is removed; what is in use stays, and what is of others', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  await inTemporaryFolder(async (folder) => {
    const left = basename(folder).replace(`-${process.pid}-`, `-${pid}-`);
    const running = basename(folder).replace(`-${process.pid}-`, `-${process.ppid}-`);
    for (const name of [left, running, 'beleg-verify-elsewhere-1-abc', 'other']) {
      mkdirSync(join(temporary, name));
      writeFileSync(join(temporary, name, 'tables.db'), 'text');
    }
    removeLeftFolders();
    expect(readdirSync(temporary).toSorted()).toEqual(
      [basename(folder), running, 'beleg-verify-elsewhere-1-abc', 'other'].toSorted(),
    );
  });
});
