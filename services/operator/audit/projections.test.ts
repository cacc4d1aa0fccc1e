import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { COMMENTS_STREAM, CommentRecorded } from '../../../events/catalog/feedback.ts';
import { createCodec, SEALED_TEXT } from '../../../events/define.ts';
import { startProjection } from '../../../events/projections/runner.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { NO_STREAM, type EventStore } from '../../../events/store/store.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { openSqliteVault } from '../../../events/vault/sqlite.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { auditProjection } from '../../audit/projection.ts';
import { listProjections, rebuildProjection, verifyProjection } from './projections.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

const SECRET = 'Streng vertraulich';

let folder: string;
let temporary: string;
let store: EventStore;
let vault: Vault;
let printed: string;
let said: string;

beforeEach(async () => {
  folder = temporaryFolder();
  temporary = temporaryFolder();
  store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  vault = await openSqliteVault({ file: join(folder, 'keys.db') });
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('TMPDIR', temporary);
  printed = said = '';
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (printed += `${text}\n`));
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (said += `${text}\n`));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await store.close();
  await vault.close();
});

/** Records comments of four requests, and fills the tables up to the last `behind` of them. */
async function project({ behind = 0, text = SECRET } = {}): Promise<void> {
  const codec = createCodec(CATALOG, vault);
  let revision = NO_STREAM;
  const tables = startProjection({
    store,
    codec,
    projection: auditProjection,
    file: join(folder, 'audit.db'),
  });
  for (let n = 0; n < 12; n++) {
    const request_id = `r${n % 4}`;
    const cause = {
      stream: COMMENTS_STREAM,
      at: '2024-01-01T00:00:00.000Z',
      correlationId: request_id,
      causationId: `call-${n}`,
      key: request_id,
    };
    const event = CommentRecorded.create(
      { request_id, comment: text === SECRET ? `${SECRET} ${n}` : text },
      cause,
    );
    const appended = await store.append(COMMENTS_STREAM, revision, [await codec.encode(event)]);
    ({ revision } = appended);
    if (n === 11 - behind) {
      await tables.waitFor(appended.position, PATIENT);
      await tables.stop();
    }
  }
}

function change(sql: string): void {
  const db = new DatabaseSync(join(folder, 'audit.db'));
  db.exec(sql);
  db.close();
}

test('tables as the record says are whole; what was built to see that is gone', async () => {
  await project();
  await verifyProjection('audit', {});
  expect(printed).toContain(
    '  comments: 12 rows, same as the record\n  requests: 4 rows, same as the record',
  );
  expect(process.exitCode).toBeUndefined();
  expect(readdirSync(temporary)).toEqual([]);
});

test('only what the tables have come to is compared', async () => {
  await project({ behind: 3 });
  await verifyProjection('audit', {});
  expect(printed).toContain('comments: 9 rows, same as the record');
  expect(process.exitCode).toBeUndefined();
});

test('rows that were changed, removed or put in are named by their keys, and not their text', async () => {
  await project();
  change(`UPDATE comments SET comment = 'something else' WHERE comment_id = 3;
    DELETE FROM comments WHERE comment_id = 5; INSERT INTO requests VALUES ('r9', '2024', NULL, 0, 0)`);
  await verifyProjection('audit', {});
  expect(printed).toContain('comments: 11 rows, 2 different');
  expect(printed).toContain('changed  comment_id=3  (comment)');
  expect(printed).toContain('missing  comment_id=5');
  expect(printed).toContain('requests: 5 rows, 1 different\n    extra  request_id=r9');
  expect(printed).not.toContain(SECRET);
  expect(process.exitCode).toBe(1);
  expect(readdirSync(temporary)).toEqual([]);
});

test('where the tables are no tables, what was built is gone too', async () => {
  await project();
  change('DROP TABLE comments');
  await expect(verifyProjection('audit', {})).rejects.toThrow('comments');
  expect(readdirSync(temporary)).toEqual([]);
});

test.each([0, 4096])(
  'tables whose file is damaged from byte %d on are said to be built anew',
  async (from) => {
    await project();
    const file = join(folder, 'audit.db');
    writeFileSync(file, readFileSync(file).fill(0xff, from));
    await expect(verifyProjection('audit', {})).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: expect.stringContaining('builds them anew from the record'),
    });
  },
);

test('tables of another release, or none, cannot be whole', async () => {
  await project();
  change('UPDATE projections SET version = 1');
  await verifyProjection('audit', {});
  expect(printed).toContain('beleg audit projections rebuild audit');
  expect(process.exitCode).toBe(1);
});

test('tables that are somewhere else can be neither verified nor listed, and that is said', async () => {
  await project();
  vi.stubEnv('PV_AUDIT_DB_PATH', join(folder, 'elsewhere.db'));
  await verifyProjection('audit', {});
  expect(process.exitCode).toBe(1);
  await listProjections({});
  const told = `audit: no tables in ${folder}/elsewhere.db; look on the machine where the audit service runs\n`;
  expect(printed.split(told)).toHaveLength(3);
  expect(readdirSync(folder)).not.toContain('elsewhere.db');
});

test('all are listed: how far they are, how large, how many rows', async () => {
  await project({ behind: 3 });
  await listProjections({});
  expect(printed).toContain(`audit version ${auditProjection.version}\n  file      ${folder}/audit.db (`);
  expect(printed).toContain('  behind    3 events');
  expect(printed).toMatch(/ {2}comments +9 rows/u);
  expect(printed).toContain(`trading: no tables in ${folder}/trading.db`);
});

test('what there is not can be neither verified nor rebuilt', async () => {
  await project();
  await verifyProjection('books', {});
  await rebuildProjection('books', {});
  expect(said).toBe('beleg: there is no projection books; choose one of audit, trading\n'.repeat(2));
  expect(process.exitCode).toBe(5);
});

test('what reads like a sealed text, and is none, keeps nobody from comparing', async () => {
  await project({ text: SEALED_TEXT });
  await verifyProjection('audit', {});
  expect(printed).toContain('comments: 12 rows, same as the record');
});

test('an erased text is nowhere, and that is as the record says', async () => {
  await project();
  await vault.erase('r1');
  change("UPDATE comments SET comment = NULL WHERE request_id = 'r1'");
  await verifyProjection('audit', {});
  expect(printed).toContain('comments: 12 rows, same as the record');
});

test('building tables again moves no account: it is opened by nobody who only looks', async () => {
  await project();
  await store.close();
  await vault.close();
  vi.stubEnv('LOG_LEVEL', 'silent');
  await rebuildProjection('trading', { json: true });
  expect(JSON.parse(printed)).toMatchObject({ name: 'trading' });
  store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  const streams = new Set<string>();
  for await (const { stream } of store.readAll()) streams.add(stream);
  expect([...streams]).toEqual([COMMENTS_STREAM]);
});

test('list says of a table that somebody removed that it is missing', async () => {
  await project();
  const db = new DatabaseSync(join(folder, 'audit.db'));
  db.exec('DROP TABLE comments');
  db.close();
  await listProjections({});
  expect(printed).toMatch(/^ {2}comments +missing: the running service builds the tables anew/mu);
});

test('tables ahead of the record are not told to be behind it, too', async () => {
  await project();
  await store.close();
  for (const name of readdirSync(folder).filter((each) => each.startsWith('events.db')))
    rmSync(join(folder, name));
  store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  await listProjections({});
  expect(printed).toContain('  ahead     of the record');
  expect(printed).not.toContain('behind');
});
