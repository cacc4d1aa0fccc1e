import { get } from './api.ts';
import { change, state, type Bars } from './state.ts';
import type { z } from 'zod';
import type { CorporateActionsReply } from '../../../events/messages/market.ts';

/** Last prices of more tickers than these are left to the messages that come anyway. */
const MOST_TICKERS = 60;

/** Sessions that the price chart shows. */
let limit = 252;

const path = (what: string, ticker: string): string => `/api/data/${what}/${encodeURIComponent(ticker)}`;

export function showSessions(sessions: number): void {
  limit = sessions;
  void loadHistory();
}

export function chooseTicker(ticker: string): void {
  if (ticker === state.ticker) return;
  change({ ticker });
  void loadHistory();
}

/** Bars and corporate actions of the chosen ticker, split-adjusted as of now. */
export async function loadHistory(): Promise<void> {
  const { ticker } = state;
  if (ticker === '') return;
  const wanted = limit;
  const [bars, reply] = await Promise.all([
    get<Bars>(`${path('prices', ticker)}?limit=${wanted}`).catch(() => null),
    get<z.output<typeof CorporateActionsReply>>(path('corporate-actions', ticker)).catch(() => null),
  ]);
  // Another one was chosen meanwhile, or there is nothing better than what is shown.
  if (state.ticker !== ticker || limit !== wanted) return;
  const known = state.history?.ticker === ticker ? state.history : null;
  if (bars === null && known !== null) return;
  const { splits = {}, dividends = {} } = reply?.actions ?? {};
  const last = bars?.at(-1)?.date ?? '';
  // Sessions that closed while it was read.
  const newer = known?.bars.filter(({ date }) => date > last) ?? [];
  change({ history: { ticker, limit: wanted, bars: [...(bars ?? []), ...newer], splits, dividends } });
}

/** The last close of each ticker and the one before. */
export async function loadPrices(): Promise<void> {
  await Promise.all((state.tickers?.all ?? []).slice(0, MOST_TICKERS).map(loadPrice));
}

/** Unless a message was faster. */
export async function loadPrice(ticker: string): Promise<void> {
  const bars = await get<Bars>(`${path('prices', ticker)}?limit=2`).catch(() => []);
  const last = bars.at(-1);
  if (last === undefined || (state.prices.get(ticker)?.session ?? '') > last.date) return;
  const previous = bars.at(-2)?.close ?? null;
  state.prices.set(ticker, { session: last.date, close: last.close, previous });
  change({}, 'prices');
}
