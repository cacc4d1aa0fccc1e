import { createHash } from 'node:crypto';
import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { closedKindOf, extensionOf, kindOf } from '../documents/kinds.ts';
import { readWhole } from '../snapshot/durable-file.ts';
import { formatFault, KnowledgeBaseInvalid, type Fault } from './faults.ts';

/** A file of the base as it lies on the disk. */
export interface BaseFile {
  /** Relative to the base's folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The month of its last change, `YYYY-MM`: it enters no hash and no order. */
  readonly changed: string;
  /** What tells that it has changed since; absent where it would not, as it was written just before it was read. */
  readonly sign?: string;
}

/** What lies in the folder of a base. */
export interface BaseFiles {
  /** Sorted by path. */
  readonly files: readonly BaseFile[];
  /** Faults of the documents that could not be read; all other documents are in `files`. */
  readonly unread: readonly Fault[];
  /** How many files there are that are no documents, such as pictures, by the ending of their names. */
  readonly others: ReadonlyMap<string, number>;
}

export const SYNONYMS_FILE = 'synonyms.txt';
/** What reviews understand. */
export const REVIEW_FILE = 'review.yaml';
/** What they judge by. */
export const RULES_FILE = 'review-rules.yaml';
export const ABOUT_FILE = 'base.yaml';
/** Files of the base that are no passages. */
export const OWN_FILES: readonly string[] = [SYNONYMS_FILE, ABOUT_FILE, REVIEW_FILE, RULES_FILE];
/** Folders with files that programs made and nobody wrote. */
const NOT_WRITTEN: readonly string[] = ['node_modules'];
const READ_AT_ONCE = 64;
/** Bytes that a file of a base may have. */
const LARGEST = 32 * 1024 * 1024;

/**
 * Reads every document below `folder`, its synonyms file and what it says of itself, sorted by path. Hidden files are not part of a
 * base. A link to a file is followed within the base, and nowhere else.
 *
 * @throws KnowledgeBaseInvalid where the folder cannot be read
 */
export async function readBase(folder: string): Promise<BaseFiles> {
  const list = await listBase(folder);
  const { files, unread } = await readFiles(list, list.found);
  return { files, unread: [...list.unread, ...unread].sort(byFile), others: list.others };
}

/** The files that a base has by their names; none was read. */
export interface BaseList extends Omit<BaseFiles, 'files'> {
  readonly root: string;
  /** Sorted by path. */
  readonly found: readonly Found[];
}

/** @throws KnowledgeBaseInvalid where the folder cannot be read */
export async function listBase(folder: string): Promise<BaseList> {
  const unread: Fault[] = [];
  const others = new Map<string, number>();
  const leaveOut = (file: string, message: string): void => void unread.push({ file, line: 0, message });
  try {
    const root = await realpath(folder);
    const found = await entriesBelow(root, '', leaveOut, others);
    return { root, found: found.sort(byPath), unread: unread.sort(byFile), others };
  } catch (error) {
    const message = `the folder ${resolve(folder)} cannot be read (${codeOf(error)})`;
    throw new KnowledgeBaseInvalid([{ file: '.', line: 0, message }]);
  }
}

/** Reads files of a base, and says why some cannot be read. */
export async function readFiles(
  { root }: BaseList,
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
  return { files: files.sort(byPath), unread: unread.sort(byFile) };
}

/** The files of a base and what tells that one has changed, without reading it: its size and when it was last written. */
export type FolderLook = ReadonlyMap<string, string>;

/** @throws the file system's error where the folder itself cannot be read */
export async function lookAt(folder: string): Promise<FolderLook> {
  const root = await realpath(folder);
  const unread: string[] = [];
  const found = await entriesBelow(root, '', (file) => void unread.push(file), new Map());
  return lookAtFiles(root, [...found.map(({ path }) => path), ...unread].sort());
}

/** The same for files that were found before. */
export async function lookAtFiles(root: string, paths: readonly string[]): Promise<FolderLook> {
  const look = new Map<string, string>();
  for (let from = 0; from < paths.length; from += READ_AT_ONCE) {
    const batch = paths.slice(from, from + READ_AT_ONCE).map(async (path) => {
      const found = await stat(join(root, path)).catch((error: unknown) => codeOf(error));
      return [path, typeof found === 'string' ? found : signOf(found)] as const;
    });
    for (const [path, sign] of await Promise.all(batch)) look.set(path, sign);
  }
  return look;
}

const signOf = ({ size, mtimeMs }: Stats): string => `${size} ${mtimeMs}`;

/**
 * A file that is written again within the grain of its time, which is two seconds on some drives, may keep its sign. What was
 * written so shortly before it was read has none.
 */
const GRAIN_MS = 2_500;

export interface Found {
  readonly path: string;
  readonly entry: Dirent;
}

type LeaveOut = (file: string, message: string) => void;

async function entriesBelow(
  root: string,
  below: string,
  leaveOut: LeaveOut,
  others: Map<string, number>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = `${below}${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      if (NOT_WRITTEN.includes(entry.name)) continue;
      const inside = await entriesBelow(root, `${path}/`, leaveOut, others).catch((error: unknown) => {
        leaveOut(path, `the folder cannot be read (${codeOf(error)})`);
        return [];
      });
      found.push(...inside);
    } else if (OWN_FILES.includes(path) || kindOf(path) !== undefined) found.push({ path, entry });
    else {
      const reason = closedKindOf(path);
      const extension = extensionOf(path);
      if (reason === undefined) others.set(extension, (others.get(extension) ?? 0) + 1);
      else leaveOut(path, reason);
    }
  }
  return found;
}

async function readOne(
  root: string,
  { path, entry }: Found,
  leaveOut: LeaveOut,
): Promise<BaseFile | undefined> {
  const full = join(root, path);
  try {
    if (entry.isSymbolicLink() && !(await realpath(full)).startsWith(root + sep))
      leaveOut(path, 'is a link out of the knowledge base and is not followed');
    else {
      const now = Date.now();
      const found = await stat(full);
      const bytes = found.isFile() ? await readWhole(full, LARGEST) : undefined;
      if (bytes !== undefined) {
        const sign = now - found.mtimeMs > GRAIN_MS ? { sign: signOf(found) } : {};
        return { path, bytes, changed: found.mtime.toISOString().slice(0, 7), ...sign };
      }
      leaveOut(path, found.isFile() ? 'was removed while it was read' : 'is not a file');
    }
  } catch (error) {
    leaveOut(path, reasonOf(error, entry));
  }
  return undefined;
}

function reasonOf(error: unknown, entry: Dirent): string {
  if (error instanceof RangeError) return `is larger than ${LARGEST / 1024 / 1024} MiB`;
  const code = codeOf(error);
  if (code === 'ELOOP') return 'is a link that leads back to itself';
  if (code === 'ENOENT')
    return entry.isSymbolicLink() ? 'is a link to nothing' : 'was removed while it was read';
  return `cannot be read (${code})`;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : 1;
const byFile = (a: Fault, b: Fault): number => (a.file < b.file ? -1 : 1);

export const hashOfBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** SHA-256 over the files' paths and hashes, what could not be read, and whatever else the index depends on. */
export function hashBase(
  files: Iterable<{ readonly path: string; readonly hash: string }>,
  unread: readonly Fault[],
  ...settings: readonly string[]
): string {
  const hash = createHash('sha256');
  for (const setting of [...settings, ...unread.map(formatFault)])
    hash.update(`${setting.length}:${setting}`);
  for (const { path, hash: own } of files) hash.update(`${path}\0${own}\0`);
  return hash.digest('hex');
}
