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
import { listSocketErrors } from './socket/errors.ts';
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
      price:
        'Needed for limit and stop orders; of a market order it is recorded as a hint and nothing goes by it',
      stop_price:
        'Needed for stop_limit orders, where `price` is the limit; a stop order has its stop price in `price`, the others have none',
      timestamp: 'What the client says its time is: recorded. The order carries the time of the feed',
      client_order_id: 'The same id with the same order is the same order, however often it is sent',
      time_in_force:
        'Default: day, good for the next session. gtc: until it is cancelled; ioc: what the next session fills at once; ' +
        'fok: all of it at once, or nothing',
    },
  },
  TrainRequest: {
    schema: TrainRequest,
    examples: [{ resume: false }],
    description: 'Added; the contract has no body here, and none is the same as `{}`.',
    fields: {
      resume:
        'A run that was interrupted goes on, bit for bit, if the settings are still the same; false: always a new run. ' +
        'Default: true',
    },
  },
  ClientMessage: {
    schema: ClientMessage,
    examples: [{ action: 'subscribe', channel: 'all' }, { action: 'ping' }],
    description: 'What a client may send to `/ws`, a message a text frame.',
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
        'Of the process that answers, in gigabytes of 10^9 bytes: its resident set and the peak of it, the memory of the ' +
        'machine, what a cgroup limits it to (without a limit: the machine’s), and what it could still get',
      'memory.usage_percent': '`allocated_gb` of `limit_gb`',
      'account.positions': 'By ticker',
      'model.status':
        '`error` also while the model service does not answer; its sizes are as configured then',
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
      logs: '`[YYYY-MM-DD HH:MM:SS] message`, UTC; at most the newest 1000 are kept, and none longer than the process runs',
      total: 'How many lines are kept; `limit` may have left some out',
    },
  },
  LogsCleared: done(LogsCleared, 'cleared'),
  TradingStatus: {
    schema: TradingStatusReply,
    examples: [example.TRADING_STATUS],
    fields: {
      cash: 'Settled',
      total_value: 'Cash, settled or not, and positions at the last closes',
      active: 'Orders may open exposure, and the strategy runs on each new session',
      positions: 'By ticker',
      orders_count: 'All orders there ever were',
      state: 'Added',
      halt_reason: 'Added; `daily_loss`, `discrepancy` or `no_equity` while `state` is `halted`',
      last_halt:
        'Added; the last halt since somebody started trading, with its session; a daily loss halts until the next session opens, which `resumed` names then',
      session: 'Added; the time of the feed: its last closed session, `null` before the first',
      feed_waiting: 'Added; no further session is there yet',
      feed_resting:
        'Added; trading is stopped and no order is open: the clock of the synthetic market does not run',
      realized_pnl: 'Added; net of fees, without dividends',
      dividends: 'Added; received, less those owed for short positions',
      borrowing_costs: 'Added; of short positions, a day at a time',
      unrealized_pnl: 'Added',
      fees: 'Added; all that were paid',
      unsettled_cash: 'Added; of sales, not to be spent yet',
      open_orders: 'Added; those that may still be filled',
      strategy: 'Added',
      discrepancies:
        'Added; open differences between the account and the broker, with which trading stays halted',
      currency: 'Added',
    },
  },
  Position: {
    schema: Position,
    examples: [example.TRADING_STATUS.positions.AAPL],
    fields: {
      quantity: 'Shares; of a short position this, value and cost are negative',
      strategy_quantity: 'Added; what of it the strategy opened: it trades nothing else of a position',
      average_price: 'Average cost of a share',
      price_session: 'Added; the session that `current_price` is of',
      stale:
        'Added; it is an earlier session than the last one: the ticker did not trade since. After 20 sessions without a bar the position is settled at that price',
      realized_pnl: 'Net of fees, without dividends',
      dividends: 'Added; received, less those owed for a short position',
      borrowing_costs: 'Added; of short positions, a day at a time',
    },
  },
  Order: {
    schema: Order,
    examples: [example.FILLED, example.WORKING],
    fields: {
      price:
        'Limit or stop price; of a market order its average price once it is filled, until then the hint of the client ' +
        'or the last price',
      timestamp: 'The time of the feed, `YYYY-MM-DD HH:MM:SS`',
      filled_quantity: 'Added',
      average_price: 'Added; of what is filled',
      fees: 'Added',
      reject_reason: 'Added; why it was rejected or cancelled',
      client_order_id: 'Added',
      time_in_force: 'Added',
      stop_price: 'Added',
      origin: 'Added; who wanted it',
      filled_at: 'Added; the session of its newest fill',
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
        '`uninitialized`: weights as they were initialised, which can be saved, loaded and measured; `loaded`, `trained`: ' +
        'where the weights in use come from; `error`: there is no model to use, `error` says why',
      device: 'Where it computes, which may not be what was asked for',
      precision: 'Of weights and of all that is computed',
      layers: 'Added',
      seed: 'Added; the same seed and data give the same weights',
      parameters: 'Added; how many numbers are learnt',
      features: 'Added; what it sees of a day',
      weights: 'Added; SHA-256 of the weights in use, `null` where they are as initialised',
      saved: 'Added; SHA-256 of the saved weights, `null` where there are none',
      predictions: 'Added; milliseconds of the newest answers with predictions, for the strategy',
      error: 'Added',
      run: 'Added; the newest run of training, `null` before the first',
    },
  },
  TrainingRun: {
    schema: TrainingRun,
    examples: [example.TRAINED_RUN, example.TRAINING_RUN],
    description: 'How the newest run of training stands.',
    fields: {
      as_of: 'Nothing after this day is learnt from: the feed has not got there yet',
      epoch: 'The one under way, from 1',
      step: 'Steps that are done, of `steps` of the whole run',
      loss: 'Mean squared error of scaled targets, over the last steps',
      train:
        'Windows of days and the days they end on; the three parts follow one another in time, with gaps between them',
      validation: 'Chooses the best epoch',
      test: 'Seen once, by the best epoch: the scores',
      history:
        'Each epoch so far; `validation` is its R² there, `best` whether it was the best one up to then',
      scores:
        'R² on the test part, of the network, of ridge regression and of the mean: 1 is perfect, 0 as good as a constant. ' +
        'Near zero is what daily returns usually give',
      reason: 'Why it failed or was interrupted',
    },
  },
  TrainingStarted: {
    schema: TrainModel.reply,
    examples: [{ status: 'started', run: example.TRAINED_RUN.run, resumed: false }],
    fields: {
      run: 'Added',
      resumed: 'Added; it goes on with the run that was interrupted, from its last checkpoint',
    },
  },
  TrainingStopped: {
    schema: StopTraining.reply,
    examples: [{ status: 'stopped', run: example.TRAINED_RUN.run }],
    fields: { run: 'Added; it can go on later' },
  },
  ModelSaved: {
    schema: SaveModel.reply,
    examples: [{ status: 'saved', weights: example.WEIGHTS }],
    fields: { weights: 'Added; their SHA-256' },
  },
  ModelLoaded: {
    schema: LoadModel.reply,
    examples: [{ status: 'loaded', weights: example.WEIGHTS }],
    fields: { weights: 'Added; their SHA-256' },
  },
  Benchmark: {
    schema: BenchmarkReply,
    examples: [example.BENCHMARK],
    fields: {
      inference_time_ms: 'Median of one batch',
      training_time_ms: 'Median of one step',
      inference_throughput: 'Windows a second',
      training_throughput: 'Windows a second',
      memory_allocated_gb: 'Of the process that measured, in gigabytes of 10^9 bytes',
    },
  },
  TickerList: { schema: TickerList, examples: [example.TICKERS] },
  PipelineStatus: {
    schema: PipelineStatus,
    examples: [example.PIPELINE],
    fields: {
      db_path: 'Name of the file, without its folder',
      source: 'Added; where the bars come from',
      synthetic: 'Added; true for bars that no market has seen',
      bars: 'Added',
      first: 'Added',
      last: 'Added',
      updated_at: 'Added',
      failed: 'Added; what went wrong in the last update',
      notes:
        'Added; what was told from tables themselves, what they cannot tell, and what looks wrong in them (gaps, jumps)',
    },
  },
  UpdateStarted: {
    schema: UpdateMarket.reply,
    examples: [{ status: 'started', update_id: '0197a3c9-2e4f-7b1a-9d8c-7e6f5a4b3c2d' }],
    fields: { update_id: 'Added' },
  },
  Features: {
    schema: FeaturesReply,
    examples: [example.FEATURES_OF_AAPL],
    fields: {
      timestamp: 'Of the newest session, `YYYY-MM-DD HH:MM:SS`',
      features: 'By ticker: the one that was asked for, and the index',
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
      'actions.splits': 'New shares for an old one, by the day on which the split took effect',
      'actions.dividends': 'Cash a share of its day, by ex-date',
    },
  },
  ServerMessage: {
    schema: ServerMessage,
    examples: [
      { type: 'subscribed', channel: 'all' },
      { type: 'pong', timestamp: '2025-11-03T14:21:07.000000Z' },
    ],
    description:
      'What comes from `/ws`, a message a text frame. What is pushed has a `seq`: 1, 2, 3 … of the connection.',
  },
};

const SOCKET_ERRORS = listSocketErrors()
  .map(({ code, closeCode, message }) => `| \`${code}\` | ${closeCode ?? ''} | ${message} |`)
  .join('\n');

export const DASHBOARD_API: ApiDescription = {
  title: 'Beleg trading dashboard',
  description: `Trading on a paper account, market data, and the model. Fields and paths that the customer's contract does not name
are marked as added.

**Keys.** \`TD_API_KEY\` as a bearer token opens everything; \`TD_READ_KEY\` opens every GET, but not \`/metrics\`. Where
neither is set, callers on this machine need none.

**Time** comes from the feed, which replays stored sessions: prices, features and actions are those that are known at its
last closed session, and orders carry its time. An order meets the bars of the next session.

**Lists** hold the newest entries in ascending order. \`limit\` above its maximum is taken as the maximum.

**A lost answer.** 503 with \`DEADLINE_EXCEEDED\` or \`RESPONDER_LOST\` says nothing of whether the order was taken. Send it
with a \`client_order_id\`: the same order under the same id may be sent again and exists once. 503 with
\`STORE_UNAVAILABLE\` says that nothing was done.

**An unknown ticker** is 404 \`UNKNOWN_TICKER\`, in a path and in an order.

**WebSocket** at \`/ws\`: the schemas \`ClientMessage\` and \`ServerMessage\`. The key comes as a bearer token with the
upgrade, or in a first message \`{"action":"auth","key":…}\` within 5 seconds. A new connection is subscribed to
\`metrics\`. Its errors, \`{"type":"error","code":…,"message":…}\`:

| Code | Closes with | Meaning |
|---|---|---|
${SOCKET_ERRORS}

${CONVENTIONS}`,
  requests: REQUESTS,
  replies: REPLIES,
  tags: {
    dashboard: 'Figures and the log',
    trading: 'Orders, positions, and whether the strategy trades',
    models: 'The model: training, weights, benchmark',
    data: 'Prices, features and corporate actions',
  },
  securitySchemes: {
    tradeKey: { type: 'http', scheme: 'bearer', description: 'TD_API_KEY' },
    readKey: { type: 'http', scheme: 'bearer', description: 'TD_READ_KEY' },
  },
};
