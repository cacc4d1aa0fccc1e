import { gridOf, type Grid } from './grid.ts';
import type { Rule } from './pdfium.ts';
import {
  boxAround,
  isBullet,
  isUpright,
  linesOf,
  segment,
  segmentsOf,
  type Box,
  type Segment,
} from './segments.ts';
import type { Word } from './words.ts';

/** Rules with a smaller distance, in points, meet. */
const MEETING = 4;
/** How far the ends of two horizontal rules of one table may differ, relative to the width of both. */
const SAME_EXTENT = 0.03;

/** Tables with rules around or between their cells, and the words outside of all tables. */
export function ruledTables(
  words: readonly Word[],
  rules: readonly Rule[],
): { tables: Grid[]; rest: Word[] } {
  const tables: Grid[] = [];
  let rest = [...words];
  for (const box of [...frames(rules), ...stacks(rules, words)]) {
    const words = rest.filter((word) => isInside(word, box));
    for (const inside of betweenTitles(words)) {
      if (inside.length < 4 || !inside.some(({ text }) => /\p{L}/u.test(text))) continue;
      const grid = gridOf(inside, rules);
      if (!isTable(grid)) continue;
      tables.push(grid);
      const taken = new Set(inside);
      rest = rest.filter((word) => !taken.has(word));
    }
  }
  return { tables, rest };
}

/** A title within a table is larger than the usual size by this factor. */
const TITLE = 1.15;

/** Whether a line has one text, in bold and larger type. */
const isTitleLine = (line: SplitLine, usual: number): boolean =>
  line.length === 1 &&
  line[0]!.words.every(({ size, bold }) => bold && size >= TITLE * usual) &&
  line[0]!.words.some(({ text }) => /\p{L}{2}/u.test(text));

/** The words between lines with one text in larger type, which are the titles of the tables below them. */
function betweenTitles(words: readonly Word[]): Word[][] {
  const usual = words.length === 0 ? 0 : segment(words).size;
  const parts: Word[][] = [[]];
  for (const line of linesOf(words)) {
    const isTitle = isTitleLine(segmentsOf(line, 1, []), usual);
    if (isTitle) parts.push([]);
    else parts.at(-1)!.push(...line);
  }
  return parts;
}

/**
 * Whether a grid is filled well enough for a table: a quarter of its cells have text, and two fifths of its rows, at
 * least two, have two cells or more.
 */
function isTable({ rows, columns, cells }: Grid): boolean {
  if (rows < 2 || columns < 2 || cells.length < 4) return false;
  const rowsOfTwo = [...Map.groupBy(cells, ({ row }) => row).values()].filter((row) => row.length > 1).length;
  return rowsOfTwo >= 2 && rowsOfTwo >= 0.4 * rows && cells.length >= 0.25 * rows * columns;
}

const isInside = (word: Word, box: Box): boolean => {
  const [x, y] = [(word.left + word.right) / 2, word.baseline - word.size / 4];
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
};

/** The boxes around vertical and horizontal rules that meet. */
function frames(rules: readonly Rule[]): Box[] {
  const groups: Rule[][] = [];
  for (const rule of rules) {
    const meeting = groups.filter((group) => group.some((each) => meets(each, rule)));
    const joined = [rule, ...meeting.flat()];
    for (const group of meeting) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups
    .filter((group) => {
      const upright = distinct(group.filter(isUpright).map(({ left }) => left));
      const level = distinct(group.filter((rule) => !isUpright(rule)).map(({ top }) => top));
      return upright >= 2 && level >= 2 && upright + level >= 5;
    })
    .map(boxAround)
    .sort((a, b) => a.top - b.top);
}

const meets = (a: Rule, b: Rule): boolean =>
  a.left <= b.right + MEETING &&
  b.left <= a.right + MEETING &&
  a.top <= b.bottom + MEETING &&
  b.top <= a.bottom + MEETING;

function distinct(places: readonly number[]): number {
  let count = 0;
  let last = -Infinity;
  for (const place of [...places].sort((a, b) => a - b)) {
    if (place - last > MEETING) count += 1;
    last = place;
  }
  return count;
}

/** Tables between at least three horizontal rules that begin and end at the same positions. */
function stacks(rules: readonly Rule[], words: readonly Word[]): Box[] {
  const stacked: Rule[][] = [];
  for (const level of levels(rules)) {
    const width = level.right - level.left;
    const same = stacked.find(([first]) => {
      const tolerance = SAME_EXTENT * Math.max(width, first!.right - first!.left);
      return (
        Math.abs(first!.left - level.left) < tolerance && Math.abs(first!.right - level.right) < tolerance
      );
    });
    if (same === undefined) stacked.push([level]);
    else same.push(level);
  }
  return stacked
    .flatMap((stack) => withoutText(stack, words))
    .filter((stack) => stack.length >= 3 && stack[0]!.right - stack[0]!.left > 60)
    .map(boxAround);
}

/** Divides a stack of rules if text or a caption is between two tables. */
function withoutText(stack: readonly Rule[], words: readonly Word[]): Rule[][] {
  const parts: Rule[][] = [];
  for (const rule of [...stack].sort((a, b) => a.top - b.top)) {
    const last = parts.at(-1)?.at(-1);
    const band = last === undefined ? undefined : { ...boxAround([last, rule]) };
    const lines = band === undefined ? [] : linesOf(words.filter((word) => isInside(word, band)));
    const isText =
      lines.some((line) => line.length > 8) && lines.every((line) => segmentsOf(line, 1.2, []).length === 1);
    if (last === undefined || isText) parts.push([rule]);
    else parts.at(-1)!.push(rule);
  }
  return parts;
}

/** Horizontal rules, joined if one continues the other at the same height. */
function levels(rules: readonly Rule[]): Rule[] {
  const joined: Rule[] = [];
  for (const rule of rules
    .filter((rule) => !isUpright(rule))
    .sort((a, b) => a.top - b.top || a.left - b.left)) {
    const at = joined.findLastIndex(
      (each) =>
        Math.abs(each.top - rule.top) < 1.5 &&
        rule.left - each.right < 3 * MEETING &&
        each.left - rule.right < 3 * MEETING,
    );
    if (at === -1) joined.push(rule);
    else joined[at] = boxAround([joined[at]!, rule]);
  }
  return joined;
}

/** A line of a page that is cut where a column may end. */
export type SplitLine = readonly Segment[];

/** Consecutive lines whose gaps form a table, from `from` to before `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly grid: Grid;
}

/** Lines that are further apart than this multiple of their font size are not rows of one table. */
const ROW_STEP = 3.2;

/** Tables without rules, found among consecutive lines. */
export function openTables(lines: readonly SplitLine[], rules: readonly Rule[]): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < lines.length; from += 1) {
    if (lines[from]!.length < 2) continue;
    if (isHeadingAlone(lines[from]!, lines[from + 1], lines.slice(Math.max(0, from - 1), from))) continue;
    const run = runFrom(lines, from, runs.at(-1)?.to ?? 0, rules);
    if (run === undefined) continue;
    runs.push(run);
    from = run.to - 1;
  }
  return runs;
}

function runFrom(
  lines: readonly SplitLine[],
  from: number,
  above: number,
  rules: readonly Rule[],
): Run | undefined {
  let free = freeBetween(lines[from]!);
  let to = from + 1;
  let full = 1;
  let end = to;
  for (; to < lines.length; to += 1) {
    const line = lines[to]!;
    const before = lines[to - 1]!;
    if (isTitleLine(line, lines[from]![0]!.size)) break;
    if (isHeadingAlone(line, lines[to + 1], lines.slice(from, to))) break;
    if (line[0]!.baseline - before[0]!.baseline > ROW_STEP * Math.max(line[0]!.size, before[0]!.size)) break;
    const left = cut(free, line);
    if (left.length === 0) {
      // A title within a table crosses its columns; the next lines must continue them.
      const next = lines[to + 1];
      if (
        line.length > 1 ||
        next === undefined ||
        next.length < 2 ||
        cut(free, next).length === 0 ||
        full < 3
      )
        break;
      continue;
    }
    // A line with a single text continues its column, unless it is running text.
    if (line.length === 1 && (line[0]!.words.length > 12 || to - end >= 2)) break;
    free = left;
    if (line.length > 1) {
      full += 1;
      end = to + 1;
    }
  }
  if (full < 3) return undefined;
  if (isRunningText(lines.slice(from, end)) || isList(lines.slice(from, end))) return undefined;
  let top = from;
  while (top > above && isOfHeads(lines[top - 1]!, lines[top]!, lines[from]!, free)) top -= 1;
  const grid = gridOf(
    lines.slice(top, end).flatMap((line) => line.flatMap(({ words }) => words)),
    rules,
  );
  return isTable(grid) ? { from: top, to: end, grid } : undefined;
}

/** Whether a line is the upper line of heads in a few columns: it is close above them, short, and in line with one of them. */
const isOfHeads = (line: SplitLine, below: SplitLine, first: SplitLine, free: readonly Gap[]): boolean =>
  below[0]!.baseline - line[0]!.baseline < HEAD_STEP * line[0]!.size &&
  cut(free, line).length === free.length &&
  // The end of a paragraph is none.
  !(line.length === 1 && /^\p{Ll}/u.test(segmentText(line[0]!))) &&
  line.every(
    (each) =>
      each.words.length <= 3 &&
      !/[.:]$/u.test(segmentText(each)) &&
      first.some(
        ({ left, right }) =>
          Math.abs(left + right - each.left - each.right) < 2 * NARROWEST ||
          Math.abs(right - each.right) < NARROWEST,
      ),
  );

/** The lines of a head are nearer to each other than this multiple of their font size. */
const HEAD_STEP = 1.4;

type Gap = readonly [from: number, to: number];

const freeBetween = (line: SplitLine): Gap[] =>
  line.slice(1).map((each, i): Gap => [line[i]!.right, each.left]);

/** The parts of the gaps that no text of the line crosses. */
function cut(gaps: readonly Gap[], line: SplitLine): Gap[] {
  let left = [...gaps];
  for (const each of line)
    left = left.flatMap(([from, to]): Gap[] =>
      each.right <= from || each.left >= to
        ? [[from, to]]
        : ([
            [from, each.left],
            [each.right, to],
          ] as Gap[]),
    );
  return left.filter(([from, to]) => to - from > NARROWEST);
}

/** In points: the narrowest gap between columns. */
const NARROWEST = 4;

/** Whether lines are two columns of running text side by side, which are read one after the other. */
function isRunningText(lines: readonly SplitLine[]): boolean {
  const full = lines.filter((line) => line.length > 1);
  const words = full.map((line) => Math.min(...line.map((each) => each.words.length))).sort((a, b) => a - b);
  return (words[Math.floor(words.length / 2)] ?? 0) >= 4;
}

const MARK =
  /^(?:[•‣▪■●○◦·–—*o-]|[(]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]|\d+(?:\.\d+)+\.?|\[\d+\]|\d{1,2})$/u;

/** Whether the left side has only markers of a list or numbers of headings. */
const isList = (lines: readonly SplitLine[]): boolean =>
  lines.every((line) => line.length <= 2) &&
  lines
    .filter((line) => line.length === 2)
    .every((line) => MARK.test(segmentText(line[0]!)) || isBullet(line[0]!.words[0]!));

/**
 * Whether a line is a numbered heading of the text, with space below it, and no row of a table that has other rows with numbers.
 */
const isHeadingAlone = (
  line: SplitLine,
  next: SplitLine | undefined,
  others: readonly SplitLine[],
): boolean =>
  line.length === 2 &&
  isMarkedLine(line) &&
  (next === undefined || next[0]!.baseline - line[0]!.baseline > SPACED * line[0]!.size) &&
  ![...others, next ?? []].some(
    (other) =>
      isMarkedLine(other) && (other.length > 2 || Math.abs(other[0]!.left - line[0]!.left) < NARROWEST),
  );

/** Lines that are further apart than this multiple of their font size have space between them. */
const SPACED = 1.5;

const isMarkedLine = (line: SplitLine): boolean => line.length > 1 && MARK.test(segmentText(line[0]!));

const segmentText = ({ words }: Segment): string => words.map(({ text }) => text).join(' ');

/** Joins the parts of a line that belongs to no table. */
export const joined = (line: SplitLine): Segment => segment(line.flatMap(({ words }) => words));
