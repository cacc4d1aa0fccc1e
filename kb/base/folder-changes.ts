import { createHash } from 'node:crypto';
import { placeOfPath } from './differing.ts';
import type { FolderLook } from './look.ts';

/** The paths of files in a folder that differ from those that an index was built from. */
export interface FolderChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Equal for equal changes. A failed rebuild is therefore only tried again after another change. */
  readonly state: string;
}

/** The listing of a folder without files. */
export const NO_FILES: FolderLook = { found: [], unread: [] };

/**
 * Compares two listings. Files that are the same object in both are skipped; in a large base that is watched, these are
 * nearly all.
 */
export function changesBetween(before: FolderLook, after: FolderLook): FolderChanges {
  const [was, is] = [signsOf(before), signsOf(after)];
  const hash = createHash('sha256');
  const added: string[] = [];
  const changed: string[] = [];
  const removed: string[] = [];
  for (const path of differingPaths(before, after)) {
    const [old, now] = [was(path), is(path)];
    if (old === now) continue;
    if (old === undefined) added.push(path);
    else if (now === undefined) removed.push(path);
    else changed.push(path);
    hash.update(`${path}\0${now}\0`);
  }
  return { added, changed, removed, state: hash.digest('hex') };
}

/**
 * The size and time of a file by its path. Empty for a file that cannot be part of the base, undefined if there is no
 * such file.
 */
function signsOf({ found, unread }: FolderLook): (path: string) => string | undefined {
  const left = new Set(unread.map(({ file }) => file));
  return (path) => {
    if (left.has(path)) return '';
    const file = found[placeOfPath(found, path)];
    return file?.path === path ? file.sign : undefined;
  };
}

function differingPaths(before: FolderLook, after: FolderLook): Set<string> {
  const paths = new Set([...before.unread, ...after.unread].map(({ file }) => file));
  let at = 0;
  for (const file of after.found) {
    for (; at < before.found.length && before.found[at] !== file; at++) {
      const { path } = before.found[at]!;
      if (path >= file.path) break;
      paths.add(path);
    }
    const known = before.found[at];
    if (known !== file && known?.sign !== file.sign) paths.add(file.path);
    if (known === file || known?.path === file.path) at++;
    else paths.add(file.path);
  }
  for (const { path } of before.found.slice(at)) paths.add(path);
  return paths;
}

export const countChanges = ({ added, changed, removed }: FolderChanges): number =>
  added.length + changed.length + removed.length;
