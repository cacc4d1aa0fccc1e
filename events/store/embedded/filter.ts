import type { StatementSync } from 'node:sqlite';
import type { EventFilter } from '../store.ts';

export interface AllPageOptions {
  direction: 'forwards' | 'backwards';
  /** Exclusive. */
  after: number;
  /** Inclusive far end. */
  until: number;
  limit: number;
  filter: EventFilter | undefined;
}

export interface KindStatements {
  nextType: StatementSync;
  nextCategory: StatementSync;
  kind: Record<'forwards' | 'backwards', StatementSync>;
  kindWithin: Record<'forwards' | 'backwards', StatementSync>;
}

/** How many positions one page looks at where the index alone cannot tell which streams match. */
const WINDOW = 50_000;

/**
 * The next positions that match a filter. Every pair of category and type is an ordered range of one index, so a page
 * merges the few ranges that match, each read no further than the best page known so far.
 */
export function pickPositions(
  sql: KindStatements,
  filter: EventFilter,
  options: AllPageOptions,
): { positions: number[]; scannedTo: number } {
  const { direction, after, limit } = options;
  const kinds = matchingKinds(sql, filter);
  const needsWindow = kinds.some((kind) => kind.within !== undefined);
  const until = needsWindow ? withinWindow(options) : options.until;

  let positions: number[] = [];
  let far = until;
  for (const { category, type, within } of kinds) {
    const rows =
      within === undefined
        ? sql.kind[direction].all(category, type, after, far, limit)
        : sql.kindWithin[direction].all(category, type, after, far, JSON.stringify(within), limit);
    for (const row of rows as unknown as [number][]) positions.push(row[0]);
    positions.sort(direction === 'forwards' ? (a, b) => a - b : (a, b) => b - a);
    if (positions.length >= limit) {
      positions = positions.slice(0, limit);
      far = positions.at(-1)!;
    }
  }
  return { positions, scannedTo: positions.length === limit ? far : until };
}

function withinWindow({ direction, after, until }: AllPageOptions): number {
  return direction === 'forwards' ? Math.min(until, after + WINDOW) : Math.max(until, after - WINDOW);
}

interface Kind {
  category: string;
  type: string;
  /** Prefixes that narrow further than the category does. */
  within?: readonly string[];
}

/** Steps through the distinct pairs of the index, one look-up each: there are dozens, however many events. */
function matchingKinds(sql: KindStatements, filter: EventFilter): Kind[] {
  const kinds: Kind[] = [];
  let last: [string, string] = ['', ''];
  for (;;) {
    const next = (sql.nextType.get(...last) ?? sql.nextCategory.get(last[0])) as unknown as
      | [string, string]
      | undefined;
    if (next === undefined) return kinds;
    last = next;
    const [category, type] = next;
    if (filter.types !== undefined && !filter.types.includes(type)) continue;
    const prefixes = filter.streamPrefixes;
    if (prefixes === undefined || prefixes.some((prefix) => category.startsWith(prefix))) {
      kinds.push({ category, type });
      continue;
    }
    const within = prefixes.filter((prefix) => category.endsWith('-') && prefix.startsWith(category));
    if (within.length > 0) kinds.push({ category, type, within });
  }
}
