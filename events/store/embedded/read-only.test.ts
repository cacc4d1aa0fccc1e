import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collect, newEvents, storeContract } from '../contract.suite.ts';
import { NO_STREAM, type EventStore, type NewEvent } from '../store.ts';
import { openEmbeddedStore } from './embedded.ts';
import { openEmbeddedReader } from './read-only.ts';
import { PATIENT } from '../../patient.suite.ts';

// Written through one opening, read through the other.
const harness = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reader-'));
  const file = join(folder, 'events.db');
  return {
    async open(): Promise<EventStore> {
      const store = await openEmbeddedStore({ file });
      const reader = openEmbeddedReader({ file });
      return {
        append: (...given) => store.append(...given),
        ping: () => store.ping(),
        readStream: (...given) => reader.readStream(...given),
        readAll: (...given) => reader.readAll(...given),
        end: () => reader.end(),
        subscribe: (...given) => reader.subscribe(...given),
        async close() {
          await reader.close();
          await store.close();
        },
      };
    },
    dispose: async () => rmSync(folder, { recursive: true }),
  };
};

storeContract('embedded, read-only', harness, { readingOnly: true });

describe('A read-only opening', () => {
  let folder: string;
  let file: string;
  const closing: { close(): Promise<void> }[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reader-'));
    file = join(folder, 'events.db');
  });

  afterEach(async () => {
    for (const opened of closing.splice(0)) await opened.close();
    rmSync(folder, { recursive: true });
  });

  async function openWriter(): Promise<EventStore> {
    const store = await openEmbeddedStore({ file });
    closing.push(store);
    return store;
  }

  function openReader(of = file) {
    const reader = openEmbeddedReader({ file: of });
    closing.push(reader);
    return reader;
  }

  const files = (): string[] => readdirSync(folder).sort();

  it('of a record that nobody has open leaves no trace', async () => {
    const store = await openWriter();
    await store.append('s', NO_STREAM, newEvents(3));
    await store.close();
    const before = files();
    const reader = openReader();
    expect(await collect(reader.readAll())).toHaveLength(3);
    expect(files()).toEqual(before);
    await reader.close();
    expect(files()).toEqual(before);
  });

  it('goes on where a writer comes, goes, and comes again', async () => {
    let store = await openWriter();
    await store.append('s', NO_STREAM, newEvents(1));
    await store.close();
    const reader = openReader();
    for (let count = 1; count < 4; count++) {
      expect(await collect(reader.readAll())).toHaveLength(count);
      store = await openWriter();
      await store.append('s', BigInt(count - 1), newEvents(1));
      expect(await collect(reader.readAll())).toHaveLength(count + 1);
      await store.close();
    }
  });

  it('leaves it to a writer that stops to put its log away, also while somebody follows', async () => {
    await (await openWriter()).append('s', NO_STREAM, newEvents(1));
    const iterator = openReader().subscribe()[Symbol.asyncIterator]();
    for (let item = await iterator.next(); item.value?.kind !== 'caughtUp';) item = await iterator.next();
    const next = iterator.next();
    await vi.waitFor(async () => {
      await closing[0]!.close();
      closing[0] = await openEmbeddedStore({ file });
      await closing[0].close();
      expect(files().filter((name) => name.includes('-wal'))).toEqual([]);
    }, PATIENT);
    // It also receives later events.
    await (await openWriter()).append('t', NO_STREAM, newEvents(1));
    expect(await next).toMatchObject({ value: { kind: 'event', event: { stream: 't' } } });
  });

  it('reads what a killed writer left in its log', async () => {
    await (await openWriter()).append('s', NO_STREAM, newEvents(2));
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    for (const name of ['events.db', 'events.db-wal']) copyFileSync(join(folder, name), join(copy, name));
    expect(await collect(openReader(join(copy, 'events.db')).readAll())).toHaveLength(2);
  });

  it('hears of every commit, also of those within one tick of the clock of files', async () => {
    const store = await openWriter();
    const iterator = openReader().subscribe()[Symbol.asyncIterator]();
    await iterator.next();
    // A time in the future, which stays recent on a busy machine.
    const tick = new Date(Date.now() + 3_600_000);
    for (let n = 0; n < 3; n++) {
      const next = iterator.next();
      await store.append('s', BigInt(n - 1), newEvents(1));
      utimesSync(`${file}-wal`, tick, tick);
      expect(await next).toMatchObject({ value: { kind: 'event', event: { revision: BigInt(n) } } });
    }
  });

  it('does not keep a writer from cutting its log', async () => {
    const store = await openWriter();
    await store.append('s', NO_STREAM, newEvents(300));
    for await (const _ of openReader().readAll()) {
      const db = new DatabaseSync(file, { timeout: 0 });
      const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      db.close();
      expect(busy).toBe(0);
      break;
    }
  });

  it('finds what happened since a time, whenever it was recorded', async () => {
    const store = await openWriter();
    const times = ['08:00:00Z', '08:00:02.500Z', '08:00:01Z', '08:00:03.000Z', '08:00:04Z'];
    for (const [n, time] of times.entries()) {
      const [event] = newEvents(1) as [NewEvent];
      await store.append('s', BigInt(n - 1), [
        { ...event, metadata: { ...event.metadata, at: `2022-03-01T${time}` } },
      ]);
    }
    const reader = openReader();
    const from = async (time: string) => {
      const events = await collect(reader.readAll({ after: await reader.since(`2022-03-01T${time}`) }));
      return events.map(({ revision }) => Number(revision));
    };
    expect(await from('08:00:00.000Z')).toEqual([0, 1, 2, 3, 4]);
    // To the second, so that times with and without fractions compare.
    expect(await from('08:00:02.700Z')).toEqual([1, 2, 3, 4]);
    expect(await from('09:00:03+01:00')).toEqual([3, 4]);
    expect(await from('08:00:05Z')).toEqual([]);
  });

  it('says that there is no record, and makes none', async () => {
    expect(() => openReader()).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE', detail: `there is no file at ${file}` }),
    );
    expect(() => openReader(join(folder, 'missing', 'events.db'))).toThrow('there is no file at');
    expect(files()).toEqual([]);
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    expect(() => openReader(loop)).toThrow(`the file at ${loop} cannot be read (ELOOP)`);
    rmSync(loop);
    new DatabaseSync(file).close();
    expect(() => openReader()).toThrow('nothing has been recorded yet');
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('fails while the record is away, and reads on when it is back', async () => {
    const store = await openWriter();
    await store.append('s', NO_STREAM, newEvents(1));
    await store.close();
    const reader = openReader();
    const iterator = reader.subscribe()[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    const next = iterator.next();
    copyFileSync(file, `${file}.moved`);
    rmSync(file);
    await expect(next).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(collect(reader.readAll())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    copyFileSync(`${file}.moved`, file);
    expect(await collect(reader.readAll())).toHaveLength(1);
  });
});
