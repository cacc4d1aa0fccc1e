import { existsSync } from 'node:fs';
import type { Finding } from '../../../../events/proof/finding-words.ts';
import { tellsDamage } from '../../../../events/sqlite/faults.ts';
import { originReader } from '../../../../events/store/origin.ts';
import { hasPlace, type Position, type RecordReader } from '../../../../events/store/store.ts';
import type { Settings } from '../../../composition/settings.ts';
import { headOf, openBeside, originOf, projectionsOf } from '../../../composition/live-tables.ts';

/** Whether tables with this place have events that the record does not have. */
export async function isAhead(store: RecordReader, place: Position | ''): Promise<boolean> {
  if (place === '') return false;
  for await (const { position } of store.readAll({ direction: 'backwards', limit: 1 })) {
    return !hasPlace(position, place);
  }
  return true;
}

/**
 * The tables on this host that know more of this record than it has itself. A record in SQLite loses its newest events,
 * and stays whole, where its write-ahead log is lost; no chain and no checkpoint need show it.
 */
export async function tablesAhead(
  settings: Settings,
  store: RecordReader,
): Promise<(Finding & { kind: 'tables-ahead' })[]> {
  const origin = await originReader(store)();
  const found: (Finding & { kind: 'tables-ahead' })[] = [];
  for (const { projection, file } of projectionsOf(settings)) {
    if (!existsSync(file)) continue;
    try {
      using db = openBeside(file);
      const { name } = projection;
      const place = headOf(db, name)?.position ?? '';
      const theirs = originOf(db, name);
      const isOfAnother = theirs !== null && origin !== undefined && theirs !== origin;
      if (!isOfAnother && (await isAhead(store, place))) {
        found.push({ kind: 'tables-ahead', tables: name, file, position: place });
      }
    } catch (error) {
      // Damaged tables tell nothing of the record.
      if (!tellsDamage(error)) throw error;
    }
  }
  return found;
}
