import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PATIENT } from '../patient.suite.ts';
import { verifyRecord } from '../proof/verify.ts';
import { collect, newEvents } from '../store/contract.suite.ts';
import { openEmbeddedStore } from '../store/embedded/embedded.ts';
import { openEmbeddedReader } from '../store/embedded/read-only.ts';
import { NO_STREAM, type EventStore } from '../store/store.ts';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import { openSqliteKeys } from '../vault/sqlite-keys.ts';
import { openSqliteVault } from '../vault/sqlite.ts';
import type { FileNews } from './writer-thread.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe('a record whose file is removed while it is open', () => {
  let file: string;
  let store: EventStore;
  let told: FileNews[];
  beforeEach(async () => {
    told = [];
    file = join(folder, 'events.db');
    store = await openEmbeddedStore({ file, onFile: (news) => told.push(news) });
    await store.append('ask-1', NO_STREAM, newEvents(3));
  });
  afterEach(() => store.close());

  /** What another process reads there, even after a kill of this one. */
  async function found(path = file): Promise<number> {
    const reader = openEmbeddedReader({ file: path });
    try {
      expect((await verifyRecord(reader)).findings).toEqual([]);
      return (await collect(reader.readAll())).length;
    } finally {
      await reader.close();
    }
  }

  const REMOVED: readonly [string, readonly string[]][] = [
    ['its log', ['-wal']],
    ['the file', ['']],
    ['the file and its log', ['', '-wal']],
    ['all of them', ['', '-wal', '-shm']],
  ];
  const remove = (suffixes: readonly string[]): void => {
    for (const suffix of suffixes) rmSync(`${file}${suffix}`);
  };

  test.each(REMOVED)('%s: an append that is confirmed stands in the file', async (_, suffixes) => {
    remove(suffixes);
    await store.append('ask-1', 2n, newEvents(2));
    expect(await found()).toBe(5);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await store.append('ask-1', 4n, newEvents(1));
    expect(await found()).toBe(6);
    expect(await collect(store.readStream('ask-1'))).toHaveLength(6);
    expect(told).toMatchObject([{ state: 'back' }]);
    await store.close();
    expect(readdirSync(folder).sort()).toEqual(['events.db', 'events.db.lock']);
    expect(await found()).toBe(6);
  });

  test.each(REMOVED)('%s: it is put back though nothing is written', async (_, suffixes) => {
    remove(suffixes);
    await vi.waitFor(() => expect(told).toMatchObject([{ state: 'back' }]), PATIENT);
    expect(await found()).toBe(3);
  });

  test.each(REMOVED)('%s: a stop in order puts it back', async (_, suffixes) => {
    remove(suffixes);
    await store.close();
    expect(await found()).toBe(3);
  });

  test('another file in its place is left there: what was recorded is saved beside it', async () => {
    const other = join(folder, 'other.db');
    await (await openEmbeddedStore({ file: other })).close();
    renameSync(other, file);
    const refused = { code: 'STORE_UNAVAILABLE', detail: 'the database file was removed or replaced' };
    for (const event of newEvents(2)) {
      await expect(store.append('ask-1', 2n, [event])).rejects.toMatchObject(refused);
    }
    expect(await collect(store.readAll())).toHaveLength(3);
    const saved = readdirSync(folder).filter((name) => name.startsWith('events.db.saved-'));
    expect(saved).toHaveLength(1);
    expect(told).toMatchObject([{ state: 'missing', reason: expect.stringContaining(saved[0]!) }]);
    await store.close();
    rmSync(`${file}-wal`, { force: true });
    rmSync(`${file}-shm`, { force: true });
    expect(await found()).toBe(0);
    copyFileSync(join(folder, saved[0]!), file);
    expect(await found()).toBe(3);
  });

  test('an older file in its place is not damaged by the log of the present one, even after a kill', async () => {
    const other = join(folder, 'other.db');
    const older = await openEmbeddedStore({ file: other });
    await older.append('ask-2', NO_STREAM, newEvents(1));
    await older.close();
    renameSync(other, file);
    await vi.waitFor(() => expect(told).toMatchObject([{ state: 'missing' }]), PATIENT);
    // What a kill leaves.
    const left = join(temporaryFolder(), 'events.db');
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(`${file}${suffix}`)) copyFileSync(`${file}${suffix}`, `${left}${suffix}`);
    }
    expect(await found(left)).toBe(1);
    expect(await collect(store.readAll())).toHaveLength(3);
  });

  test('the file itself, once it is back, has all that was saved beside another one, which is removed', async () => {
    await (await openEmbeddedStore({ file: join(folder, 'other.db') })).close();
    // Without a pause between, in which it would be told that there is no file.
    renameSync(file, `${file}.away`);
    renameSync(`${file}-wal`, `${file}.away-wal`);
    renameSync(join(folder, 'other.db'), file);
    await vi.waitFor(() => expect(told).toMatchObject([{ state: 'missing' }]), PATIENT);
    renameSync(`${file}.away`, file);
    renameSync(`${file}.away-wal`, `${file}-wal`);
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ state: 'back' }), PATIENT);
    expect(await found()).toBe(3);
    expect(readdirSync(folder).filter((name) => name.includes('.saved-'))).toEqual([]);
  });

  test('a folder that is gone with all that was in it: nothing is taken, and no new record is begun', async () => {
    renameSync(folder, `${folder}-away`);
    await expect(store.append('ask-1', 2n, newEvents(1))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    expect(existsSync(folder)).toBe(false);
    renameSync(`${folder}-away`, folder);
    await vi.waitFor(() => expect(told.at(-1)).toEqual(expect.objectContaining({ state: 'back' })), PATIENT);
    await store.append('ask-1', 2n, newEvents(1));
    expect(await found()).toBe(4);
  });
});

test.each([[['']], [['-wal']], [['', '-wal', '-shm']]])(
  'keys whose file %j is removed while it is open are put back',
  async (suffixes) => {
    const file = join(folder, 'keys.db');
    const told: FileNews[] = [];
    const vault = await openSqliteVault({ file, onFile: (news) => told.push(news) });
    const sealed = await vault.seal('r-1', 'text', 'c');
    await vault.erase('r-2');
    for (const suffix of suffixes) rmSync(`${file}${suffix}`);
    await vi.waitFor(() => expect(told).toMatchObject([{ state: 'back' }]), PATIENT);
    const keys = openSqliteKeys({ file });
    expect(await keys.open('r-1', sealed, 'c')).toBe('text');
    for (const suffix of suffixes) rmSync(`${file}${suffix}`);
    const later = await vault.seal('r-3', 'more', 'c');
    await vault.erase('r-1');
    expect(await vault.isErased('r-2')).toBe(true);
    await keys.close();
    const fresh = openSqliteKeys({ file });
    expect(await fresh.open('r-3', later, 'c')).toBe('more');
    expect(await fresh.open('r-1', sealed, 'c')).toBe(null);
    await fresh.close();
    await vault.close();
  },
);
