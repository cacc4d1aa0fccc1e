import { CsvError, parse } from 'csv-parse/sync';
import { dateReader } from './csv-dates.ts';

/** A row of a small table, and its line. */
interface CsvRow {
  readonly record: readonly string[];
  readonly line: number;
}

/** A small table that is read as a whole, such as a series or the universe. */
export interface CsvRecords {
  readonly delimiter: ',' | ';';
  readonly header: readonly string[];
  /** The first column with one of these names; -1 if there is none. */
  readonly columnOf: (names: readonly string[]) => number;
  readonly rows: readonly CsvRow[];
}

/**
 * Throws a fault of a line.
 *
 * @throws {Error} that names the line.
 */
export function lineFault(line: number, message: string): never {
  throw new Error(`line ${line}: ${message}`);
}

/**
 * Reads a small table.
 *
 * @throws {Error} for a text that is no table.
 */
export function readRecords(text: string): CsvRecords {
  const delimiter = text.split('\n', 1)[0]!.includes(';') ? ';' : ',';
  const [{ record: header } = { record: [] }, ...rows] = rowsOf(text, delimiter);
  const names = header.map((name) => name.trim().toLowerCase());
  return {
    delimiter,
    header,
    columnOf: (wanted) => names.findIndex((name) => wanted.includes(name)),
    rows,
  };
}

function rowsOf(text: string, delimiter: string): CsvRow[] {
  try {
    const found = parse(text, {
      delimiter,
      skip_empty_lines: true,
      relax_column_count: true,
      bom: true,
      info: true,
    }) as unknown as { readonly record: string[]; readonly info: { readonly lines: number } }[];
    return found.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    if (error instanceof CsvError) throw new Error(`it is no table: ${error.message}`, { cause: error });
    throw error;
  }
}

/**
 * Reads the dates of a column, all in one order of day and month. Returns a function that gives the date of a row.
 *
 * @throws {Error} that names the line; the returned function throws likewise.
 */
export function datesOf(rows: readonly CsvRow[], column: number): (row: CsvRow) => string {
  const read = dateReader(
    rows.map(({ record, line }) => ({ text: record[column] ?? '', line })),
    lineFault,
  );
  return ({ record, line }) => {
    const parsed = read(record[column] ?? '');
    return 'value' in parsed ? parsed.value : lineFault(line, parsed.fault);
  };
}
