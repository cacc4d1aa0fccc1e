import { isFigure } from './head-rows.ts';

interface Row {
  readonly cells: readonly string[];
  /** Its cells if some span columns, with their text repeated in each column. */
  readonly spread?: readonly string[];
}

export interface Matrix {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The most rows of heads in a matrix. */
const MOST_ROWS = 8;

/**
 * A matrix whose first columns are named in a row by themselves, its corner, and the others in the rows above it, to the right:
 *
 *                    | Sales    | Sales
 *                    | Orders   | Returns
 *                    | 30 days  | 1 day
 *     System | Owner |          |
 *     Shop   | Ben   | yes      | no
 */
export function matrixIn(block: readonly Row[]): Matrix | undefined {
  const corner = block
    .slice(0, MOST_ROWS)
    .findIndex((row, i) => i > 0 && isCorner(row.cells, block.slice(0, i), block.slice(i + 1)));
  if (corner === -1) return undefined;
  const last = lastOf(block[corner]!.cells);
  const above = block.slice(0, corner);
  const names = above.toSorted((a, b) => namesIn(b, last) - namesIn(a, last))[0]!;
  const groups = above.slice(0, above.indexOf(names)).filter(({ spread }) => spread !== undefined);
  const heads = names.cells.map((name, i) =>
    i <= last
      ? block[corner]!.cells[i]!
      : [...new Set([...groups.map(({ spread }) => spread![i] ?? ''), name])]
          .filter((text) => text !== '')
          .join(' '),
  );
  const others = above.filter((row) => row !== names && !groups.includes(row));
  return {
    heads,
    rows: [
      ...others.map(({ cells }) => labelled(cells, last)),
      ...block.slice(corner + 1).map(({ cells }) => cells),
    ],
  };
}

const lastOf = (cells: readonly string[]): number => cells.findLastIndex((text) => text !== '');

const filled = (cells: readonly string[]): number => cells.filter((text) => text !== '').length;

function isCorner(cells: readonly string[], above: readonly Row[], below: readonly Row[]): boolean {
  const last = lastOf(cells);
  return (
    last > 0 &&
    last < cells.length / 2 &&
    filled(cells) === last + 1 &&
    !cells.some(isFigure) &&
    above.every((row) => filled(row.cells.slice(0, last)) === 0) &&
    above.some((row) => namesIn(row, last) > 2) &&
    below.some((row) => filled(row.cells.slice(last + 1)) > 2)
  );
}

/** The number of different column names that a row has to the right of the corner. */
const namesIn = ({ cells }: Row, last: number): number =>
  new Set(cells.slice(last + 1).filter((text) => text !== '' && !isFigure(text) && !/^\d/u.test(text))).size;

/** The cells of a row above the corner, each with the row's label before it, if the row does not name columns. */
const labelled = (cells: readonly string[], last: number): readonly string[] =>
  filled(cells) === 1
    ? cells
    : cells.map((text, i) => (text === '' || i === last ? '' : `${cells[last]!} ${text}`.trim()));
