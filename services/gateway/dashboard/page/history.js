import { get } from './api.js';
import { change, state } from './state.js';

/** Last prices of more tickers than these are left to the messages that come anyway. */
const MOST_TICKERS = 60;
const AT_ONCE = 6;

/** Sessions that the price chart shows. */
let limit = 252;

const path = (what, ticker) => `/api/data/${what}/${encodeURIComponent(ticker)}`;

export function showSessions(sessions) {
  limit = sessions;
  void loadHistory();
}

export function chooseTicker(ticker) {
  if (ticker === state.ticker) return;
  change({ ticker });
  void loadHistory();
}

/** Bars and corporate actions of the chosen ticker, split-adjusted as of now. */
export async function loadHistory() {
  const { ticker } = state;
  if (ticker === '') return;
  const wanted = limit;
  const [bars, reply] = await Promise.all([
    get(`${path('prices', ticker)}?limit=${wanted}`).catch(() => null),
    get(path('corporate-actions', ticker)).catch(() => null),
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

/** The last close of each ticker and the one before, a few at once. */
export async function loadPrices() {
  const left = (state.tickers?.all ?? []).slice(0, MOST_TICKERS);
  const next = async () => {
    for (let ticker = left.shift(); ticker !== undefined; ticker = left.shift()) await loadPrice(ticker);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Unless a message was faster. */
export async function loadPrice(ticker) {
  const bars = await get(`${path('prices', ticker)}?limit=2`).catch(() => []);
  const last = bars.at(-1);
  if (last === undefined || state.prices.get(ticker)?.session > last.date) return;
  const previous = bars.at(-2)?.close ?? null;
  state.prices.set(ticker, { session: last.date, close: last.close, previous });
  change({}, 'prices');
}
