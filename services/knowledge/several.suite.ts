import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { MessageBus } from '../../events/bus/bus.ts';
import { call } from '../../events/messages/define.ts';
import { Ask, KnowledgeHealth, Reindex } from '../../events/messages/knowledge.ts';
import { KeyedQueue } from '../../events/keyed-queue.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { QUESTION, Workspace } from '../../testing/processes/application.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { Processes, type TestProcess } from '../../testing/processes/processes.suite.ts';
import { openKnowledge, type Knowledge } from './index-in-use.ts';
import { noModels } from './no-models.suite.ts';
import { serveKnowledge, type KnowledgeService } from './serve-knowledge.ts';

/** All processes share this one, and V8 sometimes aborts if index workers start and end at the same time. */
const turns = new KeyedQueue();

/** A knowledge base whose builds can be delayed. */
class HeldKnowledge implements Knowledge {
  readonly #inner: Knowledge;
  #gate: Promise<void> = Promise.resolve();
  readonly building = Promise.withResolvers<void>();
  builds = 0;

  constructor(inner: Knowledge) {
    this.#inner = inner;
  }

  get index(): KnowledgeIndex {
    return this.#inner.index;
  }

  get warnings() {
    return this.#inner.warnings;
  }

  get changedAtStart() {
    return this.#inner.changedAtStart;
  }

  /** Delays builds until the returned function is called. */
  holdBuilds(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  async build(): Promise<KnowledgeIndex> {
    this.builds++;
    this.building.resolve();
    await this.#gate;
    return turns.run('build', () => this.#inner.build());
  }

  get folder() {
    return this.#inner.folder;
  }

  changes() {
    return this.#inner.changes();
  }

  hold() {
    return this.#inner.hold();
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

export const CHANGED = {
  id: 'URL-1',
  title: 'Mindesturlaub',
  section: '§ 3 BUrlG',
  text: 'Der Urlaub beträgt jährlich mindestens 30 Werktage.',
};

export let workspace: Workspace;
export let processes: Processes;
let client: MessageBus;
let started: { process: TestProcess; service: KnowledgeService }[];
export const done = new AbortController();

/** To be called in a `describe`: several knowledge processes over one base, new for each test. */
export function useProcesses(): void {
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
}

/** Opens the present files; it serves after `serve()`. Without a shared `DATA_DIR` it builds its own index. */
export async function open(
  kbPath = workspace.kb,
  dataDir = join(processes.folder, 'shared'),
): Promise<Running> {
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

/** Starts processes, the first of which runs the reindexes. */
export async function start(...kbPaths: string[]): Promise<Running[]> {
  const running: Running[] = [];
  for (const path of kbPaths) running.push(await open(path));
  const [first] = running.map((process) => process.serve());
  await first!.allHeld;
  return running;
}

const context = () => ({ correlationId: 'r', callId: randomUUID() });
export const reindex = () => call(client, Reindex, { request_id: 'r' }, context());
export const health = () => call(client, KnowledgeHealth, {}, context());
export const ask = (id: string) => call(client, Ask, { question: QUESTION, request_id: id }, context());
export const hashes = (running: readonly Running[]) =>
  new Set(running.map(({ knowledge }) => knowledge.index.hash));
