import { isAlias, LineCounter, parseDocument, visit, type Alias, type Document } from 'yaml';
import type { z } from 'zod';

/** Parses YAML with all values as written: `2021-01` stays a text. */
export function parseYaml(text: string): {
  readonly document: Document.Parsed;
  readonly lineAt: (offset: number) => number;
  readonly errors: readonly { readonly line: number; readonly message: string }[];
} {
  const deep = tooDeepAt(text);
  if (deep !== null) {
    const message = `is nested more than ${DEEPEST} deep`;
    return { document: parseDocument(''), lineAt: () => deep, errors: [{ line: deep, message }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe' });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const errors = document.errors.map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message: (message.split('\n')[0] ?? '').replace(/ at line \d+.*$/u, ''),
  }));
  return { document, lineAt, errors };
}

/** The deepest nesting of lists and maps, because the parser's time grows with its square. */
const DEEPEST = 100;
const OPENING = new RegExp(String.raw`^[ \t]*(?:[-?:][ \t]+){${DEEPEST}}`, 'mu');

/** The line in which lists and maps are nested too deeply; `null` if none are. */
function tooDeepAt(text: string): number | null {
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/[[{\]}]/gu)) {
    depth = sign === '[' || sign === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > DEEPEST) return lineOf(text, index);
  }
  const blocks = OPENING.exec(text);
  return blocks === null ? indentedAt(text) : lineOf(text, blocks.index);
}

/** The first line that ends a run of 100 lines in which each line is indented more than the line before. */
function indentedAt(text: string): number | null {
  const around: number[] = [];
  for (const { 0: line, index } of text.matchAll(/^ *(?=[^\s])/gmu)) {
    while (around.length > 0 && around.at(-1)! >= line.length) around.pop();
    if (around.push(line.length) > DEEPEST) return lineOf(text, index);
  }
  return null;
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Reads a text by a schema. Returns `undefined` and reports every fault with its line if it does not match. */
export function readYaml<S extends z.ZodType>(
  text: string,
  schema: S,
  fault: (line: number, message: string) => void,
): { readonly data: z.output<S>; lineOf(path: readonly PropertyKey[]): number } | undefined {
  const { document, lineAt, errors } = parseYaml(text);
  for (const { line, message } of errors) fault(line, message);
  if (errors.length > 0) return undefined;
  /** The line of the node at `path`, or of its nearest ancestor that exists in the file. */
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | null;
      if (node?.range !== undefined) return lineAt(node.range[0]);
    }
    return 1;
  };
  const unknown = unknownAlias(document);
  if (unknown !== undefined) {
    fault(
      lineAt(unknown.range![0]),
      `*${unknown.source} refers to nothing: no &${unknown.source} stands before it; put a value that begins with * in quotes`,
    );
    return undefined;
  }
  const data = plainOf(document);
  if (data instanceof Error) {
    fault(1, `refers to itself too often (${data.message})`);
    return undefined;
  }
  const read = schema.safeParse(data ?? {});
  if (read.success) return { data: read.data, lineOf };
  for (const { path, message } of read.error.issues) {
    fault(lineOf(path), `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`);
  }
  return undefined;
}

/**
 * The first alias without an anchor before it. A Markdown list or emphasis easily looks like an alias: `title:
 * *Urlaub`.
 */
function unknownAlias(document: Document.Parsed): Alias | undefined {
  const anchors = new Set<string>();
  let unknown: Alias | undefined;
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        if (anchors.has(node.source)) return undefined;
        unknown = node;
        return visit.BREAK;
      }
      if (node.anchor !== undefined) anchors.add(node.anchor);
      return undefined;
    },
  });
  return unknown;
}

/** The plain value of a document. A few aliases may stand for more data than fits into memory; this is an error. */
function plainOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (error) {
    return error;
  }
}
