import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { createCodec } from '../../events/define.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import { openComments } from './feedback.ts';
import { createAuditLines } from '../foundation/audit-lines.ts';

let folder: string;
let store: FaultyStore;
let vault: Vault;
let lines: string[];
let writer: ReturnType<typeof openComments>;

const start = () =>
  openComments({
    store,
    now: () => new Date('2026-01-01T00:00:00.000Z'),
    codec: createCodec(CATALOG, vault),
    lines: createAuditLines((line) => lines.push(line)),
  });

beforeEach(async () => {
  folder = temporaryFolder();
  store = new FaultyStore(await openEmbeddedStore({ file: join(folder, 'events.db') }));
  vault = await openSqliteVault({ file: join(folder, 'keys.db') });
  lines = [];
  writer = start();
});

afterEach(async () => {
  await Promise.all([store.close(), vault.close()]);
});

/** Resolves with the id of the comment. */
async function record(
  callId: string,
  { requestId = 'r', comment = 'Stimmt nicht ganz' } = {},
  by = writer,
): Promise<number> {
  const call = { correlationId: `http-${callId}`, callId };
  const [recorded] = await by.submit({ request_id: requestId, comment }, call);
  return Number(recorded!.revision) + 1;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function storedIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const event of store.readStream(COMMENTS_STREAM)) ids.push(event.id);
  return ids;
}

describe('the writer of comments', () => {
  test('numbers 200 comments at once 1 to 200, without a gap', async () => {
    const ids = await Promise.all(range(1, 200).map((n) => record(`call-${n}`)));
    expect(ids.toSorted((a, b) => a - b)).toEqual(range(1, 200));
    expect(await storedIds()).toHaveLength(200);
  });

  test('goes on where an earlier process stopped', async () => {
    await record('call-1');
    writer = start();
    expect(await record('call-2')).toBe(2);
  });

  test('fits 200 of the longest comments into appends', async () => {
    const longest = '\ud800'.repeat(2000);
    const ids = await Promise.all(range(1, 200).map((n) => record(`call-${n}`, { comment: longest })));
    expect(new Set(ids).size).toBe(200);
  });

  test('gives a repeated call its first id again: at once, later, and after a restart', async () => {
    expect(await Promise.all([record('a'), record('a'), record('b')])).toEqual([1, 1, 2]);
    expect(await record('a')).toBe(1);
    writer = start();
    expect(await record('b')).toBe(2);
    expect(await record('c')).toBe(3);
    expect(await storedIds()).toHaveLength(3);
  });

  test('leaves no gap and no double after an append of unknown outcome', async () => {
    await record('a');
    store.mode = 'mute';
    await expect(record('b')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    store.mode = 'up';
    // The comment was written after all, and the repeated call finds it.
    expect(await Promise.all([record('b'), record('c')])).toEqual([2, 3]);
    expect(await storedIds()).toHaveLength(3);
  });

  test('fails while the store is away and works again afterwards', async () => {
    store.mode = 'down';
    await expect(record('a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    store.mode = 'up';
    // A comment that was reported as failed keeps its number once its fate is known.
    expect(await record('b')).toBe(2);
    expect(await record('a')).toBe(1);
  });

  test('waits its turn behind another writer of the stream', async () => {
    const other = writer;
    writer = start();
    await record('a');
    expect(await record('b', {}, other)).toBe(2);
    expect(await record('c')).toBe(3);
  });

  test('gives a call that another process has recorded in between the id that it has there', async () => {
    await record('a');
    const stale = writer;
    writer = start();
    expect(await Promise.all([record('b'), record('c')])).toEqual([2, 3]);
    writer = stale;
    // This process knows of neither comment and expects that the next id is 2.
    expect(await Promise.all([record('c'), record('d'), record('b')])).toEqual([3, 4, 2]);
    expect(await storedIds()).toHaveLength(4);
  });

  test('refuses a comment whose key was erased, and only that one', async () => {
    await record('a', { requestId: 'erased' });
    await vault.erase('erased');
    const [refused, taken] = await Promise.allSettled([record('b', { requestId: 'erased' }), record('c')]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'REQUEST_ERASED' } });
    expect(taken).toEqual({ status: 'fulfilled', value: 2 });
  });

  test('writes a line without the text', async () => {
    await record('a', { comment: 'Streng vertraulich' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('vertraulich');
    expect(JSON.parse(lines[0]!.slice('AUDIT '.length))).toMatchObject({
      event: 'CommentRecorded',
      stream: 'comments',
      revision: 0,
      data: { request_id: 'r', comment: null },
    });
  });
});
