import { renameSync } from 'node:fs';
import { isDamaged, isNoDatabase } from './faults.ts';
import { removeDatabase } from './file-place.ts';

/** A database whose rows can be built again, from the record or from a source of data. */
export interface Rebuildable {
  readonly file: string;
  /**
   * Whether the path belongs to these tables alone, so that any file there may be removed. Default: false, so that no
   * file of somebody else is removed.
   */
  readonly isOwnFile?: boolean;
  /**
   * Whether a damaged file is kept under the name `….damaged`, because not all of its data can be built again. Default:
   * it is removed.
   */
  readonly keepsDamaged?: boolean;
  /** Called, for the log, when the file is moved away or removed because it is damaged. */
  readonly onDamaged?: (error: unknown) => void;
}

/**
 * Opens a database. If it is damaged, its file is moved away or removed first, and a new one is opened. Otherwise
 * throws what `open` throws.
 */
export function openRebuildable<T>(database: Rebuildable, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (isNoDatabase(error) && database.isOwnFile !== true) throw error;
    if (!takeAwayIfDamaged(database, error)) throw error;
    return open();
  }
}

/** Moves away or removes the file if the fault says that it is damaged. Whoever has it open has to open it again. */
export function takeAwayIfDamaged({ file, keepsDamaged, onDamaged }: Rebuildable, error: unknown): boolean {
  if (!isDamaged(error)) return false;
  onDamaged?.(error);
  if (keepsDamaged === true) renameSync(file, `${file}.damaged`);
  removeDatabase(file);
  return true;
}
