import type { Grid } from './grid.ts';
import { boxAround, type Box } from './segments.ts';

/** The heads above the rows of a table. */
interface Heads {
  /** Titles, and heads whose columns are not certain, in their order. They are given above the table. */
  readonly above: readonly string[];
  /** The name of each column; empty for a column without one, and for all if the names would not tell columns apart. */
  readonly labels: readonly string[];
}

/** A head with the range of its columns. */
interface Head extends Box {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** In points: two texts are aligned if their edges or middles differ by less. */
const ALIGNED = 3;
/** How far a head may be from the middle of its columns, as a share of a column's width. */
const OFF_MIDDLE = 0.25;

/**
 * The names of columns from the rows of heads, from the lowest row up. A head over several columns is part of the name
 * of each, if it is certain which columns these are: heads cover all columns, equal names repeat below each head, or
 * each head is in the middle of its columns.
 *
 * @param read gives the text of a cell.
 */
export function headsOf(grid: Grid, read: (text: string) => string): Heads {
  const rows = Array.from({ length: grid.heads }, (_, row) =>
    grid.cells
      .filter((cell) => cell.row === row)
      .map(({ words, column, lastColumn, text }): Head => ({
        ...boxAround(words),
        from: column,
        to: lastColumn,
        text: read(text),
      }))
      .sort((a, b) => a.from - b.from),
  );
  const above: string[] = [];
  while (rows.length > 1 && isTitle(rows[0]!, grid.columns)) above.push(rows.shift()![0]!.text);
  const labels = Array.from({ length: grid.columns }, () => '');
  const places: (Box | undefined)[] = Array.from({ length: grid.columns });
  const untold: string[] = [];
  let isAmbiguous = false;
  for (const [at, row] of [...rows.entries()].reverse()) {
    const over = at === rows.length - 1 ? row : columnsOf(row, labels, places);
    if (over === undefined) {
      untold.unshift(lineOf(row));
      // A name without one of its lines would mean something else.
      isAmbiguous ||= row.some((head) => isStackedOn(head, places) && labels[head.from] !== '');
      continue;
    }
    for (const { from, to, text, ...place } of over)
      for (let column = from; column <= to; column += 1) {
        if (labels[column] !== text) labels[column] = `${text} ${labels[column]!}`.trim();
        places[column] = from === to || places[column] === undefined ? place : places[column];
      }
  }
  const lowest = rows.at(-1) ?? [];
  const named = labels.filter(
    (label, column) => label !== '' && !lowest.some(({ from, to }) => from < column && column <= to),
  );
  for (const head of lowest)
    if (isDivided(head, grid)) {
      for (let column = head.from; column <= head.to; column += 1) labels[column] = '';
      if (untold.at(-1) !== lineOf(lowest)) untold.push(lineOf(lowest));
    }
  const isInLevels =
    rows.filter((row) => row.some(({ from, to }) => from > 1 || to < grid.columns - 1)).length > 1;
  const different = new Set(named).size;
  isAmbiguous ||=
    (named.length > 1 && different <= named.length / 2) || (isInLevels && different < named.length);
  return isAmbiguous
    ? { above: [...above, ...rows.map(lineOf)], labels: labels.map(() => '') }
    : { above: [...above, ...untold], labels };
}

/** Whether a row has several texts below a lowest head, which then names none of them. */
const isDivided = ({ from, to }: Head, { cells, heads }: Grid): boolean =>
  Map.groupBy(
    cells.filter(({ row, column }) => row >= heads && from <= column && column <= to),
    ({ row }) => row,
  )
    .values()
    .some(({ length }) => length > 1);

const lineOf = (row: readonly Head[]): string => row.map(({ text }) => text).join(' ');

/** Whether a row with one text is a title, and not the head of one column or of all columns but the first. */
const isTitle = ([head, ...others]: readonly Head[], columns: number): boolean =>
  head !== undefined &&
  others.length === 0 &&
  columns > 2 &&
  (head.from === 0 || head.from < head.to) &&
  !(head.from === 1 && head.to === columns - 1);

/** Heads with all their columns; `undefined` if these are not certain. */
function columnsOf(
  all: readonly Head[],
  labels: readonly string[],
  places: readonly (Box | undefined)[],
): readonly Head[] | undefined {
  const counts = Map.groupBy(labels, (label) => label);
  const isRepeated = (column: number): boolean =>
    labels[column] !== '' && (counts.get(labels[column]!)?.length ?? 0) > 1;
  // The first column has the names of the rows.
  const first = all.filter(({ to }) => to === 0);
  const row = all.filter(({ to }) => to > 0);
  const isOver = (column: number): boolean => row.some(({ from, to }) => from <= column && column <= to);
  const inner = labels
    .keys()
    .filter((column) => column > 0 && labels[column] !== '')
    .toArray();
  if (inner.every(isOver)) return all;
  const rest =
    (inner.some(isRepeated) ? byRepetition(row, labels, places, isRepeated) : undefined) ??
    (row.every((head) => isStackedOn(head, places)) ? row : inTheMiddle(row, inner, places));
  return rest === undefined ? undefined : [...first, ...rest];
}

/** Whether a head is directly above the head of one column, as another line of its name. */
const isStackedOn = (head: Head, places: readonly (Box | undefined)[]): boolean =>
  head.from === head.to && (places[head.from] === undefined || isAligned(head, places[head.from]!));

const isAligned = (a: Box, b: Box): boolean =>
  Math.abs(a.left - b.left) < ALIGNED ||
  Math.abs(a.right - b.right) < ALIGNED ||
  Math.abs(a.left + a.right - b.left - b.right) < 2 * ALIGNED;

/**
 * Assigns columns to heads whose names repeat below each head: a run of different names belongs to one head, or the
 * part of it that the head is in the middle of, or begins with.
 */
function byRepetition(
  row: readonly Head[],
  labels: readonly string[],
  places: readonly (Box | undefined)[],
  isRepeated: (column: number) => boolean,
): readonly Head[] | undefined {
  const over: Head[] = [];
  for (const run of runsOf(labels)) {
    const columns = run.filter(isRepeated);
    const isOver = ({ from, to }: Head): boolean => columns.some((column) => from <= column && column <= to);
    const heads = row.filter(isOver);
    over.push(...row.filter((head) => !isOver(head) && run.includes(head.from)));
    if (heads.length === 0) continue;
    const [head] = heads;
    if (heads.length > 1 || head!.from < run[0]! || head!.to > run.at(-1)!) return undefined;
    const all = columns.filter((column) => places[column] !== undefined);
    const width = boxAround(all.map((column) => places[column]!));
    const pitch = (width.right - width.left) / all.length;
    const ranges = all
      .flatMap((from) => all.filter((to) => to >= from).map((to) => ({ from, to })))
      .filter(
        ({ from, to }) => from <= Math.max(head!.from, all[0]!) && to >= Math.min(head!.to, all.at(-1)!),
      )
      .sort((a, b) => b.to - b.from - (a.to - a.from));
    const range = ranges.find(({ from, to }) => {
      const { left, right } = boxAround([places[from]!, places[to]!]);
      const off = Math.abs(left + right - head!.left - head!.right) / 2;
      return off < OFF_MIDDLE * pitch || Math.abs(left - head!.left) < ALIGNED;
    });
    if (range === undefined) return undefined;
    over.push({ ...head!, ...range });
  }
  return over;
}

/** The runs of columns in which no name repeats. */
function runsOf(labels: readonly string[]): number[][] {
  const runs: number[][] = [[]];
  for (const column of labels.keys()) {
    const run = runs.at(-1)!;
    const isNew = labels[column] !== '' && labels[column] !== labels[column - 1];
    if (isNew && run.some((each) => labels[each] === labels[column])) runs.push([column]);
    else run.push(column);
  }
  return runs;
}

/** Divides all columns among heads so that each head is in the middle of its columns. */
function inTheMiddle(
  row: readonly Head[],
  columns: readonly number[],
  places: readonly (Box | undefined)[],
): readonly Head[] | undefined {
  const boxes = columns.map((column) => places[column]!);
  const all = boxAround(boxes);
  const width = (all.right - all.left) / columns.length;
  const off = (head: Head, from: number, to: number): number => {
    const own = boxAround(boxes.slice(from, to));
    return Math.abs((own.left + own.right - head.left - head.right) / 2);
  };
  /** The division in which the head that is furthest from the middle of its columns is nearest to it. */
  let ends = new Map<number, { worst: number; ends: readonly number[] }>([[0, { worst: 0, ends: [] }]]);
  for (const head of row) {
    const next = new Map<number, { worst: number; ends: readonly number[] }>();
    for (const [from, before] of ends)
      for (let to = from + 1; to <= columns.length; to += 1) {
        const worst = Math.max(before.worst, off(head, from, to));
        if (worst < (next.get(to)?.worst ?? Infinity)) next.set(to, { worst, ends: [...before.ends, to] });
      }
    ends = next;
  }
  const best = ends.get(columns.length);
  if (best === undefined || best.worst > OFF_MIDDLE * width) return undefined;
  return row.map((head, i) => ({
    ...head,
    from: columns[i === 0 ? 0 : best.ends[i - 1]!]!,
    to: columns[best.ends[i]! - 1]!,
  }));
}
