import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DomainEvent } from '../../events/define.ts';
import { QUESTION, Workspace } from '../application.suite.ts';
import { readSettings } from '../config.ts';
import { createAskHandler } from './ask.ts';
import { WorkQueue } from './work-queue.ts';
import { openKnowledge } from './index-in-use.ts';
import { noModels } from './no-models.suite.ts';
import type { Recorded, Recorder } from './recorder.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(() => workspace.remove());

/** Asks under one request id, while the record takes events so: what it was given, and the reply. */
async function askWith(outcomes: Recorded[]) {
  const given: DomainEvent<string, Record<string, unknown>>[][] = [];
  const knowledge = await openKnowledge(readSettings(workspace.environment()));
  const ask = createAskHandler({
    knowledge,
    models: noModels(),
    queue: new WorkQueue({ concurrent: 1, queued: 0 }),
    modelQueue: new WorkQueue({ concurrent: 1, queued: 0 }),
    budgetMs: 10_000,
    recorder: {
      record: async (_stream: string, events: (typeof given)[number]) => {
        given.push(events);
        return outcomes.shift()!;
      },
    } as unknown as Recorder,
    reviewMode: false,
    redact: false,
    now: () => new Date(),
  });
  const reply = ask(
    { request_id: 'r', question: QUESTION, mode: 'knowledge', top_k: 8 },
    { correlationId: 'r', callId: 'c', deadline: new Date(Date.now() + 10_000) },
  );
  return { given, reply };
}

test('an ask under an erased request is refused, and nothing of it recorded', async () => {
  const { given, reply } = await askWith(['erased']);
  await expect(reply).rejects.toMatchObject({ code: 'REQUEST_ERASED' });
  expect(given).toHaveLength(1);
});

test('an ask whose request is erased meanwhile is answered, and recorded without its text', async () => {
  const { given, reply } = await askWith(['stored', 'erased', 'stored']);
  expect(await reply).toMatchObject({ status: 'answered', ratings_enabled: true });
  const [, sealed, withoutText] = given;
  expect(withoutText!.map(({ id }) => id)).toEqual(sealed!.map(({ id }) => id));
  expect(withoutText!.at(-1)).toMatchObject({
    type: 'AnswerGiven',
    data: { question: null, answer: null, sources: null, status: 'answered', citations: ['URL-1'] },
  });
  expect(JSON.stringify(withoutText)).not.toContain('Werktage');
});
