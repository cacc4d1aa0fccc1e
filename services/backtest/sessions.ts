import { hash } from 'node:crypto';
import type { SessionData } from '../../events/messages/market.ts';
import { asTraded } from '../market/adjust-prices.ts';
import { FIRST_DATE, LAST_DATE } from '../market/bar-tables.ts';
import { indexOf, isIndexOnly, isNoFund, tickersToUpdate } from '../market/tickers-to-update.ts';
import { openSource } from '../market/sources/open-source.ts';
import type { MarketSettings } from '../market/settings.ts';
import { readSessions } from '../market/sessions.ts';
import { rhythmOfPoints } from '../market/rhythm.ts';
import { besideBars, SourceFaults } from '../market/sources/source.ts';
import { openMarketStore, type MarketStore } from '../market/store.ts';
import { findWarnings, warningNotes } from '../market/bar-warnings.ts';

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
  const wanted = await tickersToUpdate(source, settings);
  const store = openMarketStore(polled ? settings.dbPath : ':memory:');
  try {
    const { faults, notes } = polled ? NOTHING : await fill(store, source, wanted, onTicker);
    const sessionsWithout = (leaveOut: (ticker: string) => boolean, only?: string): SessionData[] =>
      store.read((bars) =>
        readSessions(
          bars,
          { after: FIRST_DATE, upTo: to ?? LAST_DATE, limit: Number.MAX_SAFE_INTEGER, only },
          leaveOut,
        ),
      );
    const all = sessionsWithout(
      (ticker) => isIndexOnly(source, settings, ticker) || !wanted.includes(ticker),
    );
    // Sessions before the first trade are left out. Afterwards time passes as in live trading.
    const first = all.findIndex(({ bars }) => Object.keys(bars).length > 0);
    const sessions = first < 0 ? [] : all.slice(first);
    if (first < 0 && faults.length > 0) {
      throw new Error(
        `no table could be read: ${faults.slice(0, NAMED_FAULTS).join('; ')}${moreThan(faults.length)}`,
      );
    }
    const tickers = new Set(sessions.flatMap(({ bars }) => Object.keys(bars)));
    const missing = settings.tickers?.filter((ticker) => !tickers.has(ticker)) ?? [];
    if (missing.length > 0) {
      const why = faults.length > 0 ? faults.join('; ') : `no bars up to ${to ?? 'today'}`;
      throw new Error(
        `${missing.join(', ')} cannot be tested: ${why}. Leave these tickers out, or fix their data`,
      );
    }
    const index = indexOf(source, settings, [...tickers]);
    const ofIndex = sessionsWithout(
      (ticker) => ticker !== index || isNoFund(source, settings, ticker),
      index,
    );
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
      /** Notes on missing data, on what was derived from the tables, and on suspicious data. */
      notes: [
        ...faults.map((fault) => `LEFT OUT: ${fault}`),
        ...missingIndex(store, settings.index, to),
        ...notes,
        ...warningsOf(store, wanted, to),
      ],
    };
  } finally {
    store.close();
  }
}

/** SHA-256, hexadecimal, of bars, splits and dividends. */
export const hashOfSessions = (sessions: readonly SessionData[]): string =>
  hash('sha256', JSON.stringify(sessions), 'hex');

/** The most tickers of a kind that are named. */
const NAMED = 5;

/**
 * The rhythm by which figures are annualised, for strategy and benchmarks alike: the days from a first one on at whose
 * close the account has a value, including those of the index. A note says if the tickers' tables have another rhythm.
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

/** A configured index without bars: the benchmark is missing, which needs a note. */
function missingIndex(store: MarketStore, index: string | null, to: string | null): string[] {
  if (index === null || store.read((bars) => bars.of(index, 1, to ?? LAST_DATE)).length > 0) return [];
  return [`TD_INDEX: the market data has no bars of ${index}, so nothing is compared with it`];
}

function warningsOf(store: MarketStore, tickers: readonly string[], to: string | null): string[] {
  const upTo = to ?? LAST_DATE;
  return tickers.flatMap((ticker) =>
    store.read((bars) => {
      const all = bars.of(ticker, Number.MAX_SAFE_INTEGER, upTo);
      const found = findWarnings(all, bars.splitsOf(ticker, upTo), bars.dividendsOf(ticker, upTo));
      return warningNotes(ticker, found);
    }),
  );
}

/** The most faults in an error message. */
const NAMED_FAULTS = 10;
const moreThan = (faults: number): string =>
  faults > NAMED_FAULTS ? `; and ${faults - NAMED_FAULTS} more` : '';

const NOTHING = { faults: [], notes: [] };

/** `faults` says why tickers are missing. */
async function fill(
  store: MarketStore,
  source: ReturnType<typeof openSource>['source'],
  tickers: readonly string[],
  onTicker: (done: number, total: number) => void,
) {
  const { leftOut, ...beside } = await besideBars(source);
  store.putBeside(beside);
  const faults: string[] = [...leftOut];
  const notes: string[] = [];
  const { signal } = new AbortController();
  for (const [at, ticker] of tickers.entries()) {
    try {
      const fetched = await source.fetch(ticker, null, signal);
      const data = asTraded(fetched);
      notes.push(...(fetched.notes ?? []));
      store.extend(new Map([[ticker, data]]), LAST_DATE);
    } catch (error) {
      if (!(error instanceof SourceFaults)) throw error;
      faults.push(...error.faults);
    }
    onTicker(at + 1, tickers.length);
  }
  return { faults, notes };
}
