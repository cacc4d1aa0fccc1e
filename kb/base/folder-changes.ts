import { createHash } from 'node:crypto';
import type { FolderLook } from './look.ts';

/** The paths of files in a folder that differ from those that an index was built from. */
export interface FolderChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Equal for equal files, so that a failed rebuild is only retried after another change. */
  readonly state: string;
}

export function changesBetween(before: FolderLook, after: FolderLook): FolderChanges {
  const hash = createHash('sha256');
  for (const [path, sign] of after) hash.update(`${path}\0${sign}\0`);
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    changed: [...after.keys()].filter((path) => before.has(path) && before.get(path) !== after.get(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)),
    state: hash.digest('hex'),
  };
}

export const countChanges = ({ added, changed, removed }: FolderChanges): number =>
  added.length + changed.length + removed.length;
