import type { Grid } from './grid.ts';
import type { Page } from './pdfium.ts';
import { boxAround, linesOf, segmentsOf, type Box, type Segment } from './segments.ts';
import { joined, openTables, ruledTables, type SplitLine } from './tables.ts';
import type { Word } from './words.ts';

/** A line of running text with its column, or a table. */
export type Block =
  | { readonly kind: 'line'; readonly line: Segment; readonly column: Box }
  | { readonly kind: 'table'; readonly grid: Grid };

/** What is at one height: a line that is cut at possible columns, or a table. */
type Row = Box & ({ readonly line: SplitLine; readonly grid?: undefined } | { readonly grid: Grid });

/** A gap that is wider than this multiple of the font size may be between two columns. */
const COLUMN_GAP = 1;
/** In points: a gap between two columns of text is wider than this. */
const GUTTER = 9;

/** The blocks of a page in reading order: two columns one after the other. */
export function layoutOf(page: Page, words: readonly Word[]): Block[] {
  const { tables, rest } = ruledTables(words, page.rules);
  const rows: Row[] = [
    ...linesOf(rest).map((line): Row => {
      const split = segmentsOf(line, COLUMN_GAP, page.rules);
      return { ...boxAround(split), line: split };
    }),
    ...tables.map((grid): Row => ({ ...grid, grid })),
  ];
  return inOrder(rows, page, 0);
}

function inOrder(rows: readonly Row[], page: Page, depth: number): Block[] {
  const sorted = [...rows].sort((a, b) => a.top - b.top || a.left - b.left);
  const blocks: Block[] = [];
  let wide: Row[] = [];
  const flush = (): void => {
    blocks.push(...blocksOf(wide, page));
    wide = [];
  };
  for (let at = 0; at < sorted.length;) {
    const zone = depth < 4 ? zoneFrom(sorted, at) : undefined;
    if (zone === undefined) {
      wide.push(sorted[at]!);
      at += 1;
      continue;
    }
    flush();
    for (const column of zone.columns) blocks.push(...inOrder(column, page, depth + 1));
    at = zone.to;
  }
  flush();
  return blocks;
}

/** Consecutive rows in columns: one gap runs through all of them, with running text on both sides. */
function zoneFrom(rows: readonly Row[], from: number): { to: number; columns: Row[][] } | undefined {
  let covered: [number, number][] = [];
  let best: { to: number; gutter: number } | undefined;
  let bottom = rows[from]!.bottom;
  for (let to = from; to < rows.length; to += 1) {
    const row = rows[to]!;
    // A space of several lines ends the columns, unless they continue below it.
    if (to > from && row.top - bottom > 60 && best === undefined) break;
    bottom = Math.max(bottom, row.bottom);
    covered = union([...covered, ...boxesOf(row).map(({ left, right }): [number, number] => [left, right])]);
    const gaps = covered.slice(1).map(([left], i): [number, number] => [covered[i]![1], left]);
    const widest = gaps.sort((a, b) => b[1] - b[0] - (a[1] - a[0]))[0];
    if (widest === undefined || widest[1] - widest[0] < GUTTER) {
      if (covered.length === 1 && isOneSided(rows, from, to)) continue;
      break;
    }
    best = { to: to + 1, gutter: (widest[0] + widest[1]) / 2 };
  }
  if (best === undefined) return undefined;
  const [left, right] = split(rows.slice(from, best.to), best.gutter);
  const areColumns = isText(left) && isText(right);
  const margin = areColumns ? undefined : marginOf(left, right);
  if (!areColumns && margin === undefined) return undefined;
  // Another block may begin below the end of the shorter column.
  const [leftBox, rightBox] = [boxAround(left), boxAround(right)];
  const overlap = Math.min(leftBox.bottom, rightBox.bottom) - Math.max(leftBox.top, rightBox.top);
  if (overlap < 0.3 * Math.min(leftBox.bottom - leftBox.top, rightBox.bottom - rightBox.top))
    return undefined;
  const end = Math.min(leftBox.bottom, rightBox.bottom);
  let to = best.to;
  for (let at = from + 1; at < best.to; at += 1)
    if (rows[at]!.top > end && rows[at]!.top - rows[at - 1]!.bottom > 0.9 * heightOf(rows[at]!)) {
      to = at;
      break;
    }
  const columns = split(rows.slice(from, to), best.gutter);
  // The text beside a margin may continue below both, so it comes last.
  return { to, columns: margin === right ? columns.toReversed() : columns };
}

/**
 * The column that is the margin of a text: notes or addresses, whose lines are not at the heights of the text's lines.
 */
function marginOf(left: readonly Row[], right: readonly Row[]): readonly Row[] | undefined {
  const margin = isText(left) ? right : isText(right) ? left : undefined;
  if (
    margin === undefined ||
    margin.length < SHORTEST_MARGIN ||
    margin.some(({ grid }) => grid !== undefined)
  )
    return undefined;
  const text = new Set((margin === left ? right : left).map(baselineOf));
  const isBeside = (row: Row): boolean => [...text].some((y) => Math.abs(y - baselineOf(row)) < ON_ONE_LINE);
  return margin.filter(isBeside).length < margin.length / 2 ? margin : undefined;
}

/** The least number of lines in a margin. */
const SHORTEST_MARGIN = 3;
/** In points: the baselines of a label and its text differ by less than this. */
const ON_ONE_LINE = 0.6;

const baselineOf = (row: Row): number => (row.grid === undefined ? row.line[0]!.baseline : row.top);

/** Whether all rows so far are on one side, so that the other side may still begin. */
const isOneSided = (rows: readonly Row[], from: number, to: number): boolean =>
  rows.slice(from, to + 1).every((row) => boxesOf(row).length === 1) && to - from < 3;

const boxesOf = (row: Row): readonly Box[] => (row.grid === undefined ? row.line : [row]);

const heightOf = (row: Row): number => (row.grid === undefined ? row.bottom - row.top : 12);

function union(spans: readonly [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [left, right] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && left <= last[1]) last[1] = Math.max(last[1], right);
    else merged.push([left, right]);
  }
  return merged;
}

function split(rows: readonly Row[], gutter: number): [Row[], Row[]] {
  const sides: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    if (row.grid !== undefined) {
      sides[row.left > gutter ? 1 : 0].push(row);
      continue;
    }
    for (const [side, line] of [
      row.line.filter(({ right }) => right <= gutter),
      row.line.filter(({ right }) => right > gutter),
    ].entries())
      if (line.length > 0) sides[side]!.push({ ...boxAround(line), line });
  }
  return sides;
}

/** Whether there are enough lines, most with several words, as in columns of text and not of a table. */
function isText(rows: readonly Row[]): boolean {
  const lines = rows.flatMap((row) => (row.grid === undefined ? [row.line] : []));
  if (lines.length < 3) return false;
  const words = lines
    .map((line) =>
      Math.max(...line.map(({ words }) => words.filter(({ text }) => /\p{L}{2}/u.test(text)).length)),
    )
    .sort((a, b) => a - b);
  const width = Math.max(...rows.map(({ right }) => right)) - Math.min(...rows.map(({ left }) => left));
  const filled = lines.filter((line) => boxAround(line).right - boxAround(line).left > 0.6 * width).length;
  return words[Math.floor(words.length / 2)]! >= 4 && filled >= 0.4 * lines.length;
}

/** The lines and tables of rows below each other. */
function blocksOf(rows: readonly Row[], page: Page): Block[] {
  if (rows.length === 0) return [];
  const column = boxAround(rows);
  const blocks: Block[] = [];
  for (let from = 0; from < rows.length;) {
    const { grid } = rows[from]!;
    if (grid !== undefined) {
      blocks.push({ kind: 'table', grid });
      from += 1;
      continue;
    }
    let to = from;
    while (to < rows.length && rows[to]!.grid === undefined) to += 1;
    const lines = rows.slice(from, to).flatMap((row) => (row.grid === undefined ? [row.line] : []));
    const runs = openTables(lines, page.rules);
    for (let i = 0; i < lines.length; i += 1) {
      const run = runs.find((each) => each.from === i);
      if (run === undefined) blocks.push({ kind: 'line', line: joined(lines[i]!), column });
      else {
        blocks.push({ kind: 'table', grid: run.grid });
        i = run.to - 1;
      }
    }
    from = to;
  }
  return blocks;
}
