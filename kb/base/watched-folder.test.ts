import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { walk } from './walk.ts';
import { WatchedFolder } from './watched-folder.ts';

let folder: string;
let watched: WatchedFolder;
const onChange = vi.fn<() => void>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beleg-watched-'));
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
  for (const path of ['eins.md', 'a/zwei.md', 'a/b/drei.txt']) await writeFile(join(folder, path), path);
  onChange.mockClear();
  watched = new WatchedFolder({
    folder,
    onChange,
    onFault: (error) => {
      throw error;
    },
  });
});
afterEach(async () => {
  watched.close();
  await rm(folder, { recursive: true });
});

/** Resolves when the system has told of a change since then. */
const told = (): Promise<void> => vi.waitFor(() => expect(onChange).toHaveBeenCalled());

describe('a folder that is watched', () => {
  test('is listed as one that is not', () => {
    expect(watched.walk(false)).toEqual(walk(folder));
    expect(watched.walk(false)).toEqual(walk(folder));
  });

  const changes: Record<string, () => Promise<void>> = {
    'a file that is written anew': () => writeFile(join(folder, 'a/zwei.md'), 'anders und länger'),
    'a file with another time': () => utimes(join(folder, 'a/b/drei.txt'), 1, 1),
    'a new file': () => writeFile(join(folder, 'a/b/vier.md'), ''),
    'a file that is gone': () => rm(join(folder, 'eins.md')),
    'a file in another folder': () => rename(join(folder, 'eins.md'), join(folder, 'a/b/eins.md')),
    'a folder with another name': () => rename(join(folder, 'a/b'), join(folder, 'a/c')),
    'a folder that is gone': () => rm(join(folder, 'a'), { recursive: true }),
    'a picture': () => writeFile(join(folder, 'a/bild.png'), ''),
  };
  test.for(Object.entries(changes))('tells of %s, and lists it', async ([, change]) => {
    watched.walk(false);
    await change();
    await told();
    await vi.waitFor(() => expect(watched.walk(false)).toEqual(walk(folder)));
  });

  test('is watched where a folder has come', async () => {
    watched.walk(false);
    await mkdir(join(folder, 'neu'));
    await told();
    await vi.waitFor(() => expect(watched.walk(false).found).toHaveLength(3));
    await writeFile(join(folder, 'neu', 'vier.md'), 'vier');
    await vi.waitFor(() => expect(watched.walk(false)).toEqual(walk(folder)));
  });

  test('is watched where another folder has taken the name of one', async () => {
    watched.walk(false);
    await mkdir(join(folder, '.neu'));
    await writeFile(join(folder, '.neu', 'vier.md'), 'vier');
    await rename(join(folder, 'a/b'), join(folder, '.alt'));
    await rename(join(folder, '.neu'), join(folder, 'a/b'));
    await vi.waitFor(() => expect(watched.walk(false)).toEqual(walk(folder)));
    await writeFile(join(folder, 'a/b', 'vier.md'), 'anders und länger');
    await vi.waitFor(() => expect(watched.walk(false)).toEqual(walk(folder)));
  });

  test('reads all where it is asked to, whatever the system has told', async () => {
    watched.walk(false);
    watched.close();
    const quiet = new WatchedFolder({ folder, onChange, onFault: () => undefined });
    quiet.walk(false);
    await writeFile(join(folder, 'eins.md'), 'anders und länger');
    expect(quiet.walk(true)).toEqual(walk(folder));
    quiet.close();
  });
});
