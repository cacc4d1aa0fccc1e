import { get, key, mayTrade, ServiceError } from './api.js';
import { loadHistory, loadPrice, loadPrices } from './history.js';
import { notify } from './notices.js';
import { keepConnected } from './socket.js';
import { change, isOpen, state } from './state.js';

const MAX_POINTS = 5_000;
const MAX_LINES = 1_000;
const MAX_ORDERS = 10_000;
/** What no message carries is read again this often at most. */
const STATUS_EVERY_MS = 2_000;
/** Metrics come each second while trading answers: after this long without, it is asked how it is. */
const SILENT_AFTER_MS = 3_000;
const RELOAD_EVERY_MS = 2_000;
const HISTORY_EVERY_MS = 10_000;
/** Logarithm of a change in price beyond which it may be a split: 5 for 4 and larger. */
const SPLIT_JUMP = 0.2;

/** Where messages wait while everything is read again; `null` when they are taken at once. */
let waiting = null;
let readAgain = false;
let subscribed = false;
let heardOfTradingAt = 0;
let connection = null;

export function goLive() {
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
      // There may be no WebSocket on this way and yet an answer: better than nothing, and marked as not live.
      if (state.status === null) void reload();
    },
    onLocked: lock,
  });
  // Where a service behind the gateway says nothing, the connection alone does not show it.
  setInterval(() => {
    if (subscribed && Date.now() - heardOfTradingAt > SILENT_AFTER_MS) void rereadStatus();
  }, STATUS_EVERY_MS);
}

/** With the key that is stored now. */
export function reconnect() {
  connection.disconnect();
  change({ connection: { phase: 'connecting' }, readOnly: false });
  connection.connectNow();
}

export const tryNow = () => connection.connectNow();

function lock() {
  subscribed = false;
  connection.disconnect();
  change({ connection: { phase: 'locked' } });
}

const PARTS = {
  status: '/api/trading/status',
  equity: `/api/dashboard/equity?limit=${MAX_POINTS}`,
  orders: '/api/trading/orders',
  tickers: '/api/data/tickers',
  pipeline: '/api/data/pipeline/status',
  model: '/api/models/status',
  logs: `/api/dashboard/logs?limit=${MAX_LINES}`,
  system: '/api/dashboard/metrics',
};
const SERVICES = {
  trading: ['status', 'equity', 'orders'],
  market: ['tickers', 'pipeline'],
  model: ['model'],
};

/**
 * Reads everything anew: after each connection, and after a gap. Messages that come meanwhile wait and are taken after it,
 * since they may be newer than what was read. A part that cannot be read keeps what was known, and is tried again.
 */
async function reload() {
  if (waiting !== null) {
    readAgain = true;
    return;
  }
  waiting = [];
  readAgain = false;
  const names = Object.keys(PARTS);
  const replies = await Promise.allSettled(names.map((name) => get(PARTS[name])));
  const messages = waiting;
  waiting = null;
  const failed = names.filter((_, i) => replies[i].status === 'rejected');
  if (replies.some(({ reason }) => reason instanceof ServiceError && reason.status === 401)) {
    lock();
    return;
  }
  names.forEach((name, i) => {
    if (replies[i].status === 'fulfilled') change(read[name](replies[i].value));
  });
  if (failed.length < names.length) {
    change({ heardAt: new Date(), silent: silentOf((part) => failed.includes(part)) });
    if (subscribed) change({ connection: { phase: 'live' } });
    void readOldOrders();
    void loadPrices();
    void loadHistory();
    if (key.read() !== '') void mayTrade().then((may) => change({ readOnly: !may }));
  }
  messages.forEach(take);
  if (readAgain || (failed.length > 0 && subscribed)) void soonReload();
}

const silentOf = (isSilent) => Object.keys(SERVICES).filter((service) => SERVICES[service].some(isSilent));

/** Orders that are open and older than those that are usually read. */
async function readOldOrders() {
  const known = [...state.orders.values()].filter(isOpen).length;
  if (state.status === null || state.status.open_orders <= known) return;
  const orders = await get(`${PARTS.orders}?limit=${MAX_ORDERS}`).catch(() => []);
  const all = new Map(orders.map((order) => [order.order_id, order]));
  for (const [id, order] of state.orders) all.set(id, order);
  change({ orders: all });
}

const read = {
  status: (status) => ({ status }),
  equity: ({ points }) => ({ equity: points }),
  orders: (orders) => ({ orders: new Map(orders.map((order) => [order.order_id, order])) }),
  tickers({ initial, index }) {
    const all = index === '' || initial.includes(index) ? initial : [...initial, index];
    return { tickers: { initial, index, all }, ticker: state.ticker || (all[0] ?? '') };
  },
  pipeline: (pipeline) => ({ pipeline }),
  model: (model) => ({ model }),
  logs: ({ logs }) => ({ logs: logs.map((text) => ({ text })) }),
  system: (metrics) => ({ system: metrics.system }),
};

/** A push of the service, into the state. */
function take(message) {
  switch (message.type) {
    case 'metrics':
      heardOfTradingAt = Date.now();
      return;
    case 'order':
      takeOrder(message);
      return;
    case 'positions':
      takePositions(message);
      return;
    case 'prices':
      takePrices(message);
      return;
    case 'log':
      state.logs.push({ text: message.line });
      if (state.logs.length > MAX_LINES) state.logs.shift();
      change({}, 'logs');
      return;
    case 'update':
      takeUpdate(message);
      return;
    case 'training':
      change({ model: message });
      return;
  }
}

function takeOrder({ order_id, order }) {
  if (order === null) {
    state.orders.delete(order_id);
  } else {
    const known = state.orders.get(order_id);
    // Said before it was read: what ended does not come back, what was filled stays filled.
    if (known !== undefined && isOlder(order, known)) return;
    state.orders.set(order_id, order);
    if (state.orders.size > MAX_ORDERS) forgetOldest();
  }
  change({}, 'orders');
}

function forgetOldest() {
  for (const [id, order] of state.orders) {
    if (isOpen(order)) continue;
    state.orders.delete(id);
    return;
  }
}

const isOlder = (order, known) =>
  (!isOpen(known) && isOpen(order)) || order.filled_quantity < known.filled_quantity;

function takePositions({ type: _type, seq: _seq, ...status }) {
  change({ status });
  const { session, cash, total_value } = status;
  if (session === null) return;
  const last = state.equity.at(-1);
  const point = { session, total_value, cash };
  if (last?.session === session) state.equity[state.equity.length - 1] = point;
  else if (last === undefined || last.session < session) state.equity.push(point);
  if (state.equity.length > MAX_POINTS) state.equity.shift();
  change({}, 'equity');
}

function takePrices({ session, prices }) {
  for (const [ticker, bar] of Object.entries(prices)) {
    const known = state.prices.get(ticker);
    if (known?.session === session) known.close = bar.close;
    else state.prices.set(ticker, { session, close: bar.close, previous: known?.close ?? null });
  }
  change({}, 'prices');
  // An index is not traded: no session has a bar of it.
  const index = state.tickers?.index;
  if (index && prices[index] === undefined) void soonIndex();
  takeBar(session, prices[state.ticker]);
}

/**
 * Prices come as traded, and the history is split-adjusted: the newest bar is the same in both, and where it brings a split the
 * history is another one. The jump shows it, and everything is read again now and then for the small ones.
 */
function takeBar(session, bar) {
  const { history } = state;
  if (history?.ticker !== state.ticker) return;
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

function takeUpdate({ event, done, total, ok, ticker, faults }) {
  if (event === 'MarketUpdateFinished') {
    const failed = state.update?.failed.length ?? 0;
    change({ update: null });
    notify(`Market data updated${failed > 0 ? `, ${failed} with faults` : ''}.`, { bad: failed > 0 });
    void reread('pipeline');
    void reread('tickers');
    return;
  }
  const failed = state.update?.failed ?? [];
  change({ update: { done, total, failed: ok ? failed : [...failed, { ticker, faults }] } });
}

/** What cannot be read now is tried again, with everything else. */
async function reread(part) {
  try {
    change(read[part](await get(PARTS[part])));
  } catch {
    change({ silent: [...new Set([...state.silent, ...silentOf((of) => of === part)])] });
    if (subscribed) void soonReload();
  }
}

const rereadStatus = throttled(() => {
  heardOfTradingAt = Date.now();
  return reread('status');
}, STATUS_EVERY_MS);
const soonHistory = throttled(loadHistory, HISTORY_EVERY_MS);
const soonIndex = throttled(() => loadPrice(state.tickers.index), STATUS_EVERY_MS);
const soonReload = throttled(reload, RELOAD_EVERY_MS);
const recover = throttled(async () => {
  await soonReload();
  notify('Some messages were missed: everything was read again.');
}, RELOAD_EVERY_MS);

/** At once, then once more at the end of each pause in which it was called. */
function throttled(run, pauseMs) {
  let resting = false;
  let again = false;
  return async function call() {
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
