import { createHash } from 'node:crypto';
import { TO_NUMBER, type Steps } from '../steps.ts';
import type { FolderLook } from './look.ts';

/** The paths of files in a folder that differ from those that an index was built from. */
export interface FolderChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Equal for equal files, so that a failed rebuild is only retried after another change. */
  readonly state: string;
}

/** The files that are compared in one step, and hashed as one text. */
const FILES_A_STEP = 100;

/** Compares two looks step by step, because a large base has many files. */
export function* comparingLooks(before: FolderLook, after: FolderLook): Steps<FolderChanges> {
  const added: string[] = [];
  const changed: string[] = [];
  const removed: string[] = [];
  const hash = createHash('sha256');
  let signs: string[] = [];
  for (const [path, sign] of after) {
    const known = before.get(path);
    if (known === undefined) added.push(path);
    else if (known !== sign) changed.push(path);
    signs.push(`${path}\0${sign}\0`);
    if (signs.length < FILES_A_STEP) continue;
    hash.update(signs.join(''));
    signs = [];
    yield 2 * TO_NUMBER * FILES_A_STEP;
  }
  let seen = 0;
  for (const path of before.keys()) {
    if (!after.has(path)) removed.push(path);
    if (++seen % FILES_A_STEP === 0) yield TO_NUMBER * FILES_A_STEP;
  }
  return { added, changed, removed, state: hash.update(signs.join('')).digest('hex') };
}

export const countChanges = ({ added, changed, removed }: FolderChanges): number =>
  added.length + changed.length + removed.length;
