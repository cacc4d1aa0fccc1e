import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';

export interface Field {
  readonly value: string;
  readonly line: number;
}

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, Field>;
  /** Offset of the first character below it. */
  readonly bodyStart: number;
  readonly errors: readonly { line: number; message: string }[];
}

const DELIMITED = /^---[ \t]*\n(?<yaml>[\s\S]*?)^---[ \t]*(?:\n|$)/mu;
const PLAIN_LINE =
  /^(?<name>[A-Za-z_][\w-]*):[ \t]+(?:"(?<quoted>[^"\\]*)"|(?<bare>[^\s"'`#&*!|>%@[\]{},:?-][^#:]*))[ \t]*$/u;

/**
 * Splits a text that starts with `---` lines; `undefined` where it does not. All values are strings, as written:
 * `stand: 2021-01` is no date. Line numbers are those of the file.
 */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  if (!text.startsWith('---')) return undefined;
  const match = DELIMITED.exec(text);
  const yaml = match?.groups?.['yaml'];
  if (match === null || match.index !== 0 || yaml === undefined) return undefined;
  return { bodyStart: match[0].length, ...(parsePlain(yaml) ?? parseYaml(yaml)) };
}

/** One `name: value` a line, which is nearly every file: YAML's own parser takes longer than all else of a load. */
function parsePlain(yaml: string): Omit<FrontMatter, 'bodyStart'> | undefined {
  const fields = new Map<string, Field>();
  for (const [index, line] of yaml.trimEnd().split('\n').entries()) {
    const groups = PLAIN_LINE.exec(line)?.groups;
    const name = groups?.['name'];
    const value = groups?.['quoted'] ?? groups?.['bare'];
    if (name === undefined || value === undefined || fields.has(name)) return undefined;
    fields.set(name, { value: value.trim(), line: index + 2 });
  }
  return { fields, errors: [] };
}

function parseYaml(yaml: string): Omit<FrontMatter, 'bodyStart'> {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, schema: 'failsafe' });
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1;
  const errors = document.errors.map((error) => ({
    line: lineAt(error.pos[0]),
    message: `front matter: ${(error.message.split('\n')[0] ?? '').replace(/ at line \d+.*$/u, '')}`,
  }));
  const fields = new Map<string, Field>();
  if (isMap(document.contents)) {
    for (const { key, value } of document.contents.items) {
      if (!isScalar(key)) continue;
      const line = lineAt(key.range?.[0] ?? 0);
      const name = String(key.value);
      if (isScalar(value) && typeof value.value === 'string')
        fields.set(name, { value: value.value.trim(), line });
      else errors.push({ line, message: `front matter: ${name} must be one piece of text` });
    }
  } else if (errors.length === 0)
    errors.push({ line: 1, message: 'front matter: must be a list of name: value' });
  return { fields, errors };
}
