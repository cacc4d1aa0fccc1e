import { quoted } from './quoted.ts';

/** Names of columns in English and German, and in Polish as Stooq writes them. */
const NAMES = {
  date: ['date', 'datetime', 'timestamp', 'trade date', 'datum', 'data', 'time', 'day'],
  open: ['open', 'open price', 'eröffnung', 'eröffnungskurs', 'eröffn.', 'erster', 'otwarcie'],
  high: ['high', 'high price', 'hoch', 'tageshoch', 'höchst', 'najwyzszy'],
  low: ['low', 'low price', 'tief', 'tagestief', 'tiefst', 'najnizszy'],
  close: [
    'close',
    'close/last',
    'close price',
    'schluss',
    'schlusskurs',
    'zuletzt',
    'last',
    'price',
    'zamkniecie',
  ],
  /** `Stücke` (pieces) comes first, because a column `Volumen` beside it is turnover in money. */
  volume: [
    'stücke',
    'stuecke',
    'pieces',
    'number of shares',
    'no. of shares',
    'no.of shares',
    'total volume',
    'total traded quantity',
    'volume',
    'vol',
    'vol.',
    'volumen',
    'wolumen',
  ],
  adjusted: ['adj close', 'adj. close', 'adjclose', 'adjusted close', 'adjusted'],
  dividends: ['dividends', 'dividend', 'dividend amount'],
  splits: ['stock splits', 'splits', 'split coefficient'],
  currency: ['currency', 'währung', 'waehrung'],
} as const;
const PIECES: ReadonlySet<string> = new Set(['stücke', 'stuecke', 'pieces']);
type Field = keyof typeof NAMES;

const FIELDS = Object.keys(NAMES) as Field[];
const REQUIRED = ['open', 'high', 'low', 'close'] as const;
/**
 * The header is searched for in this many lines. yfinance writes lines before it and spreads it over several lines.
 */
const HEADER_LINES = 5;

/** The column of each field in a row; -1 if the table has none. */
export type Places = Readonly<Record<Field, number>>;

export interface Header {
  readonly places: Places;
  /** The number of fields in a row. */
  readonly columns: number;
  /** Columns besides the usual ones, by their names in the file. */
  readonly further: readonly { readonly name: string; readonly place: number }[];
  /** The number of lines of the header, counted from the first line. */
  readonly lines: number;
  /** Notes for people on which of two possible columns was used. */
  readonly notes: readonly string[];
}

const normal = (name: string): string =>
  name
    .replace(/^<(.*)>$/u, '$1')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase();

/** The column of a field: the first of its names that occurs. */
function placeOf(field: Field, names: readonly string[]): number {
  for (const name of NAMES[field]) if (names.includes(name)) return names.indexOf(name);
  return field === 'volume' ? names.findIndex((name) => name.startsWith('volume ')) : -1;
}

/** Finds the columns by their names in the first lines, in any order and case. A returned string is the fault. */
export function readHeader(records: readonly (readonly string[])[]): Header | string {
  const first = records.slice(0, HEADER_LINES).map((record) => record.map(normal));
  const at = first.findIndex((names) => REQUIRED.every((field) => placeOf(field, names) >= 0));
  const names = first[Math.max(at, 0)] ?? [];
  const written = (records[Math.max(at, 0)] ?? []).join(',');
  const several = tickersIn(first);
  if (several.length > 1) {
    return `the table has several tickers (${several.slice(0, 3).map(quoted).join(', ')}); use one file for each`;
  }
  const places = Object.fromEntries(FIELDS.map((field) => [field, placeOf(field, names)])) as Record<
    Field,
    number
  >;
  const rest = first.slice(at + 1);
  const continued = rest.findIndex(([cell = '']) => !['ticker', 'symbol', 'date', 'datetime'].includes(cell));
  const more = continued < 0 ? rest.length : continued;
  if (places.date < 0) places.date = dateBelow(rest.slice(0, more), names);
  const missing = (['date', ...REQUIRED] as const).filter((field) => places[field] < 0);
  if (at < 0 || missing.length > 0) {
    return `column ${missing.join(', ')} is missing in ${JSON.stringify(written.slice(0, 200))}`;
  }
  const twice = FIELDS.filter((field) => names.lastIndexOf(names[places[field]] ?? '') !== places[field]);
  const isNamed = twice.filter((field) => places[field] >= 0);
  if (isNamed.length > 0) return `the column ${isNamed.join(', ')} appears twice`;
  const pieces = names[places.volume] ?? '';
  const turnover = PIECES.has(pieces)
    ? names.filter((name) => NAMES.volume.some((known) => known === name && name !== pieces))
    : [];
  const notes = turnover.map(
    (name) => `volumes are of the column ${pieces}; ${name} beside it counts as turnover`,
  );
  const further = furtherOf(records[at]!, names, places);
  return { places, columns: names.length, further, lines: at + 1 + more, notes };
}

/** Names that are no further columns: the names of fields, and those of a column with the ticker of each row. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(NAMES).flat(),
  'ticker',
  'symbol',
  'name',
]);
/** The most columns that a file may have besides the prices. No real file is known to have more. */
const MOST_FURTHER = 50;
const LONGEST_NAME = 60;

function furtherOf(written: readonly string[], names: readonly string[], places: Places): Header['further'] {
  const taken = new Set<number>(Object.values(places));
  const known = new Set<string>();
  return names
    .flatMap((normal, place) => {
      const name = written[place]!.trim();
      const isLeftOut = taken.has(place) || OTHER_NAMES.has(normal) || normal.startsWith('unnamed:');
      if (isLeftOut || name === '' || name.length > LONGEST_NAME || known.has(name)) return [];
      known.add(name);
      return [{ name, place }];
    })
    .slice(0, MOST_FURTHER);
}

/**
 * The column of dates: it may be named on a line below, as in yfinance. Otherwise it is the first column, if that has
 * no name.
 */
function dateBelow(lines: readonly (readonly string[])[], [name = 'none']: readonly string[]): number {
  const below = lines.map((names) => placeOf('date', names)).find((place) => place >= 0);
  return below ?? (['', 'price', 'index', 'unnamed: 0'].includes(name) ? 0 : -1);
}

/** The tickers of a line that names the ticker of each column. */
function tickersIn(lines: readonly (readonly string[])[]): string[] {
  const line = lines.find(([cell]) => cell === 'ticker' || cell === 'symbol');
  if (line === undefined || REQUIRED.some((field) => placeOf(field, line) >= 0)) return [];
  return [...new Set(line.slice(1).filter((name) => name !== ''))];
}
