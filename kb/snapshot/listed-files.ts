import { join } from 'node:path';

import { valuesOf, type Columns } from './columns.ts';
import { columnsIn, countIn, partsOfFiles } from './parts.ts';
import { Sealed } from './sealed.ts';
import { BytesOfFile } from './stored-bytes.ts';

/** The file for a quick start. */
export const snapshotIn = (snapshotDir: string): string => join(snapshotDir, 'knowledge.snapshot');

/** The fields that show whether a file has changed. */
export const LISTED = ['path', 'sign'] as const;

/** A file in the listing of its folder. It has no sign if the file must be read again in any case. */
export interface ListedFile {
  readonly path: string;
  readonly sign: string | undefined;
}

export function restoreListed(group: Columns): ListedFile[] {
  const signs = valuesOf(group, 'sign') as (string | undefined)[];
  return (valuesOf(group, 'path') as string[]).map((path, place) => ({ path, sign: signs[place] }));
}

export interface ListedSnapshot {
  /** The first line of the snapshot. */
  readonly snapshot: string;
  /** Sorted by path. */
  readonly files: readonly ListedFile[];
}

/**
 * The list of the files that a snapshot was built from. Nothing else of the snapshot is read. Undefined if there is no
 * snapshot.
 *
 * @throws {Damaged} for a file that is not a whole snapshot
 */
export async function listedInSnapshot(path: string): Promise<ListedSnapshot | undefined> {
  await using bytes = await BytesOfFile.open(path);
  if (bytes === undefined) return undefined;
  const sealed = await Sealed.open(bytes);
  const files: ListedFile[] = [];
  for (const part of partsOfFiles(countIn(sealed)))
    for (const file of restoreListed(columnsIn(sealed, part))) files.push(file);
  return { snapshot: sealed.hash, files };
}
