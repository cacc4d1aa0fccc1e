import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { KnowledgeBaseInvalid } from './faults.ts';

/** A file of the base as it lies on the disk. */
export interface BaseFile {
  /** Relative to the base's folder, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
}

export const SYNONYMS_FILE = 'synonyms.txt';
/** What reviews understand. */
export const REVIEW_FILE = 'review.yaml';
/** What they judge by. */
export const RULES_FILE = 'review-rules.yaml';
export const ABOUT_FILE = 'base.yaml';
/** Those that are no passages. */
export const OWN_FILES: readonly string[] = [SYNONYMS_FILE, ABOUT_FILE, REVIEW_FILE, RULES_FILE];
const READ_AT_ONCE = 64;

/**
 * Reads every Markdown file below `folder`, its synonyms file and what it says of itself, sorted by path. Hidden files and `README.md` are
 * not part of a base; linked folders are not followed.
 *
 * @throws KnowledgeBaseInvalid where the folder cannot be read
 */
export async function readBase(folder: string): Promise<BaseFile[]> {
  const paths: string[] = [];
  try {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const full = join(entry.parentPath, entry.name);
      const path = relative(folder, full).split(sep).join('/');
      if (!belongsToBase(path)) continue;
      if (entry.isFile() || (entry.isSymbolicLink() && (await stat(full)).isFile())) paths.push(path);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new KnowledgeBaseInvalid([{ file: '.', line: 0, message: `the folder cannot be read (${code})` }]);
  }
  paths.sort((a, b) => (a < b ? -1 : 1));
  const files: BaseFile[] = [];
  for (let from = 0; from < paths.length; from += READ_AT_ONCE) {
    const batch = paths.slice(from, from + READ_AT_ONCE);
    files.push(
      ...(await Promise.all(
        batch.map(async (path) => ({ path, bytes: await readFile(join(folder, path)) })),
      )),
    );
  }
  return files;
}

function belongsToBase(path: string): boolean {
  if (OWN_FILES.includes(path)) return true;
  const parts = path.split('/');
  return !parts.some((part) => part.startsWith('.')) && isText(parts.at(-1) ?? '');
}

/** Whether a file of this name has text of a base, or of a statute. */
export const isText = (name: string): boolean => /\.md$/iu.test(name) && !/^readme\.md$/iu.test(name);

/** SHA-256 over the files' paths and bytes and whatever else the index depends on. */
export function hashBase(files: readonly BaseFile[], ...settings: readonly string[]): string {
  const hash = createHash('sha256');
  for (const setting of settings) hash.update(`${setting.length}:${setting}`);
  for (const { path, bytes } of files) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex');
}
