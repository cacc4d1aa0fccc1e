import { createHash } from 'node:crypto';
import { atOnce, TO_NUMBER, type Steps } from '../steps.ts';
import { formatFault, type Fault } from './faults.ts';

/** A file by its path and the hash of its bytes. */
interface HashedFile {
  readonly path: string;
  readonly hash: string;
}

/** Consecutive files that are hashed as one text, because a hash for each file would take five times as long. */
interface Group {
  readonly files: readonly HashedFile[];
  readonly digest: Uint8Array;
}

/**
 * A group ends after a file whose hash begins in this way, which is one file in 256. A change of some files therefore
 * only changes the groups around them, and the groups of a base do not depend on its earlier states.
 */
const isLast = ({ hash }: HashedFile): boolean => hash.startsWith('00');
/** The number of files that are read in one step. */
const FILES_A_STEP = 500;
/** The cost of the check whether a file is the same object as before, measured in compared words. */
const TO_LOOK = 0.02;

/** The known groups, by their first file. */
const known = new WeakMap<HashedFile, Group>();

/** SHA-256 over the paths and hashes of files, the unreadable files, and everything else that the index depends on. */
export const hashBase = (...given: Parameters<typeof hashingBase>): string => atOnce(hashingBase(...given));

/**
 * The hash of `hashBase`, computed step by step, because a large base has many files.
 *
 * @param files sorted by path. Groups of files that are the same objects as in an earlier base are not hashed again
 */
export function* hashingBase(
  files: readonly HashedFile[],
  unread: readonly Fault[],
  ...settings: readonly string[]
): Steps<string> {
  const hash = createHash('sha256');
  for (const setting of [...settings, ...unread.map(formatFault)])
    hash.update(`${setting.length}:${setting}`);
  for (let from = 0; from < files.length;) {
    const group = knownAt(files, from) ?? (yield* hashingGroup(files, from));
    hash.update(group.digest);
    from += group.files.length;
    yield TO_LOOK * group.files.length;
  }
  return hash.digest('hex');
}

function knownAt(files: readonly HashedFile[], from: number): Group | undefined {
  const group = known.get(files[from]!);
  if (group === undefined || !group.files.every((file, i) => files[from + i] === file)) return undefined;
  const isWhole = isLast(group.files.at(-1)!) || from + group.files.length === files.length;
  return isWhole ? group : undefined;
}

function* hashingGroup(files: readonly HashedFile[], from: number): Steps<Group> {
  const hash = createHash('sha256');
  let end = from;
  for (let isOver = false; !isOver;) {
    const before = end;
    while (!isOver && end - before < FILES_A_STEP) isOver = isLast(files[end++]!) || end === files.length;
    const some = files.slice(before, end);
    hash.update(some.map(({ path, hash: own }) => `${path}\0${own}\0`).join(''));
    yield 2 * TO_NUMBER * some.length;
  }
  const group = { files: files.slice(from, end), digest: hash.digest() };
  known.set(files[from]!, group);
  return group;
}
