import { renameSync } from 'node:fs';
import { isDamaged, isNoDatabase } from './faults.ts';
import { removeDatabase } from './file-place.ts';

/** A database whose rows can be had again: from the record, or from a source of data. */
export interface Rebuildable {
  readonly file: string;
  /** The file holds these tables and nothing else, whatever stands in it. Default: false, so that no file of somebody else is removed. */
  readonly isOwnFile?: boolean;
  /** A damaged file is kept under the name `….damaged`, because not all of it may be had again. Default: it is removed. */
  readonly keepsDamaged?: boolean;
  /** Called, for the log, when the file is taken away because it is damaged. */
  readonly onDamaged?: (error: unknown) => void;
}

/** Opens it, after a damaged file was taken away. Throws what `open` throws otherwise. */
export function openRebuildable<T>(database: Rebuildable, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (isNoDatabase(error) && database.isOwnFile !== true) throw error;
    if (!takeAwayIfDamaged(database, error)) throw error;
    return open();
  }
}

/** Takes the file away if this fault says that it is damaged: whoever has it open has to open it again. */
export function takeAwayIfDamaged({ file, keepsDamaged, onDamaged }: Rebuildable, error: unknown): boolean {
  if (!isDamaged(error)) return false;
  onDamaged?.(error);
  if (keepsDamaged === true) renameSync(file, `${file}.damaged`);
  removeDatabase(file);
  return true;
}
