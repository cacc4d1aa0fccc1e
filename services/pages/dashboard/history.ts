import { get } from './api.ts';
import { change, state, type Bars } from './state.ts';
import type { z } from 'zod';
import type { CorporateActionsReply } from '../../../events/messages/market.ts';

/** With more tickers than this, last prices are not requested but only taken from pushed messages. */
const MOST_TICKERS = 60;

/** The number of sessions in the price chart. */
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

/** Loads bars and corporate actions of the chosen ticker, split-adjusted as of now. */
export async function loadHistory(): Promise<void> {
  const { ticker } = state;
  if (ticker === '') return;
  const wanted = limit;
  const [bars, reply] = await Promise.all([
    get<Bars>(`${path('prices', ticker)}?limit=${wanted}`).catch(() => null),
    get<z.output<typeof CorporateActionsReply>>(path('corporate-actions', ticker)).catch(() => null),
  ]);
  // Another ticker was chosen meanwhile, or the reply has nothing newer.
  if (state.ticker !== ticker || limit !== wanted) return;
  const known = state.history?.ticker === ticker ? state.history : null;
  if (bars === null && known !== null) return;
  const { splits = {}, dividends = {} } = reply?.actions ?? {};
  const last = bars?.at(-1)?.date ?? '';
  // Bars of sessions that closed during the read were pushed meanwhile. They are kept.
  const newer = known?.bars.filter(({ date }) => date > last) ?? [];
  change({ history: { ticker, limit: wanted, bars: [...(bars ?? []), ...newer], splits, dividends } });
}

/** Loads the last close and the previous one of each ticker. */
export async function loadPrices(): Promise<void> {
  await Promise.all((state.tickers?.all ?? []).slice(0, MOST_TICKERS).map(loadPrice));
}

/** Loads the price of a ticker. A pushed price may have arrived first. */
export async function loadPrice(ticker: string): Promise<void> {
  const bars = await get<Bars>(`${path('prices', ticker)}?limit=2`).catch(() => []);
  const last = bars.at(-1);
  if (last === undefined || (state.prices.get(ticker)?.session ?? '') > last.date) return;
  const previous = bars.at(-2)?.close ?? null;
  state.prices.set(ticker, { session: last.date, close: last.close, previous });
  change({}, 'prices');
}
