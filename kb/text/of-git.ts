/** What Git writes in place of a large file that was not fetched; it is shorter than this. */
const POINTER = 'version https://git-lfs.github.com/spec/';
const LONGEST_POINTER = 1024;

const [OURS, THEIRS] = ['<<<<<<< ', '>>>>>>> '];
/** The beginning of a code block of Markdown. Within a code block a text may show what a conflict looks like. */
const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})(?<info>.*)$/su;
/** The beginning of a code block of AsciiDoc. In Markdown such a line underlines a heading instead. */
const BLOCK = /^(?<mark>-{4,}|\.{4,})\s*$/u;

/** The reason why a file that Git has left is not read, and the line that shows it. */
interface OfGit {
  readonly line: number;
  readonly message: string;
}

/**
 * Whether Git has left a pointer in place of the file, or both sides of a merge that nobody has finished. As one text
 * the two sides would contradict each other, and an answer could quote the side that was given up.
 */
export function leftByGit(path: string, bytes: Uint8Array): OfGit | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < LONGEST_POINTER && buffer.toString('latin1').startsWith(POINTER))
    return { line: 1, message: 'is a pointer of Git LFS without its content: run git lfs pull' };
  if (!buffer.includes(OURS) || !buffer.includes(THEIRS)) return undefined;
  const opens = /\.(?:adoc|asciidoc|asc)$/iu.test(path) ? [FENCE, BLOCK] : [FENCE];
  const line = conflictIn(buffer.toString('latin1').split('\n'), opens);
  if (line === 0) return undefined;
  return { line, message: 'has both sides of a Git merge (<<<<<<<, =======, >>>>>>>): end the merge' };
}

/** The line, from 1, in which a conflict begins; 0 without one. */
function conflictIn(lines: readonly string[], opens: readonly RegExp[]): number {
  /** The mark that opened the present code block; undefined outside of code blocks. */
  let fence: string | undefined;
  let begin = 0;
  let isParted = false;
  for (const [at, line] of lines.entries()) {
    if (fence !== undefined) {
      if (closes(line.trim(), fence)) fence = undefined;
    } else if (line.startsWith(OURS)) [begin, isParted] = [at + 1, false];
    else if (begin > 0 && line.trimEnd() === '=======') isParted = true;
    else if (isParted && line.startsWith(THEIRS)) return begin;
    // Within a conflict no code block begins, because both sides may contain its opening line.
    else if (begin === 0) fence = openedBy(line, opens);
  }
  return 0;
}

function openedBy(line: string, opens: readonly RegExp[]): string | undefined {
  for (const form of opens) {
    const { mark, info = '' } = form.exec(line)?.groups ?? {};
    if (mark !== undefined && !(mark.startsWith('`') && info.includes('`'))) return mark;
  }
  return undefined;
}

/** A fence of Markdown is closed by as many of its marks or more, a block of AsciiDoc by the same line. */
const closes = (line: string, fence: string): boolean =>
  /^[`~]/u.test(fence) ? line.startsWith(fence) && line.replaceAll(fence.at(0)!, '') === '' : line === fence;
