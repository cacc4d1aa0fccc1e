import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.suite.ts';
import { verifyChain } from '../../proof/verify-stream.ts';
import { collect, newEvent, newEvents } from '../contract.suite.ts';
import { NO_STREAM, type EventStore } from '../store.ts';
import { verifyRecord } from '../../proof/verify.ts';
import { openEmbeddedStore } from './embedded.ts';

/** The largest file that this process may write, and so a disk that refuses (Linux; not for root alone). */
const limitFileSize = (bytes: string): void => {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`], { stdio: 'ignore' });
};

const canLimit = ((): boolean => {
  try {
    limitFileSize('unlimited');
    return true;
  } catch {
    return false;
  }
})();

describe('Embedded store and its file', () => {
  let folder: string;
  let file: string;
  let store: EventStore;

  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, 'events.db');
    store = await openEmbeddedStore({ file });
  });

  afterEach(async () => {
    await store.close();
  });

  const unavailable = { code: 'STORE_UNAVAILABLE' };

  it('is one whole file once it is closed: no log beside it that a copy could forget', async () => {
    await store.append('s', NO_STREAM, newEvents(3));
    await store.close();
    expect(readdirSync(folder).filter((name) => /-(wal|shm)$/u.test(name))).toEqual([]);
  });

  /** Changes the file as somebody would who has it: without the store, past its triggers. */
  async function tamper(sql: string): Promise<void> {
    await store.close();
    const db = new DatabaseSync(file);
    db.exec(`DROP TRIGGER events_keep; DROP TRIGGER events_fix; ${sql}`);
    db.close();
    store = await openEmbeddedStore({ file });
  }

  const faults = async (stream: string) => (await verifyChain(stream, store.readStream(stream))).faults;

  it('shows what was changed, deleted or exchanged in the file', async () => {
    for (const stream of ['ask-1', 'ask-2', 'ask-3', 'ask-4']) {
      await store.append(stream, NO_STREAM, newEvents(6));
    }
    await tamper(`
      UPDATE events SET data = '{"n":99}' WHERE stream = 'ask-1' AND revision = 3;
      DELETE FROM events WHERE stream = 'ask-2' AND revision IN (1, 2);
      UPDATE events SET revision = revision + 100 WHERE stream = 'ask-3' AND revision IN (2, 4);
      UPDATE events SET revision = 206 - revision - 100 WHERE stream = 'ask-3' AND revision > 100;
    `);
    expect(await faults('ask-1')).toMatchObject([{ kind: 'changed', revision: 3 }]);
    expect(await faults('ask-2')).toMatchObject([{ kind: 'missing', from: 1, to: 2 }]);
    expect(await faults('ask-3')).toMatchObject([{ kind: 'swapped', revision: 2, with: 4 }]);
    expect(await faults('ask-4')).toEqual([]);
    const report = await verifyRecord(store);
    expect(report).toMatchObject({ streams: 4, events: 22 });
    const named = report.findings.map((finding) => ('stream' in finding ? finding.stream : finding.kind));
    // First the two triggers that are gone.
    expect(named).toEqual(['damaged', 'damaged', 'gap', 'ask-1', 'ask-2', 'ask-3']);
  });

  it('has a file that refuses to be changed by mistake', async () => {
    await store.append('ask-1', NO_STREAM, newEvents(1));
    const db = new DatabaseSync(file, { timeout: 2000 });
    expect(() => db.exec("UPDATE events SET data = '{}'")).toThrow('append-only');
    expect(() => db.exec('DELETE FROM events')).toThrow('append-only');
    db.close();
  });

  it('refuses an event that is on record at another place', async () => {
    const event = newEvent();
    await store.append('ask-1', NO_STREAM, [event]);
    const conflict = { code: 'WRONG_EXPECTED_REVISION' };
    await expect(store.append('ask-1', 0n, [event])).rejects.toMatchObject(conflict);
    await expect(store.append('ask-2', NO_STREAM, [event])).rejects.toMatchObject(conflict);
    expect(await collect(store.readAll())).toHaveLength(1);
  });

  it.skipIf(!canLimit)(
    'refuses appends while nothing can be written, reads on, and recovers by itself',
    async () => {
      await store.append('ask-1', NO_STREAM, newEvents(3));
      const events = newEvents(2);
      limitFileSize('4096');
      try {
        await expect(store.append('ask-1', 2n, events)).rejects.toMatchObject(unavailable);
        await expect(store.ping()).rejects.toMatchObject(unavailable);
        expect(await collect(store.readStream('ask-1'))).toHaveLength(3);
      } finally {
        limitFileSize('unlimited');
      }
      await store.ping();
      expect(await store.append('ask-1', 2n, events)).toMatchObject({ revision: 4n });
      expect(await faults('ask-1')).toEqual([]);
    },
  );

  it('refuses appends while another program holds the file, and goes on afterwards', async () => {
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.append('ask-1', NO_STREAM, newEvents(1))).rejects.toMatchObject({
      ...unavailable,
      detail: 'the database is locked by another process',
    });
    other.exec('ROLLBACK');
    other.close();
    expect(await store.append('ask-1', NO_STREAM, newEvents(1))).toMatchObject({ revision: 0n });
  });

  it('refuses a file that is damaged, foreign, or of a newer release, without its path in the error', async () => {
    const other = join(folder, 'other.db');
    writeFileSync(other, 'not a database, but long enough to be taken for one'.repeat(50));
    const newer = join(folder, 'newer.db');
    const db = new DatabaseSync(newer);
    db.exec('PRAGMA user_version = 99');
    db.close();
    for (const bad of [other, newer, join(folder, 'nowhere', 'events.db'), folder]) {
      const opening = openEmbeddedStore({ file: bad });
      await expect(opening).rejects.toMatchObject(unavailable);
      await expect(opening).rejects.not.toThrow(folder);
    }
  });

  it('refuses a second process with a clear reason, but not after the first was killed', async () => {
    await store.append('ask-1', NO_STREAM, newEvents(1));
    await store.close();
    const program = fileURLToPath(new URL('../../../testing/crash/store-child.ts', import.meta.url));
    const other = spawn(process.execPath, [program, 'child', folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    other.stdin.write('open');
    try {
      await once(other.stdout, 'data');
      await expect(openEmbeddedStore({ file })).rejects.toMatchObject({
        ...unavailable,
        detail: 'the database is locked by another process',
      });
    } finally {
      const exited = once(other, 'exit');
      other.kill('SIGKILL');
      await exited;
    }
    store = await openEmbeddedStore({ file });
    expect(await collect(store.readAll())).toHaveLength(1);
  });
});
