import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readWhole, removeLeftParts, writeDurably } from './durable-file.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beleg-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a file', () => {
  test('that cannot be written is named', async () => {
    const path = join(folder, 'a');
    await mkdir(path);
    await expect(writeDurably(path, Buffer.from('x'))).rejects.toMatchObject({ code: 'EISDIR', path });
    expect(await readdir(folder)).toEqual(['a']);
  });

  test('is read as it was written', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
    await writeDurably(join(folder, 'a'), bytes);
    expect(await readWhole(join(folder, 'a'))).toEqual(bytes);
  });

  test('that is empty is there, one that is not there is not', async () => {
    await writeFile(join(folder, 'empty'), '');
    expect(await readWhole(join(folder, 'empty'))).toEqual(new Uint8Array());
    expect(await readWhole(join(folder, 'none'))).toBeUndefined();
  });

  test('that never ends is not read for ever', async () => {
    await symlink('/dev/zero', join(folder, 'endless'));
    expect(await readWhole(join(folder, 'endless'))).toEqual(new Uint8Array());
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await readWhole(join(folder, 'pipe'))).toEqual(new Uint8Array());
  });

  test('that is larger than it may be is not read', async () => {
    await writeFile(join(folder, 'large'), '');
    await truncate(join(folder, 'large'), 1024 ** 3);
    await expect(readWhole(join(folder, 'large'), 1024)).rejects.toThrow(RangeError);
  });

  test('that a killed process has left is removed once nobody can be writing it', async () => {
    const left = 'a.0b7a3c52-5f0e-4f0c-9d4e-2f6f5d0a1b2c.part';
    for (const name of ['a', left, 'b.part']) await writeFile(join(folder, name), 'geheim');
    await removeLeftParts(folder);
    expect(await readdir(folder)).toContain(left);
    await removeLeftParts(folder, Date.now() + 61_000);
    expect(await readdir(folder)).toEqual(['a', 'b.part']);
    await removeLeftParts(join(folder, 'none'));
  });

  test('is refused where a folder is in its place', async () => {
    await expect(readWhole(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
