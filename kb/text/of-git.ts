/** What Git writes in place of a large file that was not fetched; it is shorter than this. */
const POINTER = 'version https://git-lfs.github.com/spec/';
const LONGEST_POINTER = 1024;

const [OURS, THEIRS] = ['<<<<<<< ', '>>>>>>> '];
/** A fence of Markdown or AsciiDoc, within which a text shows what a conflict looks like. */
const FENCE = /^ {0,3}(?:```|~~~|----\s*$)/u;

/** A file of which Git left something else than a document: why it is not read, and in which line that stands. */
interface OfGit {
  readonly line: number;
  readonly message: string;
}

/**
 * Whether Git left a pointer in place of the file, or both sides of a merge that nobody has ended: told as one text, they would
 * contradict each other, or the side that was given up would be told as true.
 */
export function leftByGit(bytes: Uint8Array): OfGit | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < LONGEST_POINTER && buffer.toString('latin1').startsWith(POINTER))
    return { line: 1, message: 'is a pointer of Git LFS without its content: run git lfs pull' };
  if (!buffer.includes(OURS) || !buffer.includes(THEIRS)) return undefined;
  const line = conflictIn(buffer.toString('latin1').split('\n'));
  if (line === 0) return undefined;
  return { line, message: 'has both sides of a Git merge (<<<<<<<, =======, >>>>>>>): end the merge' };
}

/** The line, from 1, in which a conflict begins; 0 without one. */
function conflictIn(lines: readonly string[]): number {
  let isFenced = false;
  let begin = 0;
  let isParted = false;
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) isFenced = !isFenced;
    else if (isFenced) continue;
    else if (line.startsWith(OURS)) [begin, isParted] = [at + 1, false];
    else if (begin > 0 && line.trimEnd() === '=======') isParted = true;
    else if (isParted && line.startsWith(THEIRS)) return begin;
  }
  return 0;
}
