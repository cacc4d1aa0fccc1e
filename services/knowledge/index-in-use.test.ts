import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildKnowledge } from '../../kb/open.ts';
import { readSettings } from '../composition/settings.ts';
import { Workspace } from '../../testing/processes/application.suite.ts';
import { differencesToRebuild } from '../../testing/changes/as-rebuilt.ts';
import { openKnowledge } from './index-in-use.ts';
import { PATIENT } from '../../events/patient.suite.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
});
afterAll(() => workspace.remove());

test('an index closes when it was replaced and what runs on it is done; the one in service when all stops', async () => {
  const knowledge = await openKnowledge(readSettings(workspace.environment()));
  const older = knowledge.index;
  const newer = await knowledge.build();
  const closed: string[] = [];
  vi.spyOn(older, 'close').mockImplementation(async () => void closed.push('older'));
  vi.spyOn(newer, 'close').mockImplementation(async () => void closed.push('newer'));

  const first = knowledge.hold();
  knowledge.swap(newer);
  const second = knowledge.hold();
  expect([first.index, second.index]).toEqual([older, newer]);
  expect(closed).toEqual([]);
  first[Symbol.dispose]();
  await vi.waitFor(() => expect(closed).toEqual(['older']), PATIENT);

  const stopped = knowledge.close();
  expect(closed).toEqual(['older']);
  second[Symbol.dispose]();
  await stopped;
  expect(closed).toEqual(['older', 'newer']);
});

const handbook = (id: string, text: string) => ({ id, title: 'Nachtrag', section: '§ 1', text });

const merging = (data = 'merging') =>
  readSettings(workspace.environment({ DATA_DIR: `${workspace.folder}/${data}` }));

describe('changes that the snapshot lacks', () => {
  test('are merged into it, so that what has left the folder is not on disk', async () => {
    // given
    await workspace.writePassage(handbook('ALT-1', 'Das Altgeheimnis steht hier.'));
    const knowledge = await openKnowledge(merging());
    expect(knowledge.unmerged).toBeNull();
    await workspace.writePassage(handbook('ALT-1', 'Hier steht nichts mehr.'));
    knowledge.swap(await knowledge.build());
    expect(knowledge.unmerged).not.toBeNull();
    // when
    await knowledge.merge();
    // then
    expect(knowledge.unmerged).toBeNull();
    expect((await readFile(knowledge.snapshotFile)).includes('Altgeheimnis')).toBe(false);
    expect(await differencesToRebuild(knowledge.index, knowledge.folder, ['Nachtrag'])).toEqual([]);
    await knowledge.close();
  });

  test('have waited long enough where text had left the folder before the start', async () => {
    // given
    await workspace.writePassage(handbook('ALT-1', 'Das Altgeheimnis steht hier.'));
    await workspace.writePassage(handbook('ALT-2', 'Das bleibt.'));
    await (await openKnowledge(merging('started'))).close();
    await workspace.writePassage(handbook('ALT-1', 'Hier steht nichts mehr.'));
    // when
    const knowledge = await openKnowledge(merging('started'));
    // then
    expect(knowledge.unmerged).toEqual({ firstMs: Infinity, lastMs: Infinity, hidesText: true });
    await knowledge.merge();
    expect(knowledge.unmerged).toBeNull();
    expect((await readFile(knowledge.snapshotFile)).includes('Altgeheimnis')).toBe(false);
    // when: a file has only come
    await workspace.writePassage(handbook('ALT-3', 'Das ist neu.'));
    await knowledge.close();
    const next = await openKnowledge(merging('started'));
    // then
    expect(next.unmerged).toMatchObject({ hidesText: false });
    expect(next.unmerged!.lastMs).toBeLessThan(Infinity);
    await next.close();
  });

  test('are merged while others keep coming, which stay beside it', async () => {
    // given
    await workspace.writePassage(handbook('ALT-1', 'Eins.'));
    const knowledge = await openKnowledge(merging());
    await workspace.writePassage(handbook('ALT-1', 'Zwei.'));
    knowledge.swap(await knowledge.build());
    const { index: whole } = await buildKnowledge({ folder: knowledge.folder, snapshotDir: null });
    // when: another change comes while the whole is built
    await workspace.writePassage(handbook('ALT-1', 'Drei.'));
    knowledge.swap(await knowledge.build());
    const before = knowledge.index;
    await knowledge.takeOver(whole);
    // then
    expect(knowledge.index).not.toBe(before);
    expect(await differencesToRebuild(knowledge.index, knowledge.folder, ['Nachtrag'])).toEqual([]);
    // when: the files are other ones than the index in service was built from
    await workspace.writePassage(handbook('ALT-1', 'Vier.'));
    const { index } = knowledge;
    await knowledge.takeOver(whole);
    // then
    expect(knowledge.index).toBe(index);
    await knowledge.close();
  });
});

test('a merge puts an index in service again whose snapshot has a damaged text', async () => {
  // given
  await workspace.writePassage(handbook('ALT-1', 'Das Mindestalter steht hier.'));
  await (await openKnowledge(merging('damaged'))).close();
  const file = (await openKnowledge(merging('damaged'))).snapshotFile;
  const bytes = await readFile(file);
  bytes[bytes.lastIndexOf('Mindestalter')]! ^= 1;
  await writeFile(file, bytes);
  const knowledge = await openKnowledge(merging('damaged'));
  await expect(knowledge.index.search('Mindestalter', { topK: 1 })).rejects.toThrow('not what was written');
  expect([knowledge.isDamaged, knowledge.unmerged]).toEqual([true, null]);
  // when
  await knowledge.merge();
  // then
  expect(knowledge.isDamaged).toBe(false);
  expect(await differencesToRebuild(knowledge.index, knowledge.folder, ['Mindestalter'])).toEqual([]);
  await knowledge.close();
});
