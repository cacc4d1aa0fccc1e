import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { holdsBytes } from '../../events/sqlite/private-file.ts';
import { isWithoutTables } from '../../events/sqlite/readable-file.ts';
import type { EventStore } from '../../events/store/store.ts';
import { slotFolders } from '../foundation/process-slot.ts';
import { EVENTS_FILE } from '../foundation/spool.ts';
import { spoolOf } from '../knowledge/spool-slots.ts';
import { tradingTablesIn } from '../trading/tables/run-tables.ts';
import type { Settings } from './settings.ts';

type Places = Pick<Settings, 'dataDir'> & { audit: Pick<Settings['audit'], 'dbPath' | 'checkpointFile'> };

/** Opens the record in this file for reading. Throws what the adapter throws. */
type RecordOpener = (file: string) => Pick<EventStore, 'readAll' | 'readStream' | 'close'>;

/**
 * The record is not at its path. A start would go on with an empty or older record, and nobody would notice the loss.
 */
export class RecordMissing extends Error {
  override readonly name = 'RecordMissing';
  readonly code = 'RECORD_MISSING';
  readonly found: string;
  readonly advice: string;

  constructor(found: string, advice: string) {
    super(`${found}; ${advice}`);
    this.found = found;
    this.advice = advice;
  }
}

/**
 * Finds out whether `DATA_DIR` has lost its record: other files of a record exist, but `events.db` is missing or empty;
 * or somebody replaced `events.db` while a service ran, and the service has saved the content of the lost file.
 *
 * @returns the error for a lost record; `null` if the record is there, or there never was one.
 */
export async function missingRecord(
  { dataDir, audit }: Places,
  open: RecordOpener,
): Promise<RecordMissing | null> {
  const copies = namesIn(dataDir).filter((name) => isCopy(name) && holdsBytes(join(dataDir, name)));
  const record = join(dataDir, 'events.db');
  // The record's tables are on disk before any other file is made beside it. If they are missing, they were in the log
  // of a killed process, and the log is gone.
  const hasLostLog = holdsBytes(record) && isWithoutTables(record);
  if (holdsBytes(record) && !hasLostLog) {
    for (const copy of copies.toReversed()) {
      const file = fileOf(copy);
      const holds =
        file === 'events.db' && (await holdsAllOf(join(dataDir, copy), join(dataDir, file), open));
      if (!holds) return new RecordMissing(...replaced(dataDir, file, copy));
    }
    return null;
  }
  const folders = [dataDir, ...(await slotFolders(dataDir))];
  const beside = [
    ...namesIn(dataDir).filter((name) => isOfRecord(name) && holdsBytes(join(dataDir, name))),
    ...[audit.dbPath, audit.checkpointFile, tradingTablesIn(dataDir)].filter(holdsBytes),
    ...folders.map((folder) => join(spoolOf(folder), EVENTS_FILE)).filter(holdsBytes),
  ].map((path) => (path.startsWith(join(dataDir, '/')) ? path.slice(dataDir.length + 1) : path));
  if (beside.length === 0) return null;
  return new RecordMissing(...(hasLostLog ? lostLog(dataDir, beside) : missing(dataDir, beside)));
}

function missing(dataDir: string, beside: readonly string[]): [found: string, advice: string] {
  const copy = beside.findLast((name) => isCopy(name) && fileOf(name) === 'events.db');
  const put =
    copy === undefined
      ? 'put events.db back from a backup'
      : `rename ${copy} to events.db, which is a copy of all that was recorded`;
  return [
    `events.db is missing in ${dataDir}, but what belongs to a record is there: ${beside.join(', ')}`,
    `${put}; or, to begin with an empty record, move the others to another folder`,
  ];
}

function lostLog(dataDir: string, beside: readonly string[]): [found: string, advice: string] {
  return [
    `events.db in ${dataDir} has nothing in it, but what belongs to a record is there: ${beside.join(', ')}; all that was recorded was in its log, events.db-wal, which is gone`,
    'put events.db-wal back, or events.db from a backup; or, to begin with an empty record, move events.db and the others to another folder',
  ];
}

function replaced(dataDir: string, file: string, copy: string): [found: string, advice: string] {
  return [
    `another file was put in the place of ${file} in ${dataDir} while a service had it open; all that was in it until then is in ${copy}, and not in ${file}`,
    `to go on with what was recorded, remove ${file}, ${file}-wal and ${file}-shm and rename ${copy} to ${file}; to go on with the file that was put there, move ${copy} to another folder`,
  ];
}

/** Whether the copy is the beginning of the record in this file. False if one of them is damaged. */
async function holdsAllOf(copy: string, file: string, open: RecordOpener): Promise<boolean> {
  try {
    await using saved = closing(open(copy));
    await using present = closing(open(file));
    const newest = { direction: 'backwards', limit: 1 } as const;
    for await (const { stream, revision, id, metadata } of saved.readAll(newest)) {
      for await (const same of present.readStream(stream, { from: revision, limit: 1 }))
        return same.id === id && same.metadata.hash === metadata.hash;
      return false;
    }
    return true;
  } catch {
    return false;
  }
}

const closing = <T extends { close(): Promise<void> }>(opened: T): T & AsyncDisposable =>
  Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() });

const COPY = /^(events\.db|keys\.db)\.saved-\d+$/u;
const isCopy = (name: string): boolean => COPY.test(name);
const fileOf = (copy: string): string => COPY.exec(copy)![1]!;

/** Whether a file belongs to a record. SQLite's log alone is worthless, and a start would remove it. */
const isOfRecord = (name: string): boolean =>
  name === 'keys.db' || name === 'events.db-wal' || isCopy(name) || /^account-.+\.snapshot$/u.test(name);

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}
