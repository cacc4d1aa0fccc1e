import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import {
  CHANGED,
  ask,
  done,
  hashes,
  health,
  open,
  processes,
  reindex,
  start,
  workspace,
  useProcesses,
} from './several.suite.ts';

describe('a reindex with several knowledge processes', () => {
  useProcesses();

  test.each([
    ['reads other files', CHANGED.text],
    ['cannot read its files', ''],
  ])('changes nothing anywhere where one process %s', async (_, text) => {
    const other = join(processes.folder, 'kb');
    await cp(workspace.kb, other, { recursive: true });
    const running = await start(workspace.kb, other, workspace.kb);
    const before = hashes(running);
    await workspace.writePassage(CHANGED);
    await writeFile(
      join(other, 'X.md'),
      `---\nid: X-1\ntitle: X\nsection: X\nstand: 2021-07\nwork: X\n---\n\n${text}\n`,
    );
    await expect(reindex()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: expect.stringMatching(/old (index|one) stays in use$/u),
    });
    expect(hashes(running)).toEqual(before);
    expect(await processes.types(INDEX_STREAM)).toEqual(['ReindexStarted', 'ReindexFailed']);
  });

  test('leaves out one that is gone, and says so', async () => {
    processes.haunt('knowledge-instance.dead', done.signal);
    const running = await start(workspace.kb, workspace.kb);
    await workspace.writePassage(CHANGED);
    expect(await reindex()).toMatchObject({ status: 'reindexed', changed: 1 });
    expect(hashes(running).size).toBe(1);
    expect(processes.logged).toContain('a process does not answer');
  });

  test('reaches one that joins while others get ready', async () => {
    const late = await open();
    const [, slow] = await start(workspace.kb, workspace.kb);
    await workspace.writePassage(CHANGED);
    const release = slow!.knowledge.holdBuilds();
    const running = reindex();
    await slow!.knowledge.building.promise;
    late.serve();
    await vi.waitFor(
      () => expect(late.leases.held()).toEqual([`knowledge-instance.${late.instance}`]),
      PATIENT,
    );
    release();
    await running;
    expect(hashes([late, slow!]).size).toBe(1);
  });

  test('is caught up with by one that was away', async () => {
    const away = await open(workspace.kb, join(processes.folder, 'own'));
    const [holder] = await start(workspace.kb);
    await workspace.writePassage(CHANGED);
    await reindex();
    expect(away.knowledge.index.hash).not.toBe(holder!.knowledge.index.hash);
    processes.store.mode = 'down';
    away.serve();
    expect(await ask('while-the-store-is-away')).toMatchObject({ status: 'answered' });
    processes.store.mode = 'up';
    away.leases.lose(`knowledge-instance.${away.instance}`);
    await vi.waitFor(() => expect(hashes([away, holder!]).size).toBe(1), PATIENT);
  });

  test('leaves alone, with a warning, one that was away and has other files', async () => {
    const other = join(processes.folder, 'kb');
    await cp(workspace.kb, other, { recursive: true });
    const away = await open(other);
    const before = away.knowledge.index.hash;
    await start(workspace.kb);
    await workspace.writePassage(CHANGED);
    await reindex();
    away.serve();
    await vi.waitFor(
      () =>
        expect(processes.logged).toContain(
          'the files have changed since the newest index was built; run a reindex',
        ),
      PATIENT,
    );
    expect(away.knowledge.index.hash).toBe(before);
    expect(await health()).toMatchObject({ instances: 2, indexes: [expect.anything(), expect.anything()] });
    expect(processes.logged).toContain('the processes use different indexes; run a reindex');
  });
});
