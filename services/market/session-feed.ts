import type { SessionData } from '../../events/messages/market.ts';
import { asTraded } from './adjust-prices.ts';
import { FIRST_DATE } from './bar-tables.ts';
import { dayBefore } from './calendar.ts';
import { readSessions } from './sessions.ts';
import type { BarSource } from './sources/source.ts';
import type { MarketStore } from './store.ts';

/** The most bars of a reply. This many stay below 512 KiB of JSON if they have no further columns. */
const MAX_BARS = 3_200;
const MAX_CHARACTERS = 512 * 1024;
/** A feed of complete data begins after a year of sessions. */
const YEAR = 252;
/** How many sessions of a source without an end one request generates. Later requests generate what is still missing. */
const MAX_GENERATED = 5_000;

interface FeedOptions {
  readonly store: MarketStore;
  readonly source: BarSource;
  /** The first session of the feed; `null` for the default of the source. */
  readonly feedFrom: string | null;
  /** Whether a ticker cannot be traded, so that it is in no session. */
  readonly leaveOut: (ticker: string) => boolean;
  /** Whether a ticker is an index that cannot be held. It has no sessions, even if it is the only ticker asked for. */
  readonly isNoFund?: (ticker: string) => boolean;
}

/**
 * The market session by session. Only complete updates are shown, because a ticker that is still missing from a session
 * would look as if it had not traded that day. A ticker whose update failed counts as not traded. A ticker that the
 * source no longer lists keeps its bars, so that its holders can still sell.
 */
export function feedOf({ store, source, feedFrom, leaveOut, isNoFund = () => false }: FeedOptions) {
  /** One extension runs at a time: each begins where the previous one ended. */
  let extending: Promise<unknown> = Promise.resolve();
  /** The last complete session; `null` before the first load. */
  const completeUntil = (): string | null => store.note('complete_until');
  /** Whether a ticker could not be fetched, so that it may have traded. */
  const isUnknown = (ticker: string): boolean => store.state(ticker)?.outcome.status === 'failed';

  /** Extends the source until there are `wanted` sessions after a date. */
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

  /** The last session before the feed's first; `null` if the feed begins with the first session of the source. */
  function startOf(): string | null {
    // A source without an end grows as far as the account that is furthest ahead needs it. The end of the first load is
    // kept, so that other accounts begin at the same session.
    const made = source.extend === undefined ? null : store.note('history_until');
    const end = made ?? completeUntil()!;
    return store.read((bars) => {
      if (feedFrom !== null) return bars.dateBack(dayBefore(feedFrom), 0);
      return source.feedStart === 'end' ? end : bars.dateBack(end, YEAR);
    });
  }

  function read(after: string, limit: number, only?: string): SessionData[] {
    const upTo = completeUntil();
    if (upTo === null) return [];
    const isLeftOut = only === undefined ? leaveOut : (ticker: string) => ticker !== only || isNoFund(ticker);
    return fitting(
      store.read((bars) => readSessions(bars, { after, upTo, limit, only }, isLeftOut, isUnknown)),
    );
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

/** The first sessions that fit into a reply: at least one, and fewer if their bars have many further columns. */
function fitting(sessions: readonly SessionData[]): SessionData[] {
  let characters = 0;
  const end = sessions.findIndex((session, at) => {
    characters += lengthOf(session);
    return at > 0 && characters > MAX_CHARACTERS;
  });
  return sessions.slice(0, end < 0 ? sessions.length : end);
}

/** The approximate length as JSON; the usual figures of a bar have at most 160 characters. */
function lengthOf({ bars, series, universe }: SessionData): number {
  let length = series === undefined ? 0 : JSON.stringify(series).length;
  if (universe !== undefined) length += JSON.stringify(universe).length;
  for (const { columns } of Object.values(bars))
    length += columns === undefined ? 160 : 160 + JSON.stringify(columns).length;
  return length;
}
