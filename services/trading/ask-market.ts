import { addDays } from '../../events/dates.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import { call, newCall } from '../../events/messages/define.ts';
import * as market from '../../events/messages/market.ts';

/** The requests of the trading service to the market service. Each rejects as `call` does while that is away. */
export function askMarket(bus: MessageBus) {
  return {
    /** The sessions after a date, or from the feed's first one on; `warmUp` is the last session before it. */
    async sessions(after: string | null, limit: number) {
      const { sessions, warm_up } = await call(bus, market.Sessions, { after, limit }, newCall());
      return { sessions, warmUp: warm_up };
    },

    async sessionOn(date: string) {
      return (await call(bus, market.SessionOn, { date }, newCall())).session;
    },

    /** The newest `count` sessions up to a day, oldest first. */
    async recentSessions(upTo: string, count: number) {
      const found: market.SessionData[] = [];
      let after = addDays(upTo, -(2 * count + HOLIDAYS));
      for (;;) {
        const { sessions } = await call(bus, market.Sessions, { after, limit: SESSIONS_A_PAGE }, newCall());
        found.push(...sessions.filter(({ date }) => date <= upTo));
        const last = sessions.at(-1)?.date;
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
      // In this order: a list that is read after the loading is complete.
      const { status } = await call(bus, market.Pipeline, {}, newCall());
      if (isLoading(status)) throw new BelegError('SERVICE_UNAVAILABLE', LOADING);
      const { initial, index } = await call(bus, market.Tickers, {}, newCall());
      return [...new Set([...initial, index])];
    },

    /** The first and the last session of the market; `null` if it has none, or is being loaded for the first time. */
    async range() {
      const { status, first, last } = await call(bus, market.Pipeline, {}, newCall());
      return isLoading(status) || first === null || last === null ? null : { first, last };
    },
  };
}

export type Market = ReturnType<typeof askMarket>;

/** The most days in a row without a session. */
const HOLIDAYS = 14;

/** The number of sessions of one request, where a whole stretch of them is read. */
export const SESSIONS_A_PAGE = 100;

const LOADING = { detail: 'The market data is still being loaded', retryAfter: 1 };

const isLoading = (status: string): boolean => status === 'uninitialized' || status === 'loading';
