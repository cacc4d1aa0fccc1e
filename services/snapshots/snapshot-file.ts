import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync, crc32 } from 'node:zlib';
import { makePrivateFile } from '../../events/sqlite/private-file.ts';
import { inTransaction, Statements } from '../../events/sqlite/statements.ts';

const VERSION = 1;

/** A state is a list of chunks, and what two states of a stream have in common is here once. */
const SCHEMA = `
  CREATE TABLE snapshots (
    stream   TEXT NOT NULL,
    revision INTEGER NOT NULL,
    fold     TEXT NOT NULL,
    hash     TEXT NOT NULL,
    earliest TEXT NOT NULL,
    chunks   BLOB NOT NULL,
    PRIMARY KEY (stream, revision)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE chunks (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    name   BLOB NOT NULL,
    data   BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX chunks_named ON chunks (stream, name);
  PRAGMA user_version = ${VERSION};
`;

/** Of a chunk's SHA-256. */
const NAME_BYTES = 16;
/** A damaged chunk does not open. */
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

/** Of chunks that are kept open. */
const MAX_OPEN_CHARACTERS = 64 * 1024 * 1024;

/** Most chunks come out in one piece. */
const DECOMPRESSION = { chunkSize: 128 * 1024 };

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
  chunks: Uint8Array;
}

interface OpenChunk {
  readonly lines: readonly string[];
  readonly characters: number;
}

/**
 * States of long streams on their way, in one SQLite file: a cache that can be thrown away at any time. What cannot be
 * read is not there; what cannot be written is left. There is no text of a request in it.
 */
export class SnapshotFile {
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  /** Of the stream that is written, by name. */
  #known: { stream: string; ids: Map<string, number> } | undefined;
  /** Chunks, by id, the one that was looked at last the last. Ids are never given twice. */
  readonly #opened = new Map<number, OpenChunk>();
  #openCharacters = 0;

  /** Throws where the file cannot be written, or is no file of snapshots. */
  constructor(file: string) {
    makePrivateFile(file);
    this.#db = new DatabaseSync(file, { timeout: 1_000 });
    this.#statements = new Statements(this.#db);
    try {
      this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000');
      const version = this.#db.prepare('PRAGMA user_version').get()!['user_version'];
      if (version === 0) this.#transaction(() => this.#db.exec(SCHEMA));
      else if (version !== VERSION) throw new Error('the snapshot file was written by a different release');
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** The newest snapshot at or before a revision. */
  before(stream: string, fold: string, revision: bigint): Snapshot | undefined {
    return this.#find('fold = ? AND revision <= ? ORDER BY revision DESC LIMIT 1', stream, fold, revision);
  }

  /** Of the newest snapshot up to which something happened at or before a time, and since the snapshot before it. */
  since(stream: string, fold: string, time: string): SnapshotPlace | undefined {
    const row = this.#statements
      .of(
        'SELECT * FROM snapshots WHERE stream = ? AND fold = ? AND earliest <= ? ORDER BY revision DESC LIMIT 1',
      )
      .get(stream, fold, time) as Row | undefined;
    return row === undefined ? undefined : placeOf(row);
  }

  /** Of a stream's last snapshot. */
  newest(stream: string, fold: string): SnapshotPlace | undefined {
    const row = this.#statements
      .of('SELECT * FROM snapshots WHERE stream = ? AND fold = ? ORDER BY revision DESC LIMIT 1')
      .get(stream, fold) as Row | undefined;
    return row === undefined ? undefined : placeOf(row);
  }

  add({ stream, revision, fold, hash, earliest, lines }: Snapshot): void {
    this.#transaction(() => {
      if (this.#known?.stream !== stream) this.#begin(stream, fold);
      const ids = chunksOf(lines).map((chunk) => this.#keep(stream, chunk));
      const chunks = new Uint8Array(Uint32Array.from(ids).buffer);
      this.#statements
        .of('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)')
        .run(stream, revision, fold, hash, earliest, chunks);
    });
  }

  /** All of one stream: they are of another record, of another fold, or damaged. */
  discard(stream: string): void {
    this.#known = undefined;
    this.#transaction(() => this.#delete(stream));
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #find(where: string, ...values: [string, string, bigint]): Snapshot | undefined {
    const row = this.#statements
      .of(`SELECT * FROM snapshots WHERE stream = ? AND ${where}`)
      .get(...values) as Row | undefined;
    if (row === undefined) return undefined;
    const ids = new Uint32Array(row.chunks.slice().buffer);
    return { ...placeOf(row), lines: Array.from(ids, (id) => this.#linesOf(row.stream, id)).flat() };
  }

  /** Snapshots that are looked at one after the other have most of their chunks in common. */
  #linesOf(stream: string, id: number): readonly string[] {
    const opened = this.#opened.get(id) ?? this.#open(stream, id);
    // Those that were looked at last go last.
    this.#opened.delete(id);
    this.#opened.set(id, opened);
    return opened.lines;
  }

  #open(stream: string, id: number): OpenChunk {
    const row = this.#statements.of('SELECT data FROM chunks WHERE id = ? AND stream = ?').get(id, stream);
    if (row === undefined) throw new Error('a part of the snapshot is missing');
    const text = zstdDecompressSync(row['data'] as Uint8Array, DECOMPRESSION).toString();
    this.#openCharacters += text.length;
    for (const [oldest, { characters }] of this.#opened) {
      if (this.#openCharacters <= MAX_OPEN_CHARACTERS) break;
      this.#openCharacters -= characters;
      this.#opened.delete(oldest);
    }
    return { lines: linesIn(text), characters: text.length };
  }

  /** Snapshots of another version of the fold make room. */
  #begin(stream: string, fold: string): void {
    this.#known = { stream, ids: new Map() };
    const other = this.#statements.of('SELECT 1 FROM snapshots WHERE stream = ? AND fold <> ? LIMIT 1');
    if (other.get(stream, fold) !== undefined) this.#delete(stream);
  }

  #delete(stream: string): void {
    this.#statements.of('DELETE FROM snapshots WHERE stream = ?').run(stream);
    this.#statements.of('DELETE FROM chunks WHERE stream = ?').run(stream);
  }

  #keep(stream: string, chunk: string): number {
    const name = createHash('sha256').update(chunk).digest().subarray(0, NAME_BYTES);
    const key = name.toString('base64');
    const known = this.#known?.ids.get(key);
    if (known !== undefined) return known;
    const found =
      this.#statements.of('SELECT id FROM chunks WHERE stream = ? AND name = ?').get(stream, name) ??
      this.#statements
        .of('INSERT INTO chunks (stream, name, data) VALUES (?, ?, ?) RETURNING id')
        .get(stream, name, zstdCompressSync(chunk, COMPRESSION));
    const id = found!['id'] as number;
    this.#known?.ids.set(key, id);
    return id;
  }

  #transaction(write: () => void): void {
    try {
      inTransaction(this.#db, write);
    } catch (error) {
      this.#known = undefined;
      throw error;
    }
  }
}

function placeOf({ stream, fold, revision, hash, earliest }: Row): SnapshotPlace {
  return { stream, fold, revision: BigInt(revision), hash, earliest };
}

/** Lines of a chunk, on average. */
const LINES = 128;
/** Characters of a line that say whether a chunk ends with it: the name of what it is about, which stays as it changes. */
const NAME = 48;

/**
 * Lines in runs, each joined by line feeds. Where a run ends, its last line alone says: equal lines give equal runs
 * wherever they stand, so that a state of thousands of lines shares all but a few runs with the state before it.
 */
function chunksOf(lines: readonly string[]): string[] {
  const chunks: string[] = [];
  let start = 0;
  for (let end = 1; end <= lines.length; end++) {
    if (end < lines.length && crc32(lines[end - 1]!.slice(0, NAME)) % LINES !== 0) continue;
    chunks.push(lines.slice(start, end).join('\n'));
    start = end;
  }
  return chunks;
}

const linesIn = (chunk: string): string[] => chunk.split('\n');
