import { addDays } from '../../events/dates.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import { call, newCall } from '../../events/messages/define.ts';
import * as market from '../../events/messages/market.ts';

/**
 * The requests of the trading service to the market service. Each rejects as `call` does while the market service is
 * away.
 */
export function askMarket(bus: MessageBus) {
  /** The sessions after a date, or from the feed's first session on; `warmUp` is the last session before them. */
  async function sessions(after: string | null, limit: number, ticker?: string) {
    const query = { after, limit, ...(ticker !== undefined && { ticker }) };
    const { sessions, warm_up: warmUp } = await call(bus, market.Sessions, query, newCall());
    return { sessions, warmUp };
  }

  /** The tickers that can be traded, and the index ('' if there is none). */
  async function listed() {
    const { initial: tickers, index } = await call(bus, market.Tickers, {}, newCall());
    return { tickers, index };
  }

  return {
    sessions,

    /**
     * At most `count` sessions from a day on, in order, a page at a time. `ticker`: with the bars of this ticker alone.
     * No more than `count` sessions are requested, because a synthetic market would create them.
     */
    async *sessionsFrom(first: string, count: number, ticker?: string) {
      let after = addDays(first, -1);
      for (let left = count; left > 0;) {
        const page = await sessions(after, Math.min(left, SESSIONS_A_PAGE), ticker);
        const last = page.sessions.at(-1);
        if (last === undefined) return;
        yield page.sessions;
        left -= page.sessions.length;
        after = last.date;
      }
    },

    async sessionOn(date: string) {
      return (await call(bus, market.SessionOn, { date }, newCall())).session;
    },

    /** The newest `count` sessions up to a day, oldest first. */
    async recentSessions(upTo: string, count: number) {
      const found: market.SessionData[] = [];
      let after = addDays(upTo, -(2 * count + HOLIDAYS));
      for (;;) {
        const page = (await sessions(after, SESSIONS_A_PAGE)).sessions;
        found.push(...page.filter(({ date }) => date <= upTo));
        const last = page.at(-1)?.date;
        if (last === undefined || last > upTo) return found.slice(-count);
        after = last;
      }
    },

    /** Split-adjusted closes up to a day, by ticker, oldest first. */
    async recentCloses(asOf: string, count: number) {
      const { closes } = await call(bus, market.RecentCloses, { as_of: asOf, count }, newCall());
      return new Map(Object.entries(closes));
    },

    /**
     * Rejects with `SERVICE_UNAVAILABLE` while the market is loaded for the first time, because its list is not
     * complete then.
     */
    async tickers() {
      // The status is asked first: a list that is read after the loading has ended is complete.
      const { status } = await call(bus, market.Pipeline, {}, newCall());
      if (isLoading(status)) throw new BelegError('SERVICE_UNAVAILABLE', LOADING);
      const { tickers, index } = await listed();
      return [...new Set([...tickers, index])];
    },

    listed,

    /** The first and the last session of the market; `null` if it has none, or is being loaded for the first time. */
    async range() {
      const { status, first, last } = await call(bus, market.Pipeline, {}, newCall());
      return isLoading(status) || first === null || last === null ? null : { first, last };
    },
  };
}

/** The requests that the engine and its strategies make. */
export type Market = Omit<ReturnType<typeof askMarket>, 'sessionsFrom' | 'listed'>;

/** The longest run of days without a session. */
const HOLIDAYS = 14;

/** The number of sessions in one request where many are read. */
export const SESSIONS_A_PAGE = 100;

const LOADING = { detail: 'The market data is still being loaded', retryAfter: 1 };

const isLoading = (status: string): boolean => status === 'uninitialized' || status === 'loading';
