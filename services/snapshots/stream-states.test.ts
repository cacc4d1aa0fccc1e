import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerData } from '../../events/catalog/answer-given.suite.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { COMMENTS_STREAM, CommentRecorded } from '../../events/catalog/feedback.ts';
import { AnswerGiven, askStream, PassagesRetrieved, QuestionAsked } from '../../events/catalog/knowledge.ts';
import { createCodec, type EventCause } from '../../events/define.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { NO_STREAM, type EventStore } from '../../events/store/store.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { SnapshotFile } from './snapshot-file.ts';
import { StreamStates, type Point } from './stream-states.ts';

const EVENTS = 40;
const SECRET = 'Streng vertraulich';

let folder: string;
let store: EventStore;
let vault: Vault;
let snapshots: SnapshotFile;
const file = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = temporaryFolder();
  store = await openEmbeddedStore({ file: file('events.db') });
  vault = await openSqliteVault({ file: file('keys.db') });
  snapshots = new SnapshotFile(file('snapshots.db'));
});

afterEach(async () => {
  snapshots.close();
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

/** A second from event to event. */
const timeOf = (n: number): string => new Date(Date.UTC(2024, 0, 1) + n * 1_000).toISOString();

/** Comments at these times; every ten events a snapshot is due. */
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

/** Goes by the file, or from the start. */
const states = (file: SnapshotFile | null = snapshots): StreamStates =>
  new StreamStates({ store, snapshots: file, distance: 10 });

const stateAt = async (point: Point, file?: SnapshotFile | null) =>
  (await states(file).at(COMMENTS_STREAM, point))?.state;

/** As somebody would who has the file: past the triggers of the store. */
async function tamper(sql: string): Promise<void> {
  await store.close();
  const db = new DatabaseSync(file('events.db'));
  db.exec(`DROP TRIGGER events_keep; DROP TRIGGER events_fix; ${sql}`);
  db.close();
  store = await openEmbeddedStore({ file: file('events.db') });
}

describe('the state of a stream', () => {
  test('at every revision is that of a replay, whatever snapshots there are', async () => {
    await recordComments();
    for (let round = 0; round < 2; round++) {
      for (let n = EVENTS - 1; n >= 0; n--) {
        const revision = BigInt(n);
        expect(await stateAt({ revision })).toMatchObject({ comments: n + 1 });
        expect(await stateAt({ revision })).toEqual(await stateAt({ revision }, null));
      }
    }
    expect(snapshots.newest(COMMENTS_STREAM, 'comments/1')?.revision).toBe(39n);
  });

  test('is that of the last event where no point is given; there is none beyond the end, or of no stream', async () => {
    await recordComments();
    expect(await stateAt('end')).toMatchObject({ comments: EVENTS });
    expect(await stateAt({ revision: BigInt(EVENTS) })).toBeUndefined();
    expect(await states().at('ask-nobody', 'end')).toBeUndefined();
    expect(await states().at('elsewhere', 'end')).toBeUndefined();
  });

  test('at a time is that after the last event at or before it', async () => {
    await recordComments();
    for (const way of [null, snapshots, snapshots]) {
      for (const n of [0, 9, 10, 11, 25, 39]) {
        expect(await stateAt({ time: timeOf(n) }, way)).toMatchObject({ comments: n + 1 });
        expect(await stateAt({ time: timeOf(n + 0.5) }, way)).toMatchObject({ comments: n + 1 });
      }
      expect(await stateAt({ time: timeOf(-1) }, way)).toBeUndefined();
      expect(await stateAt({ time: '2100-01-01T00:00:00.000Z' }, way)).toMatchObject({ comments: EVENTS });
    }
  });

  test('at a time counts an event after a clock was set back', async () => {
    // 0 … 19, then 5 … 24.
    await record(Array.from({ length: EVENTS }, (_, n) => timeOf(n < 20 ? n : n - 15)));
    for (const way of [null, snapshots, snapshots]) {
      expect(await stateAt({ time: timeOf(4) }, way)).toMatchObject({ comments: 5 });
      expect(await stateAt({ time: timeOf(7) }, way)).toMatchObject({ comments: 23 });
      expect(await stateAt({ time: timeOf(19) }, way)).toMatchObject({ comments: 35 });
    }
  });
});

describe('snapshots', () => {
  test('are not believed where the record was written anew', async () => {
    await recordComments();
    await stateAt('end');
    await tamper('DELETE FROM events');
    await record(Array.from({ length: EVENTS }, (_, n) => timeOf(n + 100)));
    expect(await stateAt({ revision: 35n })).toEqual(await stateAt({ revision: 35n }, null));
  });

  test('of a record that was written anew say nothing of its times', async () => {
    await recordComments();
    await stateAt('end');
    await tamper('DELETE FROM events');
    await record(Array.from({ length: EVENTS }, (_, n) => timeOf(n < 15 ? n : 5)));
    expect(await stateAt({ time: timeOf(5) })).toMatchObject({ comments: EVENTS });
    expect(await stateAt({ time: timeOf(4) })).toMatchObject({ comments: 5 });
  });

  test('are no way around an event that was changed behind them', async () => {
    await recordComments();
    await stateAt('end');
    await tamper("UPDATE events SET metadata = replace(metadata, 'call-33', 'call-99') WHERE revision = 33");
    expect(await stateAt({ revision: 32n })).toMatchObject({ comments: 33 });
    await expect(stateAt({ revision: 35n })).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
  });

  test('are made again where they are damaged, of another version, or gone', async () => {
    await recordComments();
    await stateAt('end');
    const db = new DatabaseSync(file('snapshots.db'));
    for (const damage of [
      "UPDATE snapshots SET state = x'00'",
      "UPDATE snapshots SET fold = 'comments/0'",
      'DELETE FROM snapshots',
    ]) {
      db.exec(damage);
      expect(await stateAt({ revision: 35n })).toMatchObject({ comments: 36 });
      expect(await stateAt('end')).toMatchObject({ comments: EVENTS });
      expect(snapshots.newest(COMMENTS_STREAM, 'comments/1')?.revision).toBe(39n);
      expect(db.prepare("SELECT count(*) AS n FROM snapshots WHERE fold = 'comments/0'").get()!['n']).toBe(0);
    }
    db.close();
  });

  test('hold no text, and are for their owner alone', async () => {
    await recordComments();
    await stateAt('end');
    for (const name of ['snapshots.db', 'snapshots.db-wal']) {
      expect(readFileSync(file(name)).includes(SECRET)).toBe(false);
      expect(statSync(file(name)).mode & 0o077).toBe(0);
    }
  });

  test('of a file that is none are refused', () => {
    writeFileSync(file('other.db'), 'not a database, but long enough to be looked at as one');
    expect(() => new SnapshotFile(file('other.db'))).toThrow('not a database');
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
  const before = (await states().at(stream, 'end'))!;
  expect(JSON.stringify(before.state)).not.toContain(SECRET);
  await vault.erase('r');
  const after = (await states().at(stream, 'end'))!;
  expect(after.definition.kept.hash(after.state)).toBe(before.definition.kept.hash(before.state));
});
