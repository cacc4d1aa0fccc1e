import { spawnSync } from 'node:child_process';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { messageOf } from './report-failure.ts';
import { writeWholeFile } from './whole-file.ts';

test('a file of results takes the place of the one before, through a link too', async () => {
  const folder = temporaryFolder();
  const [file, link] = [join(folder, 'a.html'), join(folder, 'b.html')];
  await writeFile(file, 'old');
  await symlink(file, link);
  await writeWholeFile(link, 'new');
  expect([await readFile(file, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['new', true]);
  expect(await readdir(folder)).toEqual(['a.html', 'b.html']);
});

test('a link that points to nothing yet stays, and what it points to is made', async () => {
  const folder = temporaryFolder();
  await symlink('a.html', join(folder, 'b.html'));
  await writeWholeFile(join(folder, 'b.html'), 'new');
  expect([
    await readFile(join(folder, 'a.html'), 'utf8'),
    lstatSync(join(folder, 'b.html')).isSymbolicLink(),
  ]).toEqual(['new', true]);
});

test('standard output that is a pipe is written to by its path', () => {
  const script = `const { writeWholeFile } = await import('./whole-file.ts'); await writeWholeFile('/dev/stdout', 'new');`;
  // By a shell, since what Node itself gives a child is a socket, which cannot be opened by a path.
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', '"$0" --input-type=module --eval "$1" | cat', process.execPath, script],
    {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    },
  );
  expect({ stdout, stderr }).toMatchObject({ stdout: 'new' });
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk is named with the file, and a device stays one',
  async () => {
    const failure: unknown = await writeWholeFile('/dev/full', 'x').catch((error: unknown) => error);
    expect(messageOf(failure)).toBe('/dev/full cannot be written: the disk is full');
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
  },
);
