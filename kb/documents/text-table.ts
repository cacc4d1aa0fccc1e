import { isPager } from './pager.ts';
import { plainText } from './plain-text.ts';
import type { Unit } from './unit.ts';

/** A table in plain text, whose columns a line of dashes marks: `----- -------`. */
interface RuledTable {
  /** The number of lines above the rule that belong to the table: 1 if a line names the columns. */
  readonly above: 0 | 1;
  /** The index of the first line after the table. */
  readonly end: number;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const RULE = /^\s*-{2,}(?:[^\S\n]+-{2,})+\s*$/u;
/** The most lines of a table. It also limits the search for the end of a rule that is never closed. */
const MOST_LINES = 500;

/**
 * The table whose first rule is this line, with a line of heads not before `from`; `undefined` if there is none, or if
 * a word crosses two of its columns.
 */
export function tableAt(lines: readonly string[], at: number, from: number): RuledTable | undefined {
  const rule = lines[at]!;
  if (!RULE.test(rule)) return undefined;
  const starts = [...rule.matchAll(/-+/gu)].map(({ index }) => index);
  const rest = lines.slice(at + 1, at + 1 + MOST_LINES);
  const closing = rest.findIndex((line) => line.trimEnd() === rule.trimEnd());
  const empty = rest.findIndex((line) => line.trim() === '');
  const head = at > from ? lines[at - 1]! : '';
  const above = head.trim() === '' ? 0 : 1;
  // Several lines above the rule are a paragraph and no heads.
  if (above === 1 && at - 1 > from && lines[at - 2]!.trim() !== '') return undefined;
  // A table with heads above and no rule below ends with an empty line.
  const isClosed = closing !== -1 && (above === 0 || empty === -1 || closing < empty);
  const length = isClosed ? closing : above === 0 ? 0 : empty === -1 ? rest.length : empty;
  const body = rest.slice(0, length);
  if (body.length === 0 || [...body, head].some((line) => isAcross(line, starts))) return undefined;
  const rows = rowsOf(body, starts);
  const heads = above === 0 ? [] : cellsOf(head, starts);
  return { above, end: at + 1 + length + (isClosed ? 1 : 0), heads, rows };
}

/** Whether a word crosses the beginning of a column. */
const isAcross = (line: string, starts: readonly number[]): boolean =>
  starts.slice(1).some((start) => /^\S\S$/u.test(line.slice(start - 1, start + 1))) ||
  line.includes('\t') ||
  line.slice(0, starts[0]).trim() !== '';

const cellsOf = (line: string, starts: readonly number[]): string[] =>
  starts.map((start, column) => line.slice(start, starts[column + 1]).trim());

/** The rows of the lines. A line without a first cell continues the row above, unless an empty line is between them. */
function rowsOf(lines: readonly string[], starts: readonly number[]): string[][] {
  const rows: string[][] = [];
  const isParted = lines.some((line) => line.trim() === '');
  let isNew = true;
  for (const line of lines) {
    if (line.trim() === '') {
      isNew = true;
      continue;
    }
    const cells = cellsOf(line, starts);
    const last = rows.at(-1);
    if (last === undefined || (isParted ? isNew : cells[0] !== '')) rows.push(cells);
    else cells.forEach((cell, column) => (last[column] = `${last[column]} ${cell}`.trim()));
    isNew = false;
  }
  return rows;
}

export function unitsOfTable({ heads: above, rows: below }: RuledTable): Unit[] {
  // If a column is empty below its name, the names are also given as a row, so that the name is not lost.
  const isTold = above.every((head, column) => head === '' || below.some((row) => row[column] !== ''));
  const [heads, rows] = isTold ? [above, below] : [[], [above, ...below]];
  return rows
    .map((row) =>
      row
        .map((text, column) => ({ head: plainText(heads[column] ?? ''), text: plainText(text) }))
        .filter(({ text }) => text !== ''),
    )
    .filter((cells) => cells.length > 0)
    .map((cells) => ({ kind: 'row', cells }));
}

/** Whether the table only leads to other pages: one row with arrows, and at most another row with titles. */
export const isNavigationTable = ({ rows }: RuledTable): boolean => rows.length <= 2 && rows.some(isPager);
