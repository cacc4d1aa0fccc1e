/** A way from one row to another, drawn in a gutter at the left of both. */
interface Arc {
  readonly from: number;
  readonly to: number;
}

const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;
/** What is drawn at a place, by the sum of the directions in which lines leave it. */
const LINES = ' │││─┘┐┤─└┌├─┴┬┼';

/** Columns of a gutter with so many lanes. */
export function gutterOf(lanes: number): number {
  return lanes === 0 ? 0 : lanes * 2 + 1;
}

/**
 * The gutter, row by row: a lane for each arc, the shortest nearest to the boxes, with an arrow where it arrives. The
 * longest have none where there are more arcs than lanes.
 */
export function drawArcs(arcs: readonly Arc[], rows: number, maxLanes: number): string[] {
  const lanes = arcs.toSorted((a, b) => lengthOf(a) - lengthOf(b)).slice(0, maxLanes);
  const width = gutterOf(lanes.length);
  const grid = Array.from({ length: rows }, () => Array.from({ length: width }, () => 0));
  const arrivals = new Set(lanes.map(({ to }) => to));
  lanes.forEach(({ from, to }, i) => {
    const column = width - 3 - i * 2;
    const [top, bottom] = from < to ? [from, to] : [to, from];
    for (let row = top; row <= bottom; row++) {
      grid[row]![column]! |= (row > top ? UP : 0) | (row < bottom ? DOWN : 0);
    }
    for (const row of [top, bottom]) {
      grid[row]![column]! |= RIGHT;
      for (let at = column + 1; at < width; at++) grid[row]![at]! |= LEFT | RIGHT;
    }
  });
  return grid.map((cells, row) => {
    const line = cells.map((directions) => LINES[directions]!).join('');
    return arrivals.has(row) ? `${line.slice(0, -1)}▶` : line;
  });
}

const lengthOf = ({ from, to }: Arc): number => Math.abs(from - to);
