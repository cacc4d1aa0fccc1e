import { decodeAny } from '../text/decode.ts';
import { cellsOf } from './csv.ts';
import { textOfUnit } from './html-units.ts';
import { monthOf } from './month.ts';
import { CODE, NAVIGATION, OBJECT, REMARKS, TITLED, UNSEEN, UNTITLED, VERSIONS } from './rst/directives.ts';
import { inlineText, type Named } from './rst/inline.ts';
import {
  dedented,
  GRID_BORDER,
  gridTable,
  indentOf,
  SIMPLE_BORDER,
  simpleTable,
  type DrawnTable,
} from './rst/table.ts';
import { documentOf, Unreadable, type DocumentKind, type Unit } from './unit.ts';

/**
 * reStructuredText of Sphinx and docutils. There is no maintained library for it in Node, so this reads the visible
 * text; of an unknown directive it reads the content.
 */
export const rst: DocumentKind = {
  extensions: ['rst', 'rest'],
  parse(bytes) {
    const text = decodeAny(bytes);
    if (text === undefined) throw new Unreadable('is not text');
    const lines = text.split('\n').map((line) => line.replaceAll('\t', '        ').trimEnd());
    const reader = new Reader(namedIn(lines));
    reader.blocks(lines, 0);
    const { units, leftOut } = reader;
    const title = units.find((unit) => unit.kind === 'heading')?.text;
    const { date } = /^:(?:date|lastmod|updated):[ \t]+(?<date>.+)$/imu.exec(text)?.groups ?? {};
    return documentOf({ units, title, stand: monthOf(date ?? ''), leftOut });
  },
};

/** A line of one repeated sign, as it is drawn below a heading. */
const RULE = /^(?<sign>[!-/:-@[-`{-~])\k<sign>+$/u;
const LABEL = /^\.\. _(?<label>`[^`]+`|(?:\\.|[^:\\])+):$/u;
const SUBSTITUTION = /^\.\. \|(?<name>[^|]+)\| (?<directive>[\w-]+)::\s*(?<text>.*)$/u;
const BULLET = /^(?<mark>[-*+•‣⁃])(?:\s+|$)/u;
const NUMBER = /^(?<mark>\(?(?:\d{1,4}|[A-Za-z]|[ivxlcdm]{1,8}|[IVXLCDM]{1,8}|#)[.)])\s+(?=\S)/u;
const FIELD = /^:(?<name>(?:\\.|[^:\\`\s])(?:\\.|[^:\\`]|:(?!\s|$))*):(?:\s+(?<text>.*))?$/u;
const OPTION =
  /^(?<term>(?:--?|\/)[A-Za-z?][\w-]*(?:[ =](?:<[^>]+>|[A-Za-z][\w-]*))?(?:, (?:--?|\/)[A-Za-z?][\w-]*(?:[ =](?:<[^>]+>|[A-Za-z][\w-]*))?)*)(?: {2,}(?<text>\S.*))?$/u;
const DIRECTIVE = /^\.\. (?<name>[A-Za-z][\w.+:-]*?)\s?::(?:\s+(?<argument>.*))?$/u;
const FOOTNOTE = /^\.\. \[(?<label>[^\]]+)\](?:\s+(?<text>.*))?$/u;

/** The depth down to which blocks keep their kind. */
const DEEPEST = 40;

/** Substitutions, and headings by the label before them, anywhere in the file. */
function namedIn(lines: readonly string[]): Named {
  const substitutions = new Map<string, string>();
  const headings = new Map<string, string>();
  let labels: string[] = [];
  for (const [i, line] of lines.entries()) {
    const { name, directive, text } = SUBSTITUTION.exec(line)?.groups ?? {};
    if (name !== undefined) {
      const put = directive === 'unicode' ? codePoints(text!) : directive === 'replace' ? text! : '';
      substitutions.set(name.toLowerCase(), put);
    }
    const label = LABEL.exec(line)?.groups?.['label'];
    if (label !== undefined) labels.push(labelOf(label));
    else if (line !== '' && !RULE.test(line)) {
      if (isTitle(lines, i)) for (const each of labels) headings.set(each, line.trim());
      labels = [];
    }
  }
  return { substitutions, headings };
}

/** Characters by their code points, `U+00A9` or `0xA9`, among words; two dots begin a comment. */
const codePoints = (written: string): string =>
  written
    .replace(/\s*\.\. .*$/u, '')
    .split(/\s+/u)
    .map((word) => {
      const { hex } = /^(?:0x|x|\\x|u\+?|\\u|&#x)(?<hex>[\da-f]{1,6});?$/iu.exec(word)?.groups ?? {};
      const code =
        hex === undefined ? Number(/^\d{1,7}$/u.test(word) ? word : NaN) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : word;
    })
    .join(' ');

const labelOf = (written: string): string =>
  written.replaceAll('`', '').replaceAll('\\', '').trim().toLowerCase();

/** Whether a line is underlined like a heading. */
function isTitle(lines: readonly string[], at: number): boolean {
  const title = lines[at]?.trim() ?? '';
  const rule = lines[at + 1] ?? '';
  if (title === '' || !RULE.test(rule) || RULE.test(title)) return false;
  const isOver = lines[at - 1] === rule;
  if (!isOver && indentOf(lines[at]!) > 0) return false;
  return rule.length >= Math.min(widthOf(title), Math.max(4, widthOf(title) * 0.7));
}

/** The columns of a text in a fixed-width font. */
const widthOf = (text: string): number => text.normalize('NFC').length;

class Reader {
  readonly units: Unit[] = [];
  readonly leftOut: Record<string, number> = {};
  readonly #named: Named;
  readonly #level: number;
  /** The signs of underlines, outermost heading first. */
  readonly #styles: string[];
  #label: string | undefined;

  constructor(named: Named, inside?: Reader) {
    this.#named = named;
    this.#styles = inside === undefined ? [] : inside.#styles;
    this.leftOut = inside === undefined ? {} : inside.leftOut;
    this.#level = inside === undefined ? 0 : inside.#level + 1;
  }

  blocks(lines: readonly string[], depth: number): void {
    if (this.#level > DEEPEST) {
      this.#paragraph(lines.join(' '));
      return;
    }
    for (let at = 0; at < lines.length;) at = Math.max(at + 1, this.#block(lines, at, depth));
  }

  /** Reads the block that begins at a line; returns the line after it. */
  #block(lines: readonly string[], at: number, depth: number): number {
    const line = lines[at]!;
    if (line === '') return at + 1;
    if (isTitle(lines, at + 1) && lines[at + 2] === line)
      return this.#heading(lines[at + 1]!, `${line[0]}${line[0]}`, at + 3);
    if (isTitle(lines, at)) return this.#heading(line, lines[at + 1]![0]!, at + 2);
    if (indentOf(line) > 0) {
      const end = endOfIndented(lines, at, 1);
      this.blocks(dedented(lines.slice(at, end)), depth);
      return end;
    }
    if (/^\.\.(?: |$)/u.test(line)) return this.#explicit(lines, at, depth);
    if (line.startsWith('__ ')) return at + 1;
    if (GRID_BORDER.test(line)) {
      let end = at;
      while (/^[+|]/u.test(lines[end] ?? '')) end++;
      this.#table(gridTable(lines.slice(at, end)));
      return end;
    }
    if (SIMPLE_BORDER.test(line)) {
      const end = endOfSimpleTable(lines, at);
      if (end !== -1) {
        this.#table(simpleTable(lines.slice(at, end)));
        return end;
      }
    }
    if (RULE.test(line) && line.length >= 4) return at + 1;
    const bullet = BULLET.exec(line);
    if (bullet !== null) return this.#items(lines, at, depth, BULLET);
    if (NUMBER.test(line) && isEnumerated(lines, at)) return this.#items(lines, at, depth, NUMBER);
    const field = FIELD.exec(line)?.groups;
    if (field !== undefined) {
      const end = endOfIndented(lines, at + 1, 1);
      // Fields above the text are like front matter.
      if (this.units.length > 0 || this.#level > 0)
        this.#definition(field['name']!, begunWith(field['text'] ?? '', lines.slice(at + 1, end)), depth);
      return end;
    }
    const option = OPTION.exec(line)?.groups;
    if (option !== undefined && (option['text'] !== undefined || indentOf(lines[at + 1] ?? '') > 0)) {
      const end = endOfIndented(lines, at + 1, 1);
      this.#definition(option['term']!, begunWith(option['text'] ?? '', lines.slice(at + 1, end)), depth);
      return end;
    }
    if (/^\|(?: |$)/u.test(line)) {
      let end = at;
      while (/^\|(?: |$)/u.test(lines[end] ?? '') || (end > at && indentOf(lines[end] ?? '') > 0)) end++;
      for (const each of lines
        .slice(at, end)
        .join('\n')
        .split(/^\|(?: |$)/mu))
        this.#paragraph(each);
      return end;
    }
    if (line.startsWith('>>>')) {
      const blank = lines.indexOf('', at);
      const end = blank === -1 ? lines.length : blank;
      this.#code(lines.slice(at, end));
      return end;
    }
    if (indentOf(lines[at + 1] ?? '') > 0 && !line.endsWith('::')) {
      const end = endOfIndented(lines, at + 1, 1);
      this.#definition(line.replace(/ : .*$/u, ''), dedented(lines.slice(at + 1, end)), depth);
      return end;
    }
    let end = at + 1;
    while (end < lines.length && lines[end] !== '' && !isTitle(lines, end)) end++;
    const text = lines.slice(at, end).join('\n');
    if (!text.endsWith('::')) {
      this.#paragraph(text);
      return end;
    }
    this.#paragraph(text.replace(/(?:\s+|^)::$|:$/u, ''));
    return this.#literal(lines, end);
  }

  #heading(written: string, style: string, end: number): number {
    const text = this.#text(written);
    let level = this.#styles.indexOf(style);
    if (level === -1) level = this.#styles.push(style) - 1;
    const anchor = slugOf(this.#label ?? text);
    this.#label = undefined;
    if (text !== '')
      this.units.push({
        kind: 'heading',
        level: Math.min(6, level + 1),
        text,
        ...(anchor === '' ? {} : { anchor }),
      });
    return end;
  }

  #text(written: string): string {
    return inlineText(written, this.#named);
  }

  #paragraph(written: string): void {
    const text = this.#text(written);
    if (text !== '') this.units.push({ kind: 'paragraph', text });
  }

  #code(lines: readonly string[], language?: string): void {
    const text = dedented(lines).join('\n');
    if (text !== '')
      this.units.push({
        kind: 'code',
        ...(language === undefined || language === '' ? {} : { language }),
        text,
      });
  }

  /** The indented text after `::`, or lines that begin with the same sign. */
  #literal(lines: readonly string[], from: number): number {
    let at = from;
    while (lines[at] === '') at++;
    if (at >= lines.length) return at;
    if (indentOf(lines[at]!) > 0) {
      const end = endOfIndented(lines, at, 1);
      this.#code(lines.slice(at, end));
      return end;
    }
    const [sign = ''] = lines[at]!;
    if (!/[!-/:-@[-`{-~]/u.test(sign) || lines[at]!.startsWith('.. ')) return at;
    let end = at;
    while (lines[end]?.startsWith(sign) === true) end++;
    this.#code(lines.slice(at, end));
    return end;
  }

  /** A list of one kind. An item's first text is joined with its further paragraphs. */
  #items(lines: readonly string[], from: number, depth: number, kind: RegExp): number {
    let at = from;
    let number = 0;
    while (at < lines.length) {
      const found = kind.exec(lines[at]!);
      if (found === null || (kind === NUMBER && !isEnumerated(lines, at))) break;
      const [opening] = found;
      const end = endOfIndented(lines, at + 1, 1);
      const rest = lines.slice(at + 1, end);
      number += 1;
      const mark = found.groups!['mark']!;
      const inside = this.#inside(
        [lines[at]!.slice(opening.length), ...dedentedBelow(rest, opening.length)],
        depth + 1,
      );
      this.#item(inside, depth, kind === BULLET ? undefined : mark.replace('#', String(number)));
      at = end;
      while (lines[at] === '') at++;
    }
    return at;
  }

  #inside(lines: readonly string[], depth: number): Unit[] {
    const reader = new Reader(this.#named, this);
    reader.blocks(lines, depth);
    return reader.units;
  }

  #item(inside: readonly Unit[], depth: number, marker: string | undefined): void {
    const end = inside.findIndex(({ kind }) => kind !== 'paragraph');
    const lead = end === -1 ? inside : inside.slice(0, end);
    const text = lead.map((unit) => (unit.kind === 'paragraph' ? unit.text : '')).join(' ');
    if (text !== '')
      this.units.push({ kind: 'item', depth, ...(marker === undefined ? {} : { marker }), text });
    this.units.push(...inside.slice(lead.length));
  }

  #definition(written: string, lines: readonly string[], depth: number): void {
    const term = this.#text(written);
    const [first, ...rest] = this.#inside(lines, depth);
    if (term !== '' && first?.kind === 'paragraph')
      this.units.push({ kind: 'definition', term, text: first.text }, ...rest);
    else {
      this.#paragraph(written);
      if (first !== undefined) this.units.push(first, ...rest);
    }
  }

  #note(label: string, lines: readonly string[], depth: number): void {
    for (const unit of this.#inside(lines, depth))
      this.units.push(unit.kind === 'paragraph' ? { kind: 'note', label, text: unit.text } : unit);
  }

  #table({ heads, rows }: DrawnTable, caption = ''): void {
    this.#paragraph(caption);
    const shown = (cell: readonly string[]): string => this.#inside(cell, 0).map(textOfUnit).join(' ');
    const titles = heads.map((row) => row.map(shown));
    const columns = (titles[0] ?? []).map((_, i) =>
      [...new Set(titles.map((row) => row[i] ?? ''))].filter(Boolean).join(' '),
    );
    for (const row of rows.length === 0 ? heads : rows) {
      const cells = row.flatMap((cell, i) => {
        const text = shown(cell);
        return text === '' ? [] : [{ head: rows.length === 0 ? '' : (columns[i] ?? ''), text }];
      });
      if (cells.length > 0) this.units.push({ kind: 'row', cells });
    }
  }

  /** Reads a block that begins with `.. `: a directive, a footnote or a target; anything else is a comment. */
  #explicit(lines: readonly string[], at: number, depth: number): number {
    const line = lines[at]!;
    const end = line === '..' && lines[at + 1] === '' ? at + 1 : endOfIndented(lines, at + 1, 1);
    const label = LABEL.exec(line)?.groups?.['label'];
    if (label !== undefined) {
      this.#label = labelOf(label);
      return at + 1;
    }
    const footnote = FOOTNOTE.exec(line)?.groups;
    if (footnote !== undefined) {
      this.#note(
        // A name with # joins it with its reference, and a number is shown in its place.
        footnote['label']!.replace(/^#.*/u, ''),
        begunWith(footnote['text'] ?? '', lines.slice(at + 1, end)),
        depth,
      );
      return end;
    }
    const directive = DIRECTIVE.exec(line)?.groups;
    if (directive !== undefined)
      this.#directive(
        directive['name']!.toLowerCase(),
        directive['argument'] ?? '',
        lines.slice(at + 1, end),
        depth,
      );
    return end;
  }

  #directive(name: string, first: string, below: readonly string[], depth: number): void {
    const { argument, options, body } = partsOf(first, below);
    if (UNSEEN.has(name)) return;
    if (NAVIGATION.has(name)) this.#leaveOut('navigation');
    else if (name === 'include' || name === 'literalinclude' || (name === 'csv-table' && options.has('file')))
      this.#leaveOut('included file');
    else if (CODE.has(name))
      this.#code(body.length === 0 ? [argument] : body, name === 'math' ? undefined : argument);
    else if (REMARKS[name] !== undefined)
      this.#note(
        REMARKS[name],
        [...argument.split('\n'), ...(argument === '' || body.length === 0 ? [] : ['']), ...body],
        depth,
      );
    else if (name === 'admonition') this.#note(this.#text(argument), body, depth);
    else if (VERSIONS[name] !== undefined) {
      const [, version = '', said = ''] = /^(\S*)\s*([\s\S]*)$/u.exec(argument) ?? [];
      const label = `${VERSIONS[name]} ${version}`;
      const units = this.#inside([...said.split('\n'), ...body], depth);
      if (units.length === 0) this.#paragraph(`${label}.`);
      for (const unit of units)
        this.units.push(unit.kind === 'paragraph' ? { kind: 'note', label, text: unit.text } : unit);
    } else if (name === 'figure' || name === 'figure-md')
      this.blocks(argument === '' ? body.slice(body.indexOf('') + 1) : body, depth);
    else if (name === 'list-table') this.#listTable(argument, options, body);
    else if (name === 'csv-table') this.#csvTable(argument, options, body);
    else if (name === 'table') {
      this.#paragraph(argument);
      this.blocks(body, depth);
    } else if (OBJECT.test(name)) this.#definition(argument.replaceAll(/\\(?=\S)/gu, ''), body, depth);
    else {
      if (!UNTITLED.has(name) && (TITLED.has(name) || /\s/u.test(argument))) this.#paragraph(argument);
      this.blocks(body, depth);
    }
  }

  #leaveOut(why: string): void {
    this.leftOut[why] = (this.leftOut[why] ?? 0) + 1;
  }

  /** A table that is written as a list of lists. */
  #listTable(caption: string, options: ReadonlyMap<string, string>, body: readonly string[]): void {
    const rows = listItems(body).map((row) => listItems(row));
    const heads = Number.parseInt(options.get('header-rows') ?? '0', 10) || 0;
    this.#table({ heads: rows.slice(0, heads), rows: rows.slice(heads) }, caption);
  }

  #csvTable(caption: string, options: ReadonlyMap<string, string>, body: readonly string[]): void {
    const delimiter = options.get('delim') ?? ',';
    const read = (text: string): string[][][] =>
      cellsOf(text.replaceAll(`${delimiter} "`, `${delimiter}"`), delimiter).map((row) =>
        row.map((cell) => cell.split('\n')),
      );
    const rows = read(body.join('\n'));
    const given = options.get('header');
    const heads = Number.parseInt(options.get('header-rows') ?? '0', 10) || 0;
    this.#table(
      {
        heads: [...(given === undefined ? [] : read(given)), ...rows.slice(0, heads)],
        rows: rows.slice(heads),
      },
      caption,
    );
  }
}

/** The first line, the options and the content of a directive. */
function partsOf(
  first: string,
  below: readonly string[],
): { argument: string; options: Map<string, string>; body: string[] } {
  const lines = dedented(below);
  const options = new Map<string, string>();
  const isApart = below[0] === '' || below.length === 0;
  let at = 0;
  let argument = first;
  // The first line may continue on the next ones.
  if (!isApart && first !== '')
    for (; at < lines.length && lines[at] !== '' && FIELD.exec(lines[at]!) === null; at++)
      argument += `\n${lines[at]}`;
  if (!isApart)
    for (
      let field = FIELD.exec(lines[at] ?? '')?.groups;
      field !== undefined;
      field = FIELD.exec(lines[++at] ?? '')?.groups
    )
      options.set(field['name']!, field['text'] ?? '');
  return { argument, options, body: dedented(lines.slice(at)) };
}

/** The items of one level of a list, without indentation. */
function listItems(lines: readonly string[]): string[][] {
  const items: string[][] = [];
  for (const line of lines) {
    const [opening] = BULLET.exec(line) ?? [];
    if (opening !== undefined) items.push([' '.repeat(opening.length) + line.slice(opening.length)]);
    else items.at(-1)?.push(line);
  }
  return items.map(dedented);
}

/** The end of empty or indented lines, without the empty ones at the end. */
function endOfIndented(lines: readonly string[], from: number, least: number): number {
  let end = from;
  for (let at = from; at < lines.length && (lines[at] === '' || indentOf(lines[at]!) >= least); at++)
    if (lines[at] !== '') end = at + 1;
  return end;
}

/** The text after a mark with the indented lines below it; an empty line between the two is kept. */
const begunWith = (first: string, below: readonly string[]): string[] => [
  first,
  ...(below[0] === '' ? [''] : []),
  ...dedented(below),
];

/** The lines without the indentation of an item; less indented ones keep none. */
const dedentedBelow = (lines: readonly string[], indent: number): string[] => {
  const least = lines.reduce((all, line) => (line === '' ? all : Math.min(all, indentOf(line))), indent);
  return lines.map((line) => line.slice(least));
};

function endOfSimpleTable(lines: readonly string[], at: number): number {
  let borders = 1;
  for (let end = at + 1; end < lines.length; end++) {
    if (!SIMPLE_BORDER.test(lines[end]!)) continue;
    borders += 1;
    if ((lines[end + 1] ?? '') === '' || borders === 3) return end + 1;
  }
  return -1;
}

/**
 * Whether a line begins with the number or letter of a list item, and is not a name such as `A. Amsel` at the beginning
 * of a paragraph.
 */
function isEnumerated(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1] ?? '';
  return next === '' || indentOf(next) > 0 || NUMBER.test(next);
}

/** The anchor of a heading in docutils. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^[-0-9]+|-+$/gu, '');
