import type { ListedFile } from '../snapshot/listed-files.ts';
import { placeIn } from './sorted-place.ts';
import type { Found } from './walk.ts';

/** The differences between a listing and the one before it. */
export interface Differences {
  /** Paths that are no longer there. */
  readonly gone: readonly string[];
  /** New files, and those with another size or time. */
  readonly come: readonly Found[];
}

/** If a folder has more differences than this, the whole listing is sent instead, which is then about as fast. */
const MOST = 1_000;

/**
 * Compares two lists that are sorted by path. Returns `null` if there are more than `MOST` differences. Files that are
 * the same object in both lists are not compared.
 */
export function differencesOf(before: readonly ListedFile[], now: readonly Found[]): Differences | null {
  const gone: string[] = [];
  const come: Found[] = [];
  let at = 0;
  for (const file of now) {
    while (before[at] !== file && at < before.length && before[at]!.path < file.path)
      gone.push(before[at++]!.path);
    const known = before[at];
    if (known !== file && !(known?.path === file.path && known.sign === file.sign)) come.push(file);
    if (known === file || known?.path === file.path) at++;
    if (gone.length + come.length > MOST) return null;
  }
  for (const { path } of before.slice(at)) gone.push(path);
  return gone.length > MOST ? null : { gone, come };
}

/** The list after these differences; without differences, the same list. Unchanged files stay the same objects. */
export function withDifferences(before: readonly Found[], { gone, come }: Differences): readonly Found[] {
  if (gone.length + come.length === 0) return before;
  const now = [...before];
  for (const path of gone) now.splice(placeOfPath(now, path), 1);
  for (const file of come) {
    const place = placeOfPath(now, file.path);
    now.splice(place, now[place]?.path === file.path ? 1 : 0, file);
  }
  return now;
}

/** The place of a path in the list of a folder, or the place where it would be inserted. */
export const placeOfPath = (files: readonly Found[], path: string): number =>
  placeIn(files, path, (file) => file.path);
