import { parse } from 'csv-parse/sync';

import { decodeAny } from '../text/decode.ts';
import { plainText } from './plain-text.ts';
import { unitsOfSheet } from './sheet-units.ts';
import { documentOf, Unreadable, type DocumentKind } from './unit.ts';

/** A table as text, separated by commas, semicolons or tabs. */
export const csv: DocumentKind = {
  extensions: ['csv', 'tsv'],
  parse(bytes) {
    const text = decodeAny(bytes);
    if (text === undefined) throw new Unreadable('is not text');
    return documentOf({ units: unitsOfSheet(rowsOf(text)) });
  },
};

/** Delimiters of tables. */
export const DELIMITERS = [';', '\t', ',', '|'];
/** The number of lines in which the delimiter is searched for. */
const EVIDENCE = 50;

/** The cells of a table with any delimiter. */
export function rowsOf(written: string): string[][] {
  // The first line by which Excel names the delimiter.
  const [, named] = /^sep=(.)\n/iu.exec(written) ?? [];
  const text = named === undefined ? written : written.slice(6);
  const delimiter = named ?? delimiterOf(text);
  return cellsOf(text, delimiter).map((row) => row.map(plainText));
}

export const cellsOf = (text: string, delimiter: string, to?: number): string[][] => {
  try {
    return parse(text, {
      delimiter,
      ...(to === undefined ? {} : { to }),
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: false,
    });
  } catch {
    // A quotation mark that is never closed is an ordinary character.
    return parse(text, {
      delimiter,
      quote: false,
      ...(to === undefined ? {} : { to }),
      relax_column_count: true,
    });
  }
};

/**
 * The delimiter for which most rows have equally many cells, more than one; of several such delimiters, the one with
 * more cells.
 */
function delimiterOf(text: string): string {
  const scores = DELIMITERS.map((delimiter) => {
    const counts = cellsOf(text, delimiter, EVIDENCE)
      .filter((row) => row.some((cell) => cell !== ''))
      .map(({ length }) => length);
    const frequent = counts.filter((count) => count > 1);
    const most = frequent.sort(
      (a, b) =>
        frequent.filter((count) => count === b).length - frequent.filter((count) => count === a).length,
    )[0];
    const share = most === undefined ? 0 : frequent.filter((count) => count === most).length / counts.length;
    return { delimiter, share, most: most ?? 0 };
  });
  const [best] = scores.sort((a, b) => b.share - a.share || b.most - a.most);
  return best === undefined || best.share === 0 ? ',' : best.delimiter;
}
