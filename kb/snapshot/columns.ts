/** The values of a field, one for each object. Repeated values are stored once, in the file and in memory. */
interface Column {
  readonly values: readonly unknown[];
  /** The index of each object's value; absent if all values are stored in order. */
  readonly places?: readonly number[];
}

/** Objects as one row of values for each field. This is read much faster than objects with field names. */
export interface Columns {
  readonly count: number;
  readonly columns: Readonly<Record<string, Column>>;
  /** The other fields that some objects have, by the place of the object. */
  readonly rest: ReadonlyMap<number, object>;
}

/** @param without the names of the fields that get no column */
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
