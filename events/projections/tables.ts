import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { FilePlace, removeDatabase } from '../sqlite/file-place.ts';
import { makePrivateFile } from '../sqlite/private-file.ts';
import type { Position } from '../store/store.ts';
import type { Projection, Row, Rows, SetAside } from './projection.ts';
import { inTransaction, Statements } from '../sqlite/statements.ts';

const BOOK = `
  CREATE TABLE IF NOT EXISTS projections (
    name     TEXT PRIMARY KEY,
    version  INTEGER NOT NULL,
    position TEXT NOT NULL,
    objects  TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS set_aside (
    name     TEXT NOT NULL,
    position TEXT NOT NULL,
    id       TEXT NOT NULL,
    type     TEXT NOT NULL,
    stream   TEXT NOT NULL,
    PRIMARY KEY (name, position)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS origins (
    name   TEXT PRIMARY KEY,
    origin TEXT NOT NULL
  ) STRICT;
`;

/**
 * Another process has written to the tables: an earlier holder of this process's lease, or the present one. To
 * continue, first read how far the tables are (`reload`).
 */
export class TablesMoved extends Error {
  override readonly name = 'TablesMoved';

  constructor() {
    super('another process is writing this file');
  }
}

/**
 * One projection's tables in a SQLite file. Rows and place change in one transaction, so neither is ever without the
 * other. With `synchronous=NORMAL` a power cut may take the last transactions, each as a whole; they are projected
 * again.
 */
export class ProjectionTables implements Rows {
  readonly #projection: Pick<Projection, 'name' | 'version' | 'tables'>;
  readonly #file: string;
  readonly #place: FilePlace;
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  #position: Position | '' = '';
  /** The version of the tables; `undefined` if a table is missing. */
  #version: number | undefined;
  #setAside = 0;
  #origin: string | undefined;

  constructor(file: string, projection: Pick<Projection, 'name' | 'version' | 'tables'>) {
    this.#projection = projection;
    this.#file = file;
    // The file may contain text that is not encrypted.
    makePrivateFile(file);
    // The event loop is blocked during this call. If somebody else writes to the file, it is better to try again later.
    this.#db = new DatabaseSync(file, { timeout: 50 });
    this.#statements = new Statements(this.#db);
    try {
      this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON');
      this.#db.exec(
        `PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4096; ${BOOK}`,
      );
      this.#version = this.#load();
      this.#place = new FilePlace(file);
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  get position(): Position | '' {
    return this.#position;
  }

  /** The origin of the record whose events are in the rows (see `originReader`); `undefined` if it was not noted. */
  get origin(): string | undefined {
    return this.#origin;
  }

  keepOrigin(origin: string): void {
    this.run('INSERT OR REPLACE INTO origins VALUES (?, ?)', this.#projection.name, origin);
    this.#origin = origin;
  }

  /** Whether the tables have this version and are complete. Otherwise they cannot be continued. */
  get isCurrent(): boolean {
    return this.#version === this.#projection.version;
  }

  /** Whether the file and its log are still at their paths. If they were removed or replaced, writes would be lost. */
  get isInPlace(): boolean {
    return this.#place.isKept;
  }

  /** Whether no table and no view was removed from the file. Otherwise reads and writes fail. */
  get isWhole(): boolean {
    const missing = this.get(
      `SELECT 1 FROM projections, json_each(objects) AS object WHERE projections.name = ? AND NOT EXISTS
         (SELECT 1 FROM main.sqlite_schema AS present WHERE present.name = object.value ->> 'name')`,
      this.#projection.name,
    );
    return missing === undefined;
  }

  /**
   * Runs `write` and moves the place, both or neither. Throws `TablesMoved` before the write if another process has
   * moved the place.
   */
  advance(position: Position, write: () => void): void {
    inTransaction(this.#db, () => {
      const { changes } = this.#statements
        .of('UPDATE projections SET position = ? WHERE name = ? AND position = ?')
        .run(position, this.#projection.name, this.#position);
      if (changes !== 1) throw new TablesMoved();
      write();
    });
    this.#position = position;
  }

  /** Notes an event that cannot be applied, and moves the place past it. */
  setAside({ position, id, type, stream }: SetAside): void {
    const { name } = this.#projection;
    this.advance(position, () =>
      this.run('INSERT INTO set_aside VALUES (?, ?, ?, ?, ?)', name, position, id, type, stream),
    );
    this.#setAside += 1;
  }

  /** How many events were set aside. */
  get setAsideCount(): number {
    return this.#setAside;
  }

  /** Copies the tables of `file` into this one, in one transaction: readers see the old rows, then the new ones. */
  replaceFrom(file: string): void {
    const { name, tables } = this.#projection;
    this.#db.prepare('ATTACH ? AS rebuilt').run(file);
    try {
      inTransaction(this.#db, () => {
        const old = this.get('SELECT objects FROM projections WHERE name = ?', name);
        for (const object of JSON.parse((old?.['objects'] ?? '[]') as string) as SchemaObject[]) {
          this.#db.exec(`DROP ${object.type} IF EXISTS main.${quoted(object.name)}`);
        }
        const created = this.#create(tables);
        for (const object of created.filter(({ type }) => type === 'table')) {
          this.#db.exec(
            `INSERT INTO main.${quoted(object.name)} SELECT * FROM rebuilt.${quoted(object.name)}`,
          );
        }
        this.run(
          `INSERT OR REPLACE INTO main.projections (name, version, position, objects)
           SELECT name, version, position, ? FROM rebuilt.projections WHERE name = ?`,
          JSON.stringify(created),
          name,
        );
        this.run('DELETE FROM main.set_aside WHERE name = ?', name);
        this.run('INSERT INTO main.set_aside SELECT * FROM rebuilt.set_aside WHERE name = ?', name);
        this.run('DELETE FROM main.origins WHERE name = ?', name);
        this.run('INSERT INTO main.origins SELECT * FROM rebuilt.origins WHERE name = ?', name);
      });
    } finally {
      this.#statements.clear();
      this.#db.exec('DETACH rebuilt');
    }
    this.reload();
  }

  /** To be called after another connection has replaced the tables. */
  reload(): void {
    this.#version = this.#load();
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statements.of(sql).run(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statements.of(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statements.of(sql).all(...values);
  }

  /** If the log was removed, the file may mix two states. It can be built again, so it is deleted. */
  close(): void {
    const isLeft = !this.#place.isKept && this.#place.hasFile;
    this.#statements.clear();
    this.#db.close();
    if (isLeft) removeDatabase(this.#file);
  }

  /** Reads the position up to which the tables have been built, or begins with empty tables; returns the version of whole tables. */
  #load(): number | undefined {
    const { name, version, tables } = this.#projection;
    this.#setAside = this.get('SELECT count(*) AS events FROM set_aside WHERE name = ?', name)![
      'events'
    ] as number;
    this.#origin = this.get('SELECT origin FROM origins WHERE name = ?', name)?.['origin'] as
      | string
      | undefined;
    const row = this.get('SELECT version, position FROM projections WHERE name = ?', name);
    if (row !== undefined) {
      this.#position = row['position'] as Position | '';
      return this.isWhole ? (row['version'] as number) : undefined;
    }
    inTransaction(this.#db, () => {
      const created = JSON.stringify(this.#create(tables));
      this.run('INSERT INTO projections VALUES (?, ?, ?, ?)', name, version, '', created);
    });
    return version;
  }

  /** Runs the projection's SQL and returns what it created. */
  #create(sql: string): SchemaObject[] {
    const list = (): SchemaObject[] =>
      this.all(
        `SELECT type, name FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'`,
      ) as unknown as SchemaObject[];
    const before = new Set(list().map((object) => object.name));
    this.#db.exec(sql);
    return list().filter((object) => !before.has(object.name));
  }
}

interface SchemaObject {
  type: 'table' | 'view';
  name: string;
}

/** A name in quotes, as SQL needs it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
