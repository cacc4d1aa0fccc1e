import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { messageOf } from './report-failure.ts';

test.each([
  ['/no/such/file.csv', '/no/such/file.csv does not exist'],
  [import.meta.filename + '/x', `${import.meta.filename}/x is a file, not a folder`],
])('a file that cannot be read is told in words: %s', async (path, told) => {
  const error = await readFile(path).catch((reason: unknown) => reason);
  expect(messageOf(error)).toBe(told);
});
