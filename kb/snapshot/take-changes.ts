import { join } from 'node:path';

import { hashingBase } from '../base/base-hash.ts';
import { hashOfBytes, listed, readFiles, type BaseFile } from '../base/files.ts';
import { assembling, contentsOf, documentsIn, type KnowledgeBase } from '../base/load.ts';
import { walkInThread } from '../base/look.ts';
import { OWN_FILES, sortedByFile, type Found, type Walk } from '../base/walk.ts';
import { parseDocuments, type ParsedDocument } from '../documents/parse.ts';
import type { KnowledgeIndex } from '../knowledge.ts';
import { inShortTurns, TO_NUMBER, type ShortTurns, type Steps } from '../steps.ts';
import { hashOfCode } from './code-hash.ts';
import { DOCUMENTS_FOLDER } from './prepare.ts';
import { NOT_TAKEN, takeFile, type TakenFile } from './taken-files.ts';

/** The most files that are read, and the most files that may have changed. For more, a build in a worker is better. */
const MOST_READ = 2_000;
const MOST_CHANGED = 200;

interface ChangedBase {
  /** `null` if the base has not changed. */
  readonly base: KnowledgeBase | null;
  /** The hash of an index of these files. */
  readonly hash: string;
  /** Sorted by path. */
  readonly files: readonly TakenFile[];
  /** The listing of the folder. */
  readonly walk: Walk;
}

export interface TakeOptions {
  readonly folder: string;
  readonly snapshotDir: string | null;
  /** Whether all of a watched folder is read again, and not only the parts in which the system has reported changes. */
  readonly all?: boolean;
  /** Returns the listing of the folder, if one is at hand or under way; by default a new one begins. */
  readonly walking?: () => Promise<Walk>;
}

/**
 * The base with its present files. Only files with another size or time are read, and only files with other bytes are
 * parsed. `null` if there are too many of these, or if one of the changed files is a file of the base itself, such as
 * its synonyms.
 *
 * @param before the files of the index before, sorted by path
 * @throws KnowledgeBaseInvalid for a base that cannot be used at all
 */
export async function takeChanges(
  before: readonly TakenFile[],
  { hash: hashBefore, about, sources }: Pick<KnowledgeIndex, 'hash' | 'about' | 'sources'>,
  { folder, snapshotDir, all = false, walking = () => walkInThread(folder, { all }) }: TakeOptions,
  run: ShortTurns = inShortTurns,
): Promise<ChangedBase | null> {
  const walk = await listed(walking, folder);
  const looks = await run(comparing(before, walk.found));
  if (looks.other.length > MOST_READ) return null;
  const { files: read, unread } = await readFiles(
    walk,
    looks.other.map(({ found }) => found),
  );
  const now = new Map(
    read.map((file): [string, ReadFile] => [file.path, { file, hash: hashOfBytes(file.bytes) }]),
  );
  /** `gone` has files that were removed or changed; `come` has new and changed files. */
  const gone = [...looks.gone];
  const come: ReadFile[] = [];
  for (const { found, known } of looks.other) {
    const one = now.get(found.path);
    if (known !== null && one?.hash === known.hash && one.file.changed === known.changed) continue;
    if (known !== null) gone.push(known);
    if (one !== undefined) come.push(one);
  }
  if (gone.length + come.length > MOST_CHANGED) return null;
  if ([...gone, ...come.map(({ file }) => file)].some(({ path }) => OWN_FILES.includes(path))) return null;

  const documents = await parse(come, goneFromCache(gone, before, now), snapshotDir);
  const contents = contentsOf(
    come.map(({ file }) => file),
    documents,
    about,
  );
  const again = new Set(documents.filter(({ tryAgain }) => tryAgain === true).map(({ path }) => path));
  const taken = new Map(
    come.map(({ file, hash }, i) => [
      file.path,
      takeFile(file, again.has(file.path) ? NOT_TAKEN : hash, contents[i]!),
    ]),
  );
  const known = new Map(looks.other.flatMap(({ known }) => (known === null ? [] : [[known.path, known]])));
  const files = looks.files.flatMap((file): TakenFile | [] => {
    if (typeof file !== 'string') return file;
    const one = now.get(file);
    // There are three cases: the bytes have changed, so that the file was parsed again; or the file is gone; or its
    // content is the known one.
    return (
      taken.get(file) ?? (one === undefined ? [] : takeFile(one.file, one.hash, known.get(file)!.content))
    );
  });
  const allUnread = sortedByFile([...walk.unread, ...unread]);
  const hash = await run(hashingBase(files, allUnread, await hashOfCode(), ''));
  const isSame = hash === hashBefore && gone.length + come.length === 0;
  const beside = { unread: allUnread, others: walk.others };
  const base = isSame
    ? null
    : await run(
        assembling(
          files.map(({ content }) => content),
          beside,
          { before: sources, files: { gone: gone.map(({ content }) => content), come: contents } },
        ),
      );
  return { base, hash, files, walk };
}

interface ReadFile {
  readonly file: BaseFile;
  readonly hash: string;
}

interface Compared {
  /** The unchanged files, and the paths of the others. */
  readonly files: readonly (TakenFile | string)[];
  readonly other: readonly { readonly found: Found; readonly known: TakenFile | null }[];
  /** The removed files. */
  readonly gone: readonly TakenFile[];
}

const FILES_A_STEP = 100;

/** Compares two lists that are sorted by path. */
function* comparing(before: readonly TakenFile[], now: readonly Found[]): Steps<Compared> {
  const files: (TakenFile | string)[] = [];
  const other: { found: Found; known: TakenFile | null }[] = [];
  const gone: TakenFile[] = [];
  let at = 0;
  for (const [number, found] of now.entries()) {
    if (number % FILES_A_STEP === 0) yield TO_NUMBER * FILES_A_STEP;
    while (at < before.length && before[at]!.path < found.path) gone.push(before[at++]!);
    const known = before[at]?.path === found.path ? before[at++]! : null;
    if (known?.sign === found.sign) files.push(known);
    else {
      files.push(found.path);
      other.push({ found, known });
    }
  }
  gone.push(...before.slice(at));
  return { files, other, gone };
}

/** Whether one of the files before is gone or has other bytes now. Both lists are sorted by path. */
export function* findingGone(before: readonly TakenFile[], now: readonly TakenFile[]): Steps<boolean> {
  let at = 0;
  for (const [number, { path, hash }] of before.entries()) {
    if (number % FILES_A_STEP === 0) yield TO_NUMBER * FILES_A_STEP;
    while (at < now.length && now[at]!.path < path) at++;
    if (now[at]?.path !== path || now[at]!.hash !== hash) return true;
  }
  return false;
}

/** The cached content of documents whose bytes no file has any more. */
function goneFromCache(
  gone: readonly TakenFile[],
  before: readonly TakenFile[],
  now: ReadonlyMap<string, ReadFile>,
): TakenFile[] {
  const documents = gone.filter(({ content }) => content.kind === 'document');
  if (documents.length === 0) return [];
  const left = new Set(gone);
  const used = new Set(
    [...before.filter((file) => !left.has(file)), ...now.values()].map(({ hash }) => hash),
  );
  return documents.filter(({ hash }) => !used.has(hash));
}

async function parse(
  come: readonly ReadFile[],
  gone: readonly TakenFile[],
  snapshotDir: string | null,
): Promise<readonly ParsedDocument[]> {
  const documents = documentsIn(come.map(({ file }) => file));
  if (documents.length + gone.length === 0) return [];
  const cacheDir = snapshotDir === null ? null : join(snapshotDir, DOCUMENTS_FOLDER);
  return parseDocuments(documents, { cacheDir, gone });
}
