import { CsvError, parse, type Info } from 'csv-parse/sync';
import { columnsOf, PRICES, type BarColumns } from '../bar-columns.ts';
import { dateReader } from './csv-dates.ts';
import { furtherColumns, type FurtherColumn } from './csv-further.ts';
import { readHeader, type Header, type Places } from './csv-header.ts';
import {
  isMissing,
  MAX_PRICE,
  MAX_VOLUME,
  notationsOf,
  parseNumber,
  type Notation,
  type Parsed,
} from './csv-numbers.ts';
import { lostRows } from './lost-rows.ts';
import { HEADER_LINES, readPlain, type TableRows } from './csv-plain.ts';
import { quoted } from './quoted.ts';
import { SourceFaults, type SourceBar } from './source.ts';
import { tableText } from './table-text.ts';

/** The longest line. Lines of price tables are far shorter, and the limit stops a quote that is never closed. */
const MAX_LINE_LENGTH = 10_000;
/** The most kinds of faults that are named. */
const MAX_FAULTS = 100;
/** If more than this share of all rows is bad, the file is probably no price table, and no row of it is used. */
const MAX_BAD_ROWS = 0.01;
/** Investing.com's suffixes of volumes. */
const THOUSANDS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

type Price = (typeof PRICES)[number];
const NUMBERS = [...PRICES, 'adjusted', 'volume', 'dividends'] as const;
type NumberField = (typeof NUMBERS)[number];

/** A value of a day beside its prices. */
interface Stated {
  readonly date: string;
  readonly text: string;
}

export interface Table {
  readonly bars: BarColumns;
  /** A value for each bar, NaN if it has none; `null` if the table has no such column. */
  readonly adjusted: Float64Array | null;
  /** Cash per share, for the days with a dividend; `null` if the table has no such column. */
  readonly dividends: readonly { readonly date: string; readonly amount: number }[] | null;
  /** The days with a split, and the splits as written; `null` if the table has no such column. */
  readonly splits: readonly Stated[] | null;
  /** The currency of the prices; null if the table names none. */
  readonly currency: string | null;
  /** Notes for people on skipped rows, and on how columns were read. */
  readonly notes: readonly string[];
}

interface Line {
  readonly record: string[];
  readonly info: Info;
}

interface Row {
  readonly record: readonly string[];
  readonly line: number;
}

/**
 * Reads bars from exported CSV text: columns in any order (see `readHeader`), separated by commas, semicolons or tabs,
 * newest first or last, with dates and numbers in the notation of their column (see `notationsOf`). Rows without a
 * price are skipped and counted. Rows that cannot be read are skipped too, if they are few (see `MAX_BAD_ROWS`).
 *
 * @throws {SourceFaults} with each kind of fault once, as `AAPL.csv:17: …`, where `name` is the file's and 17 the last
 * line of the first such row.
 */
export function readBars(name: string, bytes: Buffer): Table {
  const faults = faultList(name);
  const text = tableText(bytes, `${name}:1`);
  const delimiter = delimiterOf(text);
  const plain = readPlain(text, delimiter);
  if (plain !== null) return tableOf(plain, { currency: null, passed: [], hidden: [], commas: [] });
  const rows = readRows(text, delimiter, faults);
  faults.throwAny();
  const header = readHeader(rows.slice(0, HEADER_LINES).map(({ record }) => record));
  if (rows.length === 0) faults.add(1, 'the file has no bars');
  else if (typeof header === 'string') faults.add(rows[0]!.line, header);
  faults.throwAny();
  return readWithCare(rows, header as Header, delimiter, faults);
}

/** Faults that differ only in the value that they quote. */
interface Kind {
  readonly message: string;
  /** The line of the first fault of this kind. */
  readonly line: number;
  count: number;
}

/**
 * Lists each kind of fault once, with the line of the first and their number. `kind` is the part of the message that is the
 * same for all faults counted together.
 */
function faultList(name: string) {
  const kinds = new Map<string, Kind>();
  const ofRows = new Map<string, Kind>();
  const badRows = new Set<number>();
  const count = (all: Map<string, Kind>, line: number, message: string, kind: string): void => {
    const known = all.get(kind);
    if (known === undefined) all.set(kind, { message, line, count: 1 });
    else known.count += 1;
  };
  return {
    add: (line: number, message: string, kind: string = message): void => count(kinds, line, message, kind),
    /** Adds a fault of one row that does not affect other rows. */
    addRow(line: number, message: string, kind: string): void {
      badRows.add(line);
      count(ofRows, line, message, kind);
    },
    /**
     * Skips the bad rows if they are few among `rows`.
     *
     * @throws {SourceFaults} if they are not.
     */
    passFew(rows: number, passed: PassedOver): void {
      if (badRows.size > rows * MAX_BAD_ROWS) throwAll();
      for (const { message, line, count: lines } of ofRows.values()) {
        passed.add(line, lostRows(message), lines);
      }
    },
    /** @throws {SourceFaults} if there are faults other than those of single rows. */
    throwAny(): void {
      if (kinds.size > 0) throwAll();
    },
  };
  function throwAll(): never {
    const inLines = [...kinds.values(), ...ofRows.values()].sort((a, b) => a.line - b.line);
    const faults = inLines.slice(0, MAX_FAULTS).map(({ message, line, count }) => {
      const more = count === 1 ? '' : ` (and in ${count - 1} more ${count === 2 ? 'line' : 'lines'})`;
      return `${name}:${line}: ${message}${more}`;
    });
    throw new SourceFaults(faults);
  }
}

type Faults = ReturnType<typeof faultList>;

function readRows(text: string, delimiter: string, faults: Faults): Row[] {
  try {
    const lines = parse(text, {
      info: true,
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_LINE_LENGTH,
    }) as unknown as Line[];
    return lines.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    faults.add((error as CsvError & Info).lines, syntaxFault(error));
    return [];
  }
}

const DELIMITERS = [',', ';', '\t'];

/**
 * The most frequent delimiter in the first lines, because a table has many of it. Only delimiters by which one of these
 * lines can be read as a header count: titles above the header and figures below it may contain other signs.
 */
function delimiterOf(table: string): string {
  const lines = table.slice(0, MAX_LINE_LENGTH).split(/\n+/u, HEADER_LINES);
  const hasHeader = (sign: string): boolean =>
    typeof readHeader(lines.map((line) => line.replaceAll('"', '').split(sign))) !== 'string';
  const count = (sign: string): number => lines.join('\n').split(sign).length;
  const found = DELIMITERS.filter(hasHeader);
  return (found.length > 0 ? found : DELIMITERS).reduce((most, sign) =>
    count(sign) > count(most) ? sign : most,
  );
}

function readWithCare(rows: readonly Row[], header: Header, delimiter: string, faults: Faults): Table {
  const { places, columns, further, lines } = header;
  const passed = passedOver();
  const full = rows.slice(lines).filter((row) => isFull(row, places, columns, faults, passed));
  const readDate = dateReader(
    full.map(({ record, line }) => ({ text: record[places.date]!, line })),
    (line, message) => faults.add(line, message),
  );
  const present = NUMBERS.filter((field) => places[field] >= 0);
  const fields = present.map((field) => ({
    name: field,
    figures: full.flatMap(({ record, line }) => {
      const cell = record[places[field]]!;
      return isMissing(cell) ? [] : [{ text: cell, line }];
    }),
  }));
  const written = notationsOf(fields, delimiter, (line, message) => faults.add(line, message));
  const notations = Object.fromEntries(present.map((field, at) => [field, written[at]])) as Record<
    NumberField,
    Notation
  >;
  faults.throwAny();
  const beside = furtherColumns(full, further, delimiter);
  const read = full.flatMap(
    (row) => readRow(row, places, { readDate, notations, beside }, faults, passed) ?? [],
  );
  const days = inOrder(read, faults, passed);
  faults.throwAny();
  faults.passFew(rows.length - lines, passed);
  if (days.length === 0)
    faults.add(
      rows[0]!.line,
      `the file has no bars${passed
        .notes()
        .map((note) => `; ${note}`)
        .join('')}`,
    );
  const currencies = [...new Set(full.map(({ record }) => (record[places.currency] ?? '').trim()))].filter(
    (code) => !isMissing(code),
  );
  if (currencies.length > 1)
    faults.add(
      full[0]!.line,
      `the table has prices in several currencies (${currencies.slice(0, 3).join(', ')})`,
    );
  faults.throwAny();
  const values = (value: (day: Day) => number) => Float64Array.from(days, value);
  return tableOf(
    {
      header,
      bars: columnsOf(
        days.map(({ bar }) => bar),
        beside.map(({ name }) => name),
      ),
      adjusted: places.adjusted < 0 ? null : values(({ adjusted }) => adjusted),
      dividends: places.dividends < 0 ? null : values(({ dividend }) => dividend),
      splits: places.splits < 0 ? null : days.map(({ split }) => split),
    },
    {
      currency: currencies[0] ?? null,
      passed: passed.notes(),
      hidden: further
        .filter(({ place }) => !beside.some((column) => column.place === place))
        .map(({ name }) => quoted(name)),
      commas: present.filter((field) => notations[field] === ','),
    },
  );
}

function tableOf(
  { header: { places, notes }, bars, adjusted, dividends, splits }: TableRows,
  about: Pick<Table, 'currency'> & Readonly<Record<'passed' | 'hidden' | 'commas', readonly string[]>>,
): Table {
  const ofDays = <T, U>(values: Iterable<T> | null, of: (date: string, value: T) => readonly U[]) =>
    values === null ? null : [...values].flatMap((value, at) => of(bars.dates[at]!, value));
  return {
    bars,
    adjusted,
    dividends: ofDays(dividends, (date, amount) => (amount > 0 ? [{ date, amount }] : [])),
    splits: ofDays(splits, (date, text) => (isNoSplit(text) ? [] : [{ date, text }])),
    currency: about.currency,
    notes: [
      ...about.passed,
      ...notes,
      ...(about.hidden.length > 0
        ? [`strategies are not shown what has not only figures: ${about.hidden.join(', ')}`]
        : []),
      ...(about.commas.length > 0 ? [`decimal commas in ${about.commas.join(', ')}`] : []),
      ...(places.volume < 0 ? [`there is no column volume: ${NO_VOLUME}`] : []),
    ],
  };
}

const NO_VOLUME = 'it counts as 0, and no order is filled on such a day unless TD_VOLUME_LIMIT is 0';

/** How yfinance and Alpha Vantage write that there is no split. */
const isNoSplit = (text: string): boolean => isMissing(text) || [0, 1].includes(Number(text));

/** Skipped rows and fields, counted by reason. */
function passedOver() {
  const reasons = new Map<string, { line: number; count: number }>();
  return {
    add(line: number, reason: string, count = 1): void {
      const known = reasons.get(reason);
      if (known === undefined) reasons.set(reason, { line, count });
      else known.count += count;
    },
    notes: (): string[] =>
      [...reasons].map(
        ([reason, { line, count }]) =>
          `${count} ${count === 1 ? 'row' : 'rows'} ${reason} (the first in line ${line})`,
      ),
  };
}

type PassedOver = ReturnType<typeof passedOver>;

/** Whether a row has all prices. */
function isFull(
  { record, line }: Row,
  places: Places,
  columns: number,
  faults: Faults,
  passed: PassedOver,
): boolean {
  if (record.every((cell) => isMissing(cell))) {
    passed.add(line, 'without anything passed over');
    return false;
  }
  const extra = record.length > columns && record.slice(columns).some((cell) => cell.trim() !== '');
  if (record.length < columns || extra) {
    const hint = extra ? ' (a decimal comma that is not in quotes?)' : '';
    faults.addRow(line, `${record.length} fields instead of ${columns}${hint}`, 'fields');
    return false;
  }
  if (PRICES.some((field) => isMissing(record[places[field]]!))) {
    passed.add(line, 'without a price passed over');
    return false;
  }
  return true;
}

interface Day {
  readonly bar: SourceBar;
  readonly adjusted: number;
  readonly dividend: number;
  readonly split: string;
  readonly line: number;
}

/** Reads a day; `null` if its row is skipped or faulty. */
function readRow(
  { record, line }: Row,
  places: Places,
  {
    readDate,
    notations,
    beside,
  }: {
    readDate: ReturnType<typeof dateReader>;
    notations: Record<NumberField, Notation>;
    beside: readonly FurtherColumn[];
  },
  faults: Faults,
  passed: PassedOver,
): Day | null {
  let good = true;
  const value = <T>(field: string, parsed: Parsed<T>, otherwise: T): T => {
    if ('value' in parsed) return parsed.value;
    good = false;
    const [message, kind] = [parsed.fault, parsed.fault.replace(/^("(\\.|[^"])*"|[\d-]+)/u, '')].map(
      (fault) => `${field} ${fault}`,
    ) as [string, string];
    if (hasAction(record, places)) faults.add(line, message, kind);
    else faults.addRow(line, message, kind);
    return otherwise;
  };
  const date = value('date', readDate(record[places.date]!), '');
  const price = (field: Price): number =>
    value(field, parsePrice(record[places[field]]!, notations[field]), 0);
  const [open, high, low, close] = [price('open'), price('high'), price('low'), price('close')];
  const cell = record[places.volume] ?? '';
  const traded = isMissing(cell) ? 0 : value('volume', parseVolume(cell, notations.volume), 0);
  if (!good) return null;
  if (open === 0 || high === 0 || low === 0 || close === 0) {
    passed.add(line, 'with a price of 0 passed over');
    return null;
  }
  if (places.volume >= 0 && isMissing(cell)) passed.add(line, `without a volume: ${NO_VOLUME}`);
  if (traded > 0 && traded < 1) passed.add(line, `with a volume below 1: ${NO_VOLUME}`);
  else if (!Number.isInteger(traded))
    passed.add(line, 'with a fractional volume, which is cut to a whole number');
  const optional = (field: 'adjusted' | 'dividends'): number => {
    const parsed = parseNumber(record[places[field]] ?? '', notations[field] ?? '.');
    return 'value' in parsed ? parsed.value : Number.NaN;
  };
  const adjusted = optional('adjusted');
  return {
    bar: { date, open, high, low, close, volume: Math.floor(traded), ...furtherOf(record, beside) },
    adjusted: adjusted > 0 ? adjusted : Number.NaN,
    dividend: optional('dividends'),
    split: record[places.splits] ?? '',
    line,
  };
}

/**
 * Whether the row has a split or a dividend. If such a row were skipped, the prices of other rows would be read
 * wrongly.
 */
const hasAction = (record: readonly string[], { splits, dividends }: Places): boolean =>
  !isNoSplit(record[splits] ?? '') ||
  !['', '0'].includes((record[dividends] ?? '').replace(/[.,]0*$/u, '').trim());

function furtherOf(record: readonly string[], beside: readonly FurtherColumn[]): Pick<SourceBar, 'columns'> {
  const values = beside.flatMap(({ name, place, read }) => {
    const value = read(record[place] ?? '');
    return value === null ? [] : [[name, value] as const];
  });
  return values.length === 0 ? {} : { columns: Object.fromEntries(values) };
}

/** Sorts the days, whether the file has the newest or the oldest first, and drops duplicate rows. */
function inOrder(read: readonly Day[], faults: Faults, passed: PassedOver): Day[] {
  const [first, last] = [read[0], read.at(-1)];
  const isNewestFirst = first !== undefined && last !== undefined && first.bar.date > last.bar.date;
  const days: Day[] = [];
  for (const day of isNewestFirst ? read.toReversed() : read) {
    const before = days.at(-1);
    if (before === undefined || day.bar.date > before.bar.date) days.push(day);
    else if (day.bar.date < before.bar.date) {
      faults.add(day.line, `${day.bar.date} comes after ${before.bar.date}`, 'order');
    } else if (JSON.stringify({ ...day, line: 0 }) === JSON.stringify({ ...before, line: 0 })) {
      passed.add(day.line, 'repeating the one before passed over');
    } else faults.add(day.line, `${day.bar.date} appears twice`, 'twice');
  }
  return days;
}

function syntaxFault({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `a line has more than ${MAX_LINE_LENGTH} characters (is a quote not closed?)`;
  }
  return code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is not closed' : 'a quote is not allowed here';
}

function parsePrice(text: string, notation: Notation): Parsed<number> {
  const parsed = parseNumber(text, notation);
  return 'value' in parsed && parsed.value > MAX_PRICE
    ? { fault: `${quoted(text)} is too large for a price` }
    : parsed;
}

/** Parses a volume, also as `1.2M`. */
function parseVolume(text: string, notation: Notation): Parsed<number> {
  const unit = THOUSANDS[text.trim().slice(-1).toLowerCase()];
  const parsed = parseNumber(unit === undefined ? text : text.trim().slice(0, -1), notation);
  if ('fault' in parsed) return parsed;
  const value = unit === undefined ? parsed.value : Math.round(parsed.value * unit);
  return value > MAX_VOLUME ? { fault: `${quoted(text)} is too large` } : { value };
}
