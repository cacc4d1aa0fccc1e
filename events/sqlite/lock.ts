import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isInUse } from './faults.ts';

/** The file whose lock shows that a process writes to `file`. */
export const lockFileOf = (file: string): string => `${file}.lock`;

/**
 * Whether a process writes to this file at present. The lock is not kept: a writer that starts at the same moment gets
 * it. Throws what SQLite throws for a lock that cannot be read.
 */
export function isLocked(file: string): boolean {
  const path = lockFileOf(file);
  if (!existsSync(path)) return false;
  const lock = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    lock.prepare('PRAGMA schema_version').get();
    return false;
  } catch (error) {
    if (isInUse(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}
