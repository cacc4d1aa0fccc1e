/** One line with one mistake in it. */
export interface Fault {
  readonly file: string;
  /** Counted from 1, in the commit from which the fault was drawn. */
  readonly line: number;
  /** The whole line without the fault, by which it is found in another commit. */
  readonly text: string;
  readonly kind: string;
  readonly column: number;
  readonly from: string;
  readonly to: string;
}

export function describeFault({ file, line, kind, from, to }: Fault): string {
  return `${file}:${line} ${kind}: ${from} → ${to === '' || to === ';' ? 'nothing' : to}`;
}

/** The code with the fault; undefined if the line no longer exists. */
export function withFault(code: string, { line, text, column, from, to }: Fault): string | undefined {
  const lines = code.split('\n');
  const at = lines[line - 1] === text ? line - 1 : lines.indexOf(text);
  if (at === -1) return undefined;
  lines[at] = text.slice(0, column) + to + text.slice(column + from.length);
  return lines.join('\n');
}
