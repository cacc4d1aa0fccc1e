import { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { makePrivateFile } from '../../events/sqlite/private-file.ts';
import { inTransaction, Statements } from '../../events/sqlite/statements.ts';

const VERSION = 2;

/** Of another release's file nothing is kept: it is a cache. */
const SCHEMA = `
  DROP TABLE IF EXISTS snapshots;
  DROP TABLE IF EXISTS chunks;
  CREATE TABLE snapshots (
    stream   TEXT NOT NULL,
    revision INTEGER NOT NULL,
    fold     TEXT NOT NULL,
    hash     TEXT NOT NULL,
    earliest TEXT NOT NULL,
    state    BLOB NOT NULL,
    PRIMARY KEY (stream, revision)
  ) STRICT;
  PRAGMA user_version = ${VERSION};
`;

/** A damaged state does not open. */
const COMPRESSION = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Where a snapshot was taken. */
export interface SnapshotPlace {
  readonly stream: string;
  /** Kind and version. */
  readonly fold: string;
  readonly revision: bigint;
  /** Chain hash of the event at `revision`: on another record the snapshot says nothing. */
  readonly hash: string;
  /** The earliest time of an event since the snapshot before it, or since the start. */
  readonly earliest: string;
}

export interface Snapshot extends SnapshotPlace {
  readonly lines: readonly string[];
}

interface Row {
  stream: string;
  revision: number;
  fold: string;
  hash: string;
  earliest: string;
  state: Uint8Array;
}

/**
 * States of long streams on their way, in one SQLite file: a cache that can be thrown away at any time. What cannot be
 * read is not there; what cannot be written is left. There is no text of a request in it.
 */
export class SnapshotFile {
  readonly #db: DatabaseSync;
  readonly #statements: Statements;

  /** Throws where the file cannot be written, or is no file of snapshots. */
  constructor(file: string) {
    makePrivateFile(file);
    this.#db = new DatabaseSync(file, { timeout: 1_000 });
    this.#statements = new Statements(this.#db);
    try {
      this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
      const version = this.#db.prepare('PRAGMA user_version').get()!['user_version'];
      if (version !== VERSION) inTransaction(this.#db, () => this.#db.exec(SCHEMA));
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** The newest snapshot at or before a revision. */
  before(stream: string, fold: string, revision: bigint): Snapshot | undefined {
    const row = this.#newest('revision <= ?', stream, fold, revision);
    if (row === undefined) return undefined;
    return { ...placeOf(row), lines: zstdDecompressSync(row.state).toString().split('\n') };
  }

  /** Of the newest snapshot up to which something happened at or before a time, and since the snapshot before it. */
  since(stream: string, fold: string, time: string): SnapshotPlace | undefined {
    const row = this.#newest('earliest <= ?', stream, fold, time);
    return row && placeOf(row);
  }

  /** Of a stream's last snapshot. */
  newest(stream: string, fold: string): SnapshotPlace | undefined {
    const row = this.#newest('?', stream, fold, 1n);
    return row && placeOf(row);
  }

  /** Snapshots of another version of the fold make room. */
  add({ stream, revision, fold, hash, earliest, lines }: Snapshot): void {
    const state = zstdCompressSync(lines.join('\n'), COMPRESSION);
    inTransaction(this.#db, () => {
      this.#statements.of('DELETE FROM snapshots WHERE stream = ? AND fold <> ?').run(stream, fold);
      this.#statements
        .of('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)')
        .run(stream, revision, fold, hash, earliest, state);
    });
  }

  /** All of one stream: they are of another record, of another fold, or damaged. */
  discard(stream: string): void {
    this.#statements.of('DELETE FROM snapshots WHERE stream = ?').run(stream);
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #newest(which: string, stream: string, fold: string, value: string | bigint): Row | undefined {
    return this.#statements
      .of(`SELECT * FROM snapshots WHERE stream = ? AND fold = ? AND ${which} ORDER BY revision DESC LIMIT 1`)
      .get(stream, fold, value) as Row | undefined;
  }
}

function placeOf({ stream, fold, revision, hash, earliest }: Row): SnapshotPlace {
  return { stream, fold, revision: BigInt(revision), hash, earliest };
}
