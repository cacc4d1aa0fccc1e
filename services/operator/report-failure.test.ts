import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { messageOf } from './report-failure.ts';

test('a full disk is told in words, with the file', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(messageOf(Object.assign(error, { path: '/data/index/x' }))).toBe(
    '/data/index/x cannot be written: the disk is full',
  );
});

test.each([
  ['/no/such/file.csv', '/no/such/file.csv does not exist'],
  [import.meta.filename + '/x', `${import.meta.filename}/x is a file, not a folder`],
])('a file that cannot be read is told in words: %s', async (path, told) => {
  const error = await readFile(path).catch((reason: unknown) => reason);
  expect(messageOf(error)).toBe(told);
});
