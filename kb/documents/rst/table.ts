/** A drawn table: its cells are lines, which may have blocks. */
export interface DrawnTable {
  readonly heads: readonly (readonly string[])[][];
  readonly rows: readonly (readonly string[])[][];
}

export const GRID_BORDER = /^\+(?:[-=]+\+)+$/u;
export const SIMPLE_BORDER = /^=+(?: +=+)+$/u;

/**
 * A table with borders like `+---+---+`. A spanning cell has the width of its columns, and ends at the next border of
 * its column.
 */
export function gridTable(lines: readonly string[]): DrawnTable {
  const edges = [
    ...new Set(
      lines
        .filter((line) => /^\+[-=+]+\+$/u.test(line))
        .flatMap((line) => [...line.matchAll(/\+/gu)].map(({ index }) => index)),
    ),
  ].sort((a, b) => a - b);
  const heads: string[][][] = [];
  const rows: string[][][] = [];
  let target = lines.some((line) => /^\+[=+]+\+$/u.test(line)) ? heads : rows;
  let open = new Map<number, string[]>();
  const close = (): void => {
    const row = edges.slice(0, -1).map((edge) => dedented(open.get(edge) ?? []));
    if (row.some((cell) => cell.length > 0)) target.push(row);
    open = new Map();
  };
  for (const line of lines) {
    if (/^\+[=+]+\+$/u.test(line)) {
      close();
      target = rows;
      continue;
    }
    if (GRID_BORDER.test(line)) {
      close();
      continue;
    }
    // A border below some columns only ends their rows; the others continue.
    let from = 0;
    while (from < edges.length - 1) {
      let to = from + 1;
      while (to < edges.length - 1 && !/[|+]/u.test(line[edges[to]!] ?? ' ')) to++;
      const part = line.slice(edges[from]! + 1, edges[to]);
      if (!/^[-=]+$/u.test(part)) open.set(edges[from]!, [...(open.get(edges[from]!) ?? []), part]);
      else if ((open.get(edges[from]!)?.length ?? 0) > 0) open.get(edges[from]!)!.push('');
      from = to;
    }
  }
  close();
  return { heads, rows };
}

/** A table with rules like `=== ===`. A row begins where its first column has text. */
export function simpleTable(lines: readonly string[]): DrawnTable {
  const columns = [...lines[0]!.matchAll(/=+/gu)].map(({ index }) => index);
  const borders = lines.flatMap((line, i) => (SIMPLE_BORDER.test(line) ? [i] : []));
  const hasHeads = borders.length > 2;
  const cut = (line: string): string[] =>
    columns.map((column, i) => line.slice(column, columns[i + 1] ?? Infinity));
  const read = (part: readonly string[]): string[][][] => {
    const found: string[][][] = [];
    for (const line of part) {
      if (/^[-= ]*$/u.test(line)) continue;
      const cells = cut(line);
      if (found.length === 0 || cells[0]!.trim() !== '') found.push(cells.map((cell) => [cell]));
      else for (const [i, cell] of cells.entries()) found.at(-1)![i]!.push(cell);
    }
    return found.map((row) => row.map(dedented));
  };
  return hasHeads
    ? { heads: read(lines.slice(1, borders[1])), rows: read(lines.slice(borders[1])) }
    : { heads: [], rows: read(lines) };
}

/** The lines without common indentation and without empty lines around them. */
export function dedented(lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== '');
  const indent = filled.reduce((least, line) => Math.min(least, indentOf(line)), Infinity);
  const cut = lines.map((line) => line.slice(indent === Infinity ? 0 : indent).trimEnd());
  const first = cut.findIndex((line) => line !== '');
  return first === -1 ? [] : cut.slice(first, cut.findLastIndex((line) => line !== '') + 1);
}

export const indentOf = (line: string): number => line.length - line.trimStart().length;
