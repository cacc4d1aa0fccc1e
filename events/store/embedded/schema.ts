import { DatabaseSync } from 'node:sqlite';
import { BelegError } from '../../errors.ts';

const VERSION = 1;

/**
 * One table, append-only. The rowid is the position in `$all`: with one writer and no deletions it only grows and has
 * no gaps. The index `events_kind` has the position as its last column, so that filtered reads merge a few ordered
 * ranges.
 */
const SCHEMA = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream   TEXT NOT NULL,
    revision INTEGER NOT NULL,
    category TEXT NOT NULL,
    type     TEXT NOT NULL,
    id       TEXT NOT NULL,
    hash     TEXT NOT NULL,
    metadata TEXT NOT NULL,
    data     TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_stream ON events (stream, revision);
  CREATE UNIQUE INDEX events_id ON events (id);
  CREATE INDEX events_kind ON events (category, type);
  CREATE TRIGGER events_keep BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
  CREATE TRIGGER events_fix BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
  CREATE TABLE pulse (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
  INSERT INTO pulse VALUES (1, 0);
  PRAGMA user_version = ${VERSION};
`;

/** Creates the tables in a new file. Refuses a file of a newer release. */
export function ensureSchema(db: DatabaseSync): void {
  if (isMade(db)) return;
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
}

/**
 * Checks the tables for a reader.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE` if tables are missing, or are of a newer release.
 */
export function assertSchema(db: DatabaseSync): void {
  if (!isMade(db)) throw new BelegError('STORE_UNAVAILABLE', { detail: 'nothing has been recorded yet' });
}

function isMade(db: DatabaseSync): boolean {
  const statement = db.prepare('PRAGMA user_version');
  statement.setReturnArrays(true);
  const [version] = statement.get() as unknown as [number];
  if (version !== VERSION && version !== 0) {
    throw new BelegError('STORE_UNAVAILABLE', { detail: 'the file was written by a different release' });
  }
  return version === VERSION;
}

/**
 * How the file's tables, indexes, triggers and views differ from the schema, in words. For example, a view in a table's
 * place could show different events to different readers.
 */
export function schemaFaults(db: DatabaseSync): string[] {
  const made = new DatabaseSync(':memory:');
  try {
    ensureSchema(made);
    const [expected, found] = [partsOf(made), partsOf(db)];
    return [
      ...[...expected].flatMap(([part, sql]) => {
        if (!found.has(part)) return [`the ${part} is missing`];
        return found.get(part) === sql ? [] : [`the ${part} was replaced by a different one`];
      }),
      ...[...found.keys()]
        .filter((part) => !expected.has(part))
        .map((part) => `there is an unexpected ${part}`),
    ];
  } finally {
    made.close();
  }
}

/** The parts of the schema, without those that SQLite adds itself. */
function partsOf(db: DatabaseSync): Map<string, string> {
  const statement = db.prepare(
    "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'",
  );
  statement.setReturnArrays(true);
  return new Map(statement.all() as unknown as [string, string][]);
}

/**
 * The name of a stream up to and including its first hyphen, or else the whole name: `ask-` of `ask-7f3a`, `comments`
 * of `comments`.
 */
export function categoryOf(stream: string): string {
  const hyphen = stream.indexOf('-');
  return hyphen === -1 ? stream : stream.slice(0, hyphen + 1);
}
