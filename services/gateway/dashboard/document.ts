import {
  Bar,
  CorporateActionsReply,
  FeaturesReply,
  LatestPriceReply,
  PipelineStatus,
  TickerList,
  UpdateMarket,
} from '../../../events/messages/market.ts';
import {
  BenchmarkReply,
  LoadModel,
  ModelStatusReply,
  SaveModel,
  StopTraining,
  TrainModel,
  TrainingRun,
} from '../../../events/messages/models.ts';
import {
  CancelOrder,
  CloseAllReply,
  EquityCurve,
  Order,
  OrderRequest,
  Position,
  StartTrading,
  StopTrading,
  SubmittedReply,
  TradingStatusReply,
} from '../../../events/messages/trading.ts';
import * as example from './examples.ts';
import { Metrics } from './metrics.ts';
import { LogList, LogsCleared } from './dashboard-routes.ts';
import { TrainRequest } from './model-routes.ts';
import { PriceList } from './market-routes.ts';
import { CONVENTIONS, type ApiDescription, type Named } from '../http/openapi.ts';
import { ClientMessage } from './socket/client-message.ts';
import { SOCKET_ERRORS } from './socket/errors.ts';
import { ServerMessage } from './socket/server-message.ts';
import { OrderList } from './trading-routes.ts';

const REQUESTS: Readonly<Record<string, Named>> = {
  OrderRequest: {
    schema: OrderRequest,
    examples: [
      { ticker: 'AAPL', action: 'buy', quantity: 100 },
      {
        ticker: 'AAPL',
        action: 'sell',
        quantity: 100,
        type: 'stop_limit',
        price: 179.5,
        stop_price: 180,
        time_in_force: 'gtc',
        client_order_id: 'protect-AAPL-1',
        timestamp: '2025-06-13 09:30:00',
      },
    ],
    fields: {
      quantity: 'Shares; a multiple of the smallest lot (one share unless the service is set otherwise)',
      price: 'Required for limit and stop orders. For a market order it is recorded, but not used',
      stop_price:
        'Required for stop_limit orders, where `price` is the limit price. A stop order has its stop price in `price`; other types have none',
      timestamp:
        'Time according to the client; it is recorded, but the order gets the time of the market data feed',
      client_order_id:
        'Makes retries safe: the same order with the same id is placed only once, however often it is sent',
      time_in_force:
        'day (the default): valid for the next session; gtc: until cancelled; ioc: fills what it can in the next session at once; ' +
        'fok: fills completely at once, or not at all',
    },
  },
  TrainRequest: {
    schema: TrainRequest,
    examples: [{ resume: false }],
    description: 'Extension: the contract has no body here; no body is the same as `{}`.',
    fields: {
      resume:
        'true: resume an interrupted run if its settings are still the same, with the same result as without the break; false: always start a new run. ' +
        'Default: true',
    },
  },
  ClientMessage: {
    schema: ClientMessage,
    examples: [{ action: 'subscribe', channel: 'all' }, { action: 'ping' }],
    description: 'Messages that a client can send to `/ws`, one per text frame.',
  },
};

/** A reply that only says what was done. */
const done = (schema: Named['schema'], status: string): Named => ({ schema, examples: [{ status }] });

const REPLIES: Readonly<Record<string, Named>> = {
  Metrics: {
    schema: Metrics,
    examples: [example.METRICS],
    fields: {
      memory:
        'Memory in gigabytes (10^9 bytes): resident set of this process and its peak, the memory of the ' +
        'machine, the cgroup limit (without one: the memory of the machine), and the memory still available',
      'memory.usage_percent': '`allocated_gb` as a percentage of `limit_gb`',
      'account.positions': 'Positions by ticker',
      'model.status':
        'Also `error` while the model service does not answer; the sizes are then those of the settings',
    },
  },
  LogList: {
    schema: LogList,
    examples: [
      {
        logs: [
          '[2025-11-03 14:21:07] Trading started',
          '[2025-11-03 14:22:40] Order o-afbf52202cb3641f (AAPL) expired',
        ],
        total: 2,
      },
    ],
    fields: {
      logs: '`[YYYY-MM-DD HH:MM:SS] message`, UTC; the newest 1000 are kept, until the process stops',
      total: 'Number of lines kept; `limit` may return fewer',
    },
  },
  LogsCleared: done(LogsCleared, 'cleared'),
  TradingStatus: {
    schema: TradingStatusReply,
    examples: [example.TRADING_STATUS],
    fields: {
      cash: 'Settled cash',
      total_value: 'All cash, settled and unsettled, plus the positions at their last closing prices',
      active: 'True while orders can open positions and the strategy trades in each new session',
      positions: 'Positions by ticker',
      orders_count: 'Number of all orders, including closed ones',
      state: 'Extension: whether trading is running, stopped or halted',
      halt_reason: 'Extension: `daily_loss`, `discrepancy` or `no_equity` while `state` is `halted`',
      last_halt:
        'Extension: the last halt since trading was started, with its session. A halt for daily loss ends with the next session; `resumed` then names that session',
      session:
        'Extension: the last closed session of the market data feed, which is its current time; `null` before the first',
      feed_waiting: 'Extension: true while the feed waits for data of the next session',
      feed_resting:
        'Extension: true while the clock of the synthetic market is paused, because trading is stopped and no order is open',
      realized_pnl: 'Extension: net of fees, without dividends',
      dividends: 'Extension: dividends received, minus those paid for short positions',
      borrowing_costs: 'Extension: cost of borrowing shares for short positions, charged daily',
      unrealized_pnl: 'Extension: profit or loss of open positions at the last closing prices',
      fees: 'Extension: all fees paid',
      unsettled_cash: 'Extension: cash from sales that cannot be spent yet',
      open_orders: 'Extension: number of orders that can still be filled',
      strategy: 'Extension: name of the strategy',
      discrepancies:
        'Extension: open differences between the account and the broker; trading stays halted until they are resolved',
      currency: 'Extension: currency of all amounts',
    },
  },
  Position: {
    schema: Position,
    examples: [example.TRADING_STATUS.positions.AAPL],
    fields: {
      quantity: 'Number of shares; for a short position the quantity, value and cost are negative',
      strategy_quantity: 'Extension: the part that the strategy opened; it only trades this part',
      average_price: 'Average cost per share',
      price_session: 'Extension: session of `current_price`',
      stale:
        'Extension: true if that session is not the last one, so the ticker has not traded since. After 20 sessions without a bar the position is settled at this price',
      realized_pnl: 'After fees, without dividends',
      dividends: 'Extension: dividends received, minus those paid for a short position',
      borrowing_costs: 'Extension: cost of borrowing shares for short positions, charged daily',
    },
  },
  Order: {
    schema: Order,
    examples: [example.FILLED, example.WORKING],
    fields: {
      price:
        'Limit or stop price. For a market order: the average price once it is filled, until then the price sent by the client ' +
        'or the last price',
      timestamp: 'Time of the market data feed, `YYYY-MM-DD HH:MM:SS`',
      filled_quantity: 'Extension: shares filled so far',
      average_price: 'Extension: average price of the filled shares',
      fees: 'Extension: fees paid for this order',
      reject_reason: 'Extension: why the order was rejected or cancelled',
      client_order_id: 'Extension: id given by the client',
      time_in_force: 'Extension: how long the order is valid',
      stop_price: 'Extension: stop price of a stop_limit order',
      origin: 'Extension: who submitted it: a client, the strategy, or a request to close a position',
      filled_at: 'Extension: session of the latest fill',
    },
  },
  OrderList: { schema: OrderList, examples: [[example.FILLED, example.WORKING]] },
  Equity: { schema: EquityCurve.reply, examples: [example.EQUITY] },
  TradingStarted: done(StartTrading.reply, 'started'),
  TradingStopped: done(StopTrading.reply, 'stopped'),
  Submitted: {
    schema: SubmittedReply,
    examples: [{ status: 'submitted', order_id: example.WORKING.order_id }],
  },
  CloseAll: {
    schema: CloseAllReply,
    examples: [{ status: 'submitted', results: [{ ticker: 'AAPL', order_id: example.WORKING.order_id }] }],
  },
  Cancelled: done(CancelOrder.reply, 'cancelled'),
  ModelStatus: {
    schema: ModelStatusReply,
    examples: [example.MODEL_STATUS, example.TRAINING_STATUS],
    fields: {
      status:
        '`uninitialized`: random initial weights, which can be saved, loaded and measured; `loaded`, `trained`: ' +
        'where the weights in use come from; `error`: no model can be used, the field `error` says why',
      device: 'Device in use; it can differ from the configured one',
      precision: 'Number format of the weights and of all computation',
      layers: 'Extension: number of layers',
      seed: 'Extension: random seed; the same seed and data give the same weights',
      parameters: 'Extension: number of trained parameters',
      features: 'Extension: input features of a day',
      weights: 'Extension: SHA-256 of the weights in use; `null` for random initial weights',
      saved: 'Extension: SHA-256 of the saved weights; `null` if none are saved',
      predictions: 'Extension: how long the latest predictions for the strategy took, in milliseconds',
      error: 'Extension: why no model can be used',
      run: 'Extension: the latest training run; `null` before the first',
    },
  },
  TrainingRun: {
    schema: TrainingRun,
    examples: [example.TRAINED_RUN, example.TRAINING_RUN],
    description: 'State of the latest training run.',
    fields: {
      as_of: 'Last day of the training data; the market data feed has not gone further yet',
      epoch: 'Current epoch, starting at 1',
      step: 'Steps done so far; `steps` is the total of the run',
      loss: 'Mean squared error of the scaled targets over the last steps',
      train:
        'Number of windows and the days on which they end. Training, validation and test follow each other in time, with gaps between them',
      validation: 'Used to choose the best epoch',
      test: 'Used once, to compute the scores of the best epoch',
      history:
        'All epochs so far; `validation` is the R² on the validation part, `best` is true if it was the best epoch so far',
      scores:
        'R² on the test part, for the network, ridge regression and the mean: 1 is perfect, 0 is as good as a constant. ' +
        'Values near zero are usual for daily returns',
      reason: 'Why the run failed or was interrupted',
    },
  },
  TrainingStarted: {
    schema: TrainModel.reply,
    examples: [{ status: 'started', run: example.TRAINED_RUN.run, resumed: false }],
    fields: {
      run: 'Extension: id of the training run',
      resumed: 'Extension: true if an interrupted run was resumed from its last checkpoint',
    },
  },
  TrainingStopped: {
    schema: StopTraining.reply,
    examples: [{ status: 'stopped', run: example.TRAINED_RUN.run }],
    fields: { run: 'Extension: id of the run; it can be resumed later' },
  },
  ModelSaved: {
    schema: SaveModel.reply,
    examples: [{ status: 'saved', weights: example.WEIGHTS }],
    fields: { weights: 'Extension: SHA-256 of the weights' },
  },
  ModelLoaded: {
    schema: LoadModel.reply,
    examples: [{ status: 'loaded', weights: example.WEIGHTS }],
    fields: { weights: 'Extension: SHA-256 of the weights' },
  },
  Benchmark: {
    schema: BenchmarkReply,
    examples: [example.BENCHMARK],
    fields: {
      inference_time_ms: 'Median time of one batch',
      training_time_ms: 'Median time of one step',
      inference_throughput: 'Windows per second',
      training_throughput: 'Windows per second',
      memory_allocated_gb: 'Memory of the measuring process, in gigabytes (10^9 bytes)',
    },
  },
  TickerList: { schema: TickerList, examples: [example.TICKERS] },
  PipelineStatus: {
    schema: PipelineStatus,
    examples: [example.PIPELINE],
    fields: {
      db_path: 'Name of the file, without its folder',
      source: 'Extension: where the bars come from',
      synthetic: 'Extension: true if the bars are synthetic, not from a real market',
      bars: 'Extension: number of bars stored',
      first: 'Extension: first day with a bar',
      last: 'Extension: last day with a bar',
      updated_at: 'Extension: time of the last update',
      failed: 'Extension: what went wrong in the last update',
      notes:
        'Extension: remarks on the data: what was derived from the files, what they do not contain, and what looks wrong (gaps, jumps)',
    },
  },
  UpdateStarted: {
    schema: UpdateMarket.reply,
    examples: [{ status: 'started', update_id: '0197a3c9-2e4f-7b1a-9d8c-7e6f5a4b3c2d' }],
    fields: { update_id: 'Extension: id of the update' },
  },
  Features: {
    schema: FeaturesReply,
    examples: [example.FEATURES_OF_AAPL],
    fields: {
      timestamp: 'Time of the latest session, `YYYY-MM-DD HH:MM:SS`',
      features: 'Features by ticker: the requested one and the index',
    },
  },
  LatestPrice: {
    schema: LatestPriceReply,
    examples: [example.LATEST_PRICE],
    fields: { date: '`YYYY-MM-DD HH:MM:SS`' },
  },
  PriceBar: { schema: Bar, examples: [example.BAR] },
  PriceList: { schema: PriceList, examples: [[example.BAR]] },
  CorporateActions: {
    schema: CorporateActionsReply,
    examples: [example.CORPORATE_ACTIONS],
    fields: {
      'actions.splits': 'Ratio of new shares to old shares, by the day on which the split took effect',
      'actions.dividends': 'Cash per share (not adjusted for later splits), by ex-date',
    },
  },
  ServerMessage: {
    schema: ServerMessage,
    examples: [
      { type: 'subscribed', channel: 'all' },
      { type: 'pong', timestamp: '2025-11-03T14:21:07.000000Z' },
    ],
    description:
      'Messages that `/ws` sends, one per text frame. Pushed messages are numbered per connection in `seq`: 1, 2, 3 …',
  },
};

const ERROR_ROWS = Object.entries(SOCKET_ERRORS)
  .map(([code, [closeCode, message]]) => `| \`${code}\` | ${closeCode ?? ''} | ${message} |`)
  .join('\n');

export const DASHBOARD_API: ApiDescription = {
  title: 'Beleg trading dashboard',
  description: `Trading on a paper account, market data, and the model. Fields and paths that the first version of this API did not
have are marked as extensions.

**Keys.** \`TD_API_KEY\` as a bearer token gives full access; \`TD_READ_KEY\` allows every GET except \`/metrics\`. If
neither is set, callers on this machine need no key.

**Time** comes from the market data feed, which replays stored sessions: prices, features and actions are those known at its
last closed session, and orders get its time. An order can be filled in the next session.

**Lists** contain the newest entries, oldest first. A \`limit\` above its maximum counts as the maximum.

**A lost answer.** After 503 with \`DEADLINE_EXCEEDED\` or \`RESPONDER_LOST\` it is not known whether the order was placed. Send it
with a \`client_order_id\`: then you can send the same order again, and it is placed only once. 503 with
\`STORE_UNAVAILABLE\` means that nothing was done.

**An unknown ticker** gives 404 \`UNKNOWN_TICKER\`, in a path and in an order.

**WebSocket** at \`/ws\`: the schemas \`ClientMessage\` and \`ServerMessage\`. The key comes as a bearer token with the
upgrade, or in a first message \`{"action":"auth","key":…}\` within 5 seconds. A new connection is subscribed to
\`metrics\`. Errors have the form \`{"type":"error","code":…,"message":…}\`:

| Code | Closes with | Meaning |
|---|---|---|
${ERROR_ROWS}

${CONVENTIONS}`,
  requests: REQUESTS,
  replies: REPLIES,
  tags: {
    dashboard: 'Figures and the log',
    trading: 'Orders, positions, and starting and stopping trading',
    models: 'The model: training, weights, benchmark',
    data: 'Prices, features and corporate actions',
  },
  securitySchemes: {
    tradeKey: { type: 'http', scheme: 'bearer', description: 'TD_API_KEY' },
    readKey: { type: 'http', scheme: 'bearer', description: 'TD_READ_KEY' },
  },
};
