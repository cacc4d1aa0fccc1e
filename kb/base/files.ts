import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { LARGEST_FILE } from '../documents/document-limits.ts';
import { monthOf } from '../documents/month.ts';
import { readWhole } from '../snapshot/durable-file.ts';
import { KnowledgeBaseInvalid, WHOLE_FOLDER, type Fault } from './faults.ts';
import { codeOf, isLink, signOf, sortedByFile, walk, type Found, type Walk } from './walk.ts';

/** A file of the base on disk. */
export interface BaseFile {
  /** Relative to the base's folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The month of the file's last change, `YYYY-MM`; hashes and orders do not depend on it. */
  readonly changed: string;
  /** The size and time of the file, to notice a change. Absent if the file was read too soon after it was written. */
  readonly sign?: string;
}

/** The content of a base's folder. */
export interface BaseFiles {
  /** Sorted by path. */
  readonly files: readonly BaseFile[];
  /** The faults of documents that could not be read; all others are in `files`. */
  readonly unread: readonly Fault[];
  /** The number of files that are no documents, such as pictures, by extension. */
  readonly others: ReadonlyMap<string, number>;
}

const READ_AT_ONCE = 64;

/**
 * Reads every document below `folder`, the synonyms and the description of the base, sorted by path. Hidden files are
 * not part of a base. A link to a file is only followed within the base.
 *
 * @throws KnowledgeBaseInvalid where the folder cannot be read
 */
export async function readBase(folder: string): Promise<BaseFiles> {
  const list = await listed(async () => walk(folder), folder);
  const { files, unread } = await readFiles(list, list.found);
  return { files, unread: sortedByFile([...list.unread, ...unread]), others: list.others };
}

/**
 * Lists a folder. A folder that cannot be read is reported as a fault of the base.
 * @throws KnowledgeBaseInvalid where the folder cannot be read
 */
export async function listed<T>(walking: () => Promise<T>, folder: string): Promise<T> {
  try {
    return await walking();
  } catch (error) {
    const message = `the folder ${resolve(folder)} cannot be read (${codeOf(error)})`;
    throw new KnowledgeBaseInvalid([{ file: WHOLE_FOLDER, line: 0, message }]);
  }
}

/** Reads files of a base, with the reasons for those that cannot be read. */
export async function readFiles(
  { root }: Pick<Walk, 'root'>,
  found: readonly Found[],
): Promise<Pick<BaseFiles, 'files' | 'unread'>> {
  const unread: Fault[] = [];
  const leaveOut = (file: string, message: string): void => void unread.push({ file, line: 0, message });
  const files: BaseFile[] = [];
  for (let from = 0; from < found.length; from += READ_AT_ONCE) {
    const batch = found.slice(from, from + READ_AT_ONCE);
    const read = await Promise.all(batch.map((entry) => readOne(root, entry, leaveOut)));
    files.push(...read.filter((file) => file !== undefined));
  }
  return { files: files.sort(byPath), unread: sortedByFile(unread) };
}

/**
 * Times of files are as coarse as two seconds on some drives, so a file that is written again within that time may keep
 * its sign. A file that was read so soon after its write gets no sign.
 */
const GRAIN_MS = 2_500;

type LeaveOut = (file: string, message: string) => void;

async function readOne(root: string, file: Found, leaveOut: LeaveOut): Promise<BaseFile | undefined> {
  const { path } = file;
  const ofLink = isLink(file);
  const full = join(root, path);
  try {
    if (ofLink && !(await realpath(full)).startsWith(root + sep))
      leaveOut(path, 'is a link out of the knowledge base and is not followed');
    else {
      const now = Date.now();
      const found = await stat(full);
      const bytes = found.isFile() ? await readWhole(full, LARGEST_FILE) : undefined;
      if (bytes !== undefined) {
        const sign = now - found.mtimeMs > GRAIN_MS ? { sign: signOf(found, ofLink) } : {};
        return { path, bytes, changed: changedIn(found), ...sign };
      }
      leaveOut(path, found.isFile() ? 'was removed while it was read' : 'is not a file');
    }
  } catch (error) {
    leaveOut(path, reasonOf(error, ofLink));
  }
  return undefined;
}

/**
 * A file from an archive may have no time. Then this is the month in which the file came to this disk.
 */
const changedIn = ({ mtime, ctime }: Stats): string =>
  monthOf(mtime.toISOString()) ?? ctime.toISOString().slice(0, 7);

function reasonOf(error: unknown, ofLink: boolean): string {
  if (error instanceof RangeError) return `is larger than ${LARGEST_FILE / 1024 / 1024} MiB`;
  const code = codeOf(error);
  if (code === 'ELOOP') return 'is a link that leads back to itself';
  if (code === 'ENOENT') return ofLink ? 'is a link to nothing' : 'was removed while it was read';
  return `cannot be read (${code})`;
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : 1;

const hashes = new WeakMap<Uint8Array, string>();

/** The SHA-256 of a file's bytes, computed once, because a build needs it twice for parsed documents. */
export function hashOfBytes(bytes: Uint8Array): string {
  let hash = hashes.get(bytes);
  if (hash === undefined) hashes.set(bytes, (hash = createHash('sha256').update(bytes).digest('hex')));
  return hash;
}
