import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { furtherColumns } from './csv-further.ts';
import { isMissing } from './csv-numbers.ts';
import { datesOf, lineFault, readRecords } from './csv-records.ts';
import type { Series, SeriesFound, SeriesValue } from './source.ts';

/** The folder beside the tables that has one file for each series. */
export const SERIES_FOLDER = 'series';
/** The most series that are read. */
const MOST_SERIES = 50;
const NAME = /^([\p{L}\p{N}_-]{1,60})\.csv$/iu;
const DATE = ['date', 'datum', 'day', 'period'];
const KNOWN = ['known', 'known_from', 'known from', 'published', 'released', 'bekannt', 'veröffentlicht'];

/** The names of the series files in a folder of tables, sorted. */
export async function listSeries(folder: string): Promise<string[]> {
  const files = await readdir(join(folder, SERIES_FOLDER)).catch(() => []);
  return files.filter((file) => /\.csv$/iu.test(file) && !file.startsWith('.')).toSorted();
}

/**
 * Reads the series of a folder of tables: `series/vix.csv` with a column `date`, one of figures, and optionally
 * `known`, the day from which a value was known, by default its date.
 */
export async function readSeries(
  folder: string,
  read: (name: string) => Promise<string>,
): Promise<SeriesFound> {
  const series: Series[] = [];
  const leftOut: string[] = [];
  for (const [at, file] of (await listSeries(folder)).entries()) {
    const path = `${SERIES_FOLDER}/${file}`;
    const name = NAME.exec(file)?.[1];
    if (name === undefined) leftOut.push(`${path}: name it with letters, digits, - and _ only, like vix.csv`);
    else if (at >= MOST_SERIES) leftOut.push(`${path}: only ${MOST_SERIES} series are read`);
    else {
      try {
        series.push({ name, values: valuesOf(await read(path)) });
      } catch (error) {
        leftOut.push(`${path}: ${error instanceof Error ? error.message : 'it cannot be read'}`);
      }
    }
  }
  return { series, leftOut };
}

/**
 * The values of a series.
 *
 * @throws {Error} with the fault and its line.
 */
function valuesOf(text: string): SeriesValue[] {
  const { delimiter, header, columnOf, rows } = readRecords(text);
  const [date, known] = [columnOf(DATE), columnOf(KNOWN)];
  const others = header.flatMap((_, place) => (place === date || place === known ? [] : [place]));
  if (date < 0) throw new Error('there is no column date');
  const [place] = others;
  if (place === undefined || others.length > 1)
    throw new Error('there must be one column of figures beside date and known');
  const [figures] = furtherColumns(rows, [{ name: header[place]!, place }], delimiter);
  if (figures === undefined) throw new Error(`the column ${header[place]} has more than figures, or none`);
  const [dated, knownOn] = [datesOf(rows, date), known < 0 ? null : datesOf(rows, known)];
  return rows.flatMap((row) => {
    const value = figures.read(row.record[place] ?? '');
    if (value === null) return [];
    const day = dated(row);
    const isSaid = knownOn !== null && !isMissing(row.record[known] ?? '');
    const from = isSaid ? knownOn(row) : day;
    if (from < day) lineFault(row.line, `its value of ${day} cannot have been known on ${from}`);
    return [{ date: day, known: from, value }];
  });
}
