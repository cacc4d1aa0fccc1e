import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../../events/sqlite/private-file.ts';

const SERIES = `
  CREATE TABLE series (
    name TEXT NOT NULL,
    -- The day from which the value was known.
    known TEXT NOT NULL,
    date TEXT NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (name, known, date)
  ) STRICT, WITHOUT ROWID;
`;
const UNIVERSE = `
  -- From which day to which a ticker may be bought, where there is such a list. NULL: it still may.
  CREATE TABLE universe (
    ticker TEXT NOT NULL,
    from_date TEXT NOT NULL,
    to_date TEXT,
    PRIMARY KEY (ticker, from_date)
  ) STRICT, WITHOUT ROWID;
`;
/** The changes from each version of the tables to the next. Tables of an unknown version are emptied. */
const UPGRADES = ['ALTER TABLE bars ADD COLUMN columns TEXT;', SERIES, UNIVERSE];
const VERSION = 1 + UPGRADES.length;

export const TABLE_NAMES = [
  'bars',
  'splits',
  'dividends',
  'series',
  'universe',
  'ticker_state',
  'notes',
] as const;

/**
 * The tables of a source's market data, readable with any SQLite browser. Prices are as traded; `ticker_state` has the
 * last fetch of each ticker and its result, `warnings` and `faults` as JSON.
 */
const TABLES = `
  CREATE TABLE bars (
    date TEXT NOT NULL,
    ticker TEXT NOT NULL,
    open REAL NOT NULL,
    high REAL NOT NULL,
    low REAL NOT NULL,
    close REAL NOT NULL,
    volume INTEGER NOT NULL,
    -- What further columns of its table say of the day, as JSON by their names.
    columns TEXT,
    PRIMARY KEY (date, ticker)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bars_by_ticker ON bars (ticker, date);

  CREATE TABLE splits (
    ticker TEXT NOT NULL,
    date TEXT NOT NULL,
    ratio TEXT NOT NULL,
    PRIMARY KEY (ticker, date)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE dividends (
    ticker TEXT NOT NULL,
    date TEXT NOT NULL,
    amount REAL NOT NULL,
    PRIMARY KEY (ticker, date)
  ) STRICT, WITHOUT ROWID;

${SERIES}
${UNIVERSE}
  CREATE TABLE ticker_state (
    ticker TEXT PRIMARY KEY,
    bars INTEGER NOT NULL,
    first TEXT,
    last TEXT,
    update_id TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    outcome TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the file (mode 0600). A new file gets its tables, and tables of an older release are upgraded. A file whose tables
 * have an unknown version is emptied, because everything can be fetched again. Throws what SQLite throws.
 */
export function openTables(file: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    if (file !== ':memory:') makePrivateFile(file);
    db = new DatabaseSync(file, { timeout: 5_000 });
    // A power failure may lose the last transactions, but not their order; lost data is fetched or generated again.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000');
    db.exec('PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 268435456');
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version >= 1 && version < VERSION) {
      db.exec(`BEGIN; ${UPGRADES.slice(version - 1).join('')} PRAGMA user_version = ${VERSION}; COMMIT`);
    } else if (version !== VERSION) {
      for (const table of TABLE_NAMES) db.exec(`DROP TABLE IF EXISTS ${table}`);
      db.exec(`BEGIN; ${TABLES}; PRAGMA user_version = ${VERSION}; COMMIT`);
    }
    return db;
  } catch (error) {
    db?.close();
    throw error;
  }
}
