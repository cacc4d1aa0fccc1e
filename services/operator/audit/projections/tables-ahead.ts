import { existsSync } from 'node:fs';
import type { Finding } from '../../../../events/proof/finding-words.ts';
import { tellsDamage } from '../../../../events/sqlite/faults.ts';
import { originReader } from '../../../../events/store/origin.ts';
import { hasPlace, type Position, type RecordReader } from '../../../../events/store/store.ts';
import type { Settings } from '../../../composition/settings.ts';
import { headOf, openBeside, originOf, projectionsOf } from '../../../composition/live-tables.ts';

/** Whether tables with this place contain events that are not in the record. */
export async function isAhead(store: RecordReader, place: Position | ''): Promise<boolean> {
  if (place === '') return false;
  for await (const { position } of store.readAll({ direction: 'backwards', limit: 1 })) {
    return !hasPlace(position, place);
  }
  return true;
}

/**
 * The tables on this host that have events of this record which the record itself has lost. If the write-ahead log of a
 * record in SQLite is lost, the newest events are gone and the rest is whole, so that no chain and no checkpoint need
 * show it.
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
      // Damaged tables say nothing about the record.
      if (!tellsDamage(error)) throw error;
    }
  }
  return found;
}
