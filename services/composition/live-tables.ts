import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { quoted } from '../../events/projections/tables.ts';
import { unavailable } from '../../events/sqlite/faults.ts';
import type { Position } from '../../events/store/store.ts';
import { auditProjection } from '../audit/projection.ts';
import type { Settings } from './settings.ts';
import { tradingProjection } from '../trading/tables/projection.ts';
import { tradingTablesIn } from '../trading/tables/run-tables.ts';

/** The projections, each with the file of its tables. */
export const projectionsOf = ({ audit, dataDir }: Settings) => [
  { projection: auditProjection, file: audit.dbPath, isOwnFile: audit.isOwnDb },
  { projection: tradingProjection, file: tradingTablesIn(dataDir), isOwnFile: true },
];
export type KnownProjection = ReturnType<typeof projectionsOf>[number];

/** What happens to damaged tables, as a text for messages about them. */
export const BUILT_ANEW =
  'nothing is lost: a start, and the running service within seconds, builds them anew from the record';

/**
 * Attaches the tables of a file as `live` to a database of its own, for reading while another process writes them. The
 * own database is in an unnamed file, so that nobody else can read it, and it disappears however the process ends.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export function openBeside(file: string): DatabaseSync {
  const db = new DatabaseSync('', { timeout: 2_000 });
  try {
    db.exec('PRAGMA journal_mode = OFF');
    db.prepare('ATTACH ? AS live').run(`${pathToFileURL(file).href}?mode=ro`);
    return db;
  } catch (error) {
    db.close();
    throw unavailable(error, file);
  }
}

/** The version and place of a projection's tables in the file; `null` if there are none. */
export function headOf(db: DatabaseSync, projection: string) {
  if (!hasTable(db, 'projections')) return null;
  const row = db
    .prepare('SELECT version, position, objects FROM live.projections WHERE name = ?')
    .get(projection);
  if (row === undefined) return null;
  const objects = JSON.parse(row['objects'] as string) as { type: string; name: string }[];
  return {
    version: row['version'] as number,
    position: row['position'] as Position | '',
    tables: objects.filter(({ type }) => type === 'table').map(({ name }) => name),
  };
}

/** The origin of the record that the tables are made from; `null` if they do not have it. */
export function originOf(db: DatabaseSync, projection: string): string | null {
  if (!hasTable(db, 'origins')) return null;
  const row = db.prepare('SELECT origin FROM live.origins WHERE name = ?').get(projection);
  return (row?.['origin'] as string | undefined) ?? null;
}

export const hasTable = (db: DatabaseSync, table: string): boolean =>
  db.prepare('SELECT 1 FROM live.sqlite_schema WHERE name = ?').get(table) !== undefined;

/** The number of events that were set aside, and the name of the newest. */
export function setAsideOf(db: DatabaseSync, projection: string): { events: number; named: string[] } {
  if (!hasTable(db, 'set_aside')) return { events: 0, named: [] };
  const rows = db
    .prepare('SELECT type, id, stream FROM live.set_aside WHERE name = ? ORDER BY position DESC')
    .all(projection);
  return {
    events: rows.length,
    named: rows
      .slice(0, 5)
      .map(({ type, id, stream }) => `${String(type)} ${String(id)} of ${String(stream)}`),
  };
}

export function countRows(db: DatabaseSync, table: string): number {
  return db.prepare(`SELECT count(*) AS rows FROM live.${quoted(table)}`).get()!['rows'] as number;
}
