import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { listenAdvice } from '../foundation/listening.ts';
import { StrategyFault } from '../strategies/fault.ts';
import { messageOf, reportFailure, UncertainError, UsageError } from './report-failure.ts';

test('a full disk is told in words, with the file', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(messageOf(Object.assign(error, { path: '/data/index/x' }))).toBe(
    '/data/index/x cannot be written: the disk is full',
  );
});

test.each([
  ['EADDRINUSE', 'set TD_PORT to another port'],
  ['EADDRNOTAVAIL', 'set TD_HOST to an address of this machine'],
  ['EACCES', 'set TD_PORT to 1024 or higher'],
])('where a service cannot listen (%s) the setting that helps is named', (code, advice) => {
  expect(listenAdvice('TD_PORT', code)).toBe(advice);
});

test('a fault of a strategy is told with its file and line', () => {
  expect(messageOf(new StrategyFault('there is no such file', { file: '/mine/nix.ts' }))).toBe(
    '/mine/nix.ts: there is no such file',
  );
  expect(messageOf(new StrategyFault('oh', { file: 'a.ts', line: 3 }, new Error('why')))).toBe('a.ts:3: oh');
});

test.each([
  ['/no/such/file.csv', '/no/such/file.csv does not exist'],
  [import.meta.filename + '/x', `${import.meta.filename}/x is a file, not a folder`],
])('a file that cannot be read is told in words: %s', async (path, told) => {
  const error = await readFile(path).catch((reason: unknown) => reason);
  expect(messageOf(error)).toBe(told);
});

test.each([
  [new Error('oh'), 1],
  [new UsageError('oh'), 2],
  [new UncertainError('oh'), 4],
])('the exit code tells wrong options and what could not be found out from a failure: %s', (error, code) => {
  using said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(reportFailure(error)).toBe(code);
  expect(said).toHaveBeenCalledWith('beleg: oh');
});
