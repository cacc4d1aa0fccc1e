import { MOST_COLUMNS, MOST_SPANNED_CELLS } from './document-limits.ts';
import { headRows } from './head-rows.ts';
import {
  attributeOf,
  elementsBelow,
  isElement,
  textBelow,
  type HtmlElement,
  type HtmlParent,
} from './html-tree.ts';
import { plainText } from './plain-text.ts';
import { wordSet } from '../word-list.ts';

/** A table with data. A cell that spans rows or columns is repeated in each of them. */
export interface HtmlTable {
  /** The table's caption, and rows of one cell above its heads. */
  readonly captions: readonly HtmlElement[];
  /** The cells of heads for each column, topmost first. */
  readonly heads: readonly (readonly HtmlElement[])[];
  readonly rows: readonly (readonly (HtmlElement | undefined)[])[];
}

/** The table in an element; `undefined` for a table that only serves the layout, which is read as text. */
export function tableOf(element: HtmlElement): HtmlTable | undefined {
  const role = attributeOf(element, 'role');
  if (role === 'presentation' || role === 'none') return undefined;
  const parts = childrenOf(element);
  const captions = parts.filter(({ tagName }) => tagName === 'caption');
  const inHead = new Set(parts.filter(({ tagName }) => tagName === 'thead').flatMap(rowsOf));
  const rows = [
    ...inHead,
    ...parts.flatMap((part) =>
      part.tagName === 'tbody' || part.tagName === 'tfoot'
        ? rowsOf(part)
        : part.tagName === 'tr'
          ? [part]
          : [],
    ),
  ];
  const cells = rows.map((row) =>
    childrenOf(row).filter(({ tagName }) => tagName === 'td' || tagName === 'th'),
  );
  const hasHeads =
    inHead.size > 0 || cells.flat().some(({ tagName }) => tagName === 'th') || captions.length > 0;
  if (!hasHeads && isLayout(cells)) return undefined;
  const grid = gridOf(cells);
  const namingIn = (row: number): number => (cells[row] ?? []).filter(isNaming).length;
  const isHead = (row: number): boolean => {
    const own = cells[row]!;
    if (inHead.has(rows[row]!)) return true;
    if (namingIn(row) === 0) return false;
    if (own.every((cell) => isNaming(cell) || (cell.tagName === 'td' && isEmpty(cell))))
      return own.length > 1 || rows.length === 1 || cells.every(({ length }) => length <= 1);
    // In a row of heads, single cells are often marked as data.
    return namingIn(row) > own.length / 2 && namingIn(row) > 2 * namingIn(row + 1) && row < rows.length - 1;
  };
  const width = grid.reduce((most, { length }) => Math.max(most, length), 0);
  // Whether a row is a single cell across all columns: it is a title above the heads, or names a group of rows.
  const isAcross = (row: number): boolean =>
    width > 1 && new Set(grid[row]!.filter((cell) => cell !== undefined && !isEmpty(cell))).size === 1;
  let from = 0;
  while (from < grid.length - 1 && isAcross(from)) from++;
  let end = from;
  while (end < grid.length && isHead(end)) end++;
  if (end === from && !hasHeads)
    end +=
      cells[from]!.every(isStrong) && !cells.slice(from + 1).every(isStrongRow)
        ? 1
        : headRows(grid.filter((_, row) => row >= from && !isAcross(row)).map((row) => row.map(textOfCell)));
  if (end === from && !rows.slice(0, from).every((row, i) => inHead.has(row) || isHead(i)))
    [from, end] = [0, 0];
  const heads = Array.from({ length: end === from ? 0 : width }, (_, column) =>
    grid.slice(from, end).flatMap((row) => row[column] ?? []),
  );
  const titles = grid
    .slice(0, from)
    .flatMap((row) => row.find((cell) => cell !== undefined && !isEmpty(cell)) ?? []);
  return { captions: [...captions, ...titles], heads, rows: grid.slice(end) };
}

/** Whether a cell is the head of a column, not of a row. */
const isNaming = (cell: HtmlElement): boolean =>
  cell.tagName === 'th' && attributeOf(cell, 'scope') !== 'row';

const childrenOf = (parent: HtmlParent): HtmlElement[] => parent.childNodes.filter(isElement);

const rowsOf = (part: HtmlElement): HtmlElement[] =>
  childrenOf(part).filter(({ tagName }) => tagName === 'tr');

const textOfCell = (cell: HtmlElement | undefined): string =>
  cell === undefined ? '' : plainText(textBelow(cell));

const isEmpty = (cell: HtmlElement): boolean => textOfCell(cell) === '';

/** A cell whose whole text is bold. */
function isStrong(cell: HtmlElement): boolean {
  const strong = elementsBelow(cell).find(({ tagName }) => tagName === 'b' || tagName === 'strong');
  return strong !== undefined && textOfCell(cell) !== '' && plainText(textBelow(strong)) === textOfCell(cell);
}

/** A bold row is a row of heads, unless the whole table is bold. */
const isStrongRow = (cells: readonly HtmlElement[]): boolean =>
  cells.every((cell) => isEmpty(cell) || isStrong(cell));

/** A cell with more paragraphs than this is a part of a page's layout. */
const MOST_PARAGRAPHS = 3;
/** A table of at least so many rows is one of data if each begins with a name of up to so many characters. */
const [NAMED_ROWS, LONGEST_NAME] = [3, 60];

/** Elements that are frequent on a page but rare in a cell. */
const PARTS_OF_A_PAGE = wordSet('table h1 h2 h3 h4 h5 h6 article section form hr nav');

/**
 * Whether a table only serves the layout: it has one row or one column, or its cells have elements of a page. A table
 * whose rows have equally many cells, and whose nested tables have less than half of the text, is a table of data with
 * tables in it.
 */
function isLayout(cells: readonly (readonly HtmlElement[])[]): boolean {
  const filled = cells.map((row) => row.filter((cell) => !isEmpty(cell)));
  if (filled.filter(({ length }) => length > 0).length < 2) return true;
  if (filled.every(({ length }) => length < 2)) return true;
  const all = filled.flat();
  const isEven = filled.every(({ length }) => length === filled[0]!.length);
  const nested = all.flatMap(elementsBelow).filter(({ tagName }) => tagName === 'table');
  const mayNest = isEven && lengthOf(nested) < lengthOf(all) / 2;
  const areMostlyWide = filled.filter(({ length }) => length > 1).length > filled.length / 2;
  const areNamed =
    areMostlyWide &&
    cells.length >= NAMED_ROWS &&
    filled.every(([first]) => first !== undefined && textOfCell(first).length <= LONGEST_NAME);
  const inNested = new Set(mayNest ? [...nested, ...nested.flatMap(elementsBelow)] : []);
  return all.some((cell) => {
    const parts = elementsBelow(cell).filter((part) => !inNested.has(part));
    // In Word, the names of columns and rows may have the style of headings.
    const isNamed = (part: HtmlElement): boolean =>
      areMostlyWide && /^h\d$/u.test(part.tagName) && textOfCell(part) === textOfCell(cell);
    return (
      parts.some((part) => PARTS_OF_A_PAGE.has(part.tagName) && !isNamed(part)) ||
      (!areNamed && parts.filter(({ tagName }) => tagName === 'p').length > MOST_PARAGRAPHS)
    );
  });
}

const lengthOf = (elements: readonly HtmlElement[]): number =>
  elements.reduce((sum, element) => sum + textOfCell(element).length, 0);

/** The cells at their positions, as a browser calculates them. */
function gridOf(cells: readonly (readonly HtmlElement[])[]): (HtmlElement | undefined)[][] {
  const grid: (HtmlElement | undefined)[][] = cells.map(() => []);
  let left = MOST_SPANNED_CELLS;
  for (const [at, row] of cells.entries()) {
    let column = 0;
    for (const cell of row) {
      while (grid[at]![column] !== undefined) column++;
      const width = Math.min(spanOf(cell, 'colspan'), MOST_COLUMNS - column);
      const height = Math.min(spanOf(cell, 'rowspan') || cells.length, cells.length - at);
      for (let down = 0; down < height; down++)
        for (let right = 0; right < width && left > 0; right++, left--)
          grid[at + down]![column + right] = cell;
      column += Math.max(width, 1);
      if (column >= MOST_COLUMNS) break;
    }
  }
  return grid.map((row) => Array.from(row));
}

function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attributeOf(cell, name) ?? '1', 10);
  return Number.isNaN(span) || span < 0 ? 1 : span === 0 && name === 'colspan' ? 1 : span;
}
