import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeAny } from '../../../kb/text/decode.ts';
import { readingsOf } from '../../../kb/review/vocabulary.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import { UsageError } from '../report-failure.ts';
import { isOfPerson } from './person-columns.ts';
import type { SlipRow } from './slip-row.ts';
import { isSumRow, isSumOf } from './sum-rows.ts';
import { readTable, type Row } from './table.ts';

export interface PayrollFile {
  readonly path: string;
  /** The known columns, each with the key under which it is checked. */
  readonly keys: ReadonlyMap<string, string>;
  /** Columns that are not read. */
  readonly left: readonly string[];
  readonly rows: readonly SlipRow[];
  /** Rows that are not slips. */
  readonly skipped: readonly { readonly line: number; readonly why: string }[];
}

interface ReadOptions {
  /** Keys for columns that the vocabulary does not know. */
  readonly mapping?: ReadonlyMap<string, string>;
  /** The column that tells persons apart; its cells are hashed. */
  readonly id?: string | undefined;
}

/** The file with the mapping of columns. */
export const keysFileOf = (path: string): string => join(dirname(path), 'review-keys.csv');

/** Each run has its own salt. With a known salt, hashing every possible number would show which number a hash belongs to. */
const SALT = randomBytes(32);
/** A hash of a cell. Excel drops leading zeros, so they do not count. */
const hashed = (cell: string): string =>
  createHmac('sha256', SALT)
    .update(cell.replace(/^0+(?=\d+$)/u, ''))
    .digest('base64');

/**
 * Reads a payroll run: a header, then one row for each slip. Only columns of the vocabulary or the mapping are kept;
 * columns that identify a person are dropped. Sums, repeated headers and rows without any known value are not slips.
 *
 * @throws {UsageError} if the file cannot be read, in German.
 */
export async function readPayroll(
  path: string,
  base: ReviewBase,
  { mapping = new Map(), id }: ReadOptions = {},
): Promise<PayrollFile> {
  const isKey = (key: string): boolean => isKeyOf(key, base);
  const isKnown = (column: string): boolean =>
    isOfPerson(column) || isKey(mapping.get(column) ?? keyOf(column));
  const { head, rows: all } = readTable(path, await textOf(path), isKnown);
  const columns = head.flatMap((column, at) => {
    const key = mapping.get(column) ?? keyOf(column);
    return column === '' || isOfPerson(column) || !isKey(key) ? [] : [{ column, at, key }];
  });
  const idAt = id === undefined ? -1 : head.indexOf(id.trim());
  if (id !== undefined && idAt === -1) throw new UsageError(`${path} hat keine Spalte „${id}“.`);

  const rows: SlipRow[] = [];
  const skipped: { line: number; why: string }[] = [];
  const known = columns.map(({ at }) => at);
  for (const row of all) {
    const { line, cells } = row;
    const why = whyNoSlip(row, head, known);
    if (why !== null) {
      if (why !== '') skipped.push({ line, why });
      continue;
    }
    const facts = columns.flatMap(({ at, key }) => {
      const value = cells[at] ?? '';
      return value === '' ? [] : [{ key, value }];
    });
    rows.push({ line, facts, person: (cells[idAt] ?? '') === '' ? null : hashed(cells[idAt]!) });
  }
  const last = rows.at(-1);
  if (last !== undefined && isSumOf(last, rows.slice(0, -1), base)) {
    rows.pop();
    skipped.push({ line: last.line, why: 'Summe der Zeilen darüber' });
  }
  const keys = new Map(columns.map(({ column, key }) => [column, key] as const));
  return { path, keys, left: head.filter((column) => column !== '' && !keys.has(column)), rows, skipped };
}

/** Why a row is not a slip; empty for rows that need no remark, `null` for a slip. */
function whyNoSlip({ cells }: Row, head: readonly string[], known: readonly number[]): string | null {
  if (cells.every((cell) => cell === '')) return '';
  if (cells.every((cell, at) => cell === (head[at] ?? ''))) return '';
  if (isSumRow(cells)) return 'Summe';
  if (cells.slice(head.length).some((cell) => cell !== ''))
    return `${cells.length} Zellen, die Kopfzeile hat ${head.length}; Werte mit dem Trennzeichen gehören in Anführungszeichen`;
  return known.every((at) => (cells[at] ?? '') === '') ? 'kein Wert in einer geprüften Spalte' : null;
}

/** The text of a file. Payroll programs and Excel use Windows-1252, DOS's code pages and UTF-16 as often as UTF-8. */
async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const isMissing = (error as { code?: string }).code === 'ENOENT';
    throw new UsageError(`${path} ${isMissing ? 'gibt es nicht' : 'kann nicht gelesen werden'}.`);
  });
  const text = decodeAny(bytes);
  if (text === undefined)
    throw new UsageError(`${path} ist kein Text: Speichern Sie die Tabelle als CSV (UTF-8).`);
  return text;
}

/** A column's name as a key; the lookup ignores differences of spelling. */
const keyOf = (column: string): string => column.toLowerCase().replaceAll(/\s+/gu, '_');

/**
 * Reads a mapping that `beleg review keys` wrote and a person completed; only columns with a key count. Unless the
 * command names the file, it need not exist.
 *
 * @throws {UsageError} for a key that is not in the vocabulary, in German.
 */
export async function readKeys(
  path: string,
  base: ReviewBase,
  isNamed: boolean,
): Promise<ReadonlyMap<string, string>> {
  if (!isNamed && !existsSync(path)) return new Map();
  const { head, rows } = readTable(path, await textOf(path), (name) => name === 'column' || name === 'key');
  const [column, key] = [head.indexOf('column'), head.indexOf('key')];
  const pairs = rows.flatMap(({ cells }) =>
    (cells[column] ?? '') === '' || (cells[key] ?? '') === '' ? [] : [[cells[column]!, cells[key]!] as const],
  );
  const unknown = pairs.map(([, each]) => each).filter((each) => !isKeyOf(each, base));
  if (unknown.length > 0) throw new UsageError(`${path}: Das Vokabular kennt nicht: ${unknown.join(', ')}.`);
  return new Map(pairs);
}

const isKeyOf = (key: string, { quantities }: ReviewBase): boolean =>
  readingsOf(key, quantities).quantities.length > 0;
