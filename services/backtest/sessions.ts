import { createHash } from 'node:crypto';
import { isBelegError } from '../../events/errors.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { columnsAsTraded } from '../market/adjust-prices.ts';
import { columnsOf } from '../market/bar-columns.ts';
import { FIRST_DATE, LAST_DATE, type Bars, type ReadableBars } from '../market/bar-tables.ts';
import { barsInMemory, until, type TickerColumns } from '../market/bars-in-memory.ts';
import { indexOf, isIndexOnly, isNoFund, tickersToUpdate } from '../market/tickers-to-update.ts';
import { openSource } from '../market/sources/open-source.ts';
import type { MarketSettings } from '../market/settings.ts';
import { readSessions } from '../market/sessions.ts';
import { rhythmOfPoints } from '../market/rhythm.ts';
import { tellsLostRows } from '../market/sources/lost-rows.ts';
import { besideBars, SourceFaults, type BarSource, type FetchedColumns } from '../market/sources/source.ts';
import { openMarketStore } from '../market/store.ts';
import { warningNotes, warningsOf } from '../market/bar-warnings.ts';

/**
 * The sessions up to a day (`null`: all). Tables and the synthetic market are read into memory; for network sources the
 * stored data of the market service is used. Rejects if a ticker that was named is missing.
 */
export async function loadSessions(
  settings: MarketSettings,
  {
    to,
    now,
    onTicker,
  }: { to: string | null; now: () => Date; onTicker: (done: number, total: number) => void },
) {
  const { source, polled } = openSource(settings, now);
  const wanted = await tickersToUpdate(source, settings).catch((cause: unknown) => {
    // No service is asked here, so of this error only the detail is of use.
    if (!isBelegError(cause, 'SERVICE_UNAVAILABLE') || cause.detail === undefined) throw cause;
    throw new Error(cause.detail);
  });
  if (!polled)
    return sessionsOf(await readWhole(source, wanted, to, onTicker), { settings, source, wanted, to });
  const store = openMarketStore(settings.dbPath);
  try {
    return store.read((bars) => sessionsOf(stored(bars, wanted, to), { settings, source, wanted, to }));
  } finally {
    store.close();
  }
}

const LEFT_OUT = 'LEFT OUT: ';

/** Whether a note says that data was left out: a table or rows of it, a series, or entries of the universe. */
export const isLeftOut = (note: string): boolean => note.startsWith(LEFT_OUT) || tellsLostRows(note);

/** The file that a note says was left out, completely or in part; `null` for other notes. */
export const fileLeftOut = (note: string): string | null =>
  isLeftOut(note) ? note.slice(note.startsWith(LEFT_OUT) ? LEFT_OUT.length : 0).split(':', 1)[0]! : null;

interface Loaded {
  readonly bars: ReadableBars;
  /** Why tickers are missing. */
  readonly faults: readonly string[];
  /** The data that was left out because of these faults. */
  readonly leftOut: readonly string[];
  /** Notes on what was derived from the data. */
  readonly notes: readonly string[];
  /** Doubtful data of each ticker. */
  readonly warnings: Warnings;
}

type Warnings = ReadonlyMap<string, readonly Dated[]>;
type Dated = Parameters<typeof warningNotes>[1][number];

function sessionsOf(
  { bars, faults, leftOut, notes, warnings }: Loaded,
  {
    settings,
    source,
    wanted,
    to,
  }: {
    settings: MarketSettings;
    source: BarSource;
    wanted: readonly string[];
    to: string | null;
  },
) {
  const isWanted = new Set(wanted);
  const sessionsWithout = (leaveOut: (ticker: string) => boolean, only?: string): SessionData[] =>
    readSessions(
      bars,
      { after: FIRST_DATE, upTo: to ?? LAST_DATE, limit: Number.MAX_SAFE_INTEGER, only },
      leaveOut,
    );
  const all = sessionsWithout((ticker) => isIndexOnly(source, settings, ticker) || !isWanted.has(ticker));
  // Sessions before the first trade are left out. Afterwards time passes as in live trading.
  const first = all.findIndex(({ bars }) => Object.keys(bars).length > 0);
  const sessions = first < 0 ? [] : all.slice(first);
  if (first < 0 && faults.length > 0) {
    throw new Error(
      `no table could be read: ${faults.slice(0, NAMED_FAULTS).join('; ')}${moreThan(faults.length)}`,
    );
  }
  const tickers = new Set(
    wanted.filter(
      (ticker) =>
        !isIndexOnly(source, settings, ticker) && bars.datesOf(ticker, 1, to ?? LAST_DATE).length > 0,
    ),
  );
  const missing = settings.tickers?.filter((ticker) => !tickers.has(ticker)) ?? [];
  if (missing.length > 0) {
    const why = faults.length > 0 ? faults.join('; ') : `no bars up to ${to ?? 'today'}`;
    throw new Error(
      `${missing.join(', ')} cannot be tested: ${why}. Leave these tickers out, or fix their data`,
    );
  }
  const index = indexOf(source, settings, [...tickers]);
  const ofIndex = sessionsWithout((ticker) => ticker !== index || isNoFund(source, settings, ticker), index);
  return {
    sessions,
    /** The same days with the bars of the index alone; empty if the index cannot be held. */
    indexSessions: first < 0 ? [] : ofIndex.slice(first),
    source: source.name,
    synthetic: source.synthetic,
    /** The tradable tickers with at least one bar. */
    tickers: [...tickers].sort(),
    /** The index to compare with; '' if there is none. */
    index,
    /** Doubtful data of each ticker. */
    warnings,
    /** Notes on missing data, and on what was derived from the tables. */
    notes: [
      ...leftOut.map((fault) => `${LEFT_OUT}${fault}`),
      ...missingIndex(bars, settings.index, to),
      ...notes,
    ],
  };
}

const IMPOSSIBLE = 'IMPOSSIBLE PRICES, used as they are: ';

/** Whether a note says that bars have impossible prices. */
export const isImpossible = (note: string): boolean => note.startsWith(IMPOSSIBLE);

/**
 * The notes on the data. Those that concern the test come first, with impossible prices at their head; those that
 * concern only earlier days are apart.
 */
export function dataNotes(
  { notes, warnings }: { readonly notes: readonly string[]; readonly warnings: Warnings },
  from: string | null,
): { readonly notes: readonly string[]; readonly earlier: readonly string[] } {
  const first = from ?? '';
  const tellOf = (isTold: (warning: Dated) => boolean): string[] =>
    [...warnings].flatMap(([ticker, all]) => warningNotes(ticker, all.filter(isTold)));
  return {
    notes: [
      ...tellOf((warning) => warning.date >= first && isWrong(warning)).map(
        (note) => IMPOSSIBLE + note.replace(' impossible prices:', ''),
      ),
      ...notes.filter((note) => !isBefore(note, first)),
      ...tellOf((warning) => warning.date >= first && !isWrong(warning)),
    ],
    earlier: [...notes.filter((note) => isBefore(note, first)), ...tellOf(({ date }) => date < first)],
  };
}

const isWrong = ({ kind }: Dated): boolean => kind === 'high-low';

/**
 * Whether a note names days that are all before the first day of the test. A note that does not name all its days does
 * not count.
 */
function isBefore(note: string, first: string): boolean {
  const days = note.match(/\b\d{4}-\d\d-\d\d\b/g) ?? [];
  return days.length > 0 && days.every((day) => day < first) && !/ more\b/.test(note);
}

/** SHA-256, hexadecimal, of bars, splits and dividends. */
export function hashOfSessions(sessions: readonly SessionData[]): string {
  // Session by session, because the text of large folders would be longer than a string can be.
  const hash = createHash('sha256');
  for (const [at, session] of sessions.entries())
    hash.update(`${at === 0 ? '[' : ','}${JSON.stringify(session)}`);
  return hash.update(sessions.length === 0 ? '[]' : ']').digest('hex');
}

/** The most tickers of a kind that are named. */
const NAMED = 5;

/**
 * The rhythm by which figures are annualised, for strategy and benchmarks alike. It is found from the days from the
 * first measured one on, including those of the index. A note says if the tickers' tables have another rhythm.
 */
export function pointsOf(sessions: readonly SessionData[], from: string | null) {
  const dates = sessions.map(({ date }) => date);
  const rhythm = rhythmOfPoints(dates, from);
  const days = new Map<string, string[]>();
  for (const { date, bars } of sessions) {
    for (const ticker of Object.keys(bars)) {
      const known = days.get(ticker);
      if (known === undefined) days.set(ticker, [date]);
      else known.push(date);
    }
  }
  const kinds = Map.groupBy(days.keys(), (ticker) => rhythmOfPoints(days.get(ticker)!, from).perYear);
  const notes = kinds.size === 1 && kinds.has(rhythm.perYear) ? [] : [mixedNote(kinds, rhythm.perYear)];
  return { rhythm, notes };
}

function mixedNote(kinds: ReadonlyMap<number, readonly string[]>, perYear: number): string {
  const each = [...kinds].map(([bars, tickers]) => {
    const more = tickers.length > NAMED ? ' and others' : '';
    return `${bars} for ${tickers.slice(0, NAMED).join(', ')}${more}`;
  });
  return (
    `MIXED: by its own table a ticker has as many bars a year: ${each.join('; ')}. The account has a value for each day on ` +
    `which any of them or the index trades: volatility, Sharpe and Sortino count ${perYear} a year.`
  );
}

/** A note if the configured index has no bars, so that its benchmark is missing. */
function missingIndex(bars: ReadableBars, index: string | null, to: string | null): string[] {
  if (index === null || bars.datesOf(index, 1, to ?? LAST_DATE).length > 0) return [];
  return [`TD_INDEX: the market data has no bars of ${index}, so nothing is compared with it`];
}

/** The most faults in an error message. */
const NAMED_FAULTS = 10;
const moreThan = (faults: number): string =>
  faults > NAMED_FAULTS ? `; and ${faults - NAMED_FAULTS} more (beleg doctor names them)` : '';

/** The sessions that the market service has stored. */
function stored(bars: Bars, tickers: readonly string[], to: string | null): Loaded {
  const upTo = to ?? LAST_DATE;
  const warnings = new Map(
    tickers.map((ticker) => [
      ticker,
      warningsOf({
        bars: columnsOf(bars.of(ticker, Number.MAX_SAFE_INTEGER, upTo)),
        splits: bars.splitsOf(ticker, upTo),
        dividends: bars.dividendsOf(ticker, upTo),
      }),
    ]),
  );
  return { bars, faults: [], leftOut: [], notes: [], warnings };
}

async function readWhole(
  source: BarSource,
  tickers: readonly string[],
  to: string | null,
  onTicker: (done: number, total: number) => void,
): Promise<Loaded> {
  const { leftOut: files, ...beside } = await besideBars(source);
  const faults: string[] = [...files];
  const leftOut: string[] = [...files];
  const notes: string[] = [];
  const warnings = new Map<string, readonly Dated[]>();
  const all = new Map<string, TickerColumns>();
  const { signal } = new AbortController();
  for (const [at, ticker] of tickers.entries()) {
    try {
      const fetched = await fetchColumns(source, ticker, signal);
      const data = columnsAsTraded(fetched);
      notes.push(...(fetched.notes ?? []));
      const found = to === null ? fetched.warnings : warningsOf(until(data, to));
      warnings.set(ticker, found);
      all.set(ticker, data);
    } catch (error) {
      if (!(error instanceof SourceFaults)) throw error;
      faults.push(...error.faults);
      leftOut.push(...error.faults.map((fault) => `${fault}; all bars of ${ticker} are left out`));
    }
    onTicker(at + 1, tickers.length);
  }
  return { bars: barsInMemory(all, beside), faults, leftOut, notes, warnings };
}

async function fetchColumns(source: BarSource, ticker: string, signal: AbortSignal): Promise<FetchedColumns> {
  if (source.columns !== undefined) return source.columns(ticker, signal);
  const fetched = await source.fetch(ticker, null, signal);
  const all = { ...fetched, bars: columnsOf(fetched.bars) };
  return { ...all, warnings: warningsOf(columnsAsTraded(all)) };
}
