import { addDays } from '../../events/dates.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { call, newCall } from '../../events/messages/define.ts';
import * as market from '../../events/messages/market.ts';
import { SESSIONS_A_PAGE } from './ask-market.ts';

/** The requests to the market service that look back. Each rejects as `call` does while that is away. */
export function askPast(bus: MessageBus) {
  return {
    /**
     * This many sessions from one on, in order, a page at a time; fewer if there are no more. `ticker`: only its bars.
     * It asks for no more than are wanted, because a market without an end would make them.
     */
    async *sessionsFrom(first: string, count: number, ticker?: string) {
      let after = addDays(first, -1);
      for (let left = count; left > 0;) {
        const query = {
          after,
          limit: Math.min(left, SESSIONS_A_PAGE),
          ...(ticker === undefined ? {} : { ticker }),
        };
        const { sessions } = await call(bus, market.Sessions, query, newCall());
        const last = sessions.at(-1);
        if (last === undefined) return;
        yield sessions;
        left -= sessions.length;
        after = last.date;
      }
    },

    /** The tickers that can be traded, and the index ('' if there is none). */
    async listed() {
      const { initial, index } = await call(bus, market.Tickers, {}, newCall());
      return { tickers: initial, index };
    },
  };
}
