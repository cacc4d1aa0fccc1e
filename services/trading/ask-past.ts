import { addDays } from '../../events/dates.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { call, newCall } from '../../events/messages/define.ts';
import * as market from '../../events/messages/market.ts';

/** Sessions asked for at a time. */
const PAGE = 100;

/** What is asked of the market service to look back. Every question rejects as `call` does while that is away. */
export function askPast(bus: MessageBus) {
  return {
    /**
     * So many sessions from one on, in order, a page at a time; fewer where there are no more. `ticker`: with its bars alone.
     * No more is asked for than is wanted, because a market without an end would make it.
     */
    async *sessionsFrom(first: string, count: number, ticker?: string) {
      let after = addDays(first, -1);
      for (let left = count; left > 0;) {
        const query = { after, limit: Math.min(left, PAGE), ...(ticker === undefined ? {} : { ticker }) };
        const { sessions } = await call(bus, market.Sessions, query, newCall());
        const last = sessions.at(-1);
        if (last === undefined) return;
        yield sessions;
        left -= sessions.length;
        after = last.date;
      }
    },

    /** What can be traded, and the index ('' where there is none). */
    async listed() {
      const { initial, index } = await call(bus, market.Tickers, {}, newCall());
      return { tickers: initial, index };
    },
  };
}
