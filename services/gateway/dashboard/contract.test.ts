import { afterEach, describe, expect, test } from 'vitest';
import { OWN_STRATEGY, PERFORMANCE, TRADE } from './dashboard-examples.ts';
import { MODEL_FEATURES } from '../../models/data/model-features.ts';
import { FEATURES } from '../../../events/messages/market.ts';
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  startDashboard,
  type Dashboard,
  type Endpoint,
} from './dashboard.suite.ts';

let dashboard: Dashboard;
afterEach(() => dashboard.app.close());

const number = expect.any(Number);
const string = expect.any(String);
const boolean = expect.any(Boolean);
const integer = expect.toSatisfy(Number.isInteger, 'is an integer');
const matching = (pattern: RegExp) => expect.stringMatching(pattern);
const DAY = matching(/^\d{4}-\d{2}-\d{2}$/);
const SECOND = matching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);

const POSITION = {
  quantity: number,
  strategy_quantity: number,
  side: 'long',
  average_price: number,
  current_price: number,
  price_session: DAY,
  stale: false,
  market_value: number,
  cost_basis: number,
  unrealized_pnl: number,
  unrealized_pnl_percent: number,
  realized_pnl: number,
  dividends: number,
  borrowing_costs: number,
};

const MODEL_SIZES = {
  status: 'loaded',
  device: 'cpu',
  amd_gpu: boolean,
  mixed_precision: boolean,
  precision: string,
  hidden_channels: integer,
  num_heads: integer,
  batch_size: integer,
  learning_rate: number,
};

const HASH = matching(/^[0-9a-f]{64}$/);
const SCORE = { return: number, volatility: number };
const PART = { windows: integer, from: DAY, to: DAY };
const EPOCH = {
  epoch: integer,
  train_loss: number,
  validation_loss: number,
  validation: SCORE,
  best: boolean,
};
const RUN = {
  run: string,
  state: 'trained',
  as_of: DAY,
  device: 'cpu',
  fallback: null,
  epoch: integer,
  epochs: integer,
  step: integer,
  steps: integer,
  loss: number,
  steps_per_second: number,
  seconds_left: number,
  train: PART,
  validation: PART,
  test: PART,
  history: [EPOCH, EPOCH],
  scores: { network: SCORE, ridge: SCORE, mean: SCORE },
  reason: null,
};

const ORDER = {
  order_id: string,
  ticker: string,
  action: 'buy',
  quantity: number,
  price: number,
  timestamp: SECOND,
  type: matching(/^(market|limit)$/),
  status: matching(/^(filled|accepted)$/),
};
const ORDER_ADDED = {
  filled_quantity: number,
  average_price: expect.toSatisfy((price) => price === null || typeof price === 'number'),
  fees: number,
  reject_reason: null,
  client_order_id: expect.toSatisfy((id) => id === null || typeof id === 'string'),
  time_in_force: matching(/^(day|gtc)$/),
  stop_price: null,
  origin: matching(/^(strategy|client)$/),
  filled_at: expect.toSatisfy((session) => session === null || typeof session === 'string'),
};

const FEATURES_OF = {
  ticker: string,
  timestamp: SECOND,
  ...Object.fromEntries(FEATURES.map((name) => [name, number])),
};

const BAR = { date: DAY, open: number, high: number, low: number, close: number, volume: integer };

/** The fields of each reply: all of the contract and its documented additions, and no others. */
const REPLIES: Record<Endpoint, unknown> = {
  '/api/dashboard/metrics': {
    memory: {
      allocated_gb: number,
      max_allocated_gb: number,
      total_gb: number,
      limit_gb: number,
      usage_percent: number,
      free_gb: number,
    },
    account: { cash: number, total_value: number, positions_count: 1, positions: { AAPL: POSITION } },
    model: MODEL_SIZES,
    system: {
      project_name: 'Beleg',
      version: matching(/^\d+\.\d+\.\d+/),
      training_active: false,
      trading_active: true,
    },
  },
  '/api/dashboard/logs': {
    logs: [matching(/^\[\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\] \S/)],
    total: 1,
  },
  '/api/dashboard/equity': {
    points: [
      { session: DAY, total_value: number, cash: number },
      { session: DAY, total_value: number, cash: number },
    ],
  },
  '/api/dashboard/logs/clear': { status: 'cleared' },
  '/api/trading/status': {
    active: true,
    cash: number,
    total_value: number,
    positions: { AAPL: POSITION },
    orders_count: integer,
    // Additions to the contract:
    state: 'running',
    halt_reason: null,
    last_halt: null,
    session: DAY,
    feed_waiting: false,
    feed_resting: false,
    feed_paused: false,
    realized_pnl: number,
    dividends: number,
    borrowing_costs: number,
    unrealized_pnl: number,
    fees: number,
    unsettled_cash: number,
    open_orders: integer,
    strategy: string,
    discrepancies: integer,
    currency: 'USD',
  },
  '/api/trading/equity': {
    points: [
      { session: DAY, total_value: number, cash: number },
      { session: DAY, total_value: number, cash: number },
    ],
  },
  '/api/trading/trades': { trades: [TRADE] },
  '/api/trading/performance': PERFORMANCE,
  '/api/trading/strategies': { strategies: [OWN_STRATEGY] },
  '/api/trading/strategies/{name}/start': { status: 'started' },
  '/api/trading/strategies/{name}/stop': { status: 'stopped' },
  '/api/trading/session/pause': { status: 'paused', speed: 1 },
  '/api/trading/session/resume': { status: 'running', speed: 1 },
  '/api/trading/session/speed': { status: 'running', speed: 2 },
  '/api/trading/session/next': { session: DAY },
  '/api/trading/cash': { status: 'booked' },
  '/api/reports': { reports: [], note: string },
  '/api/trading/orders': [
    { ...ORDER, ...ORDER_ADDED },
    { ...ORDER, ...ORDER_ADDED },
  ],
  '/api/trading/start': { status: 'started' },
  '/api/trading/stop': { status: 'stopped' },
  '/api/trading/order': { status: 'submitted', order_id: string },
  '/api/trading/orders/{order_id}': { ...ORDER, ...ORDER_ADDED },
  '/api/trading/orders/{order_id}/amend': { status: 'amended', order_id: string },
  '/api/trading/cancel/{order_id}': { status: 'cancelled' },
  '/api/trading/positions/close/{ticker}': { status: 'submitted', order_id: string },
  '/api/trading/positions/close-all': {
    status: 'submitted',
    results: [{ ticker: 'AAPL', order_id: string }],
  },
  '/api/models/status': {
    ...MODEL_SIZES,
    training_active: false,
    model_name: string,
    epochs: integer,
    sequence_length: integer,
    dropout: number,
    // Additions to the contract:
    layers: integer,
    seed: integer,
    parameters: integer,
    features: [...MODEL_FEATURES],
    weights: HASH,
    saved: HASH,
    predictions: { count: integer, last_ms: number, p50_ms: number, p95_ms: number },
    error: null,
    run: RUN,
  },
  '/api/models/train': { status: 'started', run: string, resumed: true },
  '/api/models/train/stop': { status: 'stopped', run: string },
  '/api/models/save': { status: 'saved', weights: HASH },
  '/api/models/load': { status: 'loaded', weights: HASH },
  '/api/models/benchmark': {
    status: 'complete',
    inference_time_ms: number,
    training_time_ms: number,
    inference_throughput: number,
    training_throughput: number,
    memory_allocated_gb: number,
    device: 'cpu',
  },
  '/api/data/tickers': { initial: ['AAPL', 'MSFT', 'SPY'], index: 'SPY', count: 3 },
  '/api/data/pipeline/status': {
    status: 'ready',
    tickers_loaded: 3,
    db_path: 'market-demo.db',
    // Additions to the contract:
    source: 'demo',
    synthetic: true,
    bars: integer,
    first: DAY,
    last: DAY,
    updated_at: string,
    failed: [],
    notes: [],
  },
  '/api/data/update': { status: 'started', update_id: string },
  '/api/data/features/{ticker}': {
    ticker: 'AAPL',
    timestamp: SECOND,
    features: { AAPL: FEATURES_OF, SPY: FEATURES_OF },
  },
  '/api/data/price/{ticker}': {
    ticker: 'AAPL',
    ...BAR,
    date: SECOND,
    adj_close: number,
  },
  '/api/data/prices/{ticker}': expect.toSatisfy((bars: unknown[]) => bars.length === 252),
  '/api/data/corporate-actions/{ticker}': {
    ticker: 'AAPL',
    actions: {
      splits: { '2020-08-31': 4 },
      dividends: { '2025-02-10': 0.25, '2025-05-12': 0.26 },
    },
  },
};

test.each(ENDPOINT_NAMES)('%s answers as the contract says, field by field', async (endpoint) => {
  dashboard = await startDashboard();
  const response = await dashboard.send(endpoint);
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.json()).toStrictEqual(REPLIES[endpoint]);
  expect(dashboard.fakes.faults).toEqual([]);
});

test('price bars have the fields of the contract', async () => {
  dashboard = await startDashboard();
  const bars = (await dashboard.app.inject('/api/data/prices/AAPL?limit=2')).json<unknown>();
  expect(bars).toStrictEqual([BAR, BAR]);
});

describe('a POST that the contract gives no body', () => {
  const posts = ENDPOINT_NAMES.filter(
    (endpoint) =>
      ENDPOINTS[endpoint] === 'POST' &&
      ![
        '/api/trading/order',
        '/api/trading/orders/{order_id}/amend',
        '/api/trading/cash',
        '/api/trading/session/speed',
      ].includes(endpoint),
  );

  test.each(posts)('%s comes with none, an empty one or {}, and with nothing else', async (endpoint) => {
    dashboard = await startDashboard({}, { cancelOrder: () => ({ status: 'cancelled' }) });
    const url = endpoint.replace('{ticker}', 'AAPL').replace('{order_id}', 'x').replace('{name}', 'momentum');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const response of [
      await dashboard.post(url),
      await dashboard.post(url, ''),
      await dashboard.post(url, {}),
      await dashboard.post(url, undefined, form),
    ]) {
      expect(response.statusCode).toBe(200);
    }
    const refused = await dashboard.post(url, { force: true });
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path: 'force' }] });
    expect((await dashboard.post(url, '{')).json()).toMatchObject({ code: 'INVALID_JSON' });
  });
});
