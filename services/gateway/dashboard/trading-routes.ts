import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SessionDate } from '../../../events/catalog/trading.ts';
import type { ErrorCode } from '../../../events/error-codes.ts';
import { BelegError } from '../../../events/errors.ts';
import * as trading from '../../../events/messages/trading.ts';
import { addOperation } from './add-operation.ts';
import type { DashboardContext } from './dashboard-context.ts';
import { linkOlder, readOrders } from './paging.ts';
import { limitQuery, tickerOf, TickerPath } from './query-parameters.ts';
import { asks, BEHIND, contextOf } from '../http/route.ts';
import { call } from '../../../events/messages/define.ts';

export const OrderList = z.array(trading.Order);

const OrderPath = z.object({ order_id: z.string() });

const StrategyPath = z.object({ name: z.string().describe('As `GET /api/trading/strategies` has it') });

const OrdersQuery = limitQuery('orders').extend({
  before: z.string().optional().describe('Only orders submitted before the order with this id'),
});

const EquityQuery = limitQuery('equity').extend({
  before: SessionDate.optional().describe('Only sessions before this one'),
});

const lots = trading.AccountPerformance.request.shape.lots
  .default('fifo')
  .describe('How closing trades are matched with opening ones. Default `fifo`, as in a backtest');

const TradesQuery = limitQuery('trades').extend({
  before: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a trade')
    .transform(Number)
    .optional()
    .describe('Only trades before the one of this number'),
  lots,
});

const PerformanceQuery = z
  .object({
    from: SessionDate.optional().describe('First session; default: the first of the account'),
    to: SessionDate.optional().describe('Last session; default: the last closed one'),
    benchmark: trading.AccountPerformance.request.shape.benchmark
      .unwrap()
      .optional()
      .describe(
        'Ticker to compare with by buying and holding it, or `none`. Default: all tickers in equal parts, and the index where it can be held',
      ),
    lots,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    message: 'must not be after `to`',
  });

export const TradeList = z.object({ trades: z.array(trading.AccountTrade) });

const READING: readonly ErrorCode[] = [...BEHIND, 'STORE_UNAVAILABLE'];
const RECORDING: readonly ErrorCode[] = [...READING, 'RECONCILING', 'OVERLOADED'];
const CLOCK: readonly ErrorCode[] = [...RECORDING, 'NOT_A_REPLAY'];
const ORDERING: readonly ErrorCode[] = [...RECORDING, 'MARKET_DATA_MISSING'];

/** Adds the routes for the account: its state, its orders, and the commands to it. */
export function addTradingRoutes(app: FastifyInstance, { bus, access }: DashboardContext): void {
  addOperation(app, access, {
    at: 'GET /api/trading/status',
    summary: 'Cash, positions and the state of trading',
    means: 'Current state of the account',
    codes: READING,
    ...asks(bus, trading.TradingStatus),
  });

  addOperation(app, access, {
    at: 'GET /api/trading/orders',
    summary: 'Orders, in the sequence they were submitted',
    querystring: OrdersQuery,
    reply: OrderList,
    means:
      'The newest orders, oldest first; if there are older ones, the header `Link` with `rel="prev"` leads to them',
    codes: [...READING, 'UNKNOWN_ORDER'],
    handler: async (request, reply) => {
      const { limit, before } = request.query;
      // One order more than needed is read, to know whether there are older ones.
      const orders = await readOrders(bus, { limit: limit + 1, before: before ?? null }, contextOf(request));
      if (orders.length <= limit) return orders;
      const shown = orders.slice(-limit);
      linkOlder(reply, '/api/trading/orders', { limit: `${limit}`, before: shown[0]!.order_id });
      return shown;
    },
  });

  addOperation(app, access, {
    at: 'GET /api/trading/orders/:order_id',
    summary: 'Extension: one order',
    params: OrderPath,
    reply: trading.Order,
    means: 'The order as it stands',
    codes: [...READING, 'UNKNOWN_ORDER'],
    handler: async (request) => {
      const { order_id } = request.params;
      const query = { limit: 1, before: null, ids: [order_id] };
      const { orders } = await call(bus, trading.Orders, query, contextOf(request));
      const [order] = orders;
      if (order === undefined) throw new BelegError('UNKNOWN_ORDER');
      return order;
    },
  });

  addOperation(app, access, {
    at: 'POST /api/trading/orders/:order_id/amend',
    summary: 'Extension: change quantity or price of an open order; it may still be filled before that',
    params: OrderPath,
    body: trading.AmendRequest,
    means:
      'The request is recorded; the order shows the result. It keeps its turn among other orders only if nothing but its quantity falls',
    codes: [
      ...RECORDING,
      'UNKNOWN_ORDER',
      'NOT_AMENDABLE',
      'QUANTITY_STEP',
      'INSUFFICIENT_FUNDS',
      'SHORT_NOT_ALLOWED',
      'RISK_LIMIT',
      'TRADING_INACTIVE',
      'TRADING_HALTED',
    ],
    ...asks(bus, trading.AmendOrder),
  });

  addOperation(app, access, {
    at: 'GET /api/dashboard/equity',
    summary: 'Account value at the close of each session',
    querystring: limitQuery('equity'),
    means: 'The newest sessions, oldest first',
    codes: READING,
    reply: trading.EquityCurve.reply,
    handler: (request) => call(bus, trading.EquityCurve, request.query, contextOf(request)),
  });

  addOperation(app, access, {
    at: 'GET /api/trading/equity',
    summary: 'Extension: account value at the close of each session, page by page',
    querystring: EquityQuery,
    reply: trading.EquityCurve.reply,
    means:
      'The newest sessions, oldest first; if there may be older ones, the header `Link` with `rel="prev"` leads to them',
    codes: READING,
    handler: async (request, reply) => {
      const { limit, before } = request.query;
      const query = { limit, ...(before === undefined ? {} : { before }) };
      const { points } = await call(bus, trading.EquityCurve, query, contextOf(request));
      if (points.length === limit)
        linkOlder(reply, '/api/trading/equity', { limit: `${limit}`, before: points[0]!.session });
      return { points };
    },
  });

  addOperation(app, access, {
    at: 'GET /api/trading/trades',
    summary: 'Extension: closed trades of the account, with the profit of each',
    querystring: TradesQuery,
    reply: TradeList,
    means:
      'The newest closed trades, oldest first; if there are older ones, the header `Link` with `rel="prev"` leads to them',
    codes: READING,
    handler: async (request, reply) => {
      const { limit, before, lots: matching } = request.query;
      const query = { limit, before: before ?? null, lots: matching };
      const { trades } = await call(bus, trading.AccountTrades, query, contextOf(request));
      const first = trades[0]?.number ?? 1;
      if (first > 1)
        linkOlder(reply, '/api/trading/trades', { limit: `${limit}`, before: `${first}`, lots: matching });
      return { trades };
    },
  });

  addOperation(app, access, {
    at: 'GET /api/trading/performance',
    summary: 'Extension: figures of the account, from its record and by the code that measures backtests',
    querystring: PerformanceQuery,
    means: 'The figures that `result.json` of a backtest has; see docs/reading-a-backtest.md',
    codes: [...READING, 'UNKNOWN_TICKER', 'MARKET_DATA_MISSING'],
    reply: trading.AccountPerformance.reply,
    handler: (request) => {
      const { from = null, to = null, benchmark = null, lots: matching } = request.query;
      const asked = { from, to, benchmark, lots: matching };
      return call(bus, trading.AccountPerformance, asked, contextOf(request));
    },
  });

  // A start is not repeated if the answer is lost, because the repeated start could undo a stop that came in between.
  addOperation(app, access, {
    at: 'POST /api/trading/start',
    summary:
      'Start trading: the strategy and clients can open positions; no effect if trading is already active',
    means:
      'Trading is active; in the session of a daily loss it stays halted, and resumes with the next session',
    codes: [...RECORDING, 'TRADING_HALTED'],
    ...asks(bus, trading.StartTrading),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/stop',
    summary:
      'Stop trading: orders may only close positions, and open orders that could open positions are cancelled',
    means: 'Trading is stopped',
    codes: RECORDING,
    // A stop must arrive, so it is repeated. It is repeated as another call, because somebody may have started trading
    // in between.
    ...asks(bus, trading.StopTrading, { again: 'another call' }),
  });

  addOperation(app, access, {
    at: 'GET /api/trading/strategies',
    summary: "Extension: the operator's own strategies, with what each holds and decided last",
    means: 'Those that `TD_STRATEGY` names first; none where a built-in strategy trades',
    codes: READING,
    ...asks(bus, trading.OwnStrategiesQuery),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/strategies/:name/start',
    summary:
      'Extension: start a strategy that is stopped or halted, as its file is now; no effect while it runs',
    params: StrategyPath,
    means: 'It is asked from the next session on',
    codes: [...RECORDING, 'UNKNOWN_STRATEGY', 'STRATEGY_FAULT'],
    ...asks(bus, trading.StartStrategy),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/strategies/:name/stop',
    summary:
      'Extension: stop a strategy; its open orders that could open exposure are cancelled, and what it holds stays',
    params: StrategyPath,
    means: 'It is asked no more',
    codes: [...RECORDING, 'UNKNOWN_STRATEGY'],
    ...asks(bus, trading.StopStrategy, { again: 'another call' }),
  });

  // Each of these commands sets a state. They are not repeated, because a repetition could undo what somebody else has
  // set in between.
  addOperation(app, access, {
    at: 'POST /api/trading/session/pause',
    summary: 'Extension: stop the clock of a replay; a session that is under way is finished',
    means: 'No session begins but those that `next` asks for',
    codes: CLOCK,
    ...asks(bus, trading.PauseClock),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/session/resume',
    summary: 'Extension: let the clock of a replay go on at its speed',
    means: 'The clock runs; at speed 0 sessions come by `next`',
    codes: CLOCK,
    ...asks(bus, trading.ResumeClock),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/session/speed',
    summary: 'Extension: set the speed of a replay, until it is set again',
    body: trading.SpeedRequest,
    means: 'The clock has this speed; one that is paused stays so',
    codes: CLOCK,
    ...asks(bus, trading.SetClockSpeed),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/session/next',
    summary: 'Extension: let one session of a replay come; while the clock runs, wait for the next one',
    means: 'The session is over: what it brought is on record, with the orders of strategies',
    codes: [...CLOCK, 'NO_SESSION'],
    ...asks(bus, trading.NextSession),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/cash',
    summary: 'Extension: book cash that comes into the account or leaves it; no return counts it',
    body: trading.CashRequest,
    reply: trading.MoveCash.reply,
    means: 'The amount is on record',
    codes: [...RECORDING, 'INSUFFICIENT_FUNDS', 'CLIENT_CASH_ID_REUSED'],
    handler: (request) => {
      const moved = request.body;
      const again = typeof moved.client_cash_id === 'string' ? { again: 'same call' as const } : {};
      return call(bus, trading.MoveCash, moved, contextOf(request), again);
    },
  });

  addOperation(app, access, {
    at: 'POST /api/trading/order',
    summary: 'Submit an order; it can be filled on the next bar of its ticker',
    body: trading.OrderRequest,
    reply: trading.SubmitOrder.reply,
    means: 'The order is recorded; its status shows what happens to it',
    codes: [
      ...ORDERING,
      'UNKNOWN_TICKER',
      'PRICE_REQUIRED',
      'QUANTITY_STEP',
      'INSUFFICIENT_FUNDS',
      'SHORT_NOT_ALLOWED',
      'RISK_LIMIT',
      'TRADING_INACTIVE',
      'TRADING_HALTED',
      'CLIENT_ORDER_ID_REUSED',
      'UNKNOWN_ORDER',
      'LINK_REFUSED',
    ],
    handler: (request) => {
      const order = request.body;
      // An order is only repeated if it has a client's id, by which it is recognised as the same order.
      const again = typeof order.client_order_id === 'string' ? { again: 'same call' as const } : {};
      return call(bus, trading.SubmitOrder, order, contextOf(request), again);
    },
  });

  addOperation(app, access, {
    at: 'POST /api/trading/cancel/:order_id',
    summary: 'Cancel an open order; it may still be filled before that',
    params: OrderPath,
    means: 'The cancellation request is recorded; the status of the order shows the result',
    codes: [...RECORDING, 'UNKNOWN_ORDER', 'NOT_CANCELLABLE'],
    ...asks(bus, trading.CancelOrder),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/positions/close/:ticker',
    summary: 'Close a position with a market order; its open orders are cancelled first',
    params: TickerPath,
    means: 'The closing order is recorded',
    codes: [...ORDERING, 'UNKNOWN_TICKER', 'NO_POSITION'],
    ...asks(bus, trading.ClosePosition, { payload: (request) => ({ ticker: tickerOf(request) }) }),
  });

  addOperation(app, access, {
    at: 'POST /api/trading/positions/close-all',
    summary: 'Close all positions with market orders',
    means: 'The closing orders are recorded; the list is empty if there are no positions',
    codes: ORDERING,
    ...asks(bus, trading.CloseAllPositions),
  });
}
