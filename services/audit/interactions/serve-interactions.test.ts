import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { askedBefore } from '../../../events/catalog/answer-given.suite.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { askStream } from '../../../events/catalog/knowledge.ts';
import { createCodec } from '../../../events/define.ts';
import { ListInteractions, ShowInteraction } from '../../../events/messages/audit.ts';
import { call, serve, type RequestDefinition } from '../../../events/messages/define.ts';
import { AuditHealth, Comment, Rate } from '../../../events/messages/feedback.ts';
import { appendAtEnd } from '../../foundation/streams/append-at-end.suite.ts';
import { Processes, type TestProcess } from '../../../testing/processes/processes.suite.ts';
import { auditProjection } from '../projection.ts';
import { answerGiven, WrittenTables } from './audit-tables.suite.ts';
import { serveInteractions } from './serve-interactions.ts';
import { serveAudit, type AuditService } from '../serve-audit.ts';
import { readSettings } from '../../composition/settings.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

let processes: Processes;
let client: MessageBus;
let running: { process: TestProcess; service: AuditService }[];

beforeEach(async () => {
  processes = await Processes.create();
  client = processes.connect();
  running = [];
});

afterEach(async () => {
  for (const { process, service } of running) {
    await service.leave();
    await process.bus.drain();
  }
  await processes.close();
});

const HEALTH = { enabled: true, ready: true, checkpoint: null };

async function start(enabled = true): Promise<void> {
  const process = await processes.open();
  const settings = { ...readSettings({ DATA_DIR: processes.folder }).audit, enabled };
  const service = serveAudit({ ...process, settings });
  running.push({ process, service });
  await service.allHeld;
}

async function answer(requestId: string, at: string): Promise<void> {
  const stream = askStream(requestId);
  const cause = { stream, at, correlationId: requestId, causationId: randomUUID(), key: requestId };
  const codec = createCodec(CATALOG, processes.vault);
  const events = [...askedBefore(requestId, cause), answerGiven(requestId, cause)];
  const sealed = await Promise.all(events.map((event) => codec.encode(event)));
  await appendAtEnd(processes.store, stream, sealed);
}

function ask<Req extends z.ZodType, Rep extends z.ZodType>(
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
) {
  return call(client, definition, payload, { correlationId: 'c', callId: randomUUID() });
}

test('reading begins when the tables have caught up', async () => {
  const file = join(processes.folder, 'audit.db');
  const written = new WrittenTables(file);
  const process = await processes.open();
  const settled = Promise.withResolvers<void>();
  const end = serveInteractions({
    ...process,
    leases: { held: () => ['audit-projection'] },
    file,
    projection: {
      status: () => {
        throw new Error('nothing is erased');
      },
      waitFor: () => Promise.resolve(),
    },
    settled: settled.promise,
  });
  const listing = ask(ListInteractions, {});
  // A later query without a wait is answered first.
  serve(
    process.bus,
    AuditHealth,
    'audit',
    async () => HEALTH,
    () => {},
  );
  for (let n = 0; n < 3; n++) await ask(AuditHealth, {});
  written.answer('late');
  settled.resolve();
  expect((await listing).interactions).toMatchObject([{ request_id: 'late' }]);
  await end();
  written.close();
  await process.bus.drain();
});

test('one request is shown with its story, and whether its chain is whole', async () => {
  await start();
  await answer('r:1.a', '2026-01-15T08:00:00.000Z');
  await ask(Rate, { request_id: 'r:1.a', rating: 'down', feedback: 'Zu knapp' });
  const { comment_id } = await ask(Comment, { request_id: 'r:1.a', comment: 'Bitte prüfen' });
  // Checkpoints are skipped, because the tables ignore them.
  const newest = { direction: 'backwards', limit: 1, types: auditProjection.types } as const;
  const [last] = await Array.fromAsync(processes.store.readAll(newest));
  await running[0]!.service.projection!.waitFor(last!.position, PATIENT);

  const { interaction, story, chain } = await ask(ShowInteraction, { request_id: 'r:1.a' });
  expect(interaction).toMatchObject({
    question: 'Was gilt?',
    rating: { rating: 'down', feedback: 'Zu knapp' },
    comments: [{ comment_id, comment: 'Bitte prüfen' }],
  });
  expect(story.entries.map(({ event }) => event)).toEqual([
    'QuestionAsked',
    'PassagesRetrieved',
    'AnswerGiven',
    'AnswerRated',
    'CommentRecorded',
  ]);
  expect(chain).toEqual({ stream: 'ask-r:1.a', whole: true, events: 4, faults: [] });
  expect(await ask(ListInteractions, { feedback: true, text: 'PRÜFEN' })).toEqual({
    interactions: [interaction],
    next: null,
  });
});

test('a request that nobody answered is unknown', async () => {
  await start();
  await expect(ask(ShowInteraction, { request_id: 'nobody' })).rejects.toMatchObject({
    code: 'UNKNOWN_REQUEST_ID',
  });
});

test('nothing is read where audit is disabled', async () => {
  await start(false);
  for (const reading of [ask(ListInteractions, {}), ask(ShowInteraction, { request_id: 'r' })]) {
    await expect(reading).rejects.toMatchObject({ code: 'AUDIT_DISABLED' });
  }
});
