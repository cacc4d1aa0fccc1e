import { Ticker } from '../../../events/messages/ticker.ts';
import { firstFew } from '../../../events/first-few.ts';
import { ACTIONS_FILE } from './actions-file.ts';
import { isUniverse } from './universe-file.ts';

const TABLE = /\.csv$/iu;
/** Suffixes of browsers and file managers for a name that already exists. */
const COPY = /( ?\(\d+\)| - copy| copy)$/iu;
/** The prefixes and suffixes of files from Alpha Vantage and Investing.com, in English and German. */
const AROUND =
  /^(daily_adjusted_|daily_|weekly_|monthly_)|([ _-](historical[ _-]data|historische[ _-](kurs)?daten)|_daily|_1d)$/giu;
/** The names of TradingView's files: `NASDAQ_AAPL, 1D_a1b2c`, `TSE_DLY_7203, 1D`. */
const TRADING_VIEW = /^(?:[a-z]+_)*([^_,]+), ?(?:\d+[a-z]?|[dwm])(?:_[\da-f]+)?$/iu;
/** The names of MetaTrader's: `SAP_Daily_202401020000_202412310000`, `SAP_D1`. */
const META_TRADER = /^(.+?)_(?:daily|weekly|monthly|d1|w1|mn1?|[hm]\d{1,2})(?:_\d{8,14}_\d{8,14})?$/iu;
/** A prefix with an exchange, as TradingView writes it. */
const EXCHANGE =
  /^(?:nasdaq|nyse|amex|bats|otc|xetra?|fwb|swb|gettex|tradegate|lse|lsx|tse|tsxv?|euronext|omx[a-z]*|hkex|nse|bse|asx|sse|szse|krx|twse|sgx)(?:_dly)?_(?=.)/iu;
/** Stooq's files that were given a second ending: `nvda.us.txt`. */
const TEXT = /(?:\.us)?\.txt$/iu;
/** The names of Stooq's files: `aapl_us_d`, `^spx_d`. */
const STOOQ = /^([^_]+?)(?:_([a-z]{2}))?_[dwm]$/iu;

export const isTable = (file: string): boolean =>
  TABLE.test(file) && !file.startsWith('.') && !isUniverse(file);

/** Endings of other kinds of files that may contain tables, which are not read. */
const OTHER_KIND =
  /\.(xls[xmb]?|ods|numbers|tsv|tab|txt|dat|json|jsonl|parquet|feather|arrow|hdf5?|h5|gz|bz2|xz|zst|zip|7z)$/iu;
/** Hidden files, and texts such as a readme or a licence. */
const NO_TABLE = /^(\.|read.?me\b|licen[cs]e\b)/iu;
/** The most files of other kinds that a note names. */
const NAMED = 10;

/** One note on files that may contain tables of a kind that is not read; no note if there are none. */
function otherKinds(files: readonly string[]): string[] {
  const others = files
    .filter((file) => OTHER_KIND.test(file) && !NO_TABLE.test(file) && file !== ACTIONS_FILE)
    .toSorted();
  if (others.length === 0) return [];
  const tables = others.length === 1 ? 'a table is a .csv file: save it' : 'tables are .csv files: save them';
  return [`${firstFew(others, NAMED)}: not read, because ${tables} as CSV`];
}

/** The ticker in a file name without the additions of its source; `null` if there is none. */
function tickerOf(file: string): string | null {
  const written = file.replace(TABLE, '').replace(COPY, '').replace(TEXT, '');
  const [, ofProgram = written] = TRADING_VIEW.exec(written) ?? META_TRADER.exec(written) ?? [];
  const name = ofProgram.replace(EXCHANGE, '').replaceAll(AROUND, '').trim();
  const [, stooq, country] = STOOQ.exec(name) ?? [];
  const plain =
    stooq === undefined
      ? name
      : country === undefined || /^us$/iu.test(country)
        ? stooq
        : `${stooq}.${country}`;
  return Ticker.safeParse(plain.toUpperCase()).data ?? null;
}

const isPlain = (file: string): boolean => file.replace(TABLE, '') === tickerOf(file);

/** The table of each ticker, and why other tables are not read. */
export function tablesOf(files: readonly string[]) {
  const tables = new Map<string, string>();
  const leftOut: string[] = [];
  // If several files belong to one ticker, the one with the plain name is read.
  const byName = files.filter(isTable).toSorted();
  for (const file of [...byName.filter(isPlain), ...byName.filter((name) => !isPlain(name))]) {
    const ticker = tickerOf(file);
    const read = ticker === null ? undefined : tables.get(ticker);
    if (ticker === null) leftOut.push(`${file}: its name is no ticker; name it like AAPL.csv`);
    else if (read !== undefined) leftOut.push(`${file}: is of ${ticker} as well, of which ${read} is read`);
    else tables.set(ticker, file);
  }
  return { tables, leftOut: [...leftOut, ...otherKinds(files)] };
}
