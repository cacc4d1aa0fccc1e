import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { holdsBytes } from '../../events/sqlite/private-file.ts';
import { slotFolders } from '../foundation/process-slot.ts';
import { EVENTS_FILE } from '../foundation/spool.ts';
import { spoolOf } from '../knowledge/spool-slots.ts';
import { tradingTablesIn } from '../trading/tables/run-tables.ts';
import type { Settings } from './settings.ts';

type Places = Pick<Settings, 'dataDir'> & { audit: Pick<Settings['audit'], 'dbPath' | 'checkpointFile'> };

/** The record is gone: a start would create a new, empty one, and nobody would notice the loss. */
export class RecordMissing extends Error {
  override readonly name = 'RecordMissing';
  readonly code = 'RECORD_MISSING';
  readonly found: string;
  readonly advice: string;

  constructor(dataDir: string, beside: readonly string[]) {
    const found = `events.db is missing in ${dataDir}, but what belongs to a record is there: ${beside.join(', ')}`;
    const copy = beside.find(isCopy);
    const put =
      copy === undefined
        ? 'put events.db back from a backup'
        : `rename ${copy} to events.db, which is a copy of all that was recorded`;
    const advice = `${put}; or, to begin with an empty record, move the others to another folder`;
    super(`${found}; ${advice}`);
    this.found = found;
    this.advice = advice;
  }
}

/**
 * Whether `DATA_DIR` has lost its record: other files of a record exist, but `events.db` is missing or empty.
 *
 * @returns the error that says so; `null` where the record is there, or where there never was one
 */
export async function missingRecord({ dataDir, audit }: Places): Promise<RecordMissing | null> {
  if (holdsBytes(join(dataDir, 'events.db'))) return null;
  const folders = [dataDir, ...(await slotFolders(dataDir))];
  const beside = [
    ...namesIn(dataDir).filter((name) => isOfRecord(name) && holdsBytes(join(dataDir, name))),
    ...[audit.dbPath, audit.checkpointFile, tradingTablesIn(dataDir)].filter(holdsBytes),
    ...folders.map((folder) => join(spoolOf(folder), EVENTS_FILE)).filter(holdsBytes),
  ].map((path) => (path.startsWith(join(dataDir, '/')) ? path.slice(dataDir.length + 1) : path));
  return beside.length === 0 ? null : new RecordMissing(dataDir, beside);
}

const isCopy = (name: string): boolean => name.startsWith('events.db.saved-');

/** SQLite's log file alone is worthless, and a start would remove it. */
const isOfRecord = (name: string): boolean =>
  name === 'keys.db' || name === 'events.db-wal' || isCopy(name) || /^account-.+\.snapshot$/u.test(name);

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}
