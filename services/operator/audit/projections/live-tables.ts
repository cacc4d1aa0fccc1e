import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { unavailable } from '../../../../events/sqlite/faults.ts';
import type { Position } from '../../../../events/store/store.ts';

interface TablesHead {
  readonly version: number;
  readonly position: Position | '';
  readonly tables: readonly string[];
}

/** A projection's tables, for reading beside whoever writes them. */
export class LiveTables {
  readonly #db: DatabaseSync;
  readonly #name: string;

  /** @throws {BelegError} `STORE_UNAVAILABLE` */
  constructor(file: string, name: string) {
    try {
      this.#db = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
      // No text of a table into a file of its own.
      this.#db.exec('PRAGMA temp_store = MEMORY');
    } catch (error) {
      throw unavailable(error, file);
    }
    this.#name = name;
  }

  /** `null` where the projection has no tables in this file. */
  head(): TablesHead | null {
    const book = this.#db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'projections'").get();
    if (book === undefined) return null;
    const row = this.#db
      .prepare('SELECT version, position, objects FROM projections WHERE name = ?')
      .get(this.#name);
    if (row === undefined) return null;
    const objects = JSON.parse(row['objects'] as string) as { type: string; name: string }[];
    return {
      version: row['version'] as number,
      position: row['position'] as Position | '',
      tables: objects.filter(({ type }) => type === 'table').map(({ name }) => name),
    };
  }

  count(table: string): number {
    return this.#db.prepare(`SELECT count(*) AS rows FROM ${quoted(table)}`).get()!['rows'] as number;
  }

  /** Names of the columns that say which row it is; all where none do. */
  key(table: string): string[] {
    const columns = this.#db.prepare(`PRAGMA table_info(${quoted(table)})`).all();
    const key = columns
      .filter(({ pk }) => (pk as number) > 0)
      .toSorted((one, other) => (one['pk'] as number) - (other['pk'] as number));
    return (key.length > 0 ? key : columns).map(({ name }) => name as string);
  }

  /** In the order of their keys. */
  rows(table: string, key: readonly string[]): Iterator<Record<string, SQLOutputValue>, unknown> {
    const order = key.map(quoted).join(', ');
    const statement = this.#db.prepare(`SELECT * FROM ${quoted(table)} ORDER BY ${order}`);
    statement.setReadBigInts(true);
    return statement.iterate();
  }

  /** As they are now, while `read` runs. */
  async still<T>(read: () => Promise<T>): Promise<T> {
    this.#db.exec('BEGIN');
    try {
      return await read();
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  close(): void {
    this.#db.close();
  }
}

/** Of the file and its write-ahead log. */
export function bytesOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, name) => sum + (existsSync(name) ? statSync(name).size : 0), 0);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
