import type { SQLOutputValue } from 'node:sqlite';
import type { LiveTables } from './live-tables.ts';

type Row = Record<string, SQLOutputValue>;

/** A row that is not the same in both; what is in it stays where it is: it may be text. */
interface RowDifference {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  /** `missing`: from the live table; `extra`: the record knows nothing of it. */
  readonly kind: 'missing' | 'extra' | 'changed';
  /** Those that differ. */
  readonly columns: readonly string[];
}

export interface TableComparison {
  readonly table: string;
  /** Live. */
  readonly rows: number;
  /** Rows that are not the same. */
  readonly different: number;
  /** The first of them. */
  readonly first: readonly RowDifference[];
}

const FIRST = 10;

/** Row by row, in the order of the keys: memory does not grow with the tables. */
export function compareTable(table: string, live: LiveTables, fresh: LiveTables): TableComparison {
  const key = fresh.key(table);
  const lives = live.rows(table, key);
  const freshes = fresh.rows(table, key);
  const first: RowDifference[] = [];
  let rows = 0;
  let different = 0;
  const note = (kind: RowDifference['kind'], row: Row, columns: readonly string[]): void => {
    different += 1;
    if (first.length >= FIRST) return;
    const named = Object.fromEntries(key.map((name) => [name, String(row[name])]));
    first.push({ table, key: named, kind, columns });
  };
  let one = nextOf(lives);
  let other = nextOf(freshes);
  while (one !== undefined || other !== undefined) {
    const order = one === undefined ? 1 : other === undefined ? -1 : compareKeys(one, other, key);
    if (order < 0) note('extra', one!, []);
    else if (order > 0) note('missing', other!, []);
    else {
      const columns = differentColumns(one!, other!);
      if (columns.length > 0) note('changed', one!, columns);
    }
    if (order <= 0) {
      rows += 1;
      one = nextOf(lives);
    }
    if (order >= 0) other = nextOf(freshes);
  }
  return { table, rows, different, first };
}

function nextOf(rows: Iterator<Row, unknown>): Row | undefined {
  const next = rows.next();
  return next.done === true ? undefined : next.value;
}

function differentColumns(one: Row, other: Row): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => compareValues(one[name], other[name]) !== 0);
}

function compareKeys(one: Row, other: Row, key: readonly string[]): number {
  for (const name of key) {
    const order = compareValues(one[name], other[name]);
    if (order !== 0) return order;
  }
  return 0;
}

/** As SQLite orders them: nothing, numbers, text by its bytes, bytes. */
function compareValues(one: SQLOutputValue | undefined, other: SQLOutputValue | undefined): number {
  const ranks = [rankOf(one), rankOf(other)] as const;
  if (ranks[0] !== ranks[1]) return ranks[0] - ranks[1];
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other as string));
  if (one instanceof Uint8Array) return Buffer.compare(one, other as Uint8Array);
  if (one === other || one === null || one === undefined) return 0;
  return one < (other as number | bigint) ? -1 : 1;
}

function rankOf(value: SQLOutputValue | undefined): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return 2;
  return value instanceof Uint8Array ? 3 : 1;
}
