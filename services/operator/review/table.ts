import { CsvError, parse } from 'csv-parse/sync';
import { DELIMITERS } from '../../../kb/documents/csv.ts';
import { UsageError } from '../report-failure.ts';

/** A table as a spreadsheet shows it: its header, and the rows below. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  /** The number that Excel shows beside the row: titles, the header and empty rows count. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The most lines of titles above the header of an export. */
const MAX_TITLES = 30;

/**
 * Reads a CSV. The header is the row with the most names that `isKnown` accepts, because exports have titles above it.
 * The delimiter is the one that gives the most known names, which tells more than how even the rows are (by which the
 * knowledge base guesses it).
 *
 * @throws {UsageError} if the file cannot be read as a table, in German.
 */
export function readTable(path: string, text: string, isKnown: (name: string) => boolean): Table {
  const found = DELIMITERS.map((delimiter) => headIn(text, delimiter, isKnown)).toSorted(byNames)[0]!;
  const records = recordsOf(text, found.delimiter);
  if (records instanceof CsvError) {
    const line = typeof records['lines'] === 'number' ? ` ab Zeile ${records['lines']}` : '';
    throw new UsageError(
      `${path} ist${line} nicht als Tabelle zu lesen: Ein Anführungszeichen wird nicht geschlossen. Speichern Sie die Datei neu als CSV.`,
    );
  }
  const rows = records.map((cells, at): Row => ({ line: at + 1, cells }));
  return { head: records[found.at] ?? [], rows: rows.slice(found.at + 1) };
}

interface Head {
  readonly delimiter: string;
  readonly at: number;
  readonly known: number;
  readonly filled: number;
}

const byNames = (a: Head, b: Head): number => b.known - a.known || b.filled - a.filled || a.at - b.at;

/** The row that is most like a header, if this is the delimiter. With a wrong delimiter the file may be no table. */
function headIn(text: string, delimiter: string, isKnown: (name: string) => boolean): Head {
  const records = recordsOf(text, delimiter, MAX_TITLES);
  const heads = (records instanceof CsvError ? [] : records).map((cells, at): Head => {
    const names = cells.filter((cell) => cell !== '');
    return { delimiter, at, known: names.filter(isKnown).length, filled: names.length };
  });
  return heads.toSorted(byNames)[0] ?? { delimiter, at: 0, known: 0, filled: 0 };
}

function recordsOf(text: string, delimiter: string, to = -1): string[][] | CsvError {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      to,
      trim: true,
    });
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}
