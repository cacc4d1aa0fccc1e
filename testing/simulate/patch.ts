/** The changes of a unified diff in one file. */
export interface FilePatch {
  readonly file: string;
  readonly hunks: readonly { readonly before: string; readonly after: string }[];
}

/** Reads a unified diff (`git diff`, `diff -u`). Only the lines of each hunk count, not their numbers. */
export function parsePatch(text: string): FilePatch[] {
  const patches: { file: string; hunks: { before: string; after: string }[] }[] = [];
  for (const line of text.split('\n')) {
    const name = /^\+\+\+ (?:b\/)?(\S+)/u.exec(line)?.[1];
    if (name !== undefined) patches.push({ file: name, hunks: [] });
    else if (line.startsWith('@@')) patches.at(-1)?.hunks.push({ before: '', after: '' });
    const hunk = patches.at(-1)?.hunks.at(-1);
    if (hunk === undefined || name !== undefined || line.startsWith('@@') || line.startsWith('--- '))
      continue;
    if (line.startsWith('-') || line.startsWith(' ')) hunk.before += `${line.slice(1)}\n`;
    if (line.startsWith('+') || line.startsWith(' ')) hunk.after += `${line.slice(1)}\n`;
  }
  if (patches.length === 0) throw new Error('the patch is no unified diff');
  return patches;
}

/** @throws where a hunk does not stand in the text just once */
export function applyPatch(source: string, { file, hunks }: FilePatch): string {
  return hunks.reduce((text, { before, after }) => {
    const parts = text.split(before);
    if (parts.length !== 2)
      throw new Error(`${file}: what is to be changed stands there ${parts.length - 1} times`);
    return parts.join(after);
  }, source);
}
