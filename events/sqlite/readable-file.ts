import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { BelegError } from '../errors.ts';
import { unavailable } from './faults.ts';

/** Opens connections that only read. */
export interface ReadableFile {
  /** Opens a connection that only reads. Throws what SQLite throws, or `STORE_UNAVAILABLE`. */
  open(): DatabaseSync;
  /** True if the data read since `open` may mix two states of the file: open the file and read again. */
  isOutdated(): boolean;
}

/** Milliseconds that a read waits for a writer that is removing its log. */
const TIMEOUT_MS = 200;

/** A file that this process writes to as well. */
export function ownFile(path: string): ReadableFile {
  return {
    open: () => new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS, returnArrays: true }),
    isOutdated: () => false,
  };
}

/**
 * A file that only other processes write to, now or at another time. If it has a write-ahead log, SQLite's own locks
 * keep reader and writer apart. Otherwise nobody has it open, and it is opened as immutable: an ordinary connection
 * would create a log that belongs to this user, leave it behind, and fail in a folder that it may not write to.
 */
export function othersFile(path: string): ReadableFile {
  let still: string | undefined;
  return {
    open() {
      still = undefined;
      assertReadable(path);
      still = stillness(path);
      const url = pathToFileURL(path);
      if (still !== undefined) url.searchParams.set('immutable', '1');
      return new DatabaseSync(url, { readOnly: true, timeout: TIMEOUT_MS, returnArrays: true });
    },
    isOutdated: () => still !== undefined && still !== stillness(path),
  };
}

/**
 * Opens tables that another connection writes, to read them.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`
 */
export function openTables(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: 50 });
  } catch (error) {
    throw unavailable(error, file);
  }
}

/**
 * The result of a query over tables that another connection writes. No connection is kept open.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`
 */
export function readTables<T>(file: string, query: (db: DatabaseSync) => T): T {
  try {
    using db = openTables(file);
    return query(db);
  } catch (error) {
    throw unavailable(error, file);
  }
}

/** Whether the database has no tables. False for a file that is no database, or cannot be read. */
export function isWithoutTables(path: string): boolean {
  try {
    using db = othersFile(path).open();
    return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  } catch {
    return false;
  }
}

/** Whether there is a file at the path that this user may read. */
export function isReadable(path: string): boolean {
  try {
    assertReadable(path);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function assertReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const detail = ['ENOENT', 'ENOTDIR'].includes(code)
      ? `there is no file at ${path}`
      : `the file at ${path} cannot be read (${code})`;
    throw new BelegError('STORE_UNAVAILABLE', { detail });
  }
}

/** A text that changes with the file's content; `undefined` if somebody may be writing to the file. */
function stillness(path: string): string | undefined {
  if (existsSync(`${path}-wal`)) return undefined;
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? 'gone' : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/**
 * A connection to a `ReadableFile`, with its prepared statements. It is opened with the first read and closed after a
 * fault; the next read opens it again.
 */
export class ReadConnection<Prepared> {
  readonly #file: ReadableFile;
  readonly #prepare: (db: DatabaseSync) => Prepared;
  #db: DatabaseSync | undefined;
  #prepared: Prepared | undefined;

  constructor(file: ReadableFile, prepare: (db: DatabaseSync) => Prepared) {
    this.#file = file;
    this.#prepare = prepare;
  }

  /**
   * The result of `query` over one state of the file. The query may run more than once. Throws what `open` and `query`
   * throw.
   */
  read<T>(query: (prepared: Prepared, db: DatabaseSync) => T): T {
    for (;;) {
      try {
        this.#db ??= this.#file.open();
        this.#prepared ??= this.#prepare(this.#db);
        const result = query(this.#prepared, this.#db);
        if (!this.#file.isOutdated()) return result;
        this.close();
      } catch (error) {
        this.close();
        if (!this.#file.isOutdated()) throw error;
      }
    }
  }

  /** Closes the connection and opens the present file at once, so that reading goes on even if the file is removed. */
  openAnew(): void {
    this.close();
    try {
      this.read(() => undefined);
    } catch {
      // The next read tries again, and reports the fault.
    }
  }

  /** Closes the connection. The next read opens it again. */
  close(): void {
    this.#db?.close();
    this.#db = undefined;
    this.#prepared = undefined;
  }
}
