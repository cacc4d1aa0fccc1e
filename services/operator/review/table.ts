import { CsvError, parse } from 'csv-parse/sync';
import { UsageError } from '../report-failure.ts';

/** A table as a spreadsheet shows it: its head, and the rows beneath. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  /** The number that Excel shows beside the row: titles, the head and empty rows count. */
  readonly line: number;
  readonly cells: readonly string[];
}

const DELIMITERS = [';', '\t', ',', '|'];
/** Exports have a few lines with titles above the head. */
const MAX_TITLES = 30;

/**
 * Reads a CSV. The head is the row with the most names that `isKnown` accepts, because exports have titles above it; the
 * delimiter is the one that gives the most of them.
 *
 * @throws {UsageError} where the file cannot be read as a table, in German.
 */
export function readTable(path: string, text: string, isKnown: (name: string) => boolean): Table {
  const found = DELIMITERS.map((delimiter) => headIn(path, text, delimiter, isKnown)).toSorted(
    (a, b) => b.known - a.known || b.filled - a.filled,
  )[0]!;
  const records = recordsOf(path, text, found.delimiter);
  const rows = records.map((cells, at): Row => ({ line: at + 1, cells }));
  return { head: records[found.at] ?? [], rows: rows.slice(found.at + 1) };
}

interface Head {
  readonly delimiter: string;
  readonly at: number;
  readonly known: number;
  readonly filled: number;
}

function headIn(path: string, text: string, delimiter: string, isKnown: (name: string) => boolean): Head {
  const heads = recordsOf(path, text, delimiter, MAX_TITLES).map((cells, at): Head => {
    const names = cells.filter((cell) => cell !== '');
    return { delimiter, at, known: names.filter(isKnown).length, filled: names.length };
  });
  const none: Head = { delimiter, at: 0, known: 0, filled: 0 };
  return heads.toSorted((a, b) => b.known - a.known || b.filled - a.filled || a.at - b.at)[0] ?? none;
}

function recordsOf(path: string, text: string, delimiter: string, to = -1): string[][] {
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
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? ` ab Zeile ${error['lines']}` : '';
    throw new UsageError(
      `${path} ist${line} nicht als Tabelle zu lesen: Ein Anführungszeichen wird nicht geschlossen. Speichern Sie die Datei neu als CSV.`,
    );
  }
}
