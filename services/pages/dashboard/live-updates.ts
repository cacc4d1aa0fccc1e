import type { z } from 'zod';
import type { TickerList } from '../../../events/messages/market.ts';
import type { EquityCurve } from '../../../events/messages/trading.ts';
import type { Metrics } from '../../gateway/dashboard/system-metrics.ts';
import type { Push } from '../../gateway/dashboard/socket/server-message.ts';
import { ServiceError } from '../http.ts';
import { get, key, limitedUntil, mayTrade } from './api.ts';
import { loadHistory, loadPrice, loadPrices } from './history.ts';
import { notify } from './notices.ts';
import { keepConnected } from './socket.ts';
import {
  change,
  isOpen,
  state,
  type Model,
  type Order,
  type Performance,
  type Pipeline,
  type Service,
  type State,
  type Status,
} from './state.ts';

const MAX_POINTS = 5_000;
const MAX_LINES = 1_000;
const MAX_ORDERS = 10_000;
/** Data without pushes is read at most this often. */
const STATUS_EVERY_MS = 2_000;
/** While trading answers, metrics come each second; after this long without them its state is requested. */
const SILENT_AFTER_MS = 3_000;
const RELOAD_EVERY_MS = 2_000;
const HISTORY_EVERY_MS = 10_000;
/**
 * Milliseconds between two reads of the figures of performance, which are computed from the whole record of the
 * account.
 */
const PERFORMANCE_EVERY_MS = 30_000;
/** A jump of a price whose logarithm exceeds this may be a split of 5 for 4 or larger. */
const SPLIT_JUMP = 0.2;

/** Messages that wait while everything is read again; `null` when messages are applied at once. */
let waiting: Push[] | null = null;
let readAgain = false;
let subscribed = false;
let heardOfTradingAt = 0;
let connection: ReturnType<typeof keepConnected>;

export function goLive(): void {
  connection = keepConnected({
    readKey: key.read,
    onUp() {
      subscribed = true;
      void reload();
    },
    onMessage(message) {
      change({ heardAt: new Date() });
      if (waiting === null) take(message);
      else waiting.push(message);
    },
    onGap: () => void recover(),
    onDown(retryAt) {
      subscribed = false;
      if (state.connection.phase !== 'locked') change({ connection: { phase: 'lost', retryAt } });
      // A proxy may block the WebSocket but not HTTP, so the data is read, and marked as not live.
      if (state.status === null) void reload();
    },
    onLocked: lock,
  });
  // The connection to the gateway does not show that a service behind it is silent.
  setInterval(() => {
    if (subscribed && Date.now() - heardOfTradingAt > SILENT_AFTER_MS) void rereadStatus();
  }, STATUS_EVERY_MS);
}

/** Reconnects with the stored key. */
export function reconnect(): void {
  connection.disconnect();
  change({ connection: { phase: 'connecting' }, readOnly: false });
  connection.connectNow();
}

export const tryNow = (): void => connection.connectNow();

function lock(): void {
  subscribed = false;
  connection.disconnect();
  change({ connection: { phase: 'locked' } });
}

type Equity = z.output<(typeof EquityCurve)['reply']>;

/** Reads a path of a service (`null` for the gateway itself) and applies the reply to the state. */
const part = (path: string, service: Service | null, changes: (reply: never) => Partial<State>) => ({
  service,
  read: async () => changes(await get(path)),
});

type Part = ReturnType<typeof part>;

const status = part('/api/trading/status', 'trading', (status: Status) => ({ status }));
const tickers = part('/api/data/tickers', 'market', ({ initial, index }: z.output<typeof TickerList>) => {
  const all = index === '' || initial.includes(index) ? initial : [...initial, index];
  return { tickers: { initial, index, all }, ticker: state.ticker || (all[0] ?? '') };
});
const pipeline = part('/api/data/pipeline/status', 'market', (pipeline: Pipeline) => ({ pipeline }));
const PARTS: readonly Part[] = [
  status,
  part(`/api/dashboard/equity?limit=${MAX_POINTS}`, 'trading', ({ points }: Equity) => ({ equity: points })),
  part('/api/trading/orders?limit=1000', 'trading', (orders: Order[]) => ({ orders: byId(orders) })),
  tickers,
  pipeline,
  part('/api/models/status', 'model', (model: Model) => ({ model })),
  part(`/api/dashboard/logs?limit=${MAX_LINES}`, null, ({ logs }: { logs: string[] }) => ({
    logs: logs.map((text) => ({ text })),
  })),
  part('/api/dashboard/metrics', null, ({ system }: Metrics) => ({ system })),
];

const byId = (orders: readonly Order[]) => new Map(orders.map((order) => [order.order_id, order]));

/**
 * Reads everything again after each connection and after a gap. Messages that arrive meanwhile are applied afterwards,
 * because they may be newer. A part that cannot be read keeps its data and is requested again.
 */
async function reload(): Promise<void> {
  if (waiting !== null) {
    readAgain = true;
    return;
  }
  waiting = [];
  readAgain = false;
  const replies = await Promise.allSettled(PARTS.map((part) => part.read()));
  const messages = waiting;
  waiting = null;
  const failed = PARTS.filter((_, i) => replies[i]!.status === 'rejected');
  if (replies.some((reply) => reply.status === 'rejected' && isUnauthorized(reply.reason))) {
    lock();
    return;
  }
  for (const reply of replies) if (reply.status === 'fulfilled') change(reply.value);
  change({ limitedUntil: limitedUntil() });
  if (failed.length < PARTS.length) {
    change({ heardAt: new Date(), silent: silentOf(failed) });
    if (subscribed) change({ connection: { phase: 'live' } });
    void readOldOrders();
    void loadPrices();
    void loadHistory();
    void soonPerformance();
    if (key.read() !== '') void mayTrade().then((may) => change({ readOnly: !may }));
  }
  messages.forEach(take);
  if (state.limitedUntil !== null) reloadAt(state.limitedUntil);
  else if (readAgain || (failed.length > 0 && subscribed)) void soonReload();
}

let reloading: ReturnType<typeof setTimeout> | undefined;
function reloadAt(time: number): void {
  clearTimeout(reloading);
  reloading = setTimeout(() => void reload(), time - Date.now() + 1);
}

const isUnauthorized = (error: unknown): boolean => error instanceof ServiceError && error.status === 401;

const silentOf = (failed: readonly Part[]): Service[] => [
  ...new Set(failed.map(({ service }) => service).filter((service) => service !== null)),
];

/** Reads open orders that are older than the usual range. */
async function readOldOrders(): Promise<void> {
  const known = [...state.orders.values()].filter(isOpen).length;
  if (state.status === null || state.status.open_orders <= known) return;
  const all = byId(await get<Order[]>(`/api/trading/orders?limit=${MAX_ORDERS}`).catch(() => []));
  for (const [id, order] of state.orders) all.set(id, order);
  change({ orders: all });
}

type Pushed<Type extends Push['type']> = Extract<Push, { type: Type }>;

/** How each push of the service changes the state. */
const taking: { readonly [Type in Push['type']]: (message: Pushed<Type>) => void } = {
  metrics: () => (heardOfTradingAt = Date.now()),
  order: takeOrder,
  positions: takePositions,
  prices: takePrices,
  log({ line }) {
    state.logs.push({ text: line });
    if (state.logs.length > MAX_LINES) state.logs.shift();
    change({}, 'logs');
  },
  update: takeUpdate,
  training: (model) => change({ model }),
};
const take = (message: Push): void => taking[message.type](message as never);

function takeOrder({ order_id, order }: Pushed<'order'>): void {
  if (order === null) {
    state.orders.delete(order_id);
  } else {
    const known = state.orders.get(order_id);
    // The message may be older than the data that was read: a final order stays final, and fills stay.
    if (known !== undefined && isOlder(order, known)) return;
    state.orders.set(order_id, order);
    const oldest = state.orders.values().find((known) => !isOpen(known));
    if (state.orders.size > MAX_ORDERS && oldest !== undefined) state.orders.delete(oldest.order_id);
  }
  change({}, 'orders');
}

const isOlder = (order: Order, known: Order): boolean =>
  (!isOpen(known) && isOpen(order)) || order.filled_quantity < known.filled_quantity;

function takePositions({ type: _type, seq: _seq, ...status }: Pushed<'positions'>): void {
  change({ status });
  const { session, cash, total_value } = status;
  if (session === null) return;
  const last = state.equity.at(-1);
  const point = { session, total_value, cash };
  if (last?.session === session) state.equity[state.equity.length - 1] = point;
  else if (last === undefined || last.session < session) {
    state.equity.push(point);
    void soonPerformance();
  }
  if (state.equity.length > MAX_POINTS) state.equity.shift();
  change({}, 'equity');
}

function takePrices({ session, prices }: Pushed<'prices'>): void {
  for (const [ticker, bar] of Object.entries(prices)) {
    const known = state.prices.get(ticker);
    if (known !== undefined && known.session === session) known.close = bar.close;
    else state.prices.set(ticker, { session, close: bar.close, previous: known?.close ?? null });
  }
  change({}, 'prices');
  // An index is not traded, so no session has a bar of it.
  const index = state.tickers?.index;
  if (index && prices[index] === undefined) void soonIndex();
  takeBar(session, prices[state.ticker]);
}

/**
 * Takes a pushed bar into the history. Pushed prices are as traded, but the history is split-adjusted. The newest bar
 * is equal in both, but a split changes the whole history. A large jump shows a split; because of small splits
 * everything is read again now and then.
 */
function takeBar(session: string, bar: Pushed<'prices'>['prices'][string] | undefined): void {
  const { history } = state;
  if (history === null || history.ticker !== state.ticker) return;
  if (bar === undefined) {
    void soonHistory();
    return;
  }
  const last = history.bars.at(-1);
  if (last !== undefined && last.date >= session) return;
  const jump = last === undefined ? 0 : Math.abs(Math.log(bar.close / last.close));
  history.bars.push({ date: session, ...bar });
  if (history.bars.length > history.limit) history.bars.shift();
  change({}, 'history');
  void (jump > SPLIT_JUMP ? loadHistory() : soonHistory());
}

function takeUpdate({ event, done, total, ok, ticker, faults }: Pushed<'update'>): void {
  if (event === 'MarketUpdateFinished') {
    const failed = state.update?.failed.length ?? 0;
    change({ update: null });
    notify(`Market data updated${failed > 0 ? `, ${failed} with faults` : ''}.`, { bad: failed > 0 });
    void reread(pipeline);
    void reread(tickers);
    return;
  }
  const failed = state.update?.failed ?? [];
  change({ update: { done, total, failed: ok ? failed : [...failed, { ticker: ticker ?? '', faults }] } });
}

/** A failed read is retried with everything else. */
async function reread(part: Part): Promise<void> {
  try {
    change(await part.read());
  } catch {
    const limit = limitedUntil();
    change({ silent: [...new Set([...state.silent, ...silentOf([part])])], limitedUntil: limit });
    if (limit !== null) reloadAt(limit);
    else if (subscribed) void soonReload();
  }
}

/**
 * Loads the figures of performance. After a failure the old figures stay, with the day up to which they count, and are
 * requested again after the pause.
 */
async function loadPerformance(): Promise<void> {
  try {
    change({ performance: await get<Performance>('/api/trading/performance?benchmark=none') });
  } catch {
    if (subscribed) void soonPerformance();
  }
}

const rereadStatus = throttled(() => {
  heardOfTradingAt = Date.now();
  return reread(status);
}, STATUS_EVERY_MS);
const soonHistory = throttled(loadHistory, HISTORY_EVERY_MS);
const soonPerformance = throttled(loadPerformance, PERFORMANCE_EVERY_MS);
const soonIndex = throttled(() => loadPrice(state.tickers?.index ?? ''), STATUS_EVERY_MS);
const soonReload = throttled(reload, RELOAD_EVERY_MS);
const recover = throttled(async () => {
  await soonReload();
  notify('Some messages were missed; all data was loaded again.');
}, RELOAD_EVERY_MS);

/** A function that runs at once, and once more at the end of each pause in which it was called. */
function throttled(run: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let resting = false;
  let again = false;
  return async function call(): Promise<void> {
    if (resting) {
      again = true;
      return;
    }
    resting = true;
    await run();
    setTimeout(() => {
      resting = false;
      if (!again) return;
      again = false;
      void call();
    }, pauseMs);
  };
}
