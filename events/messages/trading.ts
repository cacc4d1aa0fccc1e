import { z } from 'zod';
import { OrderAction, OrderType, SessionDate, TimeInForce } from '../catalog/trading.ts';
import { plainText } from '../decimal.ts';
import { defineRequest } from './define.ts';
import { Ticker } from './market.ts';

/** Beyond these nobody means it: a slipped key or a wrong unit. */
const MAX_QUANTITY = 1_000_000_000;
const MAX_PRICE = 1_000_000_000;
/** As many as data sources give. */
const MAX_DECIMALS = 6;

function positive(max: number, what: string) {
  return z
    .number(`${what} must be a number`)
    .positive(`${what} must be greater than 0`)
    .max(max, `${what} must be at most ${max}`)
    .refine((value) => (plainText(value).split('.')[1] ?? '').length <= MAX_DECIMALS, {
      message: `${what} must have at most ${MAX_DECIMALS} decimal places`,
    });
}

export const ClientOrderId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/, '1 to 64 of the characters A-Z a-z 0-9 . _ : -');

/** `YYYY-MM-DD HH:MM:SS`, or ISO 8601. */
const ClientTimestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/, {
    error: 'must be YYYY-MM-DD HH:MM:SS or ISO 8601',
    abort: true,
  })
  // `Date` takes the 30th of February for the 1st of March.
  .refine(
    (text) => SessionDate.safeParse(text.slice(0, 10)).success && !Number.isNaN(Date.parse(text)),
    'is not a valid date and time',
  );

/** `POST /api/trading/order`. */
export const OrderRequest = z.strictObject({
  ticker: Ticker,
  action: OrderAction,
  quantity: positive(MAX_QUANTITY, 'quantity'),
  price: positive(MAX_PRICE, 'price').nullish(),
  stop_price: positive(MAX_PRICE, 'stop_price').nullish(),
  timestamp: ClientTimestamp.nullish(),
  type: OrderType.default('market'),
  client_order_id: ClientOrderId.nullish(),
  time_in_force: TimeInForce.default('day'),
});

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

/** An order as clients see it. */
export const Order = z.object({
  order_id: z.string(),
  ticker: z.string(),
  action: OrderAction,
  quantity: z.number(),
  /** Limit or stop price; of a market order the average price once it is filled, until then the client's hint or the last price. */
  price: z.number(),
  /** The feed's time, `YYYY-MM-DD HH:MM:SS`. */
  timestamp: z.string(),
  type: OrderType,
  status: z.enum(ORDER_STATUSES),
  filled_quantity: z.number(),
  average_price: z.number().nullable(),
  fees: z.number(),
  reject_reason: z.string().nullable(),
  client_order_id: z.string().nullable(),
  time_in_force: TimeInForce,
  stop_price: z.number().nullable(),
  /** Added: who wanted it. */
  origin: z.enum(['client', 'strategy', 'close']),
  /** Added: the session of its newest fill, `null` while there is none: where a chart marks it. */
  filled_at: SessionDate.nullish(),
});
export type OrderView = z.output<typeof Order>;

export const Position = z.object({
  quantity: z.number(),
  /** Added: what of it the strategy opened, and may sell; the rest is by hand. */
  strategy_quantity: z.number(),
  side: z.enum(['long', 'short']),
  average_price: z.number(),
  current_price: z.number(),
  /** Added: the session that the price is of, and whether it is an earlier one than the account's last. */
  price_session: SessionDate.nullable(),
  stale: z.boolean(),
  market_value: z.number(),
  cost_basis: z.number(),
  unrealized_pnl: z.number(),
  unrealized_pnl_percent: z.number(),
  realized_pnl: z.number(),
  /** Added; neither is part of `realized_pnl`. */
  dividends: z.number(),
  borrowing_costs: z.number(),
});

export const ENGINE_STATES = ['stopped', 'reconciling', 'running', 'halted'] as const;

/** `GET /api/trading/status`. */
export const TradingStatusReply = z.object({
  active: z.boolean(),
  cash: z.number(),
  total_value: z.number(),
  positions: z.record(z.string(), Position),
  orders_count: z.int(),
  /** Added. */
  state: z.enum(ENGINE_STATES),
  halt_reason: z.string().nullable(),
  /** Of the halts since somebody started trading; `resumed`: the session in which it ended by itself. */
  last_halt: z
    .object({
      reason: z.string(),
      detail: z.string(),
      session: SessionDate.nullable(),
      resumed: SessionDate.nullable(),
    })
    .nullable(),
  /** The feed's time. */
  session: SessionDate.nullable(),
  /** No further session is there yet. */
  feed_waiting: z.boolean(),
  /** Trading is stopped and no order is open: the synthetic market's clock does not run. */
  feed_resting: z.boolean(),
  realized_pnl: z.number(),
  /** Added; neither is part of `realized_pnl`. */
  dividends: z.number(),
  borrowing_costs: z.number(),
  unrealized_pnl: z.number(),
  fees: z.number(),
  unsettled_cash: z.number(),
  open_orders: z.int(),
  strategy: z.string(),
  discrepancies: z.int(),
  currency: z.string(),
});

// All commands reject with `STORE_UNAVAILABLE` when the record cannot be written (then nothing has changed) and with
// `RECONCILING` for the moment after a start in which the broker is asked how things stand.

export const StartTrading = defineRequest({
  subject: 'beleg.v1.cmd.trading.start',
  reply: z.object({ status: z.literal('started') }),
});

export const StopTrading = defineRequest({
  subject: 'beleg.v1.cmd.trading.stop',
  reply: z.object({ status: z.literal('stopped') }),
});

export const SubmittedReply = z.object({ status: z.literal('submitted'), order_id: z.string() });

/** Resolves once the intent is durable. */
export const SubmitOrder = defineRequest({
  subject: 'beleg.v1.cmd.trading.submit',
  request: OrderRequest,
  reply: SubmittedReply,
});

/** Resolves once the wish to cancel is durable; a fill may still come first. */
export const CancelOrder = defineRequest({
  subject: 'beleg.v1.cmd.trading.cancel',
  request: z.strictObject({ order_id: z.string() }),
  reply: z.object({ status: z.literal('cancelled') }),
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
  timeoutMs: 5_000,
});

/**
 * Orders in the order they were submitted: the newest `limit`, or those that are named. A reply holds at most 1,000;
 * `before` the first order's id asks for earlier ones. What a command has replied is in here.
 */
export const Orders = defineRequest({
  subject: 'beleg.v1.qry.trading.orders',
  request: z.strictObject({
    limit: z.int().min(1).max(1_000),
    before: z.string().nullable(),
    ids: z.array(z.string()).max(1_000).nullable(),
  }),
  reply: z.object({ orders: z.array(Order) }),
  timeoutMs: 5_000,
});

/** What the account was worth at the close of each session: the newest `limit`, in ascending order. */
export const EquityCurve = defineRequest({
  subject: 'beleg.v1.qry.trading.equity',
  request: z.strictObject({ limit: z.int().min(1).max(5_000) }),
  reply: z.object({
    points: z.array(z.object({ session: SessionDate, total_value: z.number(), cash: z.number() })),
  }),
  timeoutMs: 5_000,
});
