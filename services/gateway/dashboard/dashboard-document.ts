import * as market from '../../../events/messages/market.ts';
import * as models from '../../../events/messages/models.ts';
import * as trading from '../../../events/messages/trading.ts';
import * as example from './dashboard-examples.ts';
import { Metrics } from './system-metrics.ts';
import { LogList, LogsCleared } from './dashboard-routes.ts';
import { TrainRequest } from './model-routes.ts';
import { ReportList } from './report-routes.ts';
import { PriceList } from './market-routes.ts';
import { CONVENTIONS, type ApiDescription, type Named } from '../http/openapi.ts';
import { ACTOR_REPLIES } from '../http/actors-route.ts';
import { ClientMessage } from './socket/client-message.ts';
import { MAX_CLIENT_MESSAGE_BYTES } from './socket/socket-limits.ts';
import { GOING_AWAY, SOCKET_ERRORS } from './socket/errors.ts';
import { ServerMessage } from './socket/server-message.ts';
import { OrderList, TradeList } from './trading-routes.ts';

const REQUESTS: Readonly<Record<string, Named>> = {
  OrderRequest: {
    schema: trading.OrderRequest,
    examples: [
      { ticker: 'DEMO-OAK', action: 'buy', quantity: 100 },
      {
        ticker: 'DEMO-OAK',
        action: 'sell',
        quantity: 100,
        type: 'stop_limit',
        price: 79.5,
        stop_price: 80,
        time_in_force: 'gtc',
        client_order_id: 'protect-OAK-1',
        timestamp: '2025-06-13 09:30:00',
      },
      {
        ticker: 'DEMO-OAK',
        action: 'buy',
        quantity: 100,
        bracket: { take_profit: 120, stop_loss: 90 },
      },
    ],
  },
  AmendRequest: { schema: trading.AmendRequest, examples: [{ quantity: 80 }, { price: 81.5 }] },
  SpeedRequest: { schema: trading.SpeedRequest, examples: [{ speed: 0 }] },
  CashRequest: {
    schema: trading.CashRequest,
    examples: [{ amount: 5_000, reason: 'deposit', client_cash_id: 'deposit-2026-01' }],
  },
  TrainRequest: {
    schema: TrainRequest,
    examples: [{ resume: false }],
  },
  ClientMessage: {
    schema: ClientMessage,
    examples: [{ action: 'subscribe', channel: 'all' }, { action: 'ping' }],
  },
};

/** A reply that only confirms what was done. */
const done = (schema: Named['schema'], status: string): Named => ({ schema, examples: [{ status }] });

const REPLIES: Readonly<Record<string, Named>> = {
  ...ACTOR_REPLIES,
  Metrics: { schema: Metrics, examples: [example.METRICS] },
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
  },
  LogsCleared: done(LogsCleared, 'cleared'),
  TradingStatus: { schema: trading.TradingStatusReply, examples: [example.TRADING_STATUS] },
  Position: { schema: trading.Position, examples: [example.TRADING_STATUS.positions.AAPL] },
  Order: { schema: trading.Order, examples: [example.FILLED, example.WORKING] },
  OrderList: { schema: OrderList, examples: [[example.FILLED, example.WORKING]] },
  Equity: { schema: trading.EquityCurve.reply, examples: [example.EQUITY] },
  ReportList: { schema: ReportList, examples: [{ reports: [example.KEPT_REPORT], note: null }] },
  Performance: { schema: trading.PerformanceReply, examples: [example.PERFORMANCE] },
  StrategyList: {
    schema: trading.OwnStrategiesQuery.reply,
    examples: [{ strategies: [example.OWN_STRATEGY] }],
  },
  StrategyStarted: done(trading.StartStrategy.reply, 'started'),
  StrategyStopped: done(trading.StopStrategy.reply, 'stopped'),
  Clock: { schema: trading.PauseClock.reply, examples: [{ status: 'paused', speed: 1 }] },
  SessionOver: { schema: trading.NextSession.reply, examples: [{ session: '2025-06-16' }] },
  TradeList: { schema: TradeList, examples: [{ trades: [example.TRADE] }] },
  OrderAmended: {
    schema: trading.AmendOrder.reply,
    examples: [{ status: 'amended', order_id: example.WORKING.order_id }],
  },
  CashBooked: done(trading.MoveCash.reply, 'booked'),
  TradingStarted: done(trading.StartTrading.reply, 'started'),
  TradingStopped: done(trading.StopTrading.reply, 'stopped'),
  Submitted: {
    schema: trading.SubmittedReply,
    examples: [{ status: 'submitted', order_id: example.WORKING.order_id }],
  },
  CloseAll: {
    schema: trading.CloseAllReply,
    examples: [{ status: 'submitted', results: [{ ticker: 'AAPL', order_id: example.WORKING.order_id }] }],
  },
  Cancelled: done(trading.CancelOrder.reply, 'cancelled'),
  ModelStatus: { schema: models.ModelStatusReply, examples: [example.MODEL_STATUS, example.TRAINING_STATUS] },
  TrainingRun: {
    schema: models.TrainingRun,
    examples: [example.TRAINED_RUN, example.TRAINING_RUN],
  },
  TrainingStarted: {
    schema: models.TrainModel.reply,
    examples: [{ status: 'started', run: example.TRAINED_RUN.run, resumed: false }],
  },
  TrainingStopped: {
    schema: models.StopTraining.reply,
    examples: [{ status: 'stopped', run: example.TRAINED_RUN.run }],
  },
  ModelSaved: { schema: models.SaveModel.reply, examples: [{ status: 'saved', weights: example.WEIGHTS }] },
  ModelLoaded: { schema: models.LoadModel.reply, examples: [{ status: 'loaded', weights: example.WEIGHTS }] },
  Benchmark: { schema: models.BenchmarkReply, examples: [example.BENCHMARK] },
  TickerList: { schema: market.TickerList, examples: [example.TICKERS] },
  PipelineStatus: { schema: market.PipelineStatus, examples: [example.PIPELINE] },
  UpdateStarted: {
    schema: market.UpdateMarket.reply,
    examples: [{ status: 'started', update_id: '0197a3c9-2e4f-7b1a-9d8c-7e6f5a4b3c2d' }],
  },
  Features: { schema: market.FeaturesReply, examples: [example.FEATURES_OF_AAPL] },
  LatestPrice: { schema: market.LatestPriceReply, examples: [example.LATEST_PRICE] },
  PriceBar: { schema: market.Bar, examples: [example.BAR] },
  PriceList: { schema: PriceList, examples: [[example.BAR]] },
  CorporateActions: { schema: market.CorporateActionsReply, examples: [example.CORPORATE_ACTIONS] },
  ServerMessage: {
    schema: ServerMessage,
    examples: [
      { type: 'subscribed', channel: 'all' },
      { type: 'pong', timestamp: '2025-11-03T14:21:07.000000Z' },
    ],
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
last closed session, and orders get its time. An order can be filled on the next bar of its ticker.

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
| | 1009 | A message has more than ${MAX_CLIENT_MESSAGE_BYTES / 1024} KiB |
| | ${GOING_AWAY} | The service stops; connect again |

${CONVENTIONS}`,
  requests: REQUESTS,
  replies: REPLIES,
  tags: {
    dashboard: 'Figures, the log and the actors',
    trading: 'Orders, positions, and starting and stopping trading',
    models: 'The model: training, weights, benchmark',
    reports: 'Reports of backtests',
    data: 'Prices, features and corporate actions',
  },
  securitySchemes: {
    tradeKey: { type: 'http', scheme: 'bearer', description: 'TD_API_KEY' },
    readKey: { type: 'http', scheme: 'bearer', description: 'TD_READ_KEY' },
  },
};
