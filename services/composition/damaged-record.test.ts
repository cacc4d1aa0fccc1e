import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { QUESTION, Workspace } from '../../testing/processes/application.suite.ts';
import { damageLastTable } from '../../events/sqlite/damaged-page.suite.ts';
import { rewriteEvents } from '../../events/store/embedded/rewrite.suite.ts';
import { judge } from '../operator/audit/verify.ts';
import { examine } from '../operator/doctor/doctor.ts';
import { lookAtTables } from '../operator/doctor/look-at-tables.ts';
import { openRecord, openRuntime } from './runtime.ts';
import { readSettings } from './settings.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
  const { application, client } = await workspace.start();
  for (const id of ['r-1', 'r-2']) expect((await client.ask(QUESTION, id)).status).toBe(200);
  await application.close();
});
afterEach(() => workspace.remove());

const findingsOf = async (what: string) =>
  (await examine(workspace.environment())).filter((finding) => finding.what === what);

test.each([
  ['data that are no JSON', "data = '{broken'"],
  ['metadata that are no JSON', "metadata = ''"],
  ['metadata that are no object', "metadata = 'null'"],
  ['no time', "metadata = json_remove(metadata, '$.at')"],
])('an event with %s is set aside, counted and named, and stops nothing', async (_, set) => {
  rewriteEvents(
    join(workspace.data, 'events.db'),
    `UPDATE events SET ${set} WHERE stream = 'ask-r-1' AND type = 'AnswerGiven'`,
  );

  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(workspace.data, `audit.db${suffix}`), { force: true });

  // The audit tables are rebuilt from the record.
  const { application, client } = await workspace.start();
  await expect
    .poll(async () => (await client.health()).body, { timeout: 20_000 })
    .toMatchObject({ status: 'degraded', audit: { ready: true, set_aside: 1 } });
  expect((await client.ask(QUESTION, 'r-3')).status).toBe(200);
  await application.close();

  expect(await findingsOf('record')).toMatchObject([{ state: 'ok' }]);
  expect(await findingsOf('events')).toMatchObject([
    {
      state: 'fault',
      found: expect.stringContaining('ask-r-1'),
      advice: expect.stringContaining('beleg audit verify'),
    },
  ]);
  expect(await findingsOf('audit tables')).toMatchObject([
    {
      state: 'warning',
      found: expect.stringMatching(/^1 event could not be applied: AnswerGiven \S+ of ask-r-1$/),
    },
  ]);
  const { findings } = await judge({}, workspace.environment());
  expect(findings).toContainEqual(expect.objectContaining({ stream: 'ask-r-1' }));
});

const PAGE_BYTES = 4096;
/** The first byte of a page that has rows of a table. */
const LEAF = 0x0d;

/** Fills the first page that has rows with this text with what no database writes. */
function damageRowsWith(text: string, file: string): void {
  const content = readFileSync(file);
  for (let at = PAGE_BYTES; at < content.length; at += PAGE_BYTES) {
    const page = content.subarray(at, at + PAGE_BYTES);
    if (page[0] !== LEAF || !page.includes(text)) continue;
    page.fill(0xff);
    return writeFileSync(file, content);
  }
  throw new Error(`no page has rows with ${text}`);
}

test('nothing is written to a record any more once damage is met in it, and everybody is told', async () => {
  const healthy = await workspace.start();
  for (let n = 1; n <= 20; n++) await healthy.client.ask(QUESTION, `more-${n}`);
  await healthy.application.close();
  damageRowsWith('ask-r-1', join(workspace.data, 'events.db'));
  const { application, client } = await workspace.start();
  const size = (): number =>
    statSync(join(workspace.data, 'events.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  await client.ask(QUESTION, 'r-1');
  await expect
    .poll(async () => (await client.health()).body, { timeout: 20_000 })
    .toMatchObject({ status: 'degraded', audit: { ready: false, files_damaged: ['events.db'] } });
  const written = size();
  // A stream of its own, which no damaged page is needed for.
  const answer = await client.ask(QUESTION, 'r-3');
  expect(answer).toMatchObject({ status: 200, body: { status: 'answered', ratings_enabled: false } });
  expect(answer.headers.get('x-answer-not-recorded')).toBeNull();
  expect((await client.rate('r-1', 'up')).status).toBe(503);
  expect(size()).toBe(written);
  expect(await client.get('/ready')).toMatchObject({
    status: 503,
    body: { degraded: expect.arrayContaining(['events.db', 'spool']) },
  });
  await application.close();
  expect(await findingsOf('record')).toMatchObject([
    {
      state: 'fault',
      found: expect.stringContaining('damaged'),
      advice: expect.stringContaining('a backup'),
    },
  ]);
});

test('a backup that is copied over the record under a running service is told, and nothing is written to it', async () => {
  const file = join(workspace.data, 'events.db');
  const backup = readFileSync(file);
  const before = await workspace.start();
  await before.client.ask(QUESTION, 'r-3');
  await before.application.close();

  const { application, client } = await workspace.start();
  await client.ask(QUESTION, 'r-4');
  const health = async () => (await client.health()).body;
  expect(await health()).toMatchObject({ audit: { files_damaged: [] } });
  // As `cp` does: the same file, another content.
  writeFileSync(file, backup);
  await expect.poll(health, { timeout: 20_000 }).toMatchObject({ audit: { files_damaged: ['events.db'] } });
  expect(await client.ask(QUESTION, 'r-5')).toMatchObject({ body: { ratings_enabled: false } });
  await application.close();
});

test('a file of the record whose time alone was changed goes on', async () => {
  const file = join(workspace.data, 'events.db');
  const { application, client } = await workspace.start();
  await client.ask(QUESTION, 'r-3');
  utimesSync(file, new Date(0), new Date(0));
  expect(await client.ask(QUESTION, 'r-4')).toMatchObject({ body: { ratings_enabled: true } });
  expect((await client.health()).body).toMatchObject({ audit: { files_damaged: [] } });
  await application.close();
});

test('a key that is empty, although nobody erased it, is told as one that is missing', async () => {
  const db = new DatabaseSync(join(workspace.data, 'keys.db'));
  db.exec("UPDATE keys SET key = NULL WHERE name = 'r-1'");
  db.close();
  expect(await findingsOf('text keys')).toMatchObject([
    { state: 'fault', found: 'missing or replaced, and not erased, for 1 request: r-1' },
  ]);
  expect(await judge({}, workspace.environment())).toMatchObject({ keys: { missing: 1, named: ['r-1'] } });
});

test('events of a type that nobody knows are counted and named, and stop nothing', async () => {
  rewriteEvents(
    join(workspace.data, 'events.db'),
    "UPDATE events SET type = 'AnswerDreamt' WHERE stream = 'ask-r-1' AND type = 'AnswerGiven'",
  );
  const { facts, figures } = await judge({}, workspace.environment());
  expect(facts).toContainEqual(['unknown types', 'not taken by any table: AnswerDreamt (1)']);
  expect(figures).toMatchObject({ unknown_types: { AnswerDreamt: 1 } });
  // The chain covers the type, so that a type that was changed is a fault, and one that was recorded is none.
  expect(await findingsOf('events')).toMatchObject([{ state: 'fault' }]);
  const { application, client } = await workspace.start();
  expect((await client.ask(QUESTION, 'r-3')).status).toBe(200);
  await application.close();
});

test('an event that was changed is told by doctor', async () => {
  expect(await findingsOf('events')).toMatchObject([{ state: 'ok' }]);
  rewriteEvents(
    join(workspace.data, 'events.db'),
    "UPDATE events SET data = json_set(data, '$.status', 'refused') WHERE stream = 'ask-r-1' AND type = 'AnswerGiven'",
  );
  expect(await findingsOf('events')).toMatchObject([
    { state: 'fault', found: expect.stringContaining('ask-r-1') },
  ]);
});

test('tables that are damaged, of another record, or stand still are told by doctor', async () => {
  const file = join(workspace.data, 'audit.db');
  expect(await findingsOf('audit tables')).toEqual([]);
  const set = (sql: string): void => {
    const db = new DatabaseSync(file);
    db.exec(sql);
    db.close();
  };
  const settings = readSettings(workspace.environment());
  await using record = await openRecord(settings);
  const later = { isServed: true, now: new Date(Date.now() + 120_000) };
  const wordsOf = async () =>
    (await lookAtTables(settings, record, later)).flatMap(({ what, found }) =>
      what === 'audit tables' ? found : [],
    );
  expect(await wordsOf()).toEqual([]);
  set("UPDATE projections SET position = '0000000000000001'");
  expect(await wordsOf()).toEqual([expect.stringContaining('they stand still')]);
  set("INSERT OR REPLACE INTO origins VALUES ('audit', 'another')");
  expect(await wordsOf()).toEqual([expect.stringContaining('is of another record')]);
  writeFileSync(file, 'x'.repeat(10_000));
  expect(await wordsOf()).toEqual([expect.stringContaining('is damaged')]);
});

test('a start says in the log that a page of keys.db is damaged', async () => {
  await damageLastTable(join(workspace.data, 'keys.db'));
  const said = Promise.withResolvers<object>();
  const write = (line: string): void => said.resolve(JSON.parse(line) as object);
  const settings = readSettings(workspace.environment());
  const runtime = await openRuntime(settings, pino({ level: 'error' }, { write }));
  expect(await said.promise).toMatchObject({
    file: 'keys.db',
    msg: expect.stringMatching(/^keys\.db is damaged: stop the service; /u),
  });
  await runtime.close();
});
