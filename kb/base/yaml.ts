import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';

/** A YAML text, all of whose values are as they are written: `2021-01` is no date. */
export function parseYaml(text: string): {
  readonly document: Document.Parsed;
  readonly lineAt: (offset: number) => number;
  readonly errors: readonly { readonly line: number; readonly message: string }[];
} {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe' });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const errors = document.errors.map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message: (message.split('\n')[0] ?? '').replace(/ at line \d+.*$/u, ''),
  }));
  return { document, lineAt, errors };
}

/** A text read by a schema; `undefined`, and every fault told by its line, where it is not of it. */
export function readYaml<S extends z.ZodType>(
  text: string,
  schema: S,
  fault: (line: number, message: string) => void,
): { readonly data: z.output<S>; lineOf(path: readonly PropertyKey[]): number } | undefined {
  const { document, lineAt, errors } = parseYaml(text);
  for (const { line, message } of errors) fault(line, message);
  if (errors.length > 0) return undefined;
  /** Of the nearest place around it that stands in the file. */
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | null;
      if (node?.range !== undefined) return lineAt(node.range[0]);
    }
    return 1;
  };
  const read = schema.safeParse(document.toJS() ?? {});
  if (read.success) return { data: read.data, lineOf };
  for (const { path, message } of read.error.issues) {
    fault(lineOf(path), `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`);
  }
  return undefined;
}
