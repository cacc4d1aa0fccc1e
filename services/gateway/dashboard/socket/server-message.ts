import { z } from 'zod';
import { Bar } from '../../../../events/messages/market.ts';
import { ModelStatusReply } from '../../../../events/messages/models.ts';
import { Order, TradingStatusReply } from '../../../../events/messages/trading.ts';
import { SessionDate } from '../../../../events/catalog/trading.ts';
import { Metrics, ModelMetrics } from '../system-metrics.ts';
import { ChannelName } from './channels.ts';

/**
 * The number of the message, 1, 2, 3 … over all channels of a connection, by which a client sees whether it has
 * received all messages.
 */
const seq = z.int().positive();

/** Sent once each metrics interval, and at once when one of the figures may have changed. */
export const MetricsPush = z.strictObject({
  type: z.literal('metrics'),
  seq,
  /** The time in ISO 8601 with microseconds, UTC. */
  timestamp: z.string(),
  memory: Metrics.shape.memory.pick({ allocated_gb: true, total_gb: true, usage_percent: true }),
  account: z.strictObject({ cash: z.number(), total_value: z.number(), positions: z.int() }),
  model: ModelMetrics.pick({ status: true, device: true, precision: true, mixed_precision: true }),
});

/**
 * A push for each event of an order, in the order of recording; none is left out while the connection lasts. `order` is
 * its present state: of two events in quick succession both may show the result of the second. It is null if the order
 * no longer exists (`OrderWithdrawn`: it could not be recorded, and its client was told so).
 *
 * The event `resync` means that the gateway has missed events, after a break of the bus. Each order that has changed
 * meanwhile comes once, in its present state, if it is among the newest 500 or was known to be open; `revision` is the
 * newest known one.
 */
const OrderPush = z.strictObject({
  type: z.literal('order'),
  seq,
  event: z.string(),
  revision: z.int().nonnegative(),
  order_id: z.string(),
  order: Order.nullable(),
});

/**
 * The account in the form of `GET /api/trading/status`, after each event that may have changed it, and with the next
 * metrics if it has changed otherwise. A client that is behind gets only the newest state.
 */
const PositionsPush = z.strictObject({
  type: z.literal('positions'),
  seq,
  ...TradingStatusReply.shape,
});

/** The bars of the newest session with prices as traded. A client that is behind gets only the newest state. */
const PricesPush = z.strictObject({
  type: z.literal('prices'),
  seq,
  session: SessionDate,
  prices: z.record(z.string(), Bar.omit({ date: true })),
});

/** A line of the log. A client that is far behind misses some. */
const LogPush = z.strictObject({ type: z.literal('log'), seq, line: z.string() });

/** The progress of an update of the market data, on the channel `logs`. `total` is null if the beginning was missed. */
export const UpdatePush = z.strictObject({
  type: z.literal('update'),
  seq,
  event: z.enum(['MarketUpdateStarted', 'TickerUpdated', 'TickerUpdateFailed', 'MarketUpdateFinished']),
  update_id: z.string(),
  /** The ticker; null for the update as a whole. */
  ticker: z.string().nullable(),
  ok: z.boolean(),
  /** The number of tickers that are done, with or without success. */
  done: z.int().nonnegative(),
  total: z.int().nonnegative().nullable(),
  /** The first five faults of the ticker. */
  faults: z.array(z.string()),
});

/**
 * The model in the form of `GET /api/models/status`, when it has changed: after each event of the models, and at most
 * twice a second during a training. A client that is behind gets only the newest state.
 */
const TrainingPush = z.strictObject({ type: z.literal('training'), seq, ...ModelStatusReply.shape });

export const Push = z.discriminatedUnion('type', [
  MetricsPush,
  OrderPush,
  PositionsPush,
  PricesPush,
  LogPush,
  UpdatePush,
  TrainingPush,
]);
export type Push = z.output<typeof Push>;

/** Replies to messages of clients; they have no `seq`. */
export const Reply = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('authenticated') }),
  z.strictObject({ type: z.literal('pong'), timestamp: z.string() }),
  z.strictObject({ type: z.literal('subscribed'), channel: ChannelName }),
  z.strictObject({ type: z.literal('unsubscribed'), channel: ChannelName }),
  z.strictObject({ type: z.literal('error'), code: z.string(), message: z.string() }),
]);

export type Reply = z.output<typeof Reply>;

export const ServerMessage = z
  .discriminatedUnion('type', [...Push.options, ...Reply.options])
  .describe(
    'Messages that `/ws` sends, one per text frame. Pushed messages are numbered per connection in `seq`: 1, 2, 3 …',
  );
export type ServerMessage = z.output<typeof ServerMessage>;
