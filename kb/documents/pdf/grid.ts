import { headRows } from '../head-rows.ts';
import type { Rule } from './pdfium.ts';
import { boxAround, isUpright, linesOf, segmentsOf, textOf, type Box, type Segment } from './segments.ts';
import type { Word } from './words.ts';

interface GridCell {
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
  readonly lastColumn: number;
  readonly text: string;
  readonly words: readonly Word[];
}

/** A table as rows and columns. Cells without text are left out. */
export interface Grid extends Box {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly GridCell[];
  /** The number of head rows at the top. */
  readonly heads: number;
  /** The x positions between columns. */
  readonly separators: readonly number[];
}

/** A gap between cells is wider than this share of the font size. Gaps inside a cell are usually narrower. */
const CELL_GAP = 0.6;
/** Rules with a smaller distance, in points, count as one. */
const NEAR = 4;

/** Dots or dashes that lead from one column to the next. */
const LEADER = /^[.…_\-–—=]{3,}$/u;

/** Makes a table from words. */
export function gridOf(all: readonly Word[], rules: readonly Rule[]): Grid {
  const words = all.filter(({ text }) => !LEADER.test(text));
  const box = boxAround(words.length === 0 ? all : words);
  const near = rules.filter(
    (rule) =>
      rule.right > box.left - 10 &&
      rule.left < box.right + 10 &&
      rule.bottom > box.top - 10 &&
      rule.top < box.bottom + 10,
  );
  const lines = linesOf(words).map((line) => segmentsOf(line, CELL_GAP, near));
  const separators = columnsOf(lines, near, box);
  const bands = rowsOf(lines, separators, near, box);
  return assemble(bands, separators, near, box);
}

/** The x positions between columns. */
function columnsOf(lines: readonly (readonly Segment[])[], rules: readonly Rule[], box: Box): number[] {
  const ruled = uprights(rules, box);
  // A line across the whole table, such as a title or a note, does not show where columns are.
  const telling = lines.filter(
    (line) => line.length > 1 || line[0]!.right - line[0]!.left < 0.5 * (box.right - box.left),
  );
  const used = telling.length > 1 ? telling : lines;
  const edges = gaps(used, box);
  return mergeNear([...ruled, ...edges.filter((x) => !ruled.some((rule) => crossesNothing(used, rule, x)))]);
}

/** Whether no text is between a rule and a gap, so that the two are one separator. */
const crossesNothing = (lines: readonly (readonly Segment[])[], a: number, b: number): boolean =>
  !lines.some((line) =>
    line.some(({ left, right }) => {
      const middle = (left + right) / 2;
      return middle > Math.min(a, b) && middle < Math.max(a, b);
    }),
  );

function uprights(rules: readonly Rule[], box: Box): number[] {
  const height = new Map<number, number>();
  const xs = rules.filter(isUpright).map((rule) => ({ x: (rule.left + rule.right) / 2, rule }));
  for (const { x, rule } of xs.sort((a, b) => a.x - b.x)) {
    const at = [...height.keys()].find((each) => Math.abs(each - x) < NEAR) ?? x;
    const inside = Math.min(rule.bottom, box.bottom) - Math.max(rule.top, box.top);
    height.set(at, (height.get(at) ?? 0) + Math.max(0, inside));
  }
  return [...height]
    .filter(([x, sum]) => sum > 0.3 * (box.bottom - box.top) && x > box.left + 1 && x < box.right - 1)
    .map(([x]) => x);
}

/** The middles of the gaps that almost no line crosses. */
function gaps(lines: readonly (readonly Segment[])[], box: Box): number[] {
  const width = Math.ceil(box.right - box.left) + 1;
  const covered = Array.from({ length: width }, () => 0);
  for (const line of lines)
    for (const { left, right } of line)
      for (let x = Math.round(left - box.left); x < Math.round(right - box.left); x += 1) covered[x]! += 1;
  const allowed = lines.length < 5 ? 0 : Math.max(1, Math.floor(0.2 * lines.length));
  const found: { from: number; to: number; least: number }[] = [];
  for (let x = 0; x < width; x += 1) {
    if (covered[x]! > allowed) continue;
    const last = found.at(-1);
    if (last !== undefined && last.to === x - 1) {
      last.to = x;
      last.least = Math.min(last.least, covered[x]!);
    } else found.push({ from: x, to: x, least: covered[x]! });
  }
  return found
    .filter(({ from, to }) => from > 0 && to < width - 1 && to - from >= 2)
    .filter(({ from, to }) => hasText(lines, box, from, to))
    .map(({ from, to, least }) => {
      // The separator is put in the middle of the positions that the fewest lines cross.
      const clear = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(
        (x) => covered[x] === least,
      );
      return box.left + clear[Math.floor(clear.length / 2)]!;
    });
}

/** Whether at least one line has text on both sides. Text that is only indented is no column. */
function hasText(lines: readonly (readonly Segment[])[], box: Box, from: number, to: number): boolean {
  const middle = box.left + (from + to) / 2;
  return lines.some(
    (line) => line.some(({ right }) => right <= middle) && line.some(({ left }) => left >= middle),
  );
}

function mergeNear(xs: readonly number[]): number[] {
  const merged: number[] = [];
  for (const x of [...xs].sort((a, b) => a - b))
    if (merged.length === 0 || x - merged.at(-1)! >= NEAR) merged.push(x);
  return merged;
}

interface Line {
  readonly segments: readonly Segment[];
  readonly top: number;
  readonly bottom: number;
  readonly baseline: number;
  readonly size: number;
  readonly columns: ReadonlySet<number>;
}

/** The lines of each row. */
function rowsOf(
  lines: readonly (readonly Segment[])[],
  separators: readonly number[],
  rules: readonly Rule[],
  box: Box,
): Line[][] {
  const all = lines
    .map((segments): Line => {
      const { top, bottom } = boxAround(segments);
      const columns = new Set(
        segments.flatMap((each) =>
          each.words.map((word) => columnAt((word.left + word.right) / 2, separators)),
        ),
      );
      const largest = [...segments].sort((a, b) => b.size - a.size)[0]!;
      return { segments, top, bottom, baseline: largest.baseline, size: largest.size, columns };
    })
    .sort((a, b) => a.baseline - b.baseline);
  const levels = levelsOf(rules, box);
  const bands = Map.groupBy(
    all,
    ({ baseline, size }) => levels.filter((y) => y < baseline - 0.3 * size).length,
  );
  const isRuled = bands.size >= 4;
  const isText = areTexts(all, separators);
  return [...bands.values()].flatMap((band) =>
    isRuled ? ruledRows(band, separators) : looseRows(band, separators, isText),
  );
}

/**
 * The rows between two horizontal rules: one row whose cells have several lines, unless most lines have text in every
 * column; then each line is a row.
 */
function ruledRows(band: Line[], separators: readonly number[]): Line[][] {
  const below = band.findIndex((line, i) =>
    band.slice(0, i).some((above) => divides(line, above, separators)),
  );
  if (below > 0)
    return [...ruledRows(band.slice(0, below), separators), ...ruledRows(band.slice(below), separators)];
  const filled = new Set(band.flatMap((line) => [...line.columns])).size;
  const full = band.filter((line) => line.columns.size >= Math.max(2, 0.75 * filled)).length;
  return band.length > 1 && full >= 0.6 * band.length && (!isTight(band) || hasFigures(band))
    ? looseRows(band, separators)
    : [band];
}

/** Whether a line has texts in several columns below one text of the line above, which is the head of all of them. */
const divides = ({ segments }: Line, above: Line, separators: readonly number[]): boolean =>
  above.segments.length > 1 &&
  above.segments.some(
    (wide) =>
      new Set(
        segments
          .filter(({ left, right }) => Math.min(right, wide.right) - Math.max(left, wide.left) > NEAR)
          .map(({ left, right }) => columnAt((left + right) / 2, separators)),
      ).size > 1,
  );

/** Whether lines have figures. A text may continue on the next line, but a figure does not. */
const hasFigures = (band: readonly Line[]): boolean =>
  band.every(
    ({ segments }) =>
      segments.slice(1).filter(({ words }) => isFigure(textOf(words))).length >= (segments.length - 1) / 2,
  );

const isTight = (band: readonly Line[]): boolean =>
  band.every((line, i) => i === 0 || line.baseline - band[i - 1]!.baseline < 1.25 * line.size);

/**
 * The rows of lines without rules between them. A line continues the previous row if it fills no further column and is
 * nearer to that row than rows are to each other.
 */
function looseRows(band: readonly Line[], separators: readonly number[], isText = false): Line[][] {
  const rows: Line[][] = [];
  const steps = band.slice(1).map((line, i) => line.baseline - band[i]!.baseline);
  const sorted = [...steps].sort((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
  for (const [i, line] of band.entries()) {
    const row = rows.at(-1);
    const step = steps[i - 1]!;
    if (
      row !== undefined &&
      (isText
        ? textGoesOn(row, line, step, { usual, isFirst: rows.length === 1 })
        : goesOn(row, line, step, usual, separators))
    )
      row.push(line);
    else rows.push([line]);
  }
  return rows;
}

/**
 * Cells have sentences over several lines if this many lines, and this share of all lines, begin with a small letter.
 */
const [SMALL_LINES, SMALL_SHARE] = [4, 0.3];

/** Whether two columns have running text: sentences continue in the next line. */
function areTexts(band: readonly Line[], separators: readonly number[]): boolean {
  const columns = Array.from({ length: separators.length + 1 }, () => ({ lines: 0, small: 0 }));
  let above = new Set<number>();
  for (const line of band) {
    const words = line.segments.flatMap((each) => each.words);
    const first = Map.groupBy(words, (word) => columnAt((word.left + word.right) / 2, separators));
    for (const [column, [word]] of first) {
      if (!above.has(column)) continue;
      columns[column]!.lines += 1;
      if (/^\p{Ll}/u.test(word!.text)) columns[column]!.small += 1;
    }
    above = new Set(first.keys());
  }
  return (
    columns.filter(({ lines, small }) => small >= SMALL_LINES && small >= SMALL_SHARE * lines).length > 1
  );
}

/**
 * Whether a line continues a row of texts. A row ends with space over its whole width if the first column begins again
 * below it; a row of bold heads ends with the bold type.
 */
function textGoesOn(
  row: readonly Line[],
  line: Line,
  step: number,
  { usual, isFirst }: { readonly usual: number; readonly isFirst: boolean },
): boolean {
  if (isFirst && row.every(isBoldLine) && !isBoldLine(line)) return false;
  return step < TEXT_STEP * usual || !line.columns.has(0);
}

const isBoldLine = ({ segments }: Line): boolean =>
  segments.every(({ words }) => words.every(({ bold }) => bold));

/** Rows of texts are further apart than lines within a row by this factor. */
const TEXT_STEP = 1.25;

function goesOn(
  row: readonly Line[],
  line: Line,
  step: number,
  usual: number,
  separators: readonly number[],
): boolean {
  const before = new Set(row.flatMap((each) => [...each.columns]));
  const isNear = step < 1.4 * line.size;
  if (!isNear || separators.length === 0 || row.some((above) => divides(line, above, separators)))
    return false;
  const own = [...line.columns].filter((column) => !before.has(column));
  const opens = line.segments[0]!.words[0]!.text;
  // The name of a row may take two lines, of which the lower one has its figures.
  if (own.length > 0)
    return before.size === 1 && before.has(0) && line.columns.has(0) && /^\p{Ll}/u.test(opens);
  const above = figuresOf(row.at(-1)!, separators);
  if (line.columns.has(0) && figuresOf(line, separators).some((column) => above.includes(column)))
    return false;
  // If all lines are equally far apart, a line that begins with a small letter continues the previous one.
  const isNearer = step < 0.92 * usual;
  const beginsSmall = line.columns.size < before.size && /^[\p{Ll}(]/u.test(opens);
  return (isNearer && line.columns.size <= before.size) || beginsSmall;
}

/** The columns, but the first, in which a line has figures. */
const figuresOf = ({ segments }: Line, separators: readonly number[]): number[] =>
  segments
    .filter(({ words }) => isFigure(textOf(words)))
    .map(({ left, right }) => columnAt((left + right) / 2, separators))
    .filter((column) => column > 0);

function levelsOf(rules: readonly Rule[], box: Box): number[] {
  const width = new Map<number, number>();
  const levels = rules
    .filter((rule) => !isUpright(rule))
    .map((rule) => ({ y: (rule.top + rule.bottom) / 2, rule }));
  for (const { y, rule } of levels.sort((a, b) => a.y - b.y)) {
    const at = [...width.keys()].find((each) => Math.abs(each - y) < NEAR) ?? y;
    const inside = Math.min(rule.right, box.right) - Math.max(rule.left, box.left);
    width.set(at, (width.get(at) ?? 0) + Math.max(0, inside));
  }
  return [...width].filter(([, sum]) => sum > 0.6 * (box.right - box.left)).map(([y]) => y);
}

const columnAt = (x: number, separators: readonly number[]): number =>
  separators.filter((separator) => separator <= x).length;

/** The most characters of a column's name. */
const LONGEST_HEAD = 250;

function assemble(
  rows: readonly Line[][],
  separators: readonly number[],
  rules: readonly Rule[],
  box: Box,
): Grid {
  const cells: GridCell[] = [];
  for (const [row, lines] of rows.entries()) {
    const found = new Map<string, { column: number; lastColumn: number; lines: Word[][] }>();
    for (const { segments } of lines)
      for (const each of segments)
        for (const part of partsOf(each, separators)) {
          const key = part.column;
          const same = [...found.values()].find(
            (cell) => cell.column <= part.lastColumn && part.column <= cell.lastColumn,
          );
          if (same === undefined) found.set(String(key), { ...part, lines: [part.words] });
          else {
            same.column = Math.min(same.column, part.column);
            same.lastColumn = Math.max(same.lastColumn, part.lastColumn);
            same.lines.push(part.words);
          }
        }
    for (const { column, lastColumn, lines: inside } of found.values())
      cells.push({
        row,
        lastRow: row,
        column,
        lastColumn,
        words: inside.flat(),
        text: inside.map(textOf).join('\n'),
      });
  }
  const columns = separators.length + 1;
  const long = cells.find(({ text }) => text.length > LONGEST_HEAD)?.row ?? Infinity;
  const heads = Math.min(long, headsOf(cells, rows.length, columns));
  return {
    ...box,
    rows: rows.length,
    columns,
    cells: cells.map((cell) => (cell.row < heads ? widened(cell, cells, separators, rules) : cell)),
    heads,
    separators,
  };
}

/** A head reaches over empty cells beside it to the next vertical rules, if it is between two. */
function widened(
  cell: GridCell,
  cells: readonly GridCell[],
  separators: readonly number[],
  rules: readonly Rule[],
): GridCell {
  const { top, bottom } = boxAround(cell.words);
  const middle = (top + bottom) / 2;
  const upright = rules.filter(isUpright);
  const at = (x: number | undefined): Rule[] =>
    upright.filter((rule) => x !== undefined && Math.abs((rule.left + rule.right) / 2 - x) < 2 * NEAR);
  const isRuled = (x: number | undefined): boolean =>
    at(x).some((rule) => rule.top < middle && rule.bottom > middle);
  // The cell spans positions at which other rows have rules, but its own row has none.
  const isOpen = (x: number): boolean => at(x).length > 0 && !isRuled(x);
  const isEmpty = (column: number): boolean =>
    !cells.some((each) => each.row === cell.row && each.column <= column && column <= each.lastColumn);
  let { column, lastColumn } = cell;
  while (column > 0 && isOpen(separators[column - 1]!) && isEmpty(column - 1)) column -= 1;
  while (lastColumn < separators.length && isOpen(separators[lastColumn]!) && isEmpty(lastColumn + 1))
    lastColumn += 1;
  const [left, right] = [separators[column - 1], separators[lastColumn]];
  const isBetween =
    (left === undefined || isRuled(left)) &&
    (right === undefined || isRuled(right)) &&
    (left !== undefined || right !== undefined);
  return isBetween ? { ...cell, column, lastColumn } : cell;
}

/**
 * A segment across a separator is one cell over several columns if it has no gap there, otherwise a cell for each
 * column.
 */
function partsOf(
  { words, size }: Segment,
  separators: readonly number[],
): { column: number; lastColumn: number; words: Word[] }[] {
  const parts: { column: number; lastColumn: number; words: Word[] }[] = [];
  for (const word of words) {
    const column = columnAt(word.left + Math.min(2, (word.right - word.left) / 3), separators);
    const lastColumn = Math.max(
      column,
      columnAt(word.right - Math.min(2, (word.right - word.left) / 3), separators),
    );
    const last = parts.at(-1);
    const gap = last === undefined ? 0 : word.left - last.words.at(-1)!.right;
    if (last !== undefined && (column <= last.lastColumn || gap < 0.45 * size)) {
      last.lastColumn = Math.max(last.lastColumn, lastColumn);
      last.words.push(word);
    } else parts.push({ column, lastColumn, words: [word] });
  }
  return parts;
}

/**
 * Whether a text is a figure, or the sign for a missing one. A year may also be a head; `(95 % CI)` counts as a figure.
 */
const isFigure = (text: string): boolean =>
  (/^[^\p{L}\d]{0,3}\d/u.test(text) && !/^(?:19|20)\d\d\b|^\(\d+\s?%\s\p{L}+\)$/u.test(text)) ||
  /^\p{Sc}?\s?[-–—.:*/]+$|^n\/?a\.?$/iu.test(text);

/**
 * The number of rows of heads: those above the first figure outside of the first column. Without columns of figures it
 * is the first row, if only that is bold or it could name what is below it. A form of names and values has no heads.
 */
function headsOf(cells: readonly GridCell[], rows: number, columns: number): number {
  if (isOfFields(cells.filter(({ row }) => row === 0))) return 0;
  const rest = cells.filter(({ column }) => column > 0);
  const figures = rest.filter(({ text }) => isFigure(text));
  const counts = Map.groupBy(figures, ({ row }) => row)
    .entries()
    .map(([row, { length }]) => ({ row, length }))
    .toArray();
  const usual = counts.map(({ length }) => length).sort((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
  // Among names, a range such as `15-24` is a name.
  const first = counts
    .sort((a, b) => a.row - b.row)
    .find(
      ({ row, length }) => length >= 0.5 * Math.min(usual, rest.filter((cell) => cell.row === row).length),
    )?.row;
  // A column with figures in only one or two rows is not a column of figures.
  if (first !== undefined && figures.length >= 0.25 * rest.length)
    return Math.min(first, firstGroup(cells, first), firstRowBelowNames(cells, first), rows - 1);
  const lines = Array.from({ length: rows }, (_, row) => cells.filter((cell) => cell.row === row));
  const isBold = (row: readonly GridCell[]): boolean =>
    row.every(({ words }) => words.every(({ bold }) => bold));
  const [top = [], ...below] = lines;
  if (top.length > 1 && isBold(top) && !below.every(isBold)) return 1;
  return headRows(
    lines.map((row) =>
      Array.from({ length: columns }, (_, column) => row.find((cell) => cell.column === column)?.text ?? ''),
    ),
  );
}

/** Whether all cells of a row, of which there are several, are a name with its value: `Author: Miller`, `Volume : 27 L`. */
const isOfFields = (row: readonly GridCell[]): boolean =>
  row.length > 1 && row[0]!.column === 0 && row.every(({ text }) => /^\p{L}[^:]*:\s+\S/u.test(text));

/** The first row that names the rows below it and no column: all columns of figures have their heads above it. */
function firstGroup(cells: readonly GridCell[], figures: number): number {
  const isNamed = (at: number, end: number): boolean =>
    cells.some(({ row, column, lastColumn }) => row < end && column <= at && at <= lastColumn);
  const ofFigures = new Set(
    cells
      .filter(({ row, column, text }) => row >= figures && column > 0 && isFigure(text))
      .map(({ column }) => column),
  );
  const isGroup = (at: number): boolean => {
    const own = cells.filter(({ row }) => row === at);
    return (
      ofFigures.values().every((column) => isNamed(column, at)) &&
      own.every(({ lastColumn }) => !ofFigures.has(lastColumn)) &&
      (own.length === 1 || own.every(({ column }) => isNamed(column, at))) &&
      !/^[\p{Ll}(]/u.test(own[0]?.text ?? '')
    );
  };
  return Array.from({ length: figures }, (_, row) => row).find(isGroup) ?? Infinity;
}

/**
 * The first row that begins with a name below a row of names is the first row of data. If it has further names directly
 * above the figures, or is bold like the heads, it is another row of heads.
 */
function firstRowBelowNames(cells: readonly GridCell[], figures: number): number {
  const isBold = (row: number): boolean =>
    cells.every((cell) => cell.row !== row || cell.words.every(({ bold }) => bold));
  const isAlone = (cell: GridCell): boolean => cells.every((each) => each === cell || each.row !== cell.row);
  const firsts = cells.filter(({ column, lastColumn }) => column === 0 && lastColumn === 0);
  const names = firsts.find((cell) => !isAlone(cell));
  const below = firsts.find(
    ({ row, text }) => names !== undefined && row > names.row && !/^[\p{Ll}(]/u.test(text),
  );
  if (names === undefined || below === undefined) return Infinity;
  const goesOn = below.row === figures - 1 || (isBold(names.row) && isBold(below.row));
  return !isAlone(below) && goesOn ? Infinity : below.row;
}
