import { isMissing, notationsOf, parseNumber, type Notation } from './csv-numbers.ts';
import type { Header } from './csv-header.ts';

/** A column of figures beside the usual ones. */
export interface FurtherColumn {
  readonly name: string;
  readonly place: number;
  /** The figure of a field; `null` if it is empty. */
  readonly read: (text: string) => number | null;
}

interface Row {
  readonly record: readonly string[];
  readonly line: number;
}

/**
 * The further columns that have only figures, each in its own notation. A column with words is left out, because
 * strategies would see a hole at each word.
 */
export function furtherColumns(
  rows: readonly Row[],
  further: Header['further'],
  delimiter: string,
): FurtherColumn[] {
  return further.flatMap(({ name, place }) => {
    const figures = rows.flatMap(({ record, line }) => {
      const text = record[place] ?? '';
      return isMissing(text) ? [] : [{ text: unsigned(text), line }];
    });
    let isClear = figures.length > 0;
    const [notation = '.'] = notationsOf([{ name, figures }], delimiter, () => {
      isClear = false;
    });
    if (!isClear || figures.some(({ text }) => 'fault' in parseNumber(text, notation))) return [];
    return [{ name, place, read: (text) => (isMissing(text) ? null : valueOf(text, notation)) }];
  });
}

const MINUS = /^\s*[-−]/u;

const unsigned = (text: string): string => text.replace(MINUS, '');

function valueOf(text: string, notation: Notation): number | null {
  const parsed = parseNumber(unsigned(text), notation);
  if ('fault' in parsed) return null;
  return MINUS.test(text) ? -parsed.value : parsed.value;
}
