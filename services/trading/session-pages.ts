import type { SessionData } from '../../events/messages/market.ts';
import type { Market } from './ask-market.ts';

/** Sessions asked for at a time. */
const PAGE = 100;

/** The sessions of the market one after the other; the next page is fetched while there is still something of this one. */
export function sessionPages(market: Pick<Market, 'sessions'>) {
  let page: readonly SessionData[] = [];
  /** Asked for already: what comes after the page at hand. */
  let following: Promise<readonly SessionData[]> | undefined;

  const fetchAfter = async (date: string | null): Promise<readonly SessionData[]> =>
    (await market.sessions(date, PAGE)).sessions;

  return {
    /** The first session after a date; `null` where there is none yet. Rejects while the market service is away. */
    async next(after: string | null): Promise<SessionData | null> {
      const isLater = ({ date }: SessionData): boolean => after === null || date > after;
      page = page.filter(isLater);
      if (page.length === 0) {
        const fetched = following ?? fetchAfter(after);
        following = undefined;
        page = (await fetched).filter(isLater);
      }
      const last = page.at(-1);
      if (last !== undefined && page.length <= PAGE / 2 && following === undefined) {
        following = fetchAfter(last.date);
        // Its fault is met when the page is turned.
        following.catch(() => undefined);
      }
      return page[0] ?? null;
    },

    /** The market has changed: what was fetched may be out of date. */
    forget(): void {
      page = [];
      following = undefined;
    },
  };
}

export type SessionPages = ReturnType<typeof sessionPages>;
