import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { decodeAny } from '../../../kb/base/text.ts';
import { readingsOf } from '../../../kb/review/vocabulary.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import { UsageError } from '../report-failure.ts';

/** Names of columns that identify a person: they are never read, whatever a mapping says. */
const PERSON =
  /^(?:name|vorname|nachname|familienname|mitarbeiter(?:name)?|personal(?:nummer|nr)|pers(?:onal)?[_ -]?nr|mitarbeiter(?:nummer|nr|_nr)|iban|konto|svnr|sv[_ -]?nummer|versicherungsnummer|steuer[_ -]?id|idnr|anschrift|strasse|email|e-mail|employee(?:_id|_name)?)$/iu;

export interface PayrollFile {
  /** The known columns, by the key under which they are sent. */
  readonly keys: ReadonlyMap<string, string>;
  /** Columns that are not read. */
  readonly left: readonly string[];
  /** One row for each slip, with the known columns. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** The file with the mapping of columns. */
export const keysFileOf = (path: string): string => join(dirname(path), 'review-keys.csv');

/**
 * Reads a payroll run: a heading, then one row for each slip, separated by semicolons, commas or tabs. Only columns of
 * the vocabulary or the mapping are kept; those that identify a person are dropped first.
 */
export async function readPayroll(
  path: string,
  base: ReviewBase,
  mapping: ReadonlyMap<string, string> = new Map(),
): Promise<PayrollFile> {
  const text = textOf(path, await readFile(path));
  const records: Record<string, string>[] = parse(text, {
    bom: true,
    columns: (names: string[]) => names.map((name) => name.trim()),
    delimiter: [';', ',', '\t'].find((each) => text.split('\n', 1)[0]!.includes(each)) ?? ';',
    skip_empty_lines: true,
    trim: true,
  });
  const columns = Object.keys(records[0] ?? {});
  const keys = new Map<string, string>();
  for (const column of columns) {
    const key = mapping.get(column) ?? keyOf(column);
    if (!PERSON.test(column) && readingsOf(key, base.quantities).quantities.length > 0) keys.set(column, key);
  }
  const rows = records.map((record) =>
    Object.fromEntries([...keys].map(([column, key]) => [key, record[column] ?? ''] as const)),
  );
  return { keys, left: columns.filter((column) => !keys.has(column)), rows };
}

/** Payroll programs and Excel use Windows-1252 and UTF-16 as often as UTF-8. */
function textOf(path: string, bytes: Uint8Array): string {
  const text = decodeAny(bytes);
  if (text === undefined) throw new UsageError(`${path} is no text: save it as CSV in UTF-8`);
  return text;
}

/** A column's name as a key; the lookup ignores differences of spelling. */
const keyOf = (column: string): string => column.toLowerCase().replaceAll(/\s+/gu, '_');

/** Reads a mapping that `beleg review keys` wrote and a person completed; only columns with a key count. */
export async function readKeys(path: string): Promise<ReadonlyMap<string, string>> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const records: Record<string, string>[] = parse(textOf(path, bytes), {
    bom: true,
    columns: true,
    skip_empty_lines: true,
  });
  return new Map(
    records.flatMap(({ column, key }) =>
      column === undefined || key === undefined || key === '' ? [] : [[column, key] as const],
    ),
  );
}
