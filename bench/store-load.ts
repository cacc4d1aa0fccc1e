import { randomUUID } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { NO_STREAM, type EventStore, type NewEvent } from '../events/store/store.ts';

/** Events a second since `began`. */
export const perSecond = (count: number, began: number): number =>
  (count / (performance.now() - began)) * 1000;

export const TEXT =
  'Der gesetzliche Mindestlohn beträgt seit dem 1. Januar 2022 brutto 9,82 Euro je Zeitstunde. ';

export function newEvent(type: string, stream: string, n: number): NewEvent {
  return {
    id: randomUUID(),
    type,
    data: { request_id: stream, kind: `kind-${n % 7}`, amount: n, text: TEXT },
    metadata: { at: '2022-03-01T08:00:00.000Z', version: 1, $correlationId: stream, $causationId: `${n}` },
  };
}

/** `writers` callers, each waiting for its append before the next, one event each: what services do. */
export async function appendFor(store: EventStore, writers: number, milliseconds: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const stream = `ask-${randomUUID()}`;
      for (let revision = NO_STREAM; performance.now() - began < milliseconds; count++) {
        revision = (await store.append(stream, revision, [newEvent('Appended', stream, count)])).revision;
      }
    }),
  );
  return perSecond(count, began);
}

/**
 * The peer: the same columns and keys in plain node:sqlite, `batch` rows a transaction, each of another stream as those of
 * so many writers are, on the caller's thread.
 */
export class PlainInserts {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER, id TEXT UNIQUE, type TEXT,
        data TEXT, metadata TEXT, UNIQUE (stream, revision))`);
    this.#insert = this.#db.prepare(
      'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  insertFor(batch: number, milliseconds: number): number {
    const began = performance.now();
    const streams = Array.from({ length: batch }, () => `ask-${randomUUID()}`);
    let count = 0;
    for (let revision = 0; performance.now() - began < milliseconds; revision++) {
      this.#db.exec('BEGIN');
      for (const stream of streams) {
        const { id, type, data, metadata } = newEvent('Appended', stream, count++);
        this.#insert.run(stream, revision, id, type, JSON.stringify(data), JSON.stringify(metadata));
      }
      this.#db.exec('COMMIT');
    }
    return perSecond(count, began);
  }

  /** Reads all rows and parses both JSON columns, as a reader of events must. */
  readAll(): number {
    const began = performance.now();
    let count = 0;
    for (const row of this.#db.prepare('SELECT * FROM events ORDER BY position').iterate()) {
      JSON.parse(row['data'] as string);
      JSON.parse(row['metadata'] as string);
      count++;
    }
    return perSecond(count, began);
  }

  close(): void {
    this.#db.close();
  }
}
