import { couldBeHeads, isFigure } from './head-rows.ts';
import type { Cell, Unit } from './unit.ts';

interface SheetOptions {
  /** Rows, from 0, that the sheet itself marks as heads. */
  readonly marked?: ReadonlySet<number>;
  /** Rows with cells that span columns, with their text repeated in each. */
  readonly spans?: ReadonlyMap<number, readonly string[]>;
}

/**
 * The units of a sheet: cells as displayed, empty ones as ''. Empty rows separate tables. A single cell in a row above
 * a table is a line of text.
 */
export function unitsOfSheet(
  rows: readonly (readonly string[])[],
  { marked, spans }: SheetOptions = {},
): Unit[] {
  const units: Unit[] = [];
  let before: readonly string[] = [];
  for (const [from, block] of blocksOf(rows)) {
    // Lines of text above a table; if no row has two cells, there is no table.
    const begin = block.findIndex((row, i) => filled(row) > 1 || marked?.has(from + i) === true);
    let at = Math.max(0, begin);
    for (const row of block.slice(0, at))
      units.push({ kind: 'paragraph', text: row.find((text) => text !== '')! });
    // A row of heads over heads is joined to the heads below it.
    const above = spans?.get(from + at);
    const isDouble = above !== undefined && at < block.length - 2 && couldBeHeads(block[at + 1]!);
    if (isDouble) at++;
    const first = isDouble
      ? block[at]!.map((text, i) => [above[i] ?? '', text].filter((each) => each !== '').join(' '))
      : block[at]!;
    const width = block.reduce((most, row) => Math.max(most, filled(row)), 0);
    const isHeads =
      isDouble ||
      marked?.has(from + at) === true ||
      (at < block.length - 1 &&
        couldBeHeads(first) &&
        filled(first) > width / 2 &&
        !isLabelled(block.slice(at)));
    const heads = isHeads ? first : continues(first, before) ? before : [];
    if (isHeads) at++;
    before = heads;
    const isSingle = width <= 1;
    const count = units.length;
    for (const row of block.slice(at)) {
      const isAlone = isSingle || filled(row) < 2;
      const cells = row.flatMap((text, i): Cell[] =>
        text === '' ? [] : [{ head: isAlone ? '' : (heads[i] ?? ''), text }],
      );
      units.push({ kind: 'row', cells });
    }
    // Heads without a row below them become a row.
    if (isHeads && units.length === count)
      units.push({
        kind: 'row',
        cells: heads.filter((text) => text !== '').map((text) => ({ head: '', text })),
      });
  }
  return units;
}

const filled = (row: readonly string[]): number => row.filter((text) => text !== '').length;

/** Rows between empty rows, each block with the index of its first row. */
function blocksOf(rows: readonly (readonly string[])[]): [number, (readonly string[])[]][] {
  const blocks: [number, (readonly string[])[]][] = [];
  let isOpen = false;
  for (const [i, row] of rows.entries()) {
    const isEmpty = row.every((text) => text === '');
    if (!isEmpty && isOpen) blocks.at(-1)![1].push(row);
    else if (!isEmpty) blocks.push([i, [row]]);
    isOpen = !isEmpty;
  }
  return blocks;
}

/** `Name: | Meier` in each row: the left cell names the right one. */
const isLabelled = (block: readonly (readonly string[])[]): boolean =>
  block.every((row) => filled(row) <= 2) &&
  (block.filter((row) => row.find((text) => text !== '')?.endsWith(':') === true).length > block.length / 2 ||
    block.length < 3);

/** Whether a table continues after an empty row. */
const continues = (first: readonly string[], heads: readonly string[]): boolean =>
  first.some(isFigure) && first.every((text, i) => text === '' || (heads[i] ?? '') !== '');
