import { pino } from 'pino';
import { ActorHost } from '../foundation/actor-host.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DomainEvent } from '../../events/define.ts';
import { QUESTION, Workspace } from '../../testing/processes/application.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { createAskHandler } from './ask.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { WorkQueue } from './work-queue.ts';
import { openKnowledge } from './index-in-use.ts';
import { noModels } from './no-models.suite.ts';
import type { RecordOutcome, Recorder } from './recorder.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await workspace.remove();
});

/** The answer takes more than one turn of the event loop, as with a language model. */
const slowly = (index: KnowledgeIndex): KnowledgeIndex => ({
  ...index,
  search: async (...asked) => {
    await nextTurn();
    await nextTurn();
    return index.search(...asked);
  },
});

/** Asks under one request id, with a recorder that has these outcomes; returns the recorded events and the reply. */
async function askWith(outcomes: RecordOutcome[], { takesLong }: { takesLong: boolean }) {
  const given: DomainEvent<string, Record<string, unknown>>[][] = [];
  const knowledge = await openKnowledge(readSettings(workspace.environment()));
  const hold = () => {
    const { index, ...held } = knowledge.hold();
    return { ...held, index: takesLong ? slowly(index) : index };
  };
  const ask = createAskHandler({
    knowledge: { hold },
    models: noModels(),
    queue: new WorkQueue({ concurrent: 1, queued: 0 }),
    modelQueue: new WorkQueue({ concurrent: 1, queued: 0 }),
    budgetMs: 10_000,
    recorder: {
      prepare: () => undefined,
      record: async (_stream: string, events: (typeof given)[number]) => {
        given.push(events);
        return outcomes.shift()!;
      },
      isReused: async () => false,
    } as unknown as Recorder,
    reviewMode: false,
    actors: new ActorHost({ logger: pino({ level: 'silent' }) }),
    redact: false,
    now: () => new Date(),
  });
  const reply = ask(
    { request_id: 'r', question: QUESTION, mode: 'knowledge', top_k: 8 },
    { correlationId: 'r', callId: 'c', deadline: new Date(Date.now() + 10_000) },
  );
  return { given, reply };
}

test.each([true, false])(
  'an ask under an erased request is refused, and nothing of it recorded (it takes long: %s)',
  async (takesLong) => {
    const { given, reply } = await askWith(['erased'], { takesLong });
    await expect(reply).rejects.toMatchObject({ code: 'REQUEST_ERASED' });
    expect(given).toHaveLength(1);
  },
);

test('an ask that is done at once is recorded in one append, with its question', async () => {
  // A turn of the event loop ends by the clock, too, and this machine may be busy.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const { given, reply } = await askWith(['stored'], { takesLong: false });
  expect(await reply).toMatchObject({ status: 'answered', ratings_enabled: true });
  expect(given.map((events) => events.map(({ type }) => type))).toEqual([
    ['QuestionAsked', 'PassagesRetrieved', 'AnswerDrafted', 'DraftVerified', 'AnswerGiven'],
  ]);
});

test('of an ask that takes long the question goes on record first', async () => {
  const { given, reply } = await askWith(['stored', 'stored'], { takesLong: true });
  expect(await reply).toMatchObject({ status: 'answered', ratings_enabled: true });
  expect(given.map((events) => events.map(({ type }) => type))).toEqual([
    ['QuestionAsked'],
    ['PassagesRetrieved', 'AnswerDrafted', 'DraftVerified', 'AnswerGiven'],
  ]);
});

test('an ask whose request is erased meanwhile is answered, and recorded without its text', async () => {
  const { given, reply } = await askWith(['stored', 'erased', 'stored'], { takesLong: true });
  expect(await reply).toMatchObject({ status: 'answered', ratings_enabled: true });
  const [, sealed, withoutText] = given;
  expect(withoutText!.map(({ id }) => id)).toEqual(sealed!.map(({ id }) => id));
  expect(withoutText!.at(-1)).toMatchObject({
    type: 'AnswerGiven',
    data: { question: null, answer: null, sources: null, status: 'answered', citations: ['URL-1'] },
  });
  expect(JSON.stringify(withoutText)).not.toContain('Werktage');
});
