import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

import { closedKindOf, extensionOf, kindOf } from '../documents/kinds.ts';
import type { Fault } from './faults.ts';

export const SYNONYMS_FILE = 'synonyms.txt';
/** The vocabulary of reviews. */
export const REVIEW_FILE = 'review.yaml';
/** The rules of reviews. */
export const RULES_FILE = 'review-rules.yaml';
export const ABOUT_FILE = 'base.yaml';
/** Files of the base itself, without passages. */
export const OWN_FILES: readonly string[] = [SYNONYMS_FILE, ABOUT_FILE, REVIEW_FILE, RULES_FILE];
/**
 * Folders whose files a program writes and nobody edits: packages, and Logseq's copies of earlier versions of pages.
 */
const NOT_WRITTEN = /(?:^|\/)(?:node_modules|logseq\/bak)$/u;

/**
 * Names of the copies that a program for synchronising folders (Dropbox, Nextcloud, Syncthing, Seafile, ownCloud) makes
 * of a file that was changed in two places. They are left out, because answers from the copy would contradict those
 * from the file.
 */
const COPY_OF_CONFLICT =
  /\((?:[^()]* )?(?:conflicted copy|in konflikt stehende kopie|konfliktkopie|sfconflict)[^()]*\)|\(case conflict(?: \d+)?\)|\.sync-conflict-\d{8}-\d{6}|_conflict-\d{8}-\d{6}/iu;

/** The files in the folder of a base, from names and file status alone. Plain data. */
export interface Walk {
  /** The folder with links resolved. */
  readonly root: string;
  /** Files of the base, sorted by path. */
  readonly found: readonly Found[];
  /** Files and folders that cannot be part of the base, with reasons. */
  readonly unread: readonly Fault[];
  /** The number of files that are no documents, such as pictures, by extension. */
  readonly others: ReadonlyMap<string, number>;
}

export interface Found {
  /** Relative to the base's folder, with `/`. */
  readonly path: string;
  /**
   * The size and time of the file, which show a change without reading the file, and whether it is a link; or the
   * reason why the file cannot be accessed.
   */
  readonly sign: string;
}

/** The files and folders directly in one folder of a base. */
export interface ReadFolder extends Pick<Walk, 'found' | 'unread' | 'others'> {
  /** The folders directly in this one, as paths like those of files. */
  readonly folders: readonly string[];
}

/**
 * Lists a folder. It is synchronous, which takes a quarter of the time with many files; asks wait meanwhile, unless it
 * runs in a thread of its own (`lookAt`).
 *
 * @param reading reads one folder of the base; `''` is the base itself, others end with `/`
 * @throws the file system's error where the folder itself cannot be read
 */
export function walk(folder: string, reading = readFolder): Walk {
  const root = realpathSync(folder);
  const found: Found[] = [];
  const unread: Fault[] = [];
  const others = new Map<string, number>();
  walkBelow('');
  return {
    root,
    found: found.sort((a, b) => (a.path < b.path ? -1 : 1)),
    unread: sortedByFile(unread),
    others,
  };

  function walkBelow(below: string): void {
    const read = reading(root, below);
    for (const file of read.found) found.push(file);
    unread.push(...read.unread);
    for (const [extension, count] of read.others) others.set(extension, (others.get(extension) ?? 0) + count);
    for (const path of read.folders) walkInside(path);
  }

  function walkInside(path: string): void {
    try {
      walkBelow(`${path}/`);
    } catch (error) {
      unread.push(leftOut(path, `the folder cannot be read (${codeOf(error)})`));
    }
  }
}

/**
 * Lists the files and folders directly in one folder.
 * @throws the file system's error where the folder cannot be read
 */
export function readFolder(root: string, below: string): ReadFolder {
  const found: Found[] = [];
  const unread: Fault[] = [];
  const others = new Map<string, number>();
  const folders: string[] = [];
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = `${below}${entry.name}`;
    // Hidden files are left out, and so are the files with which Office marks an open document.
    if (entry.name.startsWith('.') || entry.name.startsWith('~$')) continue;
    if (isUnnameable(root, path) && (entry.isDirectory() || kindOf(path) !== undefined))
      unread.push(
        leftOut(path, 'has a name that is not in UTF-8, under which it cannot be opened: rename it'),
      );
    else if (entry.isDirectory()) {
      if (OWN_FILES.includes(path)) unread.push(leftOut(path, 'is a folder, where a file belongs'));
      else if (!NOT_WRITTEN.test(path)) folders.push(path);
    } else if (kindOf(path) !== undefined && COPY_OF_CONFLICT.test(entry.name)) {
      unread.push(leftOut(path, 'is the copy of a conflict between two places: keep one of the two files'));
    } else if (OWN_FILES.includes(path) || kindOf(path) !== undefined) {
      found.push({ path, sign: signAt(join(root, path), entry.isSymbolicLink()) });
    } else {
      const reason = closedKindOf(path);
      const extension = extensionOf(path);
      if (reason === undefined) others.set(extension, (others.get(extension) ?? 0) + 1);
      else unread.push(leftOut(path, reason));
    }
  }
  return { found, unread, others, folders };
}

/**
 * Whether a name on disk is not in UTF-8. Its invalid bytes are read as U+FFFD, and no file has the name with that
 * character.
 */
const isUnnameable = (root: string, path: string): boolean =>
  path.includes('\uFFFD') && lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined;

const leftOut = (file: string, message: string): Fault => ({ file, line: 0, message });

const OF_LINK = 'link ';

export const signOf = ({ size, mtimeMs }: Stats, isLink: boolean): string =>
  `${isLink ? OF_LINK : ''}${size} ${mtimeMs}`;

export const isLink = ({ sign }: Found): boolean => sign.startsWith(OF_LINK);

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';

export const sortedByFile = (faults: readonly Fault[]): Fault[] =>
  faults.toSorted((a, b) => (a.file < b.file ? -1 : 1));

function signAt(path: string, isLink: boolean): string {
  try {
    return signOf(statSync(path), isLink);
  } catch (error) {
    return `${isLink ? OF_LINK : ''}${codeOf(error)}`;
  }
}
