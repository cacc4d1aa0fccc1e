import type { z } from 'zod';
import type * as market from '../../../events/messages/market.ts';
import type * as models from '../../../events/messages/models.ts';
import type { KeptReport } from '../../backtest/kept-reports.ts';
import { MODEL_FEATURES } from '../../models/data/model-features.ts';
import { ModelMetrics, type Metrics } from './system-metrics.ts';
import type * as trading from '../../../events/messages/trading.ts';

/** Examples for the OpenAPI document. They are typed, so that they always fit the schemas. */
export const TRADING_STATUS = {
  active: true,
  cash: 81_254.5,
  total_value: 100_412.5,
  positions: {
    AAPL: {
      quantity: 100,
      strategy_quantity: 60,
      side: 'long',
      average_price: 187.455,
      current_price: 191.58,
      price_session: '2025-06-13',
      stale: false,
      market_value: 19_158,
      cost_basis: 18_745.5,
      unrealized_pnl: 412.5,
      unrealized_pnl_percent: 2.2,
      realized_pnl: 0,
      dividends: 0,
      borrowing_costs: 0,
    },
  },
  orders_count: 2,
  state: 'running',
  halt_reason: null,
  last_halt: null,
  session: '2025-06-13',
  feed_waiting: false,
  feed_resting: false,
  feed_paused: false,
  realized_pnl: 0,
  dividends: 0,
  borrowing_costs: 0,
  unrealized_pnl: 412.5,
  fees: 1,
  unsettled_cash: 0,
  open_orders: 1,
  strategy: 'crossover',
  discrepancies: 0,
  currency: 'USD',
} satisfies z.output<typeof trading.TradingStatusReply>;

export const FILLED = {
  order_id: 'o-afbf52202cb3641f',
  ticker: 'AAPL',
  action: 'buy',
  quantity: 100,
  price: 187.445,
  timestamp: '2025-06-12 00:00:00',
  type: 'market',
  status: 'filled',
  filled_quantity: 100,
  average_price: 187.445,
  fees: 1,
  reject_reason: null,
  client_order_id: null,
  time_in_force: 'day',
  stop_price: null,
  origin: 'strategy',
  filled_at: '2025-06-13',
} satisfies trading.OrderView;

export const WORKING = {
  ...FILLED,
  order_id: 'o-bb085f3362fff029',
  ticker: 'MSFT',
  quantity: 10,
  price: 400,
  timestamp: '2025-06-13 00:00:00',
  type: 'limit',
  status: 'accepted',
  filled_quantity: 0,
  average_price: null,
  fees: 0,
  client_order_id: 'rebalance-7',
  time_in_force: 'gtc',
  origin: 'client',
  filled_at: null,
} satisfies trading.OrderView;

export const EQUITY = {
  points: [
    { session: '2025-06-12', total_value: 100_000, cash: 81_254.5 },
    { session: '2025-06-13', total_value: 100_412.5, cash: 81_254.5 },
  ],
} satisfies z.output<(typeof trading.EquityCurve)['reply']>;

export const TRADE = {
  number: 1,
  ticker: 'AAPL',
  side: 'long',
  quantity: 40,
  opened: '2025-06-02',
  closed: '2025-06-13',
  closed_by: 'fill',
  entry: 187.445,
  exit: 191.58,
  pnl: 163.4,
  fees: 2,
  reason: 'trend over',
  strategy: 'momentum',
} satisfies z.output<typeof trading.AccountTrade>;

export const OWN_STRATEGY = {
  name: 'momentum',
  source: './momentum.ts',
  in_use: true,
  hash: '5f0c8f1f2f1f3e0d0f6d2d1b6f5f6c7e8a9b0c1d2e3f405162738495a6b7c8d9',
  parameters: { lookback: 120 },
  share: 0.6,
  state: 'halted',
  fault: { detail: 'TypeError: bars.AAPL is undefined', file: '/home/me/momentum.ts', line: 12 },
  value: 60_812.5,
  cash: 41_300.25,
  positions: { AAPL: { quantity: 100, average_price: 187.445, opened: '2025-06-02' } },
  open_orders: [],
  last_decision: {
    session: '2025-06-12',
    targets: [],
    orders: [{ ticker: 'AAPL', action: 'sell', type: 'market', quantity: 40, reason: 'trend over' }],
  },
} satisfies z.output<typeof trading.OwnStrategyView>;

const RETURNS = {
  periods: 252,
  totalReturn: 0.0841,
  annualReturn: 0.0842,
  annualVolatility: 0.1127,
  sharpe: 0.7734,
  downsideRisk: 0.0791,
  sortino: 1.1021,
  maxDrawdown: -0.0655,
  calmar: 1.2855,
  winRate: 0.5312,
  best: 0.0231,
  worst: -0.0198,
};

export const KEPT_REPORT = {
  id: '20251103T142107Z-1f0c7e1b',
  created_at: '2025-11-03T14:21:07.000Z',
  strategy: 'momentum',
  from: '2020-01-02',
  to: '2025-06-13',
  source: 'csv',
  synthetic: false,
  tickers: 14,
  currency: 'USD',
  final: 168_214.5,
  performance: {
    totalReturn: 0.6821,
    annualReturn: 0.1001,
    annualVolatility: 0.1314,
    maxDrawdown: -0.1722,
    sharpe: 0.7921,
  },
  benchmarks: [{ name: 'Hold SPY, 90 % invested', totalReturn: 0.7713 }],
} satisfies KeptReport;

export const PERFORMANCE = {
  currency: 'USD',
  from: '2024-06-13',
  to: '2025-06-13',
  sessions: 252,
  haltedSessions: 0,
  rhythm: { perYear: 252, days: 4, name: 'daily' },
  riskFreePercent: 0,
  initial: 100_000,
  final: 108_410,
  flows: { deposited: 0, withdrawn: 0 },
  moneyWeighted: { annual: 0.0842, total: 0.0841 },
  realized: 7_120.5,
  unrealized: 1_105.5,
  dividends: 184,
  costs: { fees: 96, slippage: 212.4, borrowing: 0 },
  performance: RETURNS,
  exposure: { gross: 0.61, net: 0.61, inMarket: 0.98 },
  turnover: 2.4,
  resampled: {
    resamples: 1_000,
    seed: 1,
    block: 6.316,
    sharpe: { low: -1.21, high: 2.69 },
    maxDrawdown: { median: -0.0832, worst: -0.1544 },
  },
  benchmarks: [
    {
      name: 'Hold SPY, 90 % invested',
      notes: [],
      final: 111_230,
      performance: RETURNS,
      relative: {
        beta: 0.62,
        alpha: 0.0104,
        correlation: 0.79,
        trackingError: 0.0712,
        informationRatio: -0.39,
      },
    },
  ],
  byTicker: [
    {
      ticker: 'AAPL',
      total: 8_410,
      realized: 7_120.5,
      unrealized: 1_105.5,
      dividends: 184,
      borrowing: 0,
      fees: 96,
      trades: 1,
      won: 1,
    },
  ],
  byYear: [{ year: '2024', total: 0.0412, benchmarks: [0.0511] }],
  byReason: [
    { kind: 'closed', reason: 'trend over', trades: 1, won: 1, total: 163.4 },
    { kind: 'open', reason: 'still open', trades: 0, won: 0, total: 8_062.6 },
    { kind: 'dividends', reason: 'dividends', trades: 0, won: 0, total: 184 },
  ],
  byStrategy: [{ strategy: 'momentum', trades: 1, won: 1, total: 8_410 }],
  trades: {
    matching: 'fifo',
    closed: 1,
    won: 1,
    profitFactor: null,
    averagePnl: 163.4,
    daysHeld: { mean: 11, median: 11 },
    open: 1,
  },
  notes: [],
} satisfies z.output<typeof trading.PerformanceReply>;

/** SHA-256 of a file of weights. */
export const WEIGHTS = '1f0c7e1b6a5d4f39824f7c8e5b1d0a93c6e7f2b48d15a0936be47c20f8d3a15e';

/** The newest training run after its end. */
export const TRAINED_RUN = {
  run: '0197a3c9-2e4f-7b1a-9d8c-7e6f5a4b3c2d',
  state: 'trained',
  as_of: '2025-06-13',
  device: 'cpu',
  fallback: null,
  epoch: 2,
  epochs: 2,
  step: 308,
  steps: 308,
  loss: 0.9612,
  steps_per_second: 41.7,
  seconds_left: 0,
  train: { windows: 4_920, from: '2015-09-24', to: '2022-03-30' },
  validation: { windows: 942, from: '2022-06-28', to: '2023-09-27' },
  test: { windows: 945, from: '2023-12-26', to: '2025-06-12' },
  history: [
    {
      epoch: 1,
      train_loss: 1.0127,
      validation_loss: 0.9836,
      validation: { return: -0.0041, volatility: 0.1275 },
      best: true,
    },
    {
      epoch: 2,
      train_loss: 0.9651,
      validation_loss: 0.9702,
      validation: { return: 0.0012, volatility: 0.1618 },
      best: true,
    },
  ],
  scores: {
    network: { return: 0.0009, volatility: 0.1533 },
    ridge: { return: -0.0021, volatility: 0.1407 },
    mean: { return: -0.0003, volatility: -0.0118 },
  },
  reason: null,
} satisfies z.output<typeof models.TrainingRun>;

export const MODEL_STATUS = {
  status: 'loaded',
  training_active: false,
  device: 'cpu',
  amd_gpu: false,
  mixed_precision: false,
  precision: 'float32',
  model_name: 'beleg-transformer',
  hidden_channels: 64,
  num_heads: 4,
  batch_size: 32,
  epochs: 2,
  sequence_length: 60,
  dropout: 0.1,
  learning_rate: 0.001,
  layers: 2,
  seed: 1,
  parameters: 104_642,
  features: [...MODEL_FEATURES],
  weights: WEIGHTS,
  saved: WEIGHTS,
  error: null,
  predictions: { count: 252, last_ms: 12.4, p50_ms: 11.9, p95_ms: 18.2 },
  run: TRAINED_RUN,
} satisfies z.output<typeof models.ModelStatusReply>;

/** The training run of `TRAINED_RUN` in its second epoch. */
export const TRAINING_RUN = {
  ...TRAINED_RUN,
  state: 'training',
  step: 210,
  loss: 0.9688,
  seconds_left: 2.3,
  history: TRAINED_RUN.history.slice(0, 1),
  scores: null,
} satisfies z.output<typeof models.TrainingRun>;

export const TRAINING_STATUS = {
  ...MODEL_STATUS,
  status: 'training',
  training_active: true,
  run: TRAINING_RUN,
} satisfies z.output<typeof models.ModelStatusReply>;

export const BENCHMARK = {
  status: 'complete',
  inference_time_ms: 2.4,
  training_time_ms: 18.7,
  inference_throughput: 13_333.3,
  training_throughput: 1_711.2,
  memory_allocated_gb: 0.212,
  device: 'cpu',
} satisfies z.output<typeof models.BenchmarkReply>;

export const TICKERS = {
  initial: ['AAPL', 'MSFT', 'SPY'],
  index: 'SPY',
  count: 3,
} satisfies z.output<typeof market.TickerList>;

export const PIPELINE = {
  status: 'ready',
  tickers_loaded: 3,
  db_path: 'market-demo.db',
  source: 'demo',
  synthetic: true,
  bars: 7_560,
  first: '2015-06-01',
  last: '2025-06-13',
  updated_at: '2025-11-03T14:21:07.000Z',
  failed: [],
  notes: [],
} satisfies z.output<typeof market.PipelineStatus>;

const AAPL_FEATURES = {
  ticker: 'AAPL',
  timestamp: '2025-06-13 00:00:00',
  return: 0.0042,
  log_return: 0.0041912,
  return_5: 0.0117,
  return_20: -0.0204,
  volatility: 0.0139,
  sma_ratio_10_30: 1.0061,
  ema_12: 189.92,
  ema_26: 188.4,
  macd: 1.52,
  macd_signal: 1.1,
  rsi_14: 58.3,
  atr_14: 3.21,
  bollinger_percent_b: 0.71,
  momentum_12: 2.85,
  volume_zscore_20: -0.4,
};

export const FEATURES_OF_AAPL = {
  ticker: 'AAPL',
  timestamp: '2025-06-13 00:00:00',
  features: {
    AAPL: AAPL_FEATURES,
    SPY: { ...AAPL_FEATURES, ticker: 'SPY', return: 0.0011 },
  },
} satisfies z.output<typeof market.FeaturesReply>;

export const CORPORATE_ACTIONS = {
  ticker: 'AAPL',
  actions: { splits: { '2020-08-31': 4 }, dividends: { '2025-02-10': 0.25, '2025-05-12': 0.26 } },
} satisfies z.output<typeof market.CorporateActionsReply>;

export const BAR = {
  date: '2025-06-13',
  open: 190.2,
  high: 192.11,
  low: 189.67,
  close: 191.58,
  volume: 48_211_300,
} satisfies z.output<typeof market.Bar>;

export const LATEST_PRICE = {
  ticker: 'AAPL',
  ...BAR,
  date: '2025-06-13 00:00:00',
  adj_close: BAR.close,
} satisfies z.output<typeof market.LatestPriceReply>;

export const METRICS = {
  memory: {
    allocated_gb: 0.212,
    max_allocated_gb: 0.318,
    total_gb: 16.482,
    limit_gb: 4,
    usage_percent: 5.3,
    free_gb: 3.788,
  },
  account: {
    cash: TRADING_STATUS.cash,
    total_value: TRADING_STATUS.total_value,
    positions_count: 1,
    positions: TRADING_STATUS.positions,
  },
  model: ModelMetrics.parse(MODEL_STATUS),
  system: { project_name: 'Beleg', version: '0.1.0', training_active: false, trading_active: true },
} satisfies Metrics;
