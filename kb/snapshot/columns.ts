/** Values in a row. Those that repeat are there once, so that they are also in memory once. */
interface Column {
  readonly values: readonly unknown[];
  /** The place of each value; absent where they are all there, in order. */
  readonly places?: readonly number[];
}

/** Objects in a row, as one row of values for each field: these are read much faster than objects with the names of their fields. */
export interface Columns {
  readonly count: number;
  readonly columns: Readonly<Record<string, Column>>;
  /** What some objects have besides, by their place. */
  readonly rest: ReadonlyMap<number, object>;
}

/** @param without fields that are left out */
export function toColumns<T extends object>(
  rows: readonly T[],
  fields: readonly (keyof T & string)[],
  without: readonly (keyof T & string)[] = [],
): Columns {
  const rest = new Map<number, object>();
  const known: ReadonlySet<string> = new Set([...fields, ...without]);
  for (const [place, row] of rows.entries()) {
    const others = (Object.keys(row) as (keyof T)[]).filter((field) => !known.has(field as string));
    if (others.length > 0) rest.set(place, Object.fromEntries(others.map((field) => [field, row[field]])));
  }
  const columns = fields.map((field) => [field, columnOf(rows.map((row) => row[field]))]);
  return { count: rows.length, columns: Object.fromEntries(columns) as Columns['columns'], rest };
}

function columnOf(all: readonly unknown[]): Column {
  const places = new Map([...new Set(all)].map((value, place) => [value, place]));
  if (2 * places.size > all.length) return { values: all };
  return { values: [...places.keys()], places: all.map((value) => places.get(value)!) };
}

/** The values of a field. */
export function valuesOf({ columns }: Columns, field: string): readonly unknown[] {
  const { values, places } = columns[field]!;
  return places?.map((place) => values[place]) ?? values;
}
