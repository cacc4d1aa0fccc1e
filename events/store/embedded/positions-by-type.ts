import type { StatementSync } from 'node:sqlite';

export interface AllPageOptions {
  direction: 'forwards' | 'backwards';
  /** The position after which to begin. */
  after: number;
  /** The last position, forwards or backwards, which is included. */
  until: number;
  limit: number;
  types: readonly string[] | undefined;
}

export interface KindStatements {
  nextType: StatementSync;
  nextCategory: StatementSync;
  kind: Record<'forwards' | 'backwards', StatementSync>;
}

/**
 * The next positions of events of some types. Every pair of category and type is an ordered range of one index, so a page
 * merges the few ranges that match, each read no further than the best page known so far.
 */
export function pickPositions(
  sql: KindStatements,
  types: readonly string[],
  { direction, after, until, limit }: AllPageOptions,
): { positions: number[]; scannedTo: number } {
  let positions: number[] = [];
  let far = until;
  for (const [category, type] of kinds(sql)) {
    if (!types.includes(type)) continue;
    const rows = sql.kind[direction].all(category, type, after, far, limit) as unknown as [number][];
    for (const [position] of rows) positions.push(position);
    positions.sort(direction === 'forwards' ? (a, b) => a - b : (a, b) => b - a);
    if (positions.length >= limit) {
      positions = positions.slice(0, limit);
      far = positions.at(-1)!;
    }
  }
  return { positions, scannedTo: positions.length === limit ? far : until };
}

/**
 * The distinct pairs of category and type in the index. Each is found with one look-up: there are dozens of pairs,
 * however many events.
 */
function* kinds(sql: KindStatements): Generator<[category: string, type: string]> {
  let last: [string, string] | undefined = ['', ''];
  for (;;) {
    last = (sql.nextType.get(...last) ?? sql.nextCategory.get(last[0])) as unknown as
      | [string, string]
      | undefined;
    if (last === undefined) return;
    yield last;
  }
}
