import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

import { closedKindOf, extensionOf, kindOf } from '../documents/kinds.ts';
import type { Fault } from './faults.ts';

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

/** What lies in the folder of a base, by the names of its files and by what the file system says of them. Plain data. */
export interface Walk {
  /** The folder, links followed. */
  readonly root: string;
  /** Files of the base, sorted by path. */
  readonly found: readonly Found[];
  /** Files and folders that cannot be part of it, and why. */
  readonly unread: readonly Fault[];
  /** How many files there are that are no documents, such as pictures, by the ending of their names. */
  readonly others: ReadonlyMap<string, number>;
}

export interface Found {
  /** Relative to the base's folder, with `/`. */
  readonly path: string;
  /** What tells that a file has changed, without reading it: its size and when it was last written; or why it cannot be seen. */
  readonly sign: string;
  readonly isLink: boolean;
}

/**
 * Walks through a folder. Synchronous, as that takes a quarter of the time where there are many files; asks wait meanwhile, unless a
 * thread of its own does it (`lookAt`).
 *
 * @throws the file system's error where the folder itself cannot be read
 */
export function walk(folder: string): Walk {
  const root = realpathSync(folder);
  const found: Found[] = [];
  const unread: Fault[] = [];
  const others = new Map<string, number>();
  const leaveOut = (file: string, message: string): void => void unread.push({ file, line: 0, message });
  walkBelow('');
  return {
    root,
    found: found.sort((a, b) => (a.path < b.path ? -1 : 1)),
    unread: sortedByFile(unread),
    others,
  };

  function walkBelow(below: string): void {
    for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
      const path = `${below}${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) {
        if (!NOT_WRITTEN.includes(entry.name)) walkInside(path);
      } else if (OWN_FILES.includes(path) || kindOf(path) !== undefined) {
        found.push({ path, sign: signAt(join(root, path)), isLink: entry.isSymbolicLink() });
      } else {
        const reason = closedKindOf(path);
        const extension = extensionOf(path);
        if (reason === undefined) others.set(extension, (others.get(extension) ?? 0) + 1);
        else leaveOut(path, reason);
      }
    }
  }

  function walkInside(path: string): void {
    try {
      walkBelow(`${path}/`);
    } catch (error) {
      leaveOut(path, `the folder cannot be read (${codeOf(error)})`);
    }
  }
}

export const signOf = ({ size, mtimeMs }: Stats): string => `${size} ${mtimeMs}`;

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';

export const sortedByFile = (faults: readonly Fault[]): Fault[] =>
  faults.toSorted((a, b) => (a.file < b.file ? -1 : 1));

function signAt(path: string): string {
  try {
    return signOf(statSync(path));
  } catch (error) {
    return codeOf(error);
  }
}
