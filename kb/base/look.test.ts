import { mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { buildKnowledge, openKnowledge } from '../open.ts';
import { listedInSnapshot, snapshotIn } from '../snapshot/listed-files.ts';
import { listAtStart, walkInThread, watchInThread } from './look.ts';
import { walk, type Found } from './walk.ts';

let folder: string;
let snapshotDir: string;
const LONG_AGO = new Date('2021-03-01');

const write = async (path: string, text: string): Promise<void> => {
  await writeFile(join(folder, path), text);
  await utimes(join(folder, path), LONG_AGO, LONG_AGO);
};
const filesOfSnapshot = async (): Promise<readonly Found[]> =>
  (await listedInSnapshot(snapshotIn(snapshotDir)))!.files as readonly Found[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beleg-look-'));
  snapshotDir = await mkdtemp(join(tmpdir(), 'beleg-snapshot-'));
  for (const name of ['eins', 'zwei', 'drei']) await write(`${name}.txt`, `Der Urlaub von ${name}.\n`);
  const { index } = await buildKnowledge({ folder, snapshotDir });
  await index.close();
});
afterEach(async () => {
  for (const path of [folder, snapshotDir]) await rm(path, { recursive: true });
});

describe('the first listing of a folder', () => {
  test('has nothing where the folder has the files of the snapshot', async () => {
    const { differing, whole } = listAtStart(folder, snapshotIn(snapshotDir));
    expect(await differing).toMatchObject({ gone: [], come: [], unread: [] });
    expect(await whole(filesOfSnapshot)()).toEqual(walk(folder));
  });

  test('has what differs, and is one of the folder as a whole', async () => {
    // given
    await rm(join(folder, 'eins.txt'));
    await write('drei.txt', 'Der Urlaub ist länger.\n');
    await write('neu.txt', 'Die Kündigung.\n');
    await symlink('neu.txt', join(folder, 'zeiger.txt'));
    // when
    const { differing, whole } = listAtStart(folder, snapshotIn(snapshotDir));
    // then
    const { gone, come } = (await differing)!;
    expect([gone, come.map(({ path }) => path)]).toEqual([
      ['eins.txt'],
      ['drei.txt', 'neu.txt', 'zeiger.txt'],
    ]);
    expect(await whole(filesOfSnapshot)()).toEqual(walk(folder));
    // The snapshot may be of other code.
    expect(await whole(null)()).toEqual(walk(folder));
  });

  test.for([['no snapshot', null] as const, ['one that is none', 'eins.txt'] as const])(
    'is told as a whole where there is %s',
    async ([, file]) => {
      const { differing, whole } = listAtStart(folder, file && join(folder, file));
      expect(await differing).toBeNull();
      expect(await whole(null)()).toEqual(walk(folder));
    },
  );

  test('is the one that a watch goes on from', async () => {
    const { whole } = listAtStart(folder, snapshotIn(snapshotDir), true);
    const first = await whole(filesOfSnapshot)();
    const changed = Promise.withResolvers<void>();
    const leave = watchInThread(folder, { onChange: changed.resolve, onFault: changed.reject });
    // Only what differs is told, so that the others stay the same objects.
    expect((await walkInThread(folder)).found[0]).toBe(first.found[0]);
    await write('neu.txt', 'Die Kündigung.\n');
    await changed.promise;
    const { found } = await walkInThread(folder);
    leave();
    expect(found).toEqual(walk(folder).found);
    expect(found[0]).toBe(first.found[0]);
  });
});

describe('the listings of a watched folder', () => {
  test('hold nothing of the snapshot that the start was made with', async () => {
    const { index, look } = await openKnowledge({ folder, snapshotDir });
    expect((await look()).found.map((file) => Object.keys(file))).toEqual(
      [1, 2, 3].map(() => ['path', 'sign']),
    );
    await index.close();
  });

  test('keep none of the earlier ones in memory', async () => {
    // given
    const leave = watchInThread(folder, { onChange: () => undefined, onFault: () => undefined });
    const first = new WeakRef(await walkInThread(folder));
    // when
    for (let n = 0; n < 3; n++) await walkInThread(folder);
    setFlagsFromString('--expose-gc');
    // What was awaited last is kept until the next turn.
    await new Promise(setImmediate);
    runInNewContext('gc')();
    // then
    expect(first.deref()).toBeUndefined();
    leave();
  });

  test('go on from a whole one where one of them failed', async () => {
    // given
    const { whole } = listAtStart(folder, snapshotIn(snapshotDir), true);
    const leave = watchInThread(folder, { onChange: () => undefined, onFault: () => undefined });
    const listing = whole(() => Promise.reject(new Error('the snapshot is damaged')));
    await expect(listing()).rejects.toThrow('damaged');
    // when
    const next = walkInThread(folder);
    // then
    expect(await next).toEqual(walk(folder));
    leave();
  });
});
