import { describe, expect, test, vi } from 'vitest';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { indexSwap } from './index-swap.ts';
import type { Instances } from './instances.ts';
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

  test('has swapped in all of them when it answers, while asks go on', async () => {
    const running = await start(workspace.kb, workspace.kb, workspace.kb);
    await workspace.writePassage(CHANGED);
    const stop = new AbortController();
    const asking = (async () => {
      const answers: string[] = [];
      for (let n = 0; !stop.signal.aborted; n++) {
        answers.push(
          ...(await Promise.all([0, 1, 2].map((i) => ask(`a${n}-${i}`)))).map(({ answer }) => answer),
        );
      }
      return answers;
    })();
    expect(await reindex()).toMatchObject({ status: 'reindexed', changed: 1 });
    const after = await Promise.all([0, 1, 2].map((i) => ask(`after-${i}`)));
    stop.abort();
    for (const answer of await asking) expect(answer).toMatch(/ (24|30) Werktage/u);
    for (const { answer } of after) expect(answer).toContain('30 Werktage');
    expect(hashes(running).size).toBe(1);
    expect(await processes.types(INDEX_STREAM)).toEqual(['ReindexStarted', 'IndexBuilt']);
  });

  test('turns a second one away, whoever asks', async () => {
    const [holder] = await start(workspace.kb, workspace.kb);
    const release = holder!.knowledge.holdBuilds();
    const first = reindex();
    await holder!.knowledge.building.promise;
    await expect(reindex()).rejects.toMatchObject({ code: 'REINDEX_RUNNING' });
    release();
    expect(await first).toMatchObject({ status: 'reindexed' });
  });

  test('is taken over where its process loses the lease: broken off on record, then free to begin again', async () => {
    const [holder, standby] = await start(workspace.kb, workspace.kb);
    const before = holder!.knowledge.index.hash;
    await workspace.writePassage(CHANGED);
    const release = holder!.knowledge.holdBuilds();
    const broken = reindex().catch((error: unknown) => error);
    await holder!.knowledge.building.promise;
    holder!.leases.lose('knowledge-index');
    expect(await broken).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await vi.waitFor(() => expect(standby!.leases.held()).toContain('knowledge-index'), PATIENT);
    release();
    await vi.waitFor(
      async () => expect(await reindex()).toMatchObject({ status: 'reindexed', changed: 1 }),
      PATIENT,
    );
    expect(hashes([holder!, standby!])).not.toContain(before);
    expect(await processes.types(INDEX_STREAM)).toEqual([
      'ReindexStarted',
      'ReindexFailed',
      'ReindexStarted',
      'IndexBuilt',
    ]);
  });
});

describe('a start of knowledge processes', () => {
  useProcesses();

  test('builds nothing of files that have changed since the last reindex, unless a process has that index in use', async () => {
    // given: a reindex on record, after which the files have changed again
    const [holder] = await start(workspace.kb);
    await workspace.writePassage(CHANGED);
    await reindex();
    const { hash } = holder!.knowledge.index;
    await workspace.writePassage({ ...CHANGED, text: 'Der Urlaub beträgt jährlich mindestens 31 Werktage.' });
    const late = await open();
    const builds: number[] = [];
    // when
    for (const indexes of [[], [late.knowledge.index.hash], [hash]]) {
      const health = async () => indexes.map((index) => ({ index }) as ProcessHealth);
      await indexSwap({ ...late, instances: { health } }).catchUp(done.signal);
      builds.push(late.knowledge.builds);
    }
    // then
    expect(builds).toEqual([0, 0, 2]);
    expect(processes.logged.filter((line) => line.includes('run a reindex'))).toHaveLength(1);
  });
});

type ProcessHealth = Awaited<ReturnType<Instances['health']>>[number];

describe('the health of several knowledge processes', () => {
  useProcesses();

  test('says one time for the index, whichever is asked', async () => {
    const running = await start(workspace.kb, workspace.kb);
    await workspace.writePassage(CHANGED);
    await reindex();
    const times = running.map(({ knowledge }) => knowledge.index.builtAt).toSorted();
    const told = await Promise.all(Array.from({ length: 6 }, () => health()));
    expect(new Set(told.map(({ index }) => index.built_at))).toEqual(new Set(times.slice(-1)));
  });

  test('counts what waits in all of them, whichever is asked', async () => {
    processes.haunt('knowledge-instance.dead', done.signal);
    const [a, b] = await start(workspace.kb, workspace.kb);
    processes.store.mode = 'down';
    // The queue group distributes the asks, so that each process spools some.
    await Promise.all([ask('1'), ask('2'), ask('3'), ask('4')]);
    const waiting = a!.spool.size + b!.spool.size;
    expect(Math.min(a!.spool.size, b!.spool.size)).toBeGreaterThan(0);
    for (const answer of await Promise.all([health(), health()])) {
      expect(answer).toMatchObject({ spooled: waiting, lost: 0, instances: 2, indexes: [expect.anything()] });
    }
    processes.store.mode = 'up';
  });
});
