import { PRICES, type BarColumns } from '../bar-columns.ts';
import { parseDate } from './csv-dates.ts';
import { readHeader, type Header } from './csv-header.ts';
import { MAX_PRICE, MAX_VOLUME, PLAIN } from './csv-numbers.ts';

/** The rows of a table, ascending by date. */
export interface TableRows {
  readonly header: Header;
  readonly bars: BarColumns;
  /**
   * The adjusted close of each bar, NaN if it has none; `null` if the table has no such column. Dividends have the same
   * form.
   */
  readonly adjusted: Float64Array | null;
  readonly dividends: Float64Array | null;
  /** The split of each bar, as written; `null` if the table has no such column. */
  readonly splits: readonly string[] | null;
}

const NUMBERS = [...PRICES, 'volume', 'adjusted', 'dividends'] as const;
/** The header is within these lines. */
export const HEADER_LINES = 10;
/** No row of a plain table is longer. */
const LONGEST_LINE = 1_000;

/**
 * Reads a plain table in one pass: dates like `2020-01-31` and numbers like `12.5` in each row, no quotes, no further
 * columns. `null` for any other table: `readBars` reads it, which takes ten times as long. For a plain table both give
 * the same result.
 */
export function readPlain(text: string, delimiter: string): TableRows | null {
  if (delimiter === ';' || text.includes('"')) return null;
  const first = text.split('\n', HEADER_LINES);
  if (first.slice(0, -1).includes('')) return null;
  const header = readHeader(first.filter((line) => line !== '').map((line) => line.split(delimiter)));
  if (typeof header === 'string' || header.further.length > 0 || header.places.currency >= 0) return null;
  return readLines(text, afterLines(text, header.lines), delimiter.charCodeAt(0), header);
}

function afterLines(text: string, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

function readLines(text: string, start: number, delimiter: number, header: Header): TableRows | null {
  const { places, columns } = header;
  const room = countLines(text, start);
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, new Float64Array(room)])) as Record<
    (typeof NUMBERS)[number],
    Float64Array
  >;
  const present = NUMBERS.filter((name) => places[name] >= 0);
  const target = Array.from<Float64Array | null>({ length: columns }).fill(null);
  for (const name of present) target[places[name]] = numbers[name];
  // In some tables with a header of several lines, the column of the dates has the name of a price as well. They are not plain.
  if (target[places.date] !== null) return null;
  const dates: string[] = [];
  const splits: string[] = [];
  let rows = 0;
  for (let at = start; at < text.length;) {
    const feed = text.indexOf('\n', at);
    const next = feed < 0 ? text.length : feed + 1;
    const end = feed < 0 ? text.length : feed;
    if (end - at > LONGEST_LINE) return null;
    if (end > at) {
      let from = at;
      for (let place = 0; place < columns; place++) {
        let to = from;
        while (to < end && text.charCodeAt(to) !== delimiter) to++;
        if (to === end ? place < columns - 1 : place === columns - 1) return null;
        const column = target[place]!;
        if (column !== null) {
          const value = numberAt(text, from, to);
          if (value < 0) return null;
          column[rows] = value;
        } else if (place === places.date) {
          const date = dateAt(text, from, to);
          if (date === null) return null;
          dates.push(date);
        } else if (place === places.splits) splits.push(text.slice(from, to));
        from = to + 1;
      }
      rows++;
    }
    at = next;
  }
  if (rows === 0 || !areGood(numbers, rows)) return null;
  if (dates[0]! > dates.at(-1)!) {
    dates.reverse();
    splits.reverse();
    for (const name of present) numbers[name].subarray(0, rows).reverse();
  }
  if (dates.some((date, at) => at > 0 && date <= dates[at - 1]!)) return null;
  const part = (name: (typeof NUMBERS)[number]) => numbers[name].slice(0, rows);
  return {
    header,
    bars: {
      dates,
      open: part('open'),
      high: part('high'),
      low: part('low'),
      close: part('close'),
      volume: part('volume'),
      further: new Map(),
    },
    adjusted: places.adjusted < 0 ? null : part('adjusted').map((value) => (value > 0 ? value : Number.NaN)),
    dividends: places.dividends < 0 ? null : part('dividends'),
    splits: places.splits < 0 ? null : splits,
  };
}

function countLines(text: string, start: number): number {
  let lines = 1;
  for (let at = text.indexOf('\n', start); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Whether each row has possible prices, and a volume of whole shares. */
function areGood(numbers: Readonly<Record<'volume' | (typeof PRICES)[number], Float64Array>>, rows: number) {
  for (let at = 0; at < rows; at++) {
    for (const name of PRICES) {
      const price = numbers[name][at]!;
      if (!(price > 0 && price <= MAX_PRICE)) return false;
    }
    const volume = numbers.volume[at]!;
    if (!(Number.isInteger(volume) && volume <= MAX_VOLUME)) return false;
  }
  return true;
}

const [POINT, ZERO, NINE] = ['.', '0', '9'].map((sign) => sign.charCodeAt(0)) as [number, number, number];
/**
 * Integers of up to this many digits are exact, and so are powers of ten below, so their quotient is the nearest
 * double.
 */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, at) => 10 ** at);

/** The number of a field as `Number` reads it; NaN if it is empty, -1 if it is no plain number. */
function numberAt(text: string, from: number, to: number): number {
  if (from === to) return Number.NaN;
  let whole = 0;
  let point = -1;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) whole = whole * 10 + (code - ZERO);
    else if (code === POINT && point < 0) point = at;
    else return unusualNumber(text.slice(from, to));
  }
  const digits = point < 0 ? to - from : to - from - 1;
  if (digits > EXACT_DIGITS || point === from || point === to - 1) return unusualNumber(text.slice(from, to));
  return point < 0 ? whole : whole / POWERS[to - point - 1]!;
}

const unusualNumber = (field: string): number => (PLAIN.test(field) ? Number(field) : -1);

/** Dates as written, with what they mean. They are shared, because the tables of a folder have the same days. */
const known = new Map<string, string>();
/** The most dates that are kept: a hundred years in two notations. */
const MOST_KNOWN = 80_000;

function dateAt(text: string, from: number, to: number): string | null {
  const field = text.slice(from, to);
  const date = known.get(field);
  if (date !== undefined) return date;
  const parsed = parseDate(field);
  if ('fault' in parsed) return null;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(field, parsed.value);
  return parsed.value;
}
