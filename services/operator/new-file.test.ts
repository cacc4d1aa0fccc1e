import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { writeNewFile } from './new-file.ts';

async function* chunks(...all: string[]) {
  yield* all;
}

async function* fillsTheDisk() {
  yield 'half';
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' });
}

async function* fails() {
  yield 'half';
  throw new BelegError('DEADLINE_EXCEEDED');
}

describe('a new file', () => {
  test('is a whole file for its owner alone', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'out.csv');
    await writeNewFile(file, chunks('ä', 'b'));
    expect(await readFile(file, 'utf8')).toBe('äb');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['out.csv']);
  });

  test('never takes the place of a file', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'out.csv');
    await writeFile(file, 'mine');
    await expect(writeNewFile(file, chunks('x'))).rejects.toThrow('is not overwritten');
    expect(await readFile(file, 'utf8')).toBe('mine');
    await expect(writeNewFile(join(folder, 'no', 'out.csv'), chunks('x'))).rejects.toThrow(
      'cannot be written',
    );
  });

  test('is nothing where reading fails or is interrupted', async () => {
    const folder = temporaryFolder();
    await expect(writeNewFile(join(folder, 'a'), fails())).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    });
    const interrupted = new AbortController();
    const interrupts = async function* () {
      yield 'half';
      interrupted.abort();
      yield 'more';
    };
    await expect(writeNewFile(join(folder, 'b'), interrupts(), interrupted.signal)).rejects.toThrow(
      'aborted',
    );
    await expect(writeNewFile(join(folder, 'c'), fillsTheDisk())).rejects.toMatchObject({
      path: join(folder, 'c'),
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
