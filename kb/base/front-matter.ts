import { isMap, isScalar, isSeq } from 'yaml';
import { parseYaml } from './yaml.ts';

/** The required fields of a source; fields of other programs are ignored. */
const REQUIRED = ['id', 'title', 'section', 'stand', 'work'] as const;
const OPTIONAL = ['lang', 'basis', 'url', 'only_for'] as const;
/** Questions of people, one on each line. */
export const LISTS = ['asked', 'unanswered'] as const;
export const MAX_LINES = 100;
export const MAX_LENGTH = 200;
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;
const STAND = /^\d{4}-(?:0[1-9]|1[0-2])$/u;
const BASIS_ENTRY = '[A-Za-z0-9][A-Za-z0-9._-]{0,63} [0-9a-f]{12}';
const BASIS = new RegExp(`^${BASIS_ENTRY}(?:, ${BASIS_ENTRY})*$`, 'u');

export interface Field {
  readonly value: string;
  readonly line: number;
}

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields with several texts, each with its line. */
  readonly lists: ReadonlyMap<string, readonly Field[]>;
  /** The offset of the first character after the front matter. */
  readonly bodyStart: number;
  readonly errors: readonly { line: number; message: string }[];
}

const DELIMITED = /^---[ \t]*\n(?<yaml>[\s\S]*?)^---[ \t]*(?:\n|$)/mu;
const PLAIN_VALUE = String.raw`(?:"(?<quoted>[^"\\]*)"|(?<bare>[^\s"'\x60#&*!|>%@[\]{},:?\-][^#:]*))[ \t]*$`;
const PLAIN_LINE = new RegExp(String.raw`^(?<name>[A-Za-z_][\w\-]*):[ \t]+${PLAIN_VALUE}`, 'u');
const LIST_HEAD = /^(?<name>[A-Za-z_][\w-]*):[ \t]*$/u;
const LIST_ITEM = new RegExp(String.raw`^ +- +${PLAIN_VALUE}`, 'u');

/**
 * Splits off front matter between `---` lines; `undefined` if there is none. All values are strings or lists of
 * strings, as written: `stand: 2021-01` is no date. Line numbers are those of the file.
 */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  if (!text.startsWith('---')) return undefined;
  const match = DELIMITED.exec(text);
  const yaml = match?.groups?.['yaml'];
  if (match === null || match.index !== 0 || yaml === undefined) return undefined;
  return { bodyStart: match[0].length, ...(parsePlain(yaml) ?? parseAny(yaml)) };
}

/**
 * A file with four of these fields has the front matter of a source. Three are not enough, because other programs write
 * `id`, `title` and `section` too.
 */
const TELLING = [...REQUIRED, 'basis', ...LISTS] as const;
const SPEAK_FOR = 4;

/**
 * Whether a file has the front matter of a source, valid or not. Any other file is a document. One required
 * field may be missing, if `stand`, where it is given, is a month: a `stand` with a day is the field of another program.
 */
export function isSource(text: string): boolean {
  const yaml = text.startsWith('---') ? DELIMITED.exec(text)?.groups?.['yaml'] : undefined;
  if (yaml === undefined) return false;
  const found = new Map(
    Array.from(yaml.matchAll(/^(?<name>[a-z]+):(?<value>.*)$/gmu), ({ groups }) => [
      groups!['name']!,
      groups!['value']!.trim().replace(/^(["'])(?<text>.*)\1$/u, '$<text>'),
    ]),
  );
  if (REQUIRED.every((name) => found.has(name))) return true;
  const telling = TELLING.filter((name) => found.has(name)).length;
  return telling >= SPEAK_FOR && STAND.test(found.get('stand') ?? '2000-01');
}

/**
 * Parses lines of `name: value` and `- item`, as in almost every file, because a YAML parser would take longer than the
 * rest of a load.
 */
function parsePlain(yaml: string): Omit<FrontMatter, 'bodyStart'> | undefined {
  const fields = new Map<string, Field>();
  const lists = new Map<string, Field[]>();
  let list: Field[] | undefined;
  for (const [index, text] of yaml.trimEnd().split('\n').entries()) {
    const line = index + 2;
    const item = list === undefined ? undefined : valueOf(LIST_ITEM.exec(text));
    if (item !== undefined) {
      list?.push({ value: item, line });
      continue;
    }
    if (list?.length === 0) return undefined;
    const head = LIST_HEAD.exec(text)?.groups?.['name'];
    const match = PLAIN_LINE.exec(text);
    const name = head ?? match?.groups?.['name'];
    if (name === undefined || fields.has(name) || lists.has(name)) return undefined;
    list = head === undefined ? undefined : [];
    if (list !== undefined) lists.set(name, list);
    else fields.set(name, { value: valueOf(match) ?? '', line });
  }
  return list?.length === 0 ? undefined : { fields, lists, errors: [] };
}

function valueOf(match: RegExpExecArray | null): string | undefined {
  return (match?.groups?.['quoted'] ?? match?.groups?.['bare'])?.trim();
}

/**
 * Parses the front matter as YAML. If this fails or gives values that are not strings, quotation marks are added where
 * a person meant a string: `title: Urlaub: wie viel?`.
 */
function parseAny(yaml: string): Omit<FrontMatter, 'bodyStart'> {
  const read = fieldsOf(yaml);
  if (read.errors.length === 0) return read;
  const quoted = fieldsOf(withQuotationMarks(yaml));
  return quoted.errors.length === 0 ? quoted : read;
}

/** A plain string after `name:` or `-`, without quotation marks, folding, or flow style. */
const UNQUOTED =
  /^(?<before>[A-Za-z_][\w-]*:[ \t]+|[ \t]*-[ \t]+)(?!["'|>]|\[.*\][ \t]*$|\{.*\}[ \t]*$)(?<text>\S.*?)[ \t]*$/gmu;

const withQuotationMarks = (yaml: string): string =>
  yaml.replaceAll(UNQUOTED, (_, before: string, text: string) => before + JSON.stringify(text));

/** Lines are counted from the first `---`. */
function fieldsOf(yaml: string): Omit<FrontMatter, 'bodyStart'> {
  const read = parseYaml(yaml);
  const { document } = read;
  const lineAt = (offset: number): number => read.lineAt(offset) + 1;
  const errors = read.errors.map(({ line, message }) => ({
    line: line + 1,
    message: `front matter: ${message}; a text that has signs of YAML needs quotation marks`,
  }));
  const fields = new Map<string, Field>();
  const lists = new Map<string, Field[]>();
  const fieldOf = (node: unknown, offset: number): Field | undefined =>
    isScalar(node) && typeof node.value === 'string'
      ? { value: node.value.trim(), line: lineAt(node.range?.[0] ?? offset) }
      : undefined;
  if (isMap(document.contents)) {
    for (const { key, value } of document.contents.items) {
      if (!isScalar(key)) continue;
      const offset = key.range?.[0] ?? 0;
      const line = lineAt(offset);
      const name = String(key.value);
      const field = fieldOf(value, offset);
      const items = isSeq(value) ? value.items.map((item) => fieldOf(item, offset)) : undefined;
      if (field !== undefined) fields.set(name, { ...field, line });
      else if (items?.every((item) => item !== undefined)) lists.set(name, items);
      else if (!isKnown(name)) lists.set(name, [{ value: '', line }]);
      else errors.push({ line, message: `front matter: ${name} must be text or a list of texts` });
    }
  } else if (errors.length === 0)
    errors.push({ line: 1, message: 'front matter: must consist of lines `name: value`' });
  return { fields, lists, errors };
}

/** Checks the fields of a source. `unknown` is called with unknown fields. */
export function checkFields(
  matter: FrontMatter,
  fault: (line: number, message: string) => void,
  unknown: (line: number, name: string) => void,
): void {
  for (const name of REQUIRED) {
    const field = matter.fields.get(name);
    if (field === undefined) fault(1, `${name} is missing`);
    else if (field.value === '' && name !== 'section') fault(field.line, `${name} is empty`);
  }
  const expect = (name: string, pattern: RegExp, rule: string): void => {
    const field = matter.fields.get(name);
    if (field !== undefined && field.value !== '' && !pattern.test(field.value))
      fault(field.line, `${name} ${rule}`);
  };
  expect('id', ID, 'must be 1 to 64 characters of A-Z a-z 0-9 . _ - and start with a letter or digit');
  expect('stand', STAND, 'must be a year and month, YYYY-MM');
  expect('lang', /^(?:de|en)$/u, 'must be de or en');
  expect('only_for', /^reviews$/u, 'must be reviews, or left out');
  expect('basis', BASIS, 'must be paragraph ids with their hashes, as `beleg kb stale --note` writes them');
  for (const [name, items] of matter.lists) {
    const line = items[0]?.line ?? 1;
    if (!isKnown(name)) unknown(line, name);
    else if (!isList(name)) fault(line, `${name} must be one piece of text`);
    else if (items.length > MAX_LINES) fault(line, `${name} has more than ${MAX_LINES} lines`);
    else for (const item of items) checkLine(name, item, fault);
  }
  for (const [name, { line }] of matter.fields) {
    if (isList(name)) fault(line, `${name} must be a list of texts`);
    else if (!isKnown(name)) unknown(line, name);
  }
}

const isKnown = (name: string): boolean =>
  [...REQUIRED, ...OPTIONAL, ...LISTS].some((known) => known === name);

const isList = (name: string): boolean => LISTS.some((list) => list === name);

function checkLine(
  name: string,
  { value, line }: Field,
  fault: (line: number, message: string) => void,
): void {
  if (value === '') fault(line, `${name} has an empty line`);
  else if (value.length > MAX_LENGTH) fault(line, `${name} has a line of more than ${MAX_LENGTH} characters`);
}
