/**
 * What the page knows, as the service said it last. `change` replaces parts of it; views of those parts are drawn once in
 * the next animation frame, however many messages came before it.
 */
export const state = {
  /** `connecting`, `live`, `lost` (with `retryAt`) or `locked` (a key is needed). */
  connection: { phase: 'connecting' },
  /** Services that did not answer when they were asked last: `trading`, `market`, `model`. */
  silent: [],
  /** When the newest message came; `null` before the first. */
  heardAt: null,
  /** The key may look and not touch. */
  readOnly: false,
  /** `GET /api/trading/status`. */
  status: null,
  /** Value at the close of each session, ascending. */
  equity: [],
  /** By id, in the order they were submitted. */
  orders: new Map(),
  /** What can be traded, the `index`, and `all` that can be looked at. */
  tickers: null,
  /** By ticker: `{close, previous}`; `previous` is `null` where it is not known. */
  prices: new Map(),
  /** The one that is looked at. */
  ticker: '',
  /** Its bars and corporate actions: `{ticker, bars, splits, dividends}`. */
  history: null,
  pipeline: null,
  /** The update that runs: `{done, total, failed}`. */
  update: null,
  model: null,
  system: null,
  /** Each `{text}`: two lines may say the same. */
  logs: [],
};

const views = [];
const dirty = new Set();
let frame = 0;

/** Draws now and whenever one of the parts has changed. */
export function view(parts, draw) {
  views.push({ parts, draw });
  change({}, ...parts);
}

/** Parts that were changed in place are named in `touched`. */
export function change(patch, ...touched) {
  Object.assign(state, patch);
  for (const part of [...Object.keys(patch), ...touched]) dirty.add(part);
  frame ||= requestAnimationFrame(drawDirty);
}

function drawDirty() {
  frame = 0;
  const now = new Set(dirty);
  dirty.clear();
  for (const { parts, draw } of views) if (parts.some((part) => now.has(part))) draw(state);
}

const ENDED = new Set(['filled', 'cancelled', 'rejected', 'expired']);
export const isOpen = (order) => !ENDED.has(order.status);
/** `null` before the first. */
export const lastPrice = (ticker) => state.prices.get(ticker)?.close ?? null;
