import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerData } from '../../../events/catalog/answer-given.suite.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { COMMENTS_STREAM, CommentRecorded } from '../../../events/catalog/feedback.ts';
import {
  AnswerGiven,
  askStream,
  PassagesRetrieved,
  QuestionAsked,
} from '../../../events/catalog/knowledge.ts';
import { createCodec, type EventCause } from '../../../events/define.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { NO_STREAM, type EventStore } from '../../../events/store/store.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { openSqliteVault } from '../../../events/vault/sqlite.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { stateAt, type Point } from './stream-point.ts';

const EVENTS = 40;
const SECRET = 'Streng vertraulich';

let folder: string;
let store: EventStore;
let vault: Vault;
const file = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = temporaryFolder();
  store = await openEmbeddedStore({ file: file('events.db') });
  vault = await openSqliteVault({ file: file('keys.db') });
});

afterEach(async () => {
  await store.close();
  await vault.close();
});

const cause = (stream: string, n: number, at = timeOf(n)): EventCause => ({
  stream,
  at,
  correlationId: 'r',
  causationId: `call-${n}`,
  key: 'r',
});

/** Events are one second apart. */
const timeOf = (n: number): string => new Date(Date.UTC(2024, 0, 1) + n * 1_000).toISOString();

/** Records comments with these times. */
async function record(times: readonly string[]): Promise<void> {
  const codec = createCodec(CATALOG, vault);
  const events = times.map((at, n) =>
    CommentRecorded.create({ request_id: 'r', comment: `${SECRET} ${n}` }, cause(COMMENTS_STREAM, n, at)),
  );
  await store.append(
    COMMENTS_STREAM,
    NO_STREAM,
    await Promise.all(events.map((event) => codec.encode(event))),
  );
}

const recordComments = (): Promise<void> => record(Array.from({ length: EVENTS }, (_, n) => timeOf(n)));

const commentsAt = async (point: Point) => (await stateAt(store, COMMENTS_STREAM, point)).state;

/** Changes the file as an attacker could, without the triggers of the store. */
async function tamper(sql: string): Promise<void> {
  await store.close();
  const db = new DatabaseSync(file('events.db'));
  db.exec(`DROP TRIGGER events_keep; DROP TRIGGER events_fix; ${sql}`);
  db.close();
  store = await openEmbeddedStore({ file: file('events.db') });
}

describe('the state of a stream', () => {
  test('at every revision is that of the events up to there', async () => {
    await recordComments();
    for (const n of [0, 1, 20, EVENTS - 1]) {
      expect(await commentsAt({ revision: BigInt(n) })).toMatchObject({ comments: n + 1 });
    }
    expect(await commentsAt('end')).toMatchObject({ comments: EVENTS });
  });

  test('at a time is that after the last event at or before it', async () => {
    await recordComments();
    for (const n of [0, 9, 25, 39]) {
      expect(await commentsAt({ time: timeOf(n) })).toMatchObject({ comments: n + 1 });
      expect(await commentsAt({ time: timeOf(n + 0.5) })).toMatchObject({ comments: n + 1 });
    }
    expect(await commentsAt({ time: '2100-01-01T00:00:00.000Z' })).toMatchObject({ comments: EVENTS });
  });

  test('is none beyond the end, before the first event, or of no stream', async () => {
    await recordComments();
    await expect(commentsAt({ revision: BigInt(EVENTS) })).rejects.toThrow('ends at revision 39');
    await expect(commentsAt({ time: timeOf(-1) })).rejects.toThrow('no event at or before');
    for (const stream of ['ask-nobody', 'elsewhere']) {
      await expect(stateAt(store, stream, 'end')).rejects.toThrow(`no stream named ${stream}`);
      await expect(stateAt(store, stream, { revision: 0n })).rejects.toThrow(`no stream named ${stream}`);
      await expect(stateAt(store, stream, { time: timeOf(1) })).rejects.toThrow(`no stream named ${stream}`);
    }
  });

  test('at a time counts an event after a clock was set back', async () => {
    // The times run 0 … 19, then 5 … 24.
    await record(Array.from({ length: EVENTS }, (_, n) => timeOf(n < 20 ? n : n - 15)));
    expect(await commentsAt({ time: timeOf(4) })).toMatchObject({ comments: 5 });
    expect(await commentsAt({ time: timeOf(7) })).toMatchObject({ comments: 23 });
    expect(await commentsAt({ time: timeOf(19) })).toMatchObject({ comments: 35 });
  });

  test('is told up to an event that was changed, and not beyond', async () => {
    await recordComments();
    await tamper("UPDATE events SET metadata = replace(metadata, 'call-33', 'call-99') WHERE revision = 33");
    expect(await commentsAt({ revision: 32n })).toMatchObject({ comments: 33 });
    await expect(commentsAt({ revision: 35n })).rejects.toMatchObject({
      code: 'STREAM_CORRUPT',
      detail: expect.stringContaining('revision 33 of comments'),
    });
  });
});

test('an ask folds without its text, erased or not', async () => {
  const codec = createCodec(CATALOG, vault);
  const stream = askStream('r');
  const events = [
    QuestionAsked.create(
      { request_id: 'r', question: SECRET, language: 'de', mode: 'knowledge', top_k: 8, context: null },
      cause(stream, 0),
    ),
    PassagesRetrieved.create(
      { queries: [SECRET], hits: [], coverage: 0, covered: false, index: 'i' },
      cause(stream, 0),
    ),
    AnswerGiven.create(answerData('r', { question: SECRET, answer: SECRET }), cause(stream, 0)),
  ];
  await store.append(stream, NO_STREAM, await Promise.all(events.map((event) => codec.encode(event))));
  const before = await stateAt(store, stream, 'end');
  expect(JSON.stringify(before.state)).not.toContain(SECRET);
  await vault.erase('r');
  const after = await stateAt(store, stream, 'end');
  expect(after.definition.hash(after.state)).toBe(before.definition.hash(before.state));
});
