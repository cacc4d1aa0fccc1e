import { randomUUID } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MessageBus } from '../../events/bus/bus.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import { call } from '../../events/messages/define.ts';
import { Ask, KnowledgeHealth, Reindex } from '../../events/messages/knowledge.ts';
import { Turns } from '../../events/turns.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { QUESTION, Workspace } from '../application.suite.ts';
import { readSettings } from '../config.ts';
import { Processes, type TestProcess } from '../processes.suite.ts';
import { openKnowledge, type Knowledge } from './knowledge.ts';
import { noModels } from './models.ts';
import { serveKnowledge, type KnowledgeService } from './service.ts';
import { PATIENT } from '../../events/patient.suite.ts';

/** All processes are one here, and index workers that start and end at once make V8 abort it now and then. */
const turns = new Turns();

/** A knowledge base whose builds can be held up. */
class HeldKnowledge implements Knowledge {
  readonly #inner: Knowledge;
  #gate: Promise<void> = Promise.resolve();
  readonly building = Promise.withResolvers<void>();

  constructor(inner: Knowledge) {
    this.#inner = inner;
  }

  get index(): KnowledgeIndex {
    return this.#inner.index;
  }

  get warnings() {
    return this.#inner.warnings;
  }

  /** Builds wait until the function that is returned is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  async build(): Promise<KnowledgeIndex> {
    this.building.resolve();
    await this.#gate;
    return turns.run('build', () => this.#inner.build());
  }

  use<T>(work: (index: KnowledgeIndex) => Promise<T>): Promise<T> {
    return this.#inner.use(work);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  swap(index: KnowledgeIndex): void {
    this.#inner.swap(index);
  }
}

interface Running extends TestProcess {
  readonly knowledge: HeldKnowledge;
  serve(): KnowledgeService;
}

const CHANGED = {
  id: 'URL-1',
  title: 'Mindesturlaub',
  section: '§ 3 BUrlG',
  text: 'Der Urlaub beträgt jährlich mindestens 30 Werktage.',
};

let workspace: Workspace;
let processes: Processes;
let client: MessageBus;
let started: { process: TestProcess; service: KnowledgeService }[];
const done = new AbortController();

beforeEach(async () => {
  workspace = await Workspace.create();
  processes = await Processes.create();
  client = processes.connect();
  started = [];
});

afterEach(async () => {
  for (const { process, service } of started) {
    await service.leave();
    await process.bus.drain();
    await service.close();
  }
  await processes.close();
  await workspace.remove();
});

/** Opened on the files as they are now; it serves from `serve()` on. One that shares no `DATA_DIR` builds for itself. */
async function open(kbPath = workspace.kb, dataDir = join(processes.folder, 'shared')): Promise<Running> {
  const process = await processes.open();
  const settings = readSettings({
    ...workspace.environment(),
    PV_KB_PATH: kbPath,
    DATA_DIR: dataDir,
  });
  const knowledge = new HeldKnowledge(await openKnowledge(settings));
  return {
    ...process,
    knowledge,
    serve() {
      const service = serveKnowledge({ ...process, settings, knowledge, models: noModels() });
      started.push({ process, service });
      return service;
    },
  };
}

/** The first of them runs the reindexes. */
async function start(...kbPaths: string[]): Promise<Running[]> {
  const running: Running[] = [];
  for (const path of kbPaths) running.push(await open(path));
  for (const process of running) process.serve();
  await vi.waitFor(() => expect(running[0]!.leases.held()).toContain('knowledge-index'), PATIENT);
  return running;
}

const context = () => ({ correlationId: 'r', callId: randomUUID() });
const reindex = () => call(client, Reindex, { request_id: 'r' }, context());
const health = () => call(client, KnowledgeHealth, {}, context());
const ask = (id: string) => call(client, Ask, { question: QUESTION, request_id: id }, context());
const hashes = (running: readonly Running[]) => new Set(running.map(({ knowledge }) => knowledge.index.hash));

describe('a reindex with several knowledge processes', () => {
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
    const release = holder!.knowledge.hold();
    const first = reindex();
    await holder!.knowledge.building.promise;
    await expect(reindex()).rejects.toMatchObject({ code: 'REINDEX_RUNNING' });
    release();
    expect(await first).toMatchObject({ status: 'reindexed' });
  });

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
      detail: expect.stringMatching(/old (index|one) stays in service$/u),
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

  test('is taken over where its process loses the lease: broken off on record, then free to begin again', async () => {
    const [holder, standby] = await start(workspace.kb, workspace.kb);
    const before = holder!.knowledge.index.hash;
    await workspace.writePassage(CHANGED);
    const release = holder!.knowledge.hold();
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

  test('reaches one that joins while others get ready', async () => {
    const late = await open();
    const [, slow] = await start(workspace.kb, workspace.kb);
    await workspace.writePassage(CHANGED);
    const release = slow!.knowledge.hold();
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
        expect(processes.logged).toContain('the files give another index than the one built last: reindex'),
      PATIENT,
    );
    expect(away.knowledge.index.hash).toBe(before);
    expect(await health()).toMatchObject({ instances: 2, indexes: [expect.anything(), expect.anything()] });
    expect(processes.logged).toContain('the processes serve different indexes: reindex');
  });
});

describe('the health of several knowledge processes', () => {
  test('counts what waits in all of them, whichever is asked', async () => {
    processes.haunt('knowledge-instance.dead', done.signal);
    const [a, b] = await start(workspace.kb, workspace.kb);
    processes.store.mode = 'down';
    // Round the queue group: each process spools some.
    await Promise.all([ask('1'), ask('2'), ask('3'), ask('4')]);
    const waiting = a!.spool.size + b!.spool.size;
    expect(Math.min(a!.spool.size, b!.spool.size)).toBeGreaterThan(0);
    for (const answer of await Promise.all([health(), health()])) {
      expect(answer).toMatchObject({ spooled: waiting, lost: 0, instances: 2, indexes: [expect.anything()] });
    }
    processes.store.mode = 'up';
  });
});
