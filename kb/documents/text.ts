import { decodeAny } from '../text/decode.ts';
import { isPagerLine } from './pager.ts';
import { plainText } from './plain-text.ts';
import { isNavigationTable, tableAt, unitsOfTable } from './text-table.ts';
import { documentOf, Unreadable, type DocumentKind, type Unit } from './unit.ts';

/** Text without markup. Only unmistakable headings and lists are recognised. */
export const text: DocumentKind = {
  extensions: ['txt', 'text'],
  parse(bytes) {
    const written = decodeAny(bytes);
    if (written === undefined) throw new Unreadable('is not text');
    const leftOut: Record<string, number> = {};
    const units = unitsOfText(written, (why) => (leftOut[why] = (leftOut[why] ?? 0) + 1));
    const [first] = units;
    return documentOf({ units, title: first?.kind === 'heading' ? first.text : undefined, leftOut });
  },
};

/** The marker of an item: a bullet, `3.`, `3)`, `b)`. */
const ITEM = /^(?<indent>[ \t]*)(?:[-*•–·▪◦‣]|(?<marker>\(?(?:\d{1,3}|[a-z])[.)]))[ \t]+(?<text>\S.*)$/u;
/** A numbered heading such as `2.3 Reisekosten`, alone between empty lines. */
const NUMBERED = /^(?<number>\d{1,2}(?:\.\d{1,2}){0,4})\.?[ \t]+(?<text>\p{Lu}[^.!?:;]{0,78})$/u;
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,}|\*{3,})$/u;
/** A line this long was not broken by hand, so it is a paragraph by itself. */
const LONG_LINE = 160;

/**
 * The units of a text: tables whose columns dashes mark, and blocks between them. Rows that lead to other pages are
 * counted and left out.
 */
export function unitsOfText(written: string, count: (why: string) => void = () => undefined): Unit[] {
  const units: Unit[] = [];
  const lines = written.split('\n');
  let begin = 0;
  const addBlocks = (end: number): void => {
    units.push(...unitsOfBlocks(lines.slice(begin, end).join('\n')));
  };
  for (let at = 0; at < lines.length; at += 1) {
    const table = tableAt(lines, at, begin);
    if (table === undefined && !isPagerLine(lines[at]!)) continue;
    addBlocks(at - (table?.above ?? 0));
    if (table !== undefined && !isNavigationTable(table)) units.push(...unitsOfTable(table));
    else count('navigation');
    begin = table?.end ?? at + 1;
    at = begin - 1;
  }
  addBlocks(lines.length);
  return units;
}

/** The units of blocks between empty lines. The lines of a block are one paragraph, or the items of a list. */
function unitsOfBlocks(written: string): Unit[] {
  const units: Unit[] = [];
  for (const block of written.split(/\n[^\S\n]*(?:\n[^\S\n]*)+/u)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '');
    addBlock(lines, units);
  }
  return units;
}

function addBlock(lines: readonly string[], units: Unit[]): void {
  const [first, second] = lines;
  if (first === undefined) return;
  const heading = plainText(first);
  if (
    second !== undefined &&
    UNDERLINE.test(second.trim()) &&
    isAbout(second.trim().length, heading.length)
  ) {
    units.push({ kind: 'heading', level: second.trim().startsWith('=') ? 1 : 2, text: heading });
    addBlock(lines.slice(2), units);
    return;
  }
  const { number, text } = NUMBERED.exec(heading)?.groups ?? {};
  if (lines.length === 1 && number !== undefined && text !== undefined && !ITEM.test(first)) {
    units.push({ kind: 'heading', level: Math.min(6, number.split('.').length + 1), text: heading });
    return;
  }
  addLines(lines, units);
}

const isAbout = (length: number, expected: number): boolean =>
  length >= expected * 0.7 && length <= expected * 1.5 + 3;

function addLines(lines: readonly string[], units: Unit[]): void {
  let open: { indent: number; marker?: string; lines: string[] } | undefined;
  const indents: number[] = [];
  const close = (): void => {
    const text = plainText(open?.lines.join(' ') ?? '');
    if (open === undefined || text === '') return;
    if (open.indent === -1) units.push({ kind: 'paragraph', text });
    else {
      while (indents.length > 0 && indents.at(-1)! > open.indent) indents.pop();
      if (indents.at(-1) !== open.indent) indents.push(open.indent);
      const { marker } = open;
      units.push({
        kind: 'item',
        depth: indents.length - 1,
        ...(marker === undefined ? {} : { marker }),
        text,
      });
    }
  };
  for (const line of lines) {
    const { indent, marker, text } = ITEM.exec(line)?.groups ?? {};
    if (text !== undefined) {
      close();
      open = {
        indent: indent!.replaceAll('\t', '    ').length,
        ...(marker === undefined ? {} : { marker }),
        lines: [text],
      };
    } else if (UNDERLINE.test(line.trim())) {
      close();
      open = undefined;
    } else if (open === undefined || (open.indent === -1 && open.lines.at(-1)!.length > LONG_LINE)) {
      close();
      open = { indent: -1, lines: [line] };
    } else open.lines.push(line);
  }
  close();
}
