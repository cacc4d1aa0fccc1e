import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { unavailable } from '../../sqlite/faults.ts';
import { startIntegrityCheck, type IntegrityCheck } from '../../sqlite/integrity.ts';
import { othersFile, ReadConnection, type ReadableFile } from '../../sqlite/readable-file.ts';
import { PAGE_CHARACTERS, PAGE_EVENTS } from '../scan-record.ts';
import type { ScannedPage, StoredEvent, StoreFault, Position } from '../store.ts';
import { toPosition } from './reader.ts';
import { categoryOf, schemaFaults } from './schema.ts';

/**
 * The longest text that is read into memory. An append is at most 1 MiB, so only another program can have written a
 * longer one.
 */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const text = (column: string): string =>
  `iif(octet_length(${column}) <= ${MAX_TEXT_BYTES}, ${column}, NULL) AS ${column}`;
const TEXTS = ['category', 'type', 'id', 'hash', 'metadata', 'data'].map(text).join(', ');
const COLUMNS = `position, ${text('stream')}, revision, ${TEXTS}`;

/** The largest position or revision. Larger numbers are not exact in a double, and ours never get there. */
const MOST = Number.MAX_SAFE_INTEGER;
const exact = (column: string): string => `iif(${column} BETWEEN -${MOST} AND ${MOST}, ${column}, NULL)`;
/** The most events outside the order of the record that are reported one by one. */
const MAX_OUTSIDE = 100;

/**
 * Reads every event of the file, or of one stream, with its stored bytes, for a verifier: nothing is parsed, and
 * unreadable events are reported as faults. Positions have no gaps, so missing events show. SQLite's own check of the
 * file and its indexes runs in a thread meanwhile; its result comes with the last page.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE` if the file cannot be opened at all.
 */
export function scanEmbedded(path: string, stream?: string): AsyncGenerator<ScannedPage> {
  return stream === undefined ? scanAll(path) : scanStream(path, stream);
}

async function* scanAll(path: string): AsyncGenerator<ScannedPage> {
  const rows = new Rows(othersFile(path));
  let check: IntegrityCheck | undefined;
  try {
    const total = rows.head();
    check = startIntegrityCheck(path);
    yield { events: [], faults: rows.ofFile(), total };
    for (let after = 0; after < total;) {
      const page = new Page(rows);
      after = page.take(after, Math.min(after + PAGE_EVENTS, total), total);
      yield { events: page.events, faults: page.faults, total };
      await nextTurn();
    }
    const messages = await check.messages;
    yield { events: [], faults: messages.map((message) => rows.explain(message)), total };
  } finally {
    rows.close();
    await check?.stop();
  }
}

/** Scans a stream through the index that readers use. */
async function* scanStream(path: string, stream: string): AsyncGenerator<ScannedPage> {
  const rows = new Rows(othersFile(path));
  try {
    for (let from = 0; ;) {
      const page = new Page(rows);
      const positions = rows.ofStream(stream, from);
      let characters = 0;
      for (const [position, revision] of positions) {
        from = revision + 1;
        characters += page.takeOfStream(position, { stream, revision });
        if (characters > PAGE_CHARACTERS) break;
      }
      yield { events: page.events, faults: page.faults, total: null };
      if (positions.length < PAGE_EVENTS && characters <= PAGE_CHARACTERS) return;
      await nextTurn();
    }
  } finally {
    rows.close();
  }
}

/** The fault of an event that readers of its stream see, but readers of all events do not. */
const OUTSIDE = 'its position is outside the record';

type Row = [number, string, number, string, string, string, string, string, string];

class Page {
  readonly events: StoredEvent[] = [];
  readonly faults: StoreFault[] = [];
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Reads the events after `after` up to `to`; returns the last position that was read. */
  take(after: number, to: number, total: number): number {
    const rows = this.#rows.between(after, to);
    if (rows !== undefined && rows.every((row, index) => isWhole(row) && row[0] === after + 1 + index)) {
      for (const row of rows) this.#add(row);
      if (rows.length > 0) return after + rows.length;
    }
    let position = after + 1;
    while (position <= to) position = this.#takeOrSkip(position, total);
    return position - 1;
  }

  /** Returns the next position, which may be more than a page away. */
  #takeOrSkip(position: number, total: number): number {
    const next = this.#rows.at(position) === 'nothing' ? this.#rows.next(position, total) : undefined;
    if (next === undefined) {
      this.takeOne(position);
      return position + 1;
    }
    this.#fault({ kind: 'gap', from: toPosition(position), to: toPosition(next - 1) });
    return next;
  }

  /** Takes the event that an index names. Returns its number of characters. */
  takeOfStream(position: number | null, sought: { stream: string; revision: number }): number {
    const row = position === null ? OUTSIDE : this.#rows.at(position);
    if (
      position !== null &&
      (typeof row === 'string' || (row[1] === sought.stream && row[2] === sought.revision))
    ) {
      return this.takeOne(position);
    }
    const detail = row === OUTSIDE ? OUTSIDE : 'the index by stream points to a different event';
    this.faults.push({ kind: 'misfiled', ...sought, position: toPosition(position ?? MOST), detail });
    return 0;
  }

  /** Takes the event at a position, or notes a fault there. Returns the event's number of characters, 0 for a fault. */
  takeOne(position: number): number {
    const row = this.#rows.at(position);
    const at = { from: toPosition(position), to: toPosition(position) };
    if (row === 'nothing') {
      this.#fault({ kind: 'gap', ...at });
    } else if (row === 'unreadable' || !isWhole(row)) {
      this.#fault({ kind: 'unreadable', ...at, ...this.#rows.nameAt(position) });
    } else {
      this.#add(row);
      return row[7].length + row[8].length;
    }
    return 0;
  }

  #add(row: Row): void {
    const [number, stream, revision, category, type, id, hash, metadata, data] = row;
    const position = toPosition(number);
    this.events.push({ position, stream, revision, type, id, hash, metadata, data });
    const misfiled = (detail: string): unknown =>
      this.faults.push({ kind: 'misfiled', stream, revision, position, detail });
    if (category !== categoryOf(stream))
      misfiled(`it is stored under the wrong category ${JSON.stringify(category)}`);
    if (number < 1) misfiled(OUTSIDE);
  }

  /** Adjacent faults of one kind are reported as one. */
  #fault(fault: Extract<StoreFault, { from: unknown }>): void {
    const last = this.faults.at(-1);
    const follows =
      last !== undefined &&
      'to' in last &&
      last.kind === fault.kind &&
      Number(last.to) + 1 === Number(fault.from) &&
      !('stream' in last) &&
      !('stream' in fault);
    if (follows) last.to = fault.to;
    else this.faults.push(fault);
  }
}

/** Whether each column of a row has the type that it should have. In a damaged file a column may have any type. */
function isWhole(row: Row): boolean {
  return row.every((value, column) =>
    column === 0 || column === 2 ? Number.isSafeInteger(value) : typeof value === 'string',
  );
}

interface Statements {
  outside: StatementSync;
  head: StatementSync;
  between: StatementSync;
  next: StatementSync;
  at: StatementSync;
  nameAt: StatementSync;
  ofStream: StatementSync;
}

/**
 * Reads rows for the scan, each time in a short read of the file that is at the path. This gives the same as one long
 * read, because existing events do not change.
 */
class Rows {
  readonly #connection: ReadConnection<Statements>;

  constructor(file: ReadableFile) {
    this.#connection = new ReadConnection(file, prepare);
  }

  head(): number {
    return this.#read((sql) => sql.head.get() as unknown as [number])[0];
  }

  /** Faults of the file other than those of its events and their order. */
  ofFile(): StoreFault[] {
    const schema = this.#attempt((_, db) => schemaFaults(db)) ?? [];
    const outside = this.#attempt(
      (sql) => sql.outside.all() as unknown as [string, string | null, number | null][],
    );
    return [
      ...schema.map((detail): StoreFault => ({ kind: 'damaged', detail })),
      ...(outside ?? []).map(([position, stream, revision]): StoreFault => {
        const at = position as Position;
        return stream === null || revision === null
          ? { kind: 'unreadable', from: at, to: at }
          : { kind: 'misfiled', stream, revision, position: at, detail: OUTSIDE };
      }),
    ];
  }

  /**
   * The rows of a range in order, or only the first ones if they are long; `undefined` if one of them cannot be read.
   */
  between(after: number, to: number): Row[] | undefined {
    return this.#attempt((sql) => {
      const rows: Row[] = [];
      let characters = 0;
      for (const row of sql.between.iterate(after, to) as Iterable<unknown> as Iterable<Row>) {
        rows.push(row);
        if (isWhole(row)) characters += row[7].length + row[8].length;
        if (characters > PAGE_CHARACTERS) break;
      }
      return rows;
    });
  }

  /** The next position with an event, or `total + 1` if there is none. */
  next(after: number, total: number): number | undefined {
    return this.#attempt((sql) => sql.next.get(total, after, total) as unknown as [number])?.[0];
  }

  at(position: number): Row | 'nothing' | 'unreadable' {
    const row = this.#attempt((sql) => (sql.at.get(position) as unknown as Row | undefined) ?? 'nothing');
    return row ?? 'unreadable';
  }

  /** The stream and revision of an event that cannot be read as a whole, as far as these can be read. */
  nameAt(position: number): { stream?: string; revision?: number } {
    const name = this.#attempt((sql) => sql.nameAt.get(position) as unknown as unknown[]);
    const [stream, revision] = name ?? [];
    return {
      ...(typeof stream === 'string' ? { stream } : {}),
      ...(typeof revision === 'number' ? { revision } : {}),
    };
  }

  /** The positions and revisions of a stream's events. */
  ofStream(stream: string, from: number): [number | null, number][] {
    return this.#read((sql) => sql.ofStream.all(stream, from) as unknown as [number | null, number][]);
  }

  /** A message of SQLite's own check as a fault. If the message is about an event, the fault names it. */
  explain(message: string): StoreFault {
    const [, position] = /^row (\d+) missing from index/.exec(message) ?? [];
    const { stream, revision } = position === undefined ? {} : this.nameAt(Number(position));
    return position === undefined || stream === undefined || revision === undefined
      ? { kind: 'damaged', detail: message }
      : { kind: 'misfiled', stream, revision, position: toPosition(Number(position)), detail: message };
  }

  close(): void {
    this.#connection.close();
  }

  #read<T>(query: (sql: Statements, db: DatabaseSync) => T): T {
    try {
      return this.#connection.read(query);
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** The result of a query; `undefined` if it fails. */
  #attempt<T>(query: (sql: Statements, db: DatabaseSync) => T): T | undefined {
    try {
      return this.#connection.read(query);
    } catch {
      return undefined;
    }
  }
}

function prepare(db: DatabaseSync): Statements {
  db.exec('PRAGMA cache_size = -16000');
  return {
    outside: db.prepare(
      `SELECT CAST(position AS TEXT), ${text('stream')}, ${exact('revision')}
         FROM events WHERE position < 1 OR position > ${MOST} LIMIT ${MAX_OUTSIDE}`,
    ),
    head: db.prepare(`SELECT coalesce(max(position), 0) FROM events WHERE position <= ${MOST}`),
    between: db.prepare(
      `SELECT ${COLUMNS} FROM events WHERE position > ? AND position <= ? ORDER BY position`,
    ),
    next: db.prepare(
      'SELECT coalesce(min(position), ? + 1) FROM events WHERE position > ? AND position <= ?',
    ),
    at: db.prepare(`SELECT ${COLUMNS} FROM events WHERE position = ?`),
    nameAt: db.prepare('SELECT stream, revision FROM events WHERE position = ?'),
    ofStream: db.prepare(
      `SELECT ${exact('position')}, revision FROM events WHERE stream = ? AND revision >= ? AND revision <= ${MOST} ORDER BY revision LIMIT ${PAGE_EVENTS}`,
    ),
  };
}
