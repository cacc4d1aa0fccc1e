import { couldBeHeads, isFigure, isYear } from './head-rows.ts';
import { matrixIn } from './matrix-heads.ts';
import { captionOf } from './table-caption.ts';
import type { Cell, Unit } from './unit.ts';

interface SheetOptions {
  /** Rows, from 0, that the sheet itself marks as heads. */
  readonly marked?: ReadonlySet<number>;
  /** Rows with cells that span columns: their texts, repeated in each column. */
  readonly spans?: ReadonlyMap<number, readonly string[]>;
}

interface SheetRow {
  readonly cells: readonly string[];
  /** Whether the sheet itself marks it as heads. */
  readonly isMarked: boolean;
  /** Its cells if some span columns, with their text repeated in each column. */
  readonly spread?: readonly string[];
}

/** A table with the lines above it, or text in lines. */
interface Block {
  readonly titles: readonly string[];
  readonly heads: readonly string[];
  /** Whether the sheet itself says that they are heads. */
  readonly isMarked: boolean;
  readonly rows: readonly (readonly string[])[];
}

/** A table, to which the rows of a further block may belong. */
interface Table {
  readonly heads: readonly string[];
  readonly caption: string | undefined;
  readonly values: ReadonlySet<string>;
}

/**
 * The units of a sheet: cells as displayed, empty ones as ''. Empty rows separate tables, and so does a title between
 * two. Rows with one or two cells above a wider row of heads, or with one cell above a table, are titles.
 */
export function unitsOfSheet(
  rows: readonly (readonly string[])[],
  { marked, spans }: SheetOptions = {},
): Unit[] {
  const units: Unit[] = [];
  let before: Table | undefined;
  const written = rows.map((cells, i): SheetRow => {
    const spread = spans?.get(i);
    return { cells, isMarked: marked?.has(i) === true, ...(spread === undefined ? {} : { spread }) };
  });
  const blocks = tablesOf(written);
  let titles: readonly string[] = [];
  for (const [i, rowsOfBlock] of blocks.entries()) {
    if (isTitle(rowsOfBlock, blocks[i + 1])) {
      titles = [...titles, ...rowsOfBlock.map(lineOf)];
      continue;
    }
    const found = blockOf(rowsOfBlock, titles);
    titles = [];
    const all = found.isMarked || found.heads.length === 0 ? found.rows : [found.heads, ...found.rows];
    const isMore = before !== undefined && !found.isMarked && goesOn(all, before);
    const block = isMore ? { ...found, heads: before!.heads, rows: all } : found;
    for (const text of block.titles) units.push({ kind: 'paragraph', text });
    const caption = captionOf(block.titles) ?? (isMore ? before!.caption : undefined);
    const { heads } = block;
    const [alone] = all;
    // A row of heads may be followed by empty rows and several blocks.
    const isAlone = all.length === 1 && filled(alone!) > 2 && couldBeHeads(alone!);
    before = {
      heads: heads.length === 0 && isAlone ? alone! : heads,
      caption,
      values: new Set([...(isMore ? before!.values : []), ...block.rows.flatMap(valuesOf)]),
    };
    // If a column has a head but no cell below it, all heads are also given as a row, so that the head is not lost.
    const isTold = (column: number): boolean =>
      block.rows.some((row) => (row[column] ?? '') !== '' && filled(row) > 1);
    const told =
      !isMore && heads.some((text, column) => text !== '' && !isTold(column))
        ? [heads, ...block.rows]
        : block.rows;
    const isSingle = [heads, ...told].every((row) => filled(row) <= 1);
    for (const row of told) {
      // Heads are written again where a list is printed in parts.
      if (row !== heads && filled(row) > 1 && row.every((text, column) => text === heads[column])) continue;
      const hasNoHeads = isSingle || filled(row) < 2 || row === heads;
      const cells = row.flatMap((text, column): Cell[] =>
        text === '' ? [] : [{ head: hasNoHeads ? '' : (heads[column] ?? ''), text }],
      );
      units.push({ kind: 'row', cells, ...(caption === undefined ? {} : { caption }) });
    }
  }
  return units;
}

function blockOf(block: readonly SheetRow[], above: readonly string[]): Block {
  const matrix = matrixIn(block);
  if (matrix !== undefined) return { titles: above, isMarked: true, ...matrix };
  const stacked = stackedHeads(block) ?? headsInTwo(block);
  if (stacked !== undefined)
    return {
      titles: [...above, ...block.slice(0, stacked.titles).map(lineOf)],
      isMarked: true,
      heads: stacked.heads,
      rows: block.slice(stacked.end).map(({ cells }) => cells),
    };
  const isText = block.every(({ cells, isMarked }) => filled(cells) <= 1 && !isMarked);
  const at = isText ? 0 : headsAt(block);
  const titles = [...above, ...block.slice(0, at).map(lineOf)];
  const [first, second] = block.slice(at);
  // A row of heads above another one is joined to it.
  const isDouble = first!.spread !== undefined && at < block.length - 2 && couldBeHeads(second!.cells);
  const heads = isDouble
    ? second!.cells.map((text, i) => [first!.spread![i] ?? '', text].filter((each) => each !== '').join(' '))
    : first!.cells;
  const below = block.slice(at + (isDouble ? 2 : 1)).map(({ cells }) => cells);
  const width = block.reduce((most, { cells }) => Math.max(most, filled(cells)), 0);
  const isHeads =
    isDouble ||
    first!.isMarked ||
    (below.length > 0 &&
      couldBeHeads(heads, below) &&
      filled(heads) > width / 2 &&
      !isLabelled([heads, ...below]));
  const isMarked = isDouble || first!.isMarked;
  return isHeads
    ? { titles, heads, isMarked, rows: below }
    : { titles, heads: [], isMarked, rows: block.slice(at).map(({ cells }) => cells) };
}

/** The most rows of heads, and the share of the columns that the lowest one must name. */
const [MOST_STACKED, NAMED] = [4, 0.8];

/**
 * The heads of a table that has them in several rows without a figure, above a row of figures, if upper rows name fewer
 * columns. It is the lowest row or, if its names repeat or a cell above spans several, each of its names below the
 * nearest name to the left in each row above.
 */
function stackedHeads(
  block: readonly SheetRow[],
): { titles: number; heads: readonly string[]; end: number } | undefined {
  const begin = block.findIndex(({ cells }) => filled(cells) > 1);
  const end = block.findIndex(
    ({ cells }, i) => i > begin && cells.some((text) => isFigure(text) && !isYear(text)),
  );
  const lowest = block[end - 1]?.cells ?? [];
  const above = block.slice(begin, Math.max(begin, end - 1));
  const width = block.reduce((most, { cells }) => Math.max(most, filled(cells)), 0);
  const isStack =
    above.length > 0 &&
    above.length < MOST_STACKED &&
    width > 2 &&
    filled(lowest) >= NAMED * width &&
    above.every(({ cells }) => filled(cells) > 1 && filled(cells) < filled(lowest)) &&
    areFigures(block[end]!.cells);
  if (!isStack) return undefined;
  if (isDistinct(lowest) && above.every(({ spread }) => spread === undefined))
    return { titles: end - 1, heads: lowest, end };
  const groups = above.map(({ cells, spread }) => spread ?? filledOn(cells));
  const heads = lowest.map((name, i) =>
    [...new Set([...groups.map((group) => group[i] ?? ''), name])].filter((text) => text !== '').join(' '),
  );
  return isDistinct(heads) ? { titles: begin, heads, end } : undefined;
}

/** The most characters of a name in the second of two rows of heads. */
const LONGEST_NAME = 60;

/**
 * The heads of a table in two rows, of which the second names the columns that the first leaves empty, or parts of its columns: `ID | Risk |`
 * above ` | Name | Owner`.
 */
function headsInTwo(
  block: readonly SheetRow[],
): { titles: number; heads: readonly string[]; end: number } | undefined {
  const begin = block.findIndex(({ cells }) => filled(cells) > 2);
  const [upper, lower, first] = block.slice(begin, begin + 3);
  if (begin === -1 || lower === undefined || first === undefined) return undefined;
  const areNames = [...upper!.cells, ...lower.cells].every(
    (text) => (!isFigure(text) || isYear(text)) && text.length <= LONGEST_NAME,
  );
  const open = first.cells.flatMap((text, i) => (text !== '' && upper!.cells[i] === '' ? [i] : []));
  // A second row that is as full as the row below it, under names that span nothing, is one of data.
  const isOpen = upper!.spread !== undefined || filled(lower.cells) < filled(first.cells);
  const isTwo = isOpen && open.length > 1 && open.every((i) => lower.cells[i] !== '');
  if (!areNames || !isTwo || !first.cells.some(isFigure)) return undefined;
  const groups = filledOn(upper!.spread ?? upper!.cells);
  const heads = lower.cells.map((name, i) =>
    name === '' ? upper!.cells[i]! : `${groups[i]!} ${name}`.trim(),
  );
  return new Set(heads).size >= NAMED * filled(heads) ? { titles: begin, heads, end: begin + 2 } : undefined;
}

const isDistinct = (row: readonly string[]): boolean =>
  new Set(row.filter((text) => text !== '')).size === filled(row);

/** A row in which each text is repeated to the right over empty cells. */
function filledOn(row: readonly string[]): readonly string[] {
  let last = '';
  return row.map((text) => (last = text === '' ? last : text));
}

/** The index of the heads of a block, or of its first row below its titles. */
function headsAt(block: readonly SheetRow[]): number {
  const begin = block.findIndex(({ cells, isMarked }) => filled(cells) > 1 || isMarked);
  const wide = block.findIndex(({ cells, isMarked }, i) => i >= begin && (filled(cells) > 2 || isMarked));
  const isTitled =
    wide > begin &&
    wide < block.length - 1 &&
    (block[wide]!.isMarked || couldBeHeads(block[wide]!.cells)) &&
    block.slice(begin, wide).every(({ spread }) => spread === undefined || new Set(spread).size < 3) &&
    block.slice(wide + 1).filter(({ cells }) => filled(cells) > 2).length * 2 >= block.length - wide - 1;
  return isTitled ? wide : begin;
}

/** The blocks of rows between empty rows and titles. Empty rows directly below heads do not count. */
function tablesOf(rows: readonly SheetRow[]): SheetRow[][] {
  const blocks: SheetRow[][] = [];
  let isOpen = false;
  for (const row of rows) {
    const isEmpty = filled(row.cells) === 0;
    const last = blocks.at(-1);
    if (!isEmpty && last !== undefined && (isOpen || isBelowHeads(row, last))) last.push(row);
    else if (!isEmpty) blocks.push([row]);
    isOpen = !isEmpty;
  }
  return blocks.flatMap((block) => {
    const parts: SheetRow[][] = [[]];
    for (const [i, row] of block.entries()) {
      if (isBetween(block, i) || areHeadsBetween(block, i)) parts.push([]);
      parts.at(-1)!.push(row);
    }
    return parts;
  });
}

/** Whether a row with figures continues below heads from which an empty row separates it. */
function isBelowHeads({ cells }: SheetRow, block: readonly SheetRow[]): boolean {
  const heads = block.at(-1)!.cells;
  const label = cells.findIndex((text) => text !== '');
  return (
    filled(heads) > 2 &&
    couldBeHeads(heads) &&
    block.slice(0, -1).every((row) => filled(row.cells) <= 2) &&
    cells.some(isFigure) &&
    cells.every((text, i) => text === '' || i === label || (heads[i] ?? '') !== '')
  );
}

/** Whether a row within a table is the title of another table, whose heads and first row with figures follow. */
function isBetween(block: readonly SheetRow[], i: number): boolean {
  const [before, title, heads, first] = [block[i - 1], block[i], block[i + 1], block[i + 2]].map(
    (row) => row?.cells,
  );
  if (before === undefined || title === undefined || heads === undefined || first === undefined) return false;
  return (
    filled(title) <= 2 &&
    title.every((text) => isYear(text) || !isFigure(text)) &&
    filled(heads) > 2 &&
    couldBeHeads(heads) &&
    heads.every((text) => text === '' || /\p{L}{3}|\d{4}/u.test(text)) &&
    areFigures(before) &&
    areFigures(first)
  );
}

/** Whether a row within a table is that of the heads of another one, which is wider. */
function areHeadsBetween(block: readonly SheetRow[], i: number): boolean {
  const [before, heads, first, second] = [block[i - 1], block[i], block[i + 1], block[i + 2]].map(
    (row) => row?.cells,
  );
  return (
    before !== undefined &&
    heads !== undefined &&
    filled(heads) > 2 &&
    block.slice(0, i).every(({ cells }) => filled(cells) < filled(heads)) &&
    couldBeHeads(heads) &&
    areFigures(before) &&
    [first, second].every((row) => row !== undefined && filled(row) === filled(heads) && areFigures(row))
  );
}

/** Whether at least half of the cells after the first one are figures. */
function areFigures(row: readonly string[]): boolean {
  const [, ...cells] = row.filter((text) => text !== '');
  return cells.length > 0 && cells.filter(isFigure).length * 2 >= cells.length;
}

/** Whether a block is only the title of the table in the next one. */
function isTitle(block: readonly SheetRow[], next: readonly SheetRow[] | undefined): boolean {
  if (next === undefined) return false;
  const isShort =
    block.every(({ cells, isMarked }) => filled(cells) === 1 && !isMarked) ||
    (block.length === 1 && filled(block[0]!.cells) === 2 && !block[0]!.isMarked);
  const heads = next[headsAt(next)]?.cells ?? [];
  return isShort && next.length > 1 && filled(heads) > 2 && couldBeHeads(heads);
}

const filled = (row: readonly string[]): number => row.filter((text) => text !== '').length;

/** A title as one line: `Stand: 2024`, `In Millionen; Januar bis Juni`. */
const lineOf = ({ cells }: SheetRow): string =>
  cells
    .filter((text) => text !== '')
    .join('; ')
    .replace(':; ', ': ');

/** Whether a block has the form `Name: | Meier` in each row, where the left cell names the right one. */
const isLabelled = (block: readonly (readonly string[])[]): boolean =>
  block.every((row) => filled(row) <= 2) &&
  (block.filter((row) => row.find((text) => text !== '')?.endsWith(':') === true).length > block.length / 2 ||
    block.length < 3);

/**
 * Whether a table continues after an empty row or a title: all cells are below its heads, and the first row has a
 * figure, is no row of heads, or repeats a value of its column, as plans do.
 */
function goesOn(rows: readonly (readonly string[])[], { heads, values }: Table): boolean {
  const [first] = rows;
  return (
    first !== undefined &&
    filled(first) > 1 &&
    rows.every((row) => row.every((text, column) => text === '' || (heads[column] ?? '') !== '')) &&
    (first.some(isFigure) || !couldBeHeads(first) || valuesOf(first).some((value) => values.has(value)))
  );
}

/** The values of a row with their columns. */
const valuesOf = (row: readonly string[]): string[] =>
  row.flatMap((text, column) => (text === '' ? [] : [`${column} ${text}`]));
