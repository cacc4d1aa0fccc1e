import { join } from 'node:path';

import type { AboutBase } from '../base/about.ts';
import type { Fault } from '../base/faults.ts';
import { hashOfBytes, listBase, lookAtFiles, OWN_FILES, readFiles } from '../base/files.ts';
import { assembleBase, contentsOf, documentsIn, type KnowledgeBase } from '../base/load.ts';
import { parseDocuments } from '../documents/parse.ts';
import { DOCUMENTS_FOLDER } from './prepare.ts';
import { takeFile, type TakenFile } from './taken-files.ts';

/** Files that are read, and of those files that have changed: with more of them a build in a worker is due. */
const MOST_READ = 2_000;
const MOST_CHANGED = 200;

interface ChangedBase {
  readonly base: KnowledgeBase;
  /** Sorted by path. */
  readonly files: ReadonlyMap<string, TakenFile>;
  readonly unread: readonly Fault[];
}

/**
 * The base as its files are now, of which only those are read that look other than before, and only those parsed whose bytes are
 * other. `null` where many are, or one that belongs to the base as a whole.
 *
 * @throws KnowledgeBaseInvalid for a base that cannot be used at all
 */
export async function takeChanges(
  before: ReadonlyMap<string, TakenFile>,
  about: AboutBase | null,
  { folder, snapshotDir }: { readonly folder: string; readonly snapshotDir: string | null },
): Promise<ChangedBase | null> {
  const list = await listBase(folder);
  const look = await lookAtFiles(
    list.root,
    list.found.map(({ path }) => path),
  );
  const toRead = list.found.filter(({ path }) => {
    const sign = before.get(path)?.sign;
    return sign === undefined || sign !== look.get(path);
  });
  if (toRead.length > MOST_READ) return null;
  const { files: read, unread } = await readFiles(list, toRead);
  const now = new Map(read.map((file) => [file.path, { file, hash: hashOfBytes(file.bytes) }]));
  const other = read.filter((file) => {
    const known = before.get(file.path);
    return known?.hash !== now.get(file.path)!.hash || known.changed !== file.changed;
  });
  const failed = new Set(toRead.map(({ path }) => path).filter((path) => !now.has(path)));
  const there = new Set(list.found.map(({ path }) => path).filter((path) => !failed.has(path)));
  const otherPaths = new Set(other.map(({ path }) => path));
  const gone = [...before.values()].filter(({ path }) => !there.has(path) || otherPaths.has(path));
  if (gone.length + other.length > MOST_CHANGED) return null;
  if ([...gone, ...other].some(({ path }) => OWN_FILES.includes(path))) return null;

  const kept = [...before.values()].filter(({ path }) => there.has(path) && !otherPaths.has(path));
  const used = new Set([...kept, ...now.values()].map(({ hash }) => hash));
  const documents = await parseDocuments(documentsIn(other), {
    cacheDir: snapshotDir === null ? null : join(snapshotDir, DOCUMENTS_FOLDER),
    gone: gone.filter(({ hash, content }) => content.kind === 'document' && !used.has(hash)),
  });
  const contents = new Map(contentsOf(other, documents, about).map((content) => [content.path, content]));
  const files = new Map<string, TakenFile>();
  for (const path of there) {
    const known = before.get(path);
    const content = contents.get(path) ?? known!.content;
    const { file, hash } = now.get(path) ?? {};
    files.set(path, file === undefined ? known! : takeFile(file, hash!, content));
  }
  const allUnread = [...list.unread, ...unread].sort((a, b) => (a.file < b.file ? -1 : 1));
  const base = assembleBase(
    [...files.values()].map(({ content }) => content),
    {
      unread: allUnread,
      others: list.others,
    },
  );
  return { base, files, unread: allUnread };
}
