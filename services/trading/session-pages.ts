import type { SessionData } from '../../events/messages/market.ts';
import { SESSIONS_A_PAGE, type Market } from './ask-market.ts';

/** The sessions of the market one after the other. The next page is fetched before the present one is used up. */
export function sessionPages(market: Pick<Market, 'sessions'>) {
  let page: readonly SessionData[] = [];
  /** The request for the next page, which is under way already. */
  let following: Promise<readonly SessionData[]> | undefined;

  const fetchAfter = async (date: string | null): Promise<readonly SessionData[]> =>
    (await market.sessions(date, SESSIONS_A_PAGE)).sessions;

  return {
    /** The first session after a date; `null` if there is none yet. Rejects while the market service is away. */
    async next(after: string | null): Promise<SessionData | null> {
      const isLater = ({ date }: SessionData): boolean => after === null || date > after;
      page = page.filter(isLater);
      if (page.length === 0) {
        const fetched = following ?? fetchAfter(after);
        following = undefined;
        page = (await fetched).filter(isLater);
      }
      const last = page.at(-1);
      if (last !== undefined && page.length <= SESSIONS_A_PAGE / 2 && following === undefined) {
        following = fetchAfter(last.date);
        // A failure is thrown later, when the page is needed.
        following.catch(() => undefined);
      }
      return page[0] ?? null;
    },

    /** To be called when the market has changed, because fetched pages may be outdated. */
    forget(): void {
      page = [];
      following = undefined;
    },
  };
}

export type SessionPages = ReturnType<typeof sessionPages>;
