import type { SessionData } from '../../events/messages/market.ts';
import { asTraded } from './adjust-prices.ts';
import { FIRST_DATE } from './bar-tables.ts';
import { dayBefore } from './calendar.ts';
import { readSessions } from './sessions.ts';
import type { BarSource } from './sources/source.ts';
import type { MarketStore } from './store.ts';

/** This many bars stay below 512 KiB as JSON, without further columns. */
const MAX_BARS = 3_200;
const MAX_CHARACTERS = 512 * 1024;
/** The sessions that a feed of finished data has before its first one: a year. */
const YEAR = 252;
/** How many sessions of a source without an end one request generates. Later requests generate what is still missing. */
const MAX_GENERATED = 5_000;

interface FeedOptions {
  readonly store: MarketStore;
  readonly source: BarSource;
  /** First session of the feed; `null`: where it suits the source. */
  readonly feedFrom: string | null;
  /** Tickers that nobody can trade are in no session. */
  readonly leaveOut: (ticker: string) => boolean;
  /** What nobody can hold is in no session of a ticker alone either. */
  readonly isNoFund?: (ticker: string) => boolean;
}

/**
 * The market session by session. Only what an update has finished is shown: a session that some of the tickers are still
 * missing from would be a day on which they did not trade. A ticker whose update failed did not. One that the source no
 * longer lists keeps the bars it has: who holds it can still sell.
 */
export function feedOf({ store, source, feedFrom, leaveOut, isNoFund = () => false }: FeedOptions) {
  /** Extends one at a time: each goes on where the previous one ended. */
  let extending: Promise<unknown> = Promise.resolve();
  /** The last session that is complete; `null` before the first load. */
  const completeUntil = (): string | null => store.note('complete_until');
  /** A ticker that could not be fetched may have traded. */
  const isUnknown = (ticker: string): boolean => store.state(ticker)?.outcome.status === 'failed';

  /** Extends the feed until there are `wanted` sessions after a date. */
  async function extendFor(
    after: string,
    wanted: number,
    extend: NonNullable<BarSource['extend']>,
  ): Promise<void> {
    for (let made = 0; made < MAX_GENERATED;) {
      const from = completeUntil() ?? FIRST_DATE;
      const missing = from < after ? YEAR : wanted - read(after, wanted).length;
      if (missing === 0) return;
      const fetched = await extend(from, missing);
      const days = new Map([...fetched].map(([ticker, data]) => [ticker, asTraded(data)]));
      const ends = [...days.values()].map(({ bars }) => bars.at(-1)?.date ?? FIRST_DATE);
      const end = ends.reduce((latest, date) => (date > latest ? date : latest), from);
      if (end === from) return;
      store.extend(days, end);
      made += missing;
    }
  }

  /** The last session before the feed's first; `null` where the feed starts with the first session of all. */
  function startOf(): string | null {
    const end = completeUntil()!;
    return store.read((bars) => {
      if (feedFrom !== null) return bars.dateBack(dayBefore(feedFrom), 0);
      return source.feedStart === 'end' ? end : bars.dateBack(end, YEAR);
    });
  }

  function read(after: string, limit: number, only?: string): SessionData[] {
    const upTo = completeUntil();
    if (upTo === null) return [];
    const isLeftOut = only === undefined ? leaveOut : (ticker: string) => ticker !== only || isNoFund(ticker);
    return fitting(store.read((bars) => readSessions(bars, { after, upTo, limit }, isLeftOut, isUnknown)));
  }

  return {
    /** See `Sessions` in events/messages/market.ts. */
    async after(
      date: string | null,
      limit: number,
      only?: string,
    ): Promise<{ sessions: SessionData[]; warm_up: string | null }> {
      if (completeUntil() === null) return { sessions: [], warm_up: null };
      const warm_up = date === null ? startOf() : null;
      const after = date ?? warm_up ?? FIRST_DATE;
      const tickers = only === undefined ? store.read((bars) => bars.tickers()).length : 1;
      const wanted = Math.min(limit, Math.max(1, Math.floor(MAX_BARS / Math.max(1, tickers))));
      const there = read(after, wanted, only);
      const { extend } = source;
      if (there.length === wanted || extend === undefined) return { sessions: there, warm_up };
      const extended = extending.then(() => extendFor(after, wanted, extend));
      extending = extended.catch(() => undefined);
      await extended;
      return { sessions: read(after, wanted, only), warm_up };
    },
    on(date: string): SessionData | null {
      const [session] = read(dayBefore(date), 1);
      return session?.date === date ? session : null;
    },
  };
}

/** As many of the first ones as a reply has room for, at least one: bars with many further columns are long. */
function fitting(sessions: readonly SessionData[]): SessionData[] {
  let characters = 0;
  const end = sessions.findIndex((session, at) => {
    characters += lengthOf(session);
    return at > 0 && characters > MAX_CHARACTERS;
  });
  return sessions.slice(0, end < 0 ? sessions.length : end);
}

/** In characters of JSON, about; the usual figures of a bar have 160 at most. */
function lengthOf({ bars, series, universe }: SessionData): number {
  let length = series === undefined ? 0 : JSON.stringify(series).length;
  if (universe !== undefined) length += JSON.stringify(universe).length;
  for (const { columns } of Object.values(bars))
    length += columns === undefined ? 160 : 160 + JSON.stringify(columns).length;
  return length;
}
