import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { parseDate, parsePrice, parseVolume, quoted, type Parsed } from './csv-fields.ts';
import { SourceFaults, type SourceBar } from './source.ts';

const MAX_FAULTS = 100;
/** A line of a table of prices is far shorter; a quote that is never closed is not read to the end of the file. */
const MAX_LINE_LENGTH = 10_000;

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
  const reading = new Reading(name);
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

class Reading {
  readonly #name: string;
  readonly #bars: SourceBar[] = [];
  readonly #adjusted: number[] = [];
  #adjustedPlace = -1;
  readonly #faults: string[] = [];
  #places: Readonly<Record<Column, number>> | null = null;
  #columns = 0;
  #last = '';

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws {SourceFaults} where there is no use in reading on. */
  take(record: readonly string[], line: number): void {
    if (this.#places === null) this.#header(record, line);
    else this.#bar(record, line, this.#places);
  }

  fault(line: number, message: string): void {
    this.#faults.push(`${this.#name}:${line}: ${message}`);
    if (this.#faults.length < MAX_FAULTS) return;
    this.#faults.push(`${this.#name}: stopped reading after ${MAX_FAULTS} faults`);
    throw new SourceFaults(this.#faults);
  }

  /** @throws {SourceFaults} */
  end(): Table {
    if (this.#faults.length === 0 && this.#bars.length === 0) {
      this.#faults.push(`${this.#name}:1: the file has no bars`);
    }
    if (this.#faults.length > 0) throw new SourceFaults(this.#faults);
    return { bars: this.#bars, adjusted: this.#adjustedPlace < 0 ? null : this.#adjusted };
  }

  #header(record: readonly string[], line: number): void {
    const names = record.map((name) => name.trim().toLowerCase());
    this.#columns = names.length;
    this.#adjustedPlace = names.findIndex((name) => ADJUSTED.includes(name));
    const missing = COLUMNS.filter((column) => !names.includes(column));
    if (names.length === 1 && names[0]?.includes(';') === true) {
      this.fault(line, 'the columns are separated by semicolons; use commas');
    } else if (missing.length > 0) {
      this.fault(line, `column ${missing.join(', ')} is missing in ${quoted(record.join(','))}`);
    }
    const twice = COLUMNS.filter((column) => names.indexOf(column) !== names.lastIndexOf(column));
    if (twice.length > 0) this.fault(line, `the column ${twice.join(', ')} appears twice`);
    if (this.#faults.length > 0) throw new SourceFaults(this.#faults);
    this.#places = Object.fromEntries(COLUMNS.map((column) => [column, names.indexOf(column)])) as Record<
      Column,
      number
    >;
  }

  #bar(record: readonly string[], line: number, places: Readonly<Record<Column, number>>): void {
    if (record.length !== this.#columns) {
      const hint = record.length > this.#columns ? ' (a decimal comma?)' : '';
      return this.fault(line, `${record.length} fields instead of ${this.#columns}${hint}`);
    }
    // As Yahoo exports a day without a trade.
    if (PRICES.every((column) => record[places[column]] === 'null')) return;
    let good = true;
    const value = <T>(column: Column, parseField: (text: string) => Parsed<T>, otherwise: T): T => {
      const parsed = parseField(record[places[column]]!);
      if ('value' in parsed) return parsed.value;
      good = false;
      this.fault(line, `${column} ${parsed.fault}`);
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
    if (bar.date !== '' && bar.date <= this.#last) {
      good = false;
      this.fault(
        line,
        bar.date === this.#last ? `${bar.date} appears twice` : `${bar.date} comes after ${this.#last}`,
      );
    } else if (bar.date !== '') {
      this.#last = bar.date;
    }
    if (!good) return;
    this.#bars.push(bar);
    const adjusted = parsePrice(record[this.#adjustedPlace] ?? '');
    this.#adjusted.push('value' in adjusted ? adjusted.value : Number.NaN);
  }
}

function syntaxFault({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `a line has more than ${MAX_LINE_LENGTH} characters (is a quote not closed?)`;
  }
  return code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is not closed' : 'a quote is not allowed here';
}
