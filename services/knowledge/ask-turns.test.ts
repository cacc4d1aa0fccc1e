import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { QUESTION, Workspace } from '../../testing/processes/application.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { ActorHost } from '../foundation/actor-host.ts';
import { createAskHandler } from './ask.ts';
import { openKnowledge } from './index-in-use.ts';
import { noModels } from './no-models.suite.ts';
import type { Recorder } from './recorder.ts';
import { WorkQueue } from './work-queue.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(() => workspace.remove());

const RECORDER = {
  prepare: () => undefined,
  record: async () => 'stored',
  isReused: async () => false,
} as unknown as Recorder;

test.each([
  ['recorded', RECORDER],
  ['not recorded, where audit is disabled', null],
])('asks that are %s search in a turn of the event loop each', async (_, recorder) => {
  let turn = 0;
  let turning = setImmediate(function count() {
    turn += 1;
    turning = setImmediate(count);
  });
  const searchedIn: number[] = [];
  const knowledge = await openKnowledge(readSettings(workspace.environment()));
  const ask = createAskHandler({
    knowledge: {
      hold: () => {
        const { index, ...held } = knowledge.hold();
        const search: typeof index.search = (...asked) => {
          searchedIn.push(turn);
          return index.search(...asked);
        };
        return { ...held, index: { ...index, search } };
      },
    },
    models: noModels(),
    queue: new WorkQueue({ concurrent: 4, queued: 8 }),
    modelQueue: new WorkQueue({ concurrent: 1, queued: 0 }),
    budgetMs: 100_000,
    recorder,
    reviewMode: false,
    actors: new ActorHost({ logger: pino({ level: 'silent' }) }),
    redact: false,
    now: () => new Date(),
  });
  const asks = Array.from({ length: 12 }, (__, at) =>
    ask(
      { request_id: `r-${at}`, question: QUESTION, mode: 'knowledge', top_k: 8 },
      { correlationId: 'r', callId: `c-${at}`, deadline: new Date(Date.now() + 100_000) },
    ),
  );
  expect(await Promise.all(asks)).toMatchObject(asks.map(() => ({ status: 'answered' })));
  clearImmediate(turning);
  expect(searchedIn).toEqual([...new Set(searchedIn)]);
  expect(searchedIn).toHaveLength(asks.length);
});
