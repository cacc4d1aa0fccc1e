import { z } from 'zod';
import { Bar } from '../../../../events/messages/market.ts';
import { ModelStatusReply } from '../../../../events/messages/models.ts';
import { Order, TradingStatusReply } from '../../../../events/messages/trading.ts';
import { SessionDate } from '../../../../events/catalog/trading.ts';
import { Metrics, ModelMetrics } from '../metrics.ts';
import { ChannelName } from './channels.ts';

/** 1, 2, 3 … of one connection, over all its channels: a client sees that it has had everything that was sent. */
const seq = z.int().positive();

/** Sent once each metrics interval, and at once when something in it may have changed. */
export const MetricsPush = z.strictObject({
  type: z.literal('metrics'),
  seq,
  /** ISO 8601 with microseconds, UTC. */
  timestamp: z.string(),
  memory: Metrics.shape.memory.pick({ allocated_gb: true, total_gb: true, usage_percent: true }),
  account: z.strictObject({ cash: z.number(), total_value: z.number(), positions: z.int() }),
  model: ModelMetrics.pick({ status: true, device: true, precision: true, mixed_precision: true }),
});

/**
 * One for each event of an order, in the order they were recorded, never left out while the connection lasts. `order` is
 * how it stands now: of two events in quick succession both may show what the second one did. It is null where the
 * order exists no more (`OrderWithdrawn`: it could not be recorded, and its client was told so).
 *
 * Event `resync`: the gateway has missed events (a break in the bus). Each order that has changed meanwhile comes once, as
 * it stands now, among the newest 500 and those known as open before; `revision` is the newest it has heard of. The same for
 * an order whose event came before the trading service showed it.
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
 * The account as `GET /api/trading/status` tells it: after what may have moved it, and with the next metrics where it has
 * changed otherwise. Only the newest is kept for a client that
 * is behind.
 */
const PositionsPush = z.strictObject({
  type: z.literal('positions'),
  seq,
  ...TradingStatusReply.shape,
});

/** The bars of the newest session, prices as traded; only the newest is kept for a client that is behind. */
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
  /** Null for the update as a whole. */
  ticker: z.string().nullable(),
  ok: z.boolean(),
  /** Tickers that are through, well or not. */
  done: z.int().nonnegative(),
  total: z.int().nonnegative().nullable(),
  /** What went wrong with the ticker; the first five. */
  faults: z.array(z.string()),
});

/**
 * The model as `GET /api/models/status` tells it, when it has changed: after each event of the models, and with the progress
 * of a training, twice a second at most. Only the newest is kept for a client that is behind.
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

/** Answers to what a client has said; they have no `seq`. */
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
