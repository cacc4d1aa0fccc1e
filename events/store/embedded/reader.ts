import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { BelegError } from '../../errors.ts';
import { unavailable } from '../../sqlite/faults.ts';
import { ReadConnection, type ReadableFile } from '../../sqlite/readable-file.ts';
import type { Json } from '../../json.ts';
import type { EventMetadata, Position, RecordedEvent } from '../store.ts';
import { pickPositions, type AllPageOptions, type KindStatements } from './positions-by-type.ts';
import { assertSchema } from './schema.ts';

/** A page of `$all`: its events, and the position up to which everything was read. */
interface Page {
  events: RecordedEvent[];
  /** The position up to which the record was read, after which the next page begins. */
  scannedTo: number;
}

/** The last page at the end of the record. All followers want it at once, so it is read only once. */
interface Newest {
  /** The page contains all events after `after`, up to and including `upTo`. */
  readonly after: number;
  upTo: number;
  readonly events: RecordedEvent[];
  characters: number;
}

/** The most events of a page. A page also ends after `PAGE_CHARACTERS` characters, so that memory is bounded. */
export const PAGE_EVENTS = 256;
const PAGE_CHARACTERS = 4 * 1024 * 1024;

const COLUMNS = 'position, stream, revision, type, id, hash, metadata, data';
type Row = [number, string, number, string, string, string, string, string];

interface Statements extends KindStatements {
  head: StatementSync;
  stream: Record<'forwards' | 'backwards', StatementSync>;
  all: Record<'forwards' | 'backwards', StatementSync>;
  since: StatementSync;
  picked: Record<'forwards' | 'backwards', StatementSync>;
}

/**
 * Reads on the caller's thread through a read-only connection. Every page is its own short read, so that no reader
 * holds the write-ahead log back. What is visible here is on disk: SQLite publishes a commit after its fsync.
 */
export class Reader {
  readonly #connection: ReadConnection<Statements>;
  readonly #onFault: ((error: BelegError) => void) | undefined;
  #newest: Newest = { after: 0, upTo: 0, events: [], characters: 0 };

  /**
   * Opens the file at once, so that reading goes on if the disk becomes full later. Throws `STORE_UNAVAILABLE`.
   * `onFault` is called with each error that a read throws.
   */
  constructor(file: ReadableFile, onFault?: (error: BelegError) => void) {
    this.#onFault = onFault;
    this.#connection = new ReadConnection(file, prepare);
    this.head();
  }

  /** Position of the last event; 0 in an empty store. */
  head(): number {
    return this.#read((sql) => (sql.head.get() as unknown as [number])[0]);
  }

  streamPage(
    stream: string,
    direction: 'forwards' | 'backwards',
    from: number,
    limit: number,
  ): RecordedEvent[] {
    return this.#read((sql) => take(sql.stream[direction].iterate(stream, from, limit)).events);
  }

  allPage(options: AllPageOptions): Page {
    const { direction, after, until, limit, types } = options;
    if (direction === 'forwards' && until - after <= limit) return this.#newestPage(after, until, types);
    return this.#read((sql) => {
      if (types === undefined) {
        const { events, cut } = take(sql.all[direction].iterate(after, until, limit));
        return { events, scannedTo: cut || events.length === limit ? lastPosition(events) : until };
      }
      const picked = pickPositions(sql, types, options);
      const { events, cut } = take(sql.picked[direction].iterate(JSON.stringify(picked.positions)));
      return { events, scannedTo: cut ? lastPosition(events) : picked.scannedTo };
    });
  }

  /** The first position in a range whose event has a time, compared as text, at or after `at`. */
  firstSince(at: string, after: number, until: number): number | undefined {
    return this.#read((sql) => (sql.since.get(after, until, at) as unknown as [number] | undefined)?.[0]);
  }

  /** Closes the connection. The next read opens it again. */
  close(): void {
    this.#connection.close();
    this.#newest = { after: 0, upTo: 0, events: [], characters: 0 };
  }

  /** Closes the connection and opens the present file. */
  openAnew(): void {
    this.close();
    this.#connection.openAnew();
  }

  #newestPage(after: number, until: number, types: readonly string[] | undefined): Page {
    let newest = this.#newest;
    const isBehind = after < newest.after || after > newest.upTo;
    if (isBehind || until - newest.after > 2 * PAGE_EVENTS || newest.characters > PAGE_CHARACTERS) {
      newest = this.#newest = { after, upTo: after, events: [], characters: 0 };
    }
    if (newest.upTo < until) {
      const { events, characters, cut } = this.#read((sql) =>
        take(sql.all.forwards.iterate(newest.upTo, until, PAGE_EVENTS)),
      );
      newest.events.push(...events);
      newest.characters += characters;
      newest.upTo = cut ? lastPosition(events) : until;
    }
    const [first, last] = [toPosition(after), toPosition(until)];
    const begin = newest.events.findLastIndex(({ position }) => position <= first) + 1;
    const events = newest.events
      .slice(begin)
      .filter((event) => event.position <= last && (types?.includes(event.type) ?? true));
    return { events, scannedTo: Math.min(until, newest.upTo) };
  }

  #read<T>(query: (sql: Statements) => T): T {
    try {
      return this.#connection.read(query);
    } catch (caught) {
      const error = unavailable(caught);
      this.#onFault?.(error);
      throw error;
    }
  }
}

function prepare(db: DatabaseSync): Statements {
  assertSchema(db);
  db.exec('PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY');
  const select = (rest: string): StatementSync => db.prepare(`SELECT ${COLUMNS} FROM events ${rest}`);
  return {
    // A position beyond this limit is not ours, and is not exact as a number.
    head: db.prepare(
      `SELECT coalesce(max(position), 0) FROM events WHERE position <= ${Number.MAX_SAFE_INTEGER}`,
    ),
    stream: {
      forwards: select('WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?'),
      backwards: select('WHERE stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?'),
    },
    all: {
      forwards: select('WHERE position > ? AND position <= ? ORDER BY position LIMIT ?'),
      backwards: select('WHERE position < ? AND position >= ? ORDER BY position DESC LIMIT ?'),
    },
    since: db.prepare(
      `SELECT position FROM events WHERE position > ? AND position <= ? AND metadata ->> 'at' >= ?
         ORDER BY position LIMIT 1`,
    ),
    picked: {
      forwards: select('WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position'),
      backwards: select('WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position DESC'),
    },
    nextType: db.prepare(
      'SELECT category, type FROM events WHERE category = ? AND type > ? ORDER BY type LIMIT 1',
    ),
    nextCategory: db.prepare(
      'SELECT category, type FROM events WHERE category > ? ORDER BY category, type LIMIT 1',
    ),
    kind: {
      forwards: db.prepare(
        `SELECT position FROM events WHERE category = ? AND type = ? AND position > ? AND position <= ?
           ORDER BY position LIMIT ?`,
      ),
      backwards: db.prepare(
        `SELECT position FROM events WHERE category = ? AND type = ? AND position < ? AND position >= ?
           ORDER BY position DESC LIMIT ?`,
      ),
    },
  };
}

function take(rows: Iterable<unknown>): { events: RecordedEvent[]; characters: number; cut: boolean } {
  const events: RecordedEvent[] = [];
  let characters = 0;
  for (const row of rows as Iterable<Row>) {
    events.push(toEvent(row));
    characters += row[6].length + row[7].length;
    if (characters > PAGE_CHARACTERS) return { events, characters, cut: true };
  }
  return { events, characters, cut: false };
}

function lastPosition(events: readonly RecordedEvent[]): number {
  return Number(events.at(-1)!.position);
}

function toEvent(row: Row): RecordedEvent {
  const metadata = metadataOf(row[6]);
  metadata.hash = row[5];
  return {
    id: row[4],
    type: row[3],
    data: jsonOf(row[7]),
    metadata,
    stream: row[1],
    revision: BigInt(row[2]),
    position: toPosition(row[0]),
  };
}

function metadataOf(text: string): EventMetadata & { hash: string } {
  const metadata: unknown = jsonOf(text);
  return (typeof metadata === 'object' && metadata !== null ? metadata : {}) as EventMetadata & {
    hash: string;
  };
}

/**
 * The data of an event; `null` for bytes that are no JSON, which only damage or another program leaves behind. Such an
 * event reads like one of another program in EventStoreDB: it stops only readers that need the data, and a verifier
 * sees it by its hash.
 */
function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/**
 * The number of a position.
 *
 * @throws {BelegError} `POSITION_UNKNOWN` for a text that is no position of this store.
 */
export function fromPosition(position: Position): number {
  const number = /^\d{16}$/.test(position) ? Number(position) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new BelegError('POSITION_UNKNOWN');
  return number;
}

/**
 * The position for a number. It is padded with zeros, so that positions sort as texts in the order of their numbers.
 */
export function toPosition(position: number): Position {
  return String(position).padStart(16, '0') as Position;
}
