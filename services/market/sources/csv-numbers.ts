import { quoted } from './quoted.ts';

/** A field's value, or its fault without the name of the field. */
export type Parsed<T> = { readonly value: T } | { readonly fault: string };

/** A limit above any price, and well within the range of a decimal price. */
export const MAX_PRICE = 1e12;
/** The limit up to which whole numbers are exact. */
export const MAX_VOLUME = Number.MAX_SAFE_INTEGER;

/** The sign before the decimals of a number. The other sign may separate thousands. */
export type Notation = '.' | ',';

/** What exports write for a missing value. */
const MISSING = new Set([
  '',
  '-',
  '--',
  '–',
  '—',
  '.',
  'null',
  'nan',
  'na',
  'n/a',
  '#n/a',
  '<na>',
  'none',
  'nil',
  'nat',
]);
export const isMissing = (text: string): boolean => text.length < 5 && MISSING.has(text.trim().toLowerCase());

/** Signs around and within numbers, such as currencies and spaces, that do not depend on the notation. */
const ORNAMENT = /[\s$€£¥₹'’\u00A0\u202F]/gu;
/** A number without currency signs and without separators of thousands. */
export const PLAIN = /^\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,3})?$/iu;
const WRITTEN: Readonly<Record<Notation, RegExp>> = {
  '.': /^(\d{1,30}|\d{1,3}(,\d{2,3}){0,8},\d{3})?(\.\d{0,30})?(e[+-]?\d{1,3})?$/iu,
  ',': /^(\d{1,30}|\d{1,3}(\.\d{2,3}){0,8}\.\d{3})?(,\d{0,30})?(e[+-]?\d{1,3})?$/iu,
};

const isSimple = (text: string): boolean =>
  !text.includes(',') && text.indexOf('.') === text.lastIndexOf('.');

/**
 * The notation that a number proves. `?` means that it is undecided: three digits after a comma, or after a point in a
 * table with semicolons, may be decimals or thousands. `null` means that the number says nothing.
 */
function evidence(text: string, delimiter: string): Notation | '?' | null {
  const figure = text.replace(ORNAMENT, '');
  const [comma, point] = [figure.lastIndexOf(','), figure.lastIndexOf('.')];
  if (comma < 0 && point < 0) return null;
  const sign = comma > point ? ',' : '.';
  const other = sign === ',' ? '.' : ',';
  const [whole = '', ...parts] = figure.split(sign);
  if (parts.length > 1) return other;
  if (whole.includes(other)) return sign;
  const decimals = /^\d*/u.exec(parts[0]!)![0];
  if (decimals.length !== 3 || !/^[1-9]\d{0,2}$/u.test(whole)) return sign;
  return sign === ',' || delimiter === ';' ? '?' : null;
}

/** The fields of a column, with their lines. */
interface Column {
  readonly name: string;
  readonly figures: readonly { readonly text: string; readonly line: number }[];
}

/**
 * The notation of each column, from all its numbers, or else from the other columns, because a file usually has one
 * notation. An undecided column is a fault, because a wrong reading would divide prices by a thousand.
 */
export function notationsOf(
  columns: readonly Column[],
  delimiter: string,
  fault: (line: number, message: string) => void,
): Notation[] {
  if (delimiter !== ';' && columns.every(({ figures }) => figures.every(({ text }) => isSimple(text))))
    return columns.map(() => '.');
  const found = columns.map(({ figures }) => {
    const lines = new Map<Notation | '?', { text: string; line: number }>();
    for (const figure of figures) {
      const says = evidence(figure.text, delimiter);
      if (says !== null && !lines.has(says)) lines.set(says, figure);
    }
    return lines;
  });
  const sure = new Set(found.flatMap((lines) => [...lines.keys()]).filter((says) => says !== '?'));
  return columns.map(({ name }, at) => {
    const [point, comma, open] = [found[at]!.get('.'), found[at]!.get(','), found[at]!.get('?')];
    if (point !== undefined && comma !== undefined) {
      fault(
        comma.line,
        `${name} ${quoted(comma.text)} has a decimal comma, ${quoted(point.text)} in line ${point.line} has a decimal point; ` +
          'write the whole column in one way',
      );
    }
    if (point !== undefined || comma !== undefined) return comma === undefined ? '.' : ',';
    if (sure.size === 1) return [...sure][0]!;
    if (open !== undefined) {
      const [thousands, decimals] = [open.text.replaceAll(/[.,]/gu, ''), open.text.replace(',', '.')];
      fault(
        open.line,
        `${name} ${quoted(open.text)} may be ${thousands} or ${decimals}, and no other figure of the file decides; ` +
          'write the column with nothing between thousands, or with a decimal point and another number of decimals',
      );
    }
    return '.';
  });
}

/** Parses a number that is not negative in this notation. */
export function parseNumber(text: string, notation: Notation): Parsed<number> {
  if (notation === '.' && PLAIN.test(text)) return { value: Number(text) };
  const figure = text.replace(ORNAMENT, '');
  if (/^[-−(]/u.test(figure)) return { fault: `${quoted(text)} is negative` };
  if (!WRITTEN[notation].test(figure) || !/\d/u.test(figure))
    return { fault: `${quoted(text)} is not a number` };
  const plain = figure.replaceAll(notation === '.' ? ',' : '.', '').replace(',', '.');
  return { value: Number(plain) };
}
