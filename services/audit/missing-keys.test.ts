import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCodec } from '../../events/define.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { checkKeys } from '../operator/audit/check-keys.ts';
import { formatVerdict } from '../operator/audit/verify.ts';
import { openSqliteKeys } from '../../events/vault/sqlite-keys.ts';
import { ErasurePlace } from './erasure/place.suite.ts';
import { watchKeys } from './missing-keys.ts';

let place: ErasurePlace;
beforeEach(async () => {
  place = await ErasurePlace.open();
});
afterEach(() => place.remove());

/** Changes the file while no service runs. */
async function changeKeys(sql: string): Promise<void> {
  await place.stop();
  const db = new DatabaseSync(join(place.folder, 'keys.db'));
  db.exec(sql);
  db.close();
  await place.start();
}

async function lookAtKeys() {
  const keys = openSqliteKeys({ file: join(place.folder, 'keys.db') });
  const found = await checkKeys({
    store: place.store,
    codec: createCodec(CATALOG, { ...place.vault, open: keys.open, seal: () => Promise.reject(new Error()) }),
  });
  await keys.close();
  return found;
}

const states = () => place.rows('SELECT request_id, lost FROM requests ORDER BY request_id');

test.each([
  ['is deleted', "DELETE FROM keys WHERE name = 'r-2'"],
  ['is emptied', "UPDATE keys SET key = NULL WHERE name = 'r-2'"],
  ['is blank', "UPDATE keys SET key = x'' WHERE name = 'r-2'"],
  ['is cut short', "UPDATE keys SET key = substr(key, 1, 16) WHERE name = 'r-2'"],
  ['is replaced by another', "UPDATE keys SET key = randomblob(32) WHERE name = 'r-2'"],
])('a key that %s stops no tables; it is counted, named, and erasing is the way out', async (_, sql) => {
  await place.answer('r-1');
  await place.answer('r-2');
  await place.projection.waitFor(await place.comment('r-2'), PATIENT);
  expect(await lookAtKeys()).toEqual({ requests: 2, unknown: 0, missing: 0, named: [] });

  await changeKeys(sql);
  expect(await lookAtKeys()).toEqual({ requests: 2, unknown: 0, missing: 1, named: ['r-2'] });
  await place.projection.rebuild();
  await place.projection.waitFor(await place.answer('r-3'), PATIENT);
  expect(place.projection.status()).toMatchObject({ setAside: 0 });
  expect(states()).toEqual([
    { request_id: 'r-1', lost: 0 },
    // An erased text and a lost one are distinguished by the key.
    { request_id: 'r-2', lost: sql.includes('NULL') ? 0 : 1 },
    { request_id: 'r-3', lost: 0 },
  ]);
  expect(place.rows("SELECT question FROM interactions WHERE request_id = 'r-2'")).toEqual([
    { question: null },
  ]);

  const logged: string[] = [];
  const logger = pino({}, { write: (line: string) => logged.push(line) });
  const watch = watchKeys({
    vault: place.vault,
    store: place.store,
    file: place.file,
    projection: place.projection,
    logger,
    roundPauseMs: 5,
  });
  await vi.waitFor(() => expect(watch.missing).toBe(1), PATIENT);
  expect(JSON.parse(logged[0]!)).toMatchObject({ level: 50, requests: ['r-2'], missing: 1 });

  expect(await place.erase(place.eraser(), 'r-2')).toMatchObject({ request_id: 'r-2', repeated: false });
  await vi.waitFor(() => expect(watch.missing).toBe(0), PATIENT);
  await watch.end();
  expect(await lookAtKeys()).toMatchObject({ missing: 0 });
});

test('tables that lack the text of a key that has come back are built anew', async () => {
  await place.answer('r-1');
  await place.projection.waitFor(await place.answer('r-2'), PATIENT);
  await changeKeys(
    "CREATE TABLE kept AS SELECT * FROM keys WHERE name = 'r-2'; DELETE FROM keys WHERE name = 'r-2'",
  );
  await place.projection.rebuild();
  await changeKeys('INSERT INTO keys SELECT * FROM kept');
  expect(states()).toEqual([
    { request_id: 'r-1', lost: 0 },
    { request_id: 'r-2', lost: 1 },
  ]);
  const watch = watchKeys({
    vault: place.vault,
    store: place.store,
    file: place.file,
    projection: place.projection,
    logger: pino({ level: 'silent' }),
  });
  await vi.waitFor(() => expect(watch.missing).toBe(0), PATIENT);
  await watch.end();
  expect(states()).toEqual([
    { request_id: 'r-1', lost: 0 },
    { request_id: 'r-2', lost: 0 },
  ]);
});

const SWAP = `CREATE TEMP TABLE swapped AS SELECT a.name, b.key FROM keys a JOIN keys b ON a.name <> b.name;
  UPDATE keys SET key = (SELECT key FROM swapped WHERE swapped.name = keys.name)`;

test.each([
  ['are deleted', 'DELETE FROM keys'],
  ['are replaced by others', 'UPDATE keys SET key = randomblob(32)'],
  ['are swapped', SWAP],
  ['are lengthened', "UPDATE keys SET key = CAST(key || x'0102030405060708' AS BLOB)"],
])('keys that %s while the tables have their text are counted too', async (_, sql) => {
  await place.answer('r-1');
  // A comment on a request of which nothing else is on record.
  await place.projection.waitFor(await place.comment('r-2'), PATIENT);
  await changeKeys(sql);
  const watch = watchKeys({
    vault: place.vault,
    store: place.store,
    file: place.file,
    projection: place.projection,
    logger: pino({ level: 'silent' }),
    roundPauseMs: 5,
  });
  await vi.waitFor(() => expect(watch.missing).toBe(2), PATIENT);
  await watch.end();
});

test('a verification that finds keys missing does not say intact', () => {
  const verdict = {
    subject: 'The record',
    findings: [],
    more: 0,
    facts: [['events', '1']],
    figures: {},
  } as const;
  const keys = { requests: 3, unknown: 0, missing: 2, named: ['r-1', 'r-2'] };
  expect(formatVerdict(verdict)).toContain('The record is intact.');
  expect(formatVerdict({ ...verdict, keys })).not.toContain('intact');
  expect(formatVerdict({ ...verdict, keys })).toContain('the text of 2 requests cannot be opened any more');
});
