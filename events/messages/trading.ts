import { z } from 'zod';
import { CashReason, OrderAction, OrderType, SessionDate, TimeInForce } from '../catalog/trading.ts';
import { plainText } from '../decimal.ts';
import { defineRequest } from './define.ts';
import { Ticker } from './ticker.ts';
import { AccountFigures, ClosedTradeView } from './performance.ts';
import { LIST_LENGTHS, MOST_A_REPLY } from './list-lengths.ts';
import { optionalOr } from './optional.ts';
import { REQUEST_LIMITS } from './request-limits.ts';

function positive(max: number, what: string) {
  return z
    .number(`${what} must be a number`)
    .positive(`${what} must be greater than 0`)
    .max(max, `${what} must be at most ${max}`)
    .refine((value) => (plainText(value).split('.')[1] ?? '').length <= REQUEST_LIMITS.decimals, {
      message: `${what} must have at most ${REQUEST_LIMITS.decimals} decimal places`,
    });
}

const ClientOrderId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/, '1 to 64 of the characters A-Z a-z 0-9 . _ : -');

/** `YYYY-MM-DD HH:MM:SS`, or ISO 8601. */
const ClientTimestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/, {
    error: 'must be YYYY-MM-DD HH:MM:SS or ISO 8601',
    abort: true,
  })
  // Checks the date, because `Date` would read the 30th of February as the 1st of March.
  .refine(
    (text) => SessionDate.safeParse(text.slice(0, 10)).success && !Number.isNaN(Date.parse(text)),
    'is not a valid date and time',
  );

/** How far a stop stays behind the price. */
const TrailTerms = z
  .strictObject({
    amount: positive(REQUEST_LIMITS.price, 'amount').optional().describe('Cash a share'),
    percent: positive(99.999999, 'percent').optional().describe('Of the price that it follows'),
  })
  .refine(
    ({ amount, percent }) => (amount === undefined) !== (percent === undefined),
    'must have either an amount a share or a percent',
  );

const BracketTerms = z
  .strictObject({
    take_profit: positive(REQUEST_LIMITS.price, 'take_profit')
      .nullish()
      .describe('Limit price of the exit with a profit'),
    stop_loss: positive(REQUEST_LIMITS.price, 'stop_loss')
      .nullish()
      .describe('Stop price of the exit with a loss'),
    trail: TrailTerms.nullish().describe(
      'The stop follows the price; without a stop_loss it begins this far from the price of the fill',
    ),
  })
  .refine(
    (of) => Object.values(of).some((value) => value !== null && value !== undefined),
    'must have a take_profit, a stop_loss or a trail',
  );

/** `POST /api/trading/order`. */
export const OrderRequest = z.strictObject({
  ticker: Ticker,
  action: OrderAction,
  quantity: positive(REQUEST_LIMITS.quantity, 'quantity').describe(
    'Shares; a multiple of the smallest lot (one share unless the service is set otherwise). At most 6 decimal places',
  ),
  price: positive(REQUEST_LIMITS.price, 'price')
    .nullish()
    .describe(
      'Required for limit and stop orders, which are refused with `PRICE_REQUIRED` without it; a stop order may have it in `stop_price` instead, and one with `trail` needs none. For a market order it is recorded, but not used. At most 6 decimal places',
    ),
  stop_price: positive(REQUEST_LIMITS.price, 'stop_price')
    .nullish()
    .describe(
      'Required for stop_limit orders, where `price` is the limit price. A stop order has its stop price here or in `price`, and the same where it has both; other types have none. At most 6 decimal places',
    ),
  timestamp: ClientTimestamp.nullish().describe(
    'Time according to the client; it is recorded, but the order gets the time of the market data feed',
  ),
  type: optionalOr(OrderType, 'market').describe('Default `market`'),
  client_order_id: ClientOrderId.nullish().describe(
    'Makes retries safe: the same order with the same id is placed only once, however often it is sent',
  ),
  time_in_force: optionalOr(TimeInForce, 'day').describe(
    'day (the default): valid for the next bar of its ticker, in whichever session that comes; gtc: until cancelled; ioc: fills what it can on that next bar, and the rest is cancelled; fok: fills completely on that bar, or not at all',
  ),
  reduce_only: z
    .boolean()
    .nullish()
    .describe(
      'Only closes: a fill is cut to the position that there is, and never opens or turns one. Default false',
    ),
  linked_to: z
    .string()
    .nullish()
    .describe(
      'Id of an open order for the same ticker and quantity. A fill of one takes as much from the other, and a complete one cancels it',
    ),
  trail: TrailTerms.nullish().describe(
    'For stop orders without a price: the stop stays this far behind the highest high (buying: the lowest low) of the bars that the order has met, at first behind the last price',
  ),
  bracket: BracketTerms.nullish().describe(
    'Exits that become active with each fill of this order, for as much as was filled: a limit order to take the profit and a stop order, linked, `gtc` and `reduce_only`',
  ),
});

/** The terms of an open order that may be changed; those that are left out stay unchanged. */
const AmendBody = z.strictObject({
  quantity: positive(REQUEST_LIMITS.quantity, 'quantity')
    .nullish()
    .describe('The whole quantity, with what is filled already; it must be more than that'),
  price: positive(REQUEST_LIMITS.price, 'price')
    .nullish()
    .describe('Limit price of limit and stop_limit orders, stop price of stop orders'),
  stop_price: positive(REQUEST_LIMITS.price, 'stop_price')
    .nullish()
    .describe('Stop price of stop_limit orders'),
});

/** `POST /api/trading/orders/{order_id}/amend`. */
export const AmendRequest = AmendBody.refine(
  (body) => Object.values(body).some((value) => value !== null && value !== undefined),
  'must have a quantity, a price or a stop_price',
);

export const ORDER_STATUSES = [
  'submitted',
  'accepted',
  'partially_filled',
  'filled',
  'pending_cancel',
  'cancelled',
  'rejected',
  'expired',
] as const;

/**
 * How far an order's stop stays behind the price. The limits of a request do not apply: a split gives more decimal
 * places, and larger amounts, than a client may send.
 */
const OrderTrail = z.object({
  amount: z.number().optional().describe('Cash a share'),
  percent: z.number().optional().describe('Of the price that it follows'),
});

/** An order as clients see it. */
export const Order = z.object({
  order_id: z.string(),
  ticker: z.string(),
  action: OrderAction,
  quantity: z.number(),
  price: z
    .number()
    .describe(
      'Limit or stop price. For a market order: the average price once it is filled, until then the price sent by the client or the last price',
    ),
  timestamp: z.string().describe('Time of the market data feed, `YYYY-MM-DD HH:MM:SS`'),
  type: OrderType,
  status: z
    .enum(ORDER_STATUSES)
    .describe(
      '`submitted`: recorded; the broker has not confirmed it, or it is not known whether it received it (`OrderDeliveryUnknown` on record). `accepted`: the broker has it, also once its stop has triggered (`OrderTriggered`). `pending_cancel`: it is to be cancelled, and may still be filled. `filled`, `cancelled`, `rejected`, `expired`: it is done. An order that was withdrawn, because its client was told 503, is not shown',
    ),
  filled_quantity: z.number().describe('Extension: shares filled so far'),
  average_price: z.number().nullable().describe('Extension: average price of the filled shares'),
  fees: z.number().describe('Extension: fees paid for this order'),
  reject_reason: z
    .string()
    .nullable()
    .describe(
      'Extension: why the order was rejected or cancelled. `requested`: somebody asked for it; `trading_stopped`, `trading_halted`, `strategy_stopped`, `strategy_halted`: it would have opened exposure when that came; `position_closed`: its position was, or is to be; `split`: a split left nothing of it; `ioc`, `fok`, `linked`, `reduce_only`: by its terms; `INSUFFICIENT_FUNDS: …`: what was missing to fill it, or the rest of it',
    ),
  client_order_id: z.string().nullable().describe('Extension: id given by the client'),
  time_in_force: TimeInForce.describe('Extension: how long the order is valid'),
  stop_price: z
    .number()
    .nullable()
    .describe('Extension: stop price of a stop_limit order, or of a stop order that was placed with it'),
  origin: z
    .enum(['client', 'strategy', 'close'])
    .describe('Extension: who submitted it: a client, the strategy, or a request to close a position'),
  reduce_only: z.boolean().optional().describe('Extension: it only closes'),
  linked_to: z.string().optional().describe('Extension: the first of the orders that it is linked to'),
  trail: OrderTrail.optional().describe('Extension: how far its stop stays behind the price'),
  bracket: z
    .object({
      take_profit: z.number().nullable(),
      stop_loss: z.number().nullable(),
      trail: OrderTrail.nullable(),
    })
    .optional()
    .describe('Extension: the exits that come with its fills'),
  exit_of: z.string().optional().describe('Extension: the order of whose bracket it is an exit'),
  filled_at: SessionDate.nullish().describe('Extension: session of the latest fill'),
});
export type OrderView = z.output<typeof Order>;

export const Position = z.object({
  quantity: z
    .number()
    .describe('Number of shares; for a short position the quantity, value and cost are negative'),
  strategy_quantity: z
    .number()
    .describe('Extension: the part that the strategy opened; it only trades this part'),
  side: z.enum(['long', 'short']),
  average_price: z.number().describe('Average cost per share'),
  current_price: z.number(),
  price_session: SessionDate.nullable().describe('Extension: session of `current_price`'),
  stale: z
    .boolean()
    .describe(
      'Extension: true if that session is not the last one, so the ticker has not traded since. After 20 sessions without a bar the position is settled at this price',
    ),
  market_value: z.number(),
  cost_basis: z.number(),
  unrealized_pnl: z.number(),
  unrealized_pnl_percent: z.number(),
  realized_pnl: z.number().describe('After fees, without dividends'),
  dividends: z.number().describe('Extension: dividends received, minus those paid for a short position'),
  borrowing_costs: z
    .number()
    .describe('Extension: cost of borrowing shares for short positions, charged daily'),
});

const ENGINE_STATES = ['stopped', 'reconciling', 'running', 'halted'] as const;

/** `GET /api/trading/status`. */
export const TradingStatusReply = z.object({
  active: z
    .boolean()
    .describe('True while orders can open positions and the strategy trades in each new session'),
  cash: z.number().describe('Settled cash'),
  total_value: z
    .number()
    .describe('All cash, settled and unsettled, plus the positions at their last closing prices'),
  positions: z.record(z.string(), Position).describe('Positions by ticker'),
  orders_count: z.int().describe('Number of all orders, including closed ones'),
  state: z.enum(ENGINE_STATES).describe('Extension: whether trading is running, stopped or halted'),
  halt_reason: z
    .string()
    .nullable()
    .describe('Extension: `daily_loss`, `discrepancy` or `no_equity` while `state` is `halted`'),
  last_halt: z
    .object({
      reason: z.string(),
      detail: z.string(),
      session: SessionDate.nullable(),
      resumed: SessionDate.nullable(),
    })
    .nullable()
    .describe(
      'Extension: the last halt since trading was started, with its session. A halt for daily loss ends with the next session; `resumed` then names that session',
    ),
  session: SessionDate.nullable().describe(
    'Extension: the last closed session of the market data feed, which is its current time; `null` before the first',
  ),
  feed_waiting: z
    .boolean()
    .describe(
      'Extension: true while the feed waits for data of the next session. Behind the last bar of the tables this lasts until they have another one, and orders stay `accepted`',
    ),
  feed_resting: z
    .boolean()
    .describe(
      'Extension: true while the clock of a replay (the synthetic market, or a folder of tables) stands still, because trading is stopped and no order is open',
    ),
  feed_paused: z
    .boolean()
    .describe('Extension: true while sessions of a replay come one by one, as `session/next` asks for them'),
  realized_pnl: z.number().describe('Extension: net of fees, without dividends'),
  dividends: z.number().describe('Extension: dividends received, minus those paid for short positions'),
  borrowing_costs: z
    .number()
    .describe('Extension: cost of borrowing shares for short positions, charged daily'),
  unrealized_pnl: z
    .number()
    .describe('Extension: profit or loss of open positions at the last closing prices'),
  fees: z.number().describe('Extension: all fees paid'),
  unsettled_cash: z.number().describe('Extension: cash from sales that cannot be spent yet'),
  open_orders: z.int().describe('Extension: number of orders that can still be filled'),
  strategy: z.string().describe('Extension: name of the strategy'),
  discrepancies: z
    .int()
    .describe(
      'Extension: open differences between the account and the broker; trading stays halted until they are resolved',
    ),
  currency: z.string().describe('Extension: currency of all amounts'),
});

// All commands reject with `STORE_UNAVAILABLE` if the record cannot be written (then nothing has changed), and with
// `RECONCILING` for the moment after a start in which the account is compared with the broker. After that, while prices
// are loaded, three commands still reject with `RECONCILING`: an order without a known price, the start of a strategy,
// and the next session of a replay.

export const StartTrading = defineRequest({
  subject: 'beleg.v1.cmd.trading.start',
  reply: z.object({ status: z.literal('started') }),
});

const Clock = z.object({
  status: z
    .enum(['paused', 'running'])
    .describe('`paused`: sessions come one by one, as they are asked for; also at speed 0'),
  speed: z.number().describe('Sessions a second'),
});

// The clock of a replay. These requests reject with `NOT_A_REPLAY` if the market is live.

export const PauseClock = defineRequest({ subject: 'beleg.v1.cmd.trading.pauseclock', reply: Clock });

export const ResumeClock = defineRequest({ subject: 'beleg.v1.cmd.trading.resumeclock', reply: Clock });

/** `POST /api/trading/session/speed`. */
export const SpeedRequest = z.strictObject({
  speed: z
    .number('speed must be a number')
    .min(0, 'speed must be at least 0')
    .max(10_000, 'speed must be at most 10000')
    .describe('Sessions a second; 0: they come one by one, by `next`'),
});

export const SetClockSpeed = defineRequest({
  subject: 'beleg.v1.cmd.trading.clockspeed',
  request: SpeedRequest,
  reply: Clock,
});

/**
 * Lets one session come, and resolves with its day once everything in it is on record, including the orders of
 * strategies. Rejects with `NO_SESSION` while time stands still, and if the market has no further session.
 */
export const NextSession = defineRequest({
  subject: 'beleg.v1.cmd.trading.nextsession',
  reply: z.object({ session: SessionDate }),
  timeoutMs: 30_000,
});

/** `POST /api/trading/cash`. */
export const CashRequest = z.strictObject({
  amount: z
    .number('amount must be a number')
    .min(-REQUEST_LIMITS.cash, `amount must be at least ${-REQUEST_LIMITS.cash}`)
    .max(REQUEST_LIMITS.cash, `amount must be at most ${REQUEST_LIMITS.cash}`)
    .refine((value) => value !== 0, 'must not be 0')
    .refine((value) => (plainText(value).split('.')[1] ?? '').length <= REQUEST_LIMITS.decimals, {
      message: `must have at most ${REQUEST_LIMITS.decimals} decimal places`,
    })
    .describe('Cash that comes into the account; negative: that leaves it'),
  reason: CashReason.describe('A short word on why. It stays in the record in the clear: no names'),
  client_cash_id: ClientOrderId.nullish().describe(
    'Makes retries safe: the same amount with the same id is booked only once, however often it is sent',
  ),
});

/**
 * Moves cash. Resolves once the movement is on record. A withdrawal of more than is free is refused
 * (`INSUFFICIENT_FUNDS`).
 */
export const MoveCash = defineRequest({
  subject: 'beleg.v1.cmd.trading.cash',
  request: CashRequest,
  reply: z.object({ status: z.literal('booked') }),
});

/** A strategy of the operator's own, as `GET /api/trading/strategies` shows it. */
export const OwnStrategyView = z.object({
  name: z.string().describe('By which it is started and stopped: that of its file'),
  source: z.string().describe('The file, or `exec:` and the command, as it was named'),
  in_use: z
    .boolean()
    .describe(
      '`TD_STRATEGY` names it. One that it names no more keeps what it holds, and its open orders until it is stopped',
    ),
  hash: z
    .string()
    .describe('SHA-256 of its files; empty while it starts, and for one that could not be loaded'),
  parameters: z.record(z.string(), z.number()),
  share: z.number().nullable().describe('Of the account, 0 to 1; `null`: the whole account'),
  state: z
    .enum(['starting', 'running', 'stopped', 'halted'])
    .describe(
      '`starting`: new, and the service is not ready to ask it yet; `running`: it is asked after each session while trading is active; `stopped`: by an operator, or because it is not in use; `halted`: it failed, and stays so until it is started',
    ),
  fault: z
    .object({ detail: z.string(), file: z.string().nullable(), line: z.int().nullable() })
    .nullable()
    .describe('Why it is halted, and where it failed, as far as that is known'),
  value: z
    .number()
    .describe('What its sub-account is worth at the last closes; without a share the whole account'),
  cash: z.number().describe('What it may spend'),
  positions: z.record(
    z.string(),
    z.object({
      quantity: z.number().describe('Negative: short'),
      average_price: z.number(),
      opened: SessionDate,
    }),
  ),
  open_orders: z.array(z.string()).describe('Ids of its open orders'),
  last_decision: z
    .object({
      session: SessionDate,
      targets: z.array(
        z.object({
          ticker: z.string(),
          quantity: z.number().nullable().describe('In shares; `null` until the ticker trades'),
          reason: z.string().nullable(),
        }),
      ),
      orders: z.array(
        z.object({
          ticker: z.string(),
          action: OrderAction,
          type: OrderType,
          quantity: z.number(),
          reason: z.string().nullable(),
        }),
      ),
    })
    .nullable()
    .describe('The session that it decided on last, the targets that stand, and the orders of that session'),
});

/** The operator's own strategies, those in use first. None for an account that a built-in strategy trades. */
export const OwnStrategiesQuery = defineRequest({
  subject: 'beleg.v1.qry.trading.strategies',
  reply: z.object({ strategies: z.array(OwnStrategyView) }),
});

const StrategyPath = z.strictObject({ name: z.string() });

/**
 * Loads the strategy from its present file and asks it from the next session on; no effect while it runs. Rejects with
 * `UNKNOWN_STRATEGY` if it is not in use, and with `STRATEGY_FAULT` if its file cannot be loaded. A halted strategy
 * then shows this fault in place of its earlier one.
 */
export const StartStrategy = defineRequest({
  subject: 'beleg.v1.cmd.trading.startstrategy',
  request: StrategyPath,
  reply: z.object({ status: z.literal('started') }),
  timeoutMs: 30_000,
});

/**
 * Stops a strategy: it is not asked any more, and its open orders that could open exposure are cancelled. A strategy
 * that is not in use any more can be stopped, too. Rejects with `UNKNOWN_STRATEGY` if the account never had it.
 */
export const StopStrategy = defineRequest({
  subject: 'beleg.v1.cmd.trading.stopstrategy',
  request: StrategyPath,
  reply: z.object({ status: z.literal('stopped') }),
});

export const StopTrading = defineRequest({
  subject: 'beleg.v1.cmd.trading.stop',
  reply: z.object({ status: z.literal('stopped') }),
});

export const SubmittedReply = z.object({ status: z.literal('submitted'), order_id: z.string() });

/** Submits an order. Resolves once the order is on record. */
export const SubmitOrder = defineRequest({
  subject: 'beleg.v1.cmd.trading.submit',
  request: OrderRequest,
  reply: SubmittedReply,
});

/** Requests a cancellation. Resolves once the request is on record; a fill may still come first. */
export const CancelOrder = defineRequest({
  subject: 'beleg.v1.cmd.trading.cancel',
  request: z.strictObject({ order_id: z.string() }),
  reply: z.object({ status: z.literal('cancelled') }),
});

/** Requests a change of an order. Resolves once the request is on record; a fill may still come first. */
export const AmendOrder = defineRequest({
  subject: 'beleg.v1.cmd.trading.amend',
  request: AmendBody.extend({ order_id: z.string() }),
  reply: z.object({ status: z.literal('amended'), order_id: z.string() }),
});

export const ClosePosition = defineRequest({
  subject: 'beleg.v1.cmd.trading.close',
  request: z.strictObject({ ticker: Ticker }),
  reply: SubmittedReply,
});

export const CloseAllReply = z.object({
  status: z.literal('submitted'),
  results: z.array(z.object({ ticker: z.string(), order_id: z.string() })),
});

export const CloseAllPositions = defineRequest({
  subject: 'beleg.v1.cmd.trading.closeall',
  reply: CloseAllReply,
});

export const TradingStatus = defineRequest({
  subject: 'beleg.v1.qry.trading.status',
  reply: TradingStatusReply,
});

/**
 * Orders in the order in which they were submitted: the newest `limit`, or those with given ids. `before` an order's id
 * asks for earlier ones. The result of every answered command is included, and so is the event at the position
 * `including`: a caller that has received a published event sees its effect, however soon it asks.
 */
export const Orders = defineRequest({
  subject: 'beleg.v1.qry.trading.orders',
  request: z.strictObject({
    limit: z.int().min(1).max(MOST_A_REPLY.orders),
    before: z.string().nullable(),
    ids: z.array(z.string()).max(MOST_A_REPLY.orders).nullable(),
    including: z.string().optional(),
  }),
  reply: z.object({ orders: z.array(Order) }),
});

/**
 * The account's value at the close of each session: the newest `limit`, or those before a given session, in ascending
 * order.
 */
export const EquityCurve = defineRequest({
  subject: 'beleg.v1.qry.trading.equity',
  request: z.strictObject({
    limit: z.int().min(1).max(LIST_LENGTHS.equity.most),
    before: SessionDate.optional(),
  }),
  reply: z.object({
    points: z.array(z.object({ session: SessionDate, total_value: z.number(), cash: z.number() })),
  }),
});

/** How closing trades are matched with opening ones (see `Matching` in `actors/trading/lots.ts`). */
const Lots = AccountFigures.shape.trades.shape.matching;

/** `GET /api/trading/performance`: the figures of a backtest's `result.json`, for the live account. */
export const PerformanceReply = AccountFigures.extend({
  notes: z.array(z.string()).describe('What has to be known before the figures are believed'),
});

/**
 * The account's result from one session to another, from its record. `benchmark`: a ticker to compare with; `none`: no
 * comparison; `null`: all tickers in equal parts, and the index if it can be held, as in a backtest. Rejects with
 * `UNKNOWN_TICKER`, and with `MARKET_DATA_MISSING` for a benchmark that could not be held in that time.
 */
export const AccountPerformance = defineRequest({
  subject: 'beleg.v1.qry.trading.performance',
  request: z.strictObject({
    from: SessionDate.nullable(),
    to: SessionDate.nullable(),
    benchmark: z.union([Ticker, z.literal('none')]).nullable(),
    lots: Lots,
  }),
  reply: PerformanceReply,
  timeoutMs: 30_000,
});

/** Closed trades of the account, numbered from 1 in the order in which they were closed. */
export const AccountTrade = ClosedTradeView.extend({ number: z.int() });

/** The newest `limit` closed trades, or those before a given number, in ascending order. */
export const AccountTrades = defineRequest({
  subject: 'beleg.v1.qry.trading.trades',
  request: z.strictObject({
    limit: z.int().min(1).max(LIST_LENGTHS.trades.most),
    before: z.int().nullable(),
    lots: Lots,
  }),
  reply: z.object({ trades: z.array(AccountTrade) }),
  timeoutMs: 30_000,
});
