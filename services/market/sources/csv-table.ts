import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { SourceFaults, type SourceBar } from './source.ts';

const MAX_FAULTS = 100;
/** A line of a table of prices is far shorter; a quote that is never closed is not read to the end of the file. */
const MAX_LINE_LENGTH = 10_000;
/** Beyond any price in any currency, and far within what a decimal price can hold. */
const MAX_PRICE = 1e12;
/** Whole numbers up to here are exact. */
const MAX_VOLUME = Number.MAX_SAFE_INTEGER;

const NUMBER = /^\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,3})?$/iu;
/** Pandas writes the time of midnight behind it. */
const DATE = /^(\d{4}-\d{2}-\d{2})([T ]00:00:00(\.0+)?(Z|[+-]\d{2}:?\d{2})?)?$/u;

/** A field's value, or what is wrong with it, without naming the field. */
type Parsed<T> = { readonly value: T } | { readonly fault: string };

const COLUMNS = ['date', 'open', 'high', 'low', 'close', 'volume'] as const;
type Column = (typeof COLUMNS)[number];
const PRICES = ['open', 'high', 'low', 'close'] as const;
/** As Yahoo, pandas and others name it. */
const ADJUSTED = ['adj_close', 'adj close', 'adjclose', 'adjusted_close'];

export interface Table {
  readonly bars: SourceBar[];
  /** One a bar, NaN where there is none; `null` for a table without such a column. */
  readonly adjusted: readonly number[] | null;
}

interface Line {
  readonly record: string[];
  readonly info: Info;
}

/**
 * Reads bars from CSV text with the columns date, open, high, low, close and volume, and adjusted closes where there are
 * any (`Adj Close`), in any order and case; other columns are not looked at. Rejects with `SourceFaults`: the first hundred as `AAPL.csv:17: …`, where `name` is
 * the file's and 17 the line that they end on.
 */
export async function readBars(name: string, text: Readable, signal?: AbortSignal): Promise<Table> {
  const reading = tableReader(name);
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_LENGTH,
  });
  try {
    await pipeline(
      text,
      parser,
      async (lines: AsyncIterable<Line>) => {
        for await (const { record, info } of lines) reading.take(record, info.lines);
      },
      { signal },
    );
  } catch (error) {
    if (error instanceof CsvError) reading.fault(parser.info.lines, syntaxFault(error));
    else if (!(error instanceof SourceFaults)) throw error;
  }
  return reading.end();
}

function tableReader(name: string) {
  const bars: SourceBar[] = [];
  const adjusted: number[] = [];
  let adjustedPlace = -1;
  const faults: string[] = [];
  let places: Readonly<Record<Column, number>> | null = null;
  let columns = 0;
  let last = '';

  function fault(line: number, message: string): void {
    faults.push(`${name}:${line}: ${message}`);
    if (faults.length < MAX_FAULTS) return;
    faults.push(`${name}: stopped reading after ${MAX_FAULTS} faults`);
    throw new SourceFaults(faults);
  }

  function readHeader(record: readonly string[], line: number): void {
    const names = record.map((name) => name.trim().toLowerCase());
    columns = names.length;
    adjustedPlace = names.findIndex((name) => ADJUSTED.includes(name));
    const missing = COLUMNS.filter((column) => !names.includes(column));
    if (names.length === 1 && names[0]?.includes(';') === true) {
      fault(line, 'the columns are separated by semicolons; use commas');
    } else if (missing.length > 0) {
      fault(line, `column ${missing.join(', ')} is missing in ${quoted(record.join(','))}`);
    }
    const twice = COLUMNS.filter((column) => names.indexOf(column) !== names.lastIndexOf(column));
    if (twice.length > 0) fault(line, `the column ${twice.join(', ')} appears twice`);
    if (faults.length > 0) throw new SourceFaults(faults);
    places = Object.fromEntries(COLUMNS.map((column) => [column, names.indexOf(column)])) as Record<
      Column,
      number
    >;
  }

  function readBar(record: readonly string[], line: number, at: Readonly<Record<Column, number>>): void {
    if (record.length !== columns) {
      const hint = record.length > columns ? ' (a decimal comma?)' : '';
      return fault(line, `${record.length} fields instead of ${columns}${hint}`);
    }
    // As Yahoo exports a day without a trade.
    if (PRICES.every((column) => record[at[column]] === 'null')) return;
    let good = true;
    const value = <T>(column: Column, parseField: (text: string) => Parsed<T>, otherwise: T): T => {
      const parsed = parseField(record[at[column]]!);
      if ('value' in parsed) return parsed.value;
      good = false;
      fault(line, `${column} ${parsed.fault}`);
      return otherwise;
    };
    const bar = {
      date: value('date', parseDate, ''),
      open: value('open', parsePrice, 0),
      high: value('high', parsePrice, 0),
      low: value('low', parsePrice, 0),
      close: value('close', parsePrice, 0),
      volume: value('volume', parseVolume, 0),
    };
    if (bar.date !== '' && bar.date <= last) {
      good = false;
      fault(line, bar.date === last ? `${bar.date} appears twice` : `${bar.date} comes after ${last}`);
    } else if (bar.date !== '') {
      last = bar.date;
    }
    if (!good) return;
    bars.push(bar);
    const close = parsePrice(record[adjustedPlace] ?? '');
    adjusted.push('value' in close ? close.value : Number.NaN);
  }

  return {
    /** @throws {SourceFaults} where there is no use in reading on. */
    take(record: readonly string[], line: number): void {
      if (places === null) readHeader(record, line);
      else readBar(record, line, places);
    },
    fault,
    /** @throws {SourceFaults} */
    end(): Table {
      if (faults.length === 0 && bars.length === 0) {
        faults.push(`${name}:1: the file has no bars`);
      }
      if (faults.length > 0) throw new SourceFaults(faults);
      return { bars: bars, adjusted: adjustedPlace < 0 ? null : adjusted };
    },
  };
}

function syntaxFault({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `a line has more than ${MAX_LINE_LENGTH} characters (is a quote not closed?)`;
  }
  return code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is not closed' : 'a quote is not allowed here';
}

/** `2020-01-31`, also with the time of midnight behind it. */
export function parseDate(text: string): Parsed<string> {
  const date = DATE.exec(text.trim())?.[1];
  if (date === undefined) return { fault: `${quoted(text)} is not a date like 2020-01-31` };
  const time = Date.parse(date);
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
  return exists ? { value: date } : { fault: `${date} is not a valid date` };
}

/** Above 0. */
function parsePrice(text: string): Parsed<number> {
  return parseNumber(text, (price) =>
    price <= 0 ? 'is not greater than 0' : price > MAX_PRICE ? 'is too large for a price' : null,
  );
}

/** A whole number, also as `6315000.0`. */
function parseVolume(text: string): Parsed<number> {
  return parseNumber(text, (volume) =>
    volume > MAX_VOLUME
      ? 'is too large'
      : Number.isInteger(volume)
        ? null
        : 'is not a whole number of shares',
  );
}

function parseNumber(text: string, objection: (value: number) => string | null): Parsed<number> {
  const trimmed = text.trim();
  if (trimmed === '') return { fault: 'is empty' };
  if (/^[+-]?\d+,\d+$/u.test(trimmed)) {
    return { fault: `${quoted(text)} has a decimal comma; use a decimal point` };
  }
  if (/^-\d/u.test(trimmed)) return { fault: `${quoted(text)} is negative` };
  if (!NUMBER.test(trimmed)) return { fault: `${quoted(text)} is not a number` };
  const value = Number(trimmed);
  const fault = objection(value);
  return fault === null ? { value } : { fault: `${quoted(text)} ${fault}` };
}

/** At most 30 characters of what somebody else wrote, safe in a log. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 30)}…` : text);
}
