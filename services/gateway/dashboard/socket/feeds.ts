import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { MessageBus } from '../../../../events/bus/bus.ts';
import { OrderFilled, SessionClosed, SessionDate } from '../../../../events/catalog/trading.ts';
import { call, type CallContext } from '../../../../events/messages/define.ts';
import { SessionOn } from '../../../../events/messages/market.ts';
import { ModelStatus } from '../../../../events/messages/models.ts';
import { Orders, TradingStatus } from '../../../../events/messages/trading.ts';
import type { DashboardLogs } from '../logs.ts';
import { readMetrics } from '../system-metrics.ts';
import type { DashboardGatewaySettings } from '../access.ts';
import type { HeardEvent } from '../heard-event.ts';
import { followAccounts, type EventPlace } from './account-events.ts';
import type { Channel } from './channels.ts';
import { timestampOf, type Clock } from '../../../foundation/clock.ts';
import type { SocketCounts } from './socket-metrics.ts';
import type { Hub } from './subscriptions.ts';
import { orderEventOf } from './order-events.ts';
import { orderFeed } from './order-feed.ts';
import { MAX_ORDERS } from './order-pushes.ts';
import { prepare, type Prepared } from './prepared-push.ts';
import { MetricsPush } from './server-message.ts';
import { startStateFeed } from './state-feed.ts';
import { followUpdates } from './update-feed.ts';

/** The shortest time between two pushes of a state that may change constantly. */
const GAP_MS = 100;

/** The interval at which the progress of a training is read and pushed. */
const PROGRESS_MS = 500;

interface FeedParts {
  readonly hub: Hub;
  readonly bus: MessageBus;
  readonly logs: DashboardLogs;
  readonly clock: Clock;
  readonly counts: SocketCounts;
  readonly settings: DashboardGatewaySettings;
  readonly log: FastifyBaseLogger;
}

/** Connects each channel with the events after which it is pushed. */
export function startFeeds({ hub, bus, settings, logs, clock, counts, log }: FeedParts): {
  close(): void;
} {
  const onFault = (channel: Channel) => (error: unknown) =>
    log.warn(
      { err: error, channel },
      'data for the WebSocket cannot be read; nothing is sent until it can be',
    );
  const state = (channel: Channel, read: () => Promise<Prepared | null>, gapMs = GAP_MS) =>
    startStateFeed({ channel, hub, clock, gapMs, read, onFault: onFault(channel) });

  const metrics = state('metrics', () => metricsNow(bus, settings, clock));
  const positions = state('positions', () => positionsNow(bus));
  const readTraining = async () => {
    const status = await call(bus, ModelStatus, {}, asking());
    // The progress of a training has no events, so it is read repeatedly while the training runs.
    if (status.training_active) training.changed();
    return prepare('training', 'newest', status);
  };
  const training = state('training', readTraining, PROGRESS_MS);
  let closed: string | null = null;
  const prices = state('prices', () => pricesOf(bus, closed));
  const orders = orderFeed({
    hub,
    clock,
    readOrders: async (ids, at) => {
      const query = { limit: MAX_ORDERS, before: null, ids, including: at?.position };
      const { orders } = await call(bus, Orders, query, asking());
      return orders;
    },
    onFault: onFault('orders'),
    onResync: () => (counts.resyncs += 1),
  });
  followUpdates(bus, hub);

  const closers = [
    clock.every(settings.metricsIntervalMs, () => {
      metrics.changed();
      training.changed();
      // The event may arrive here before the queried service has processed it.
      positions.changed();
    }),
    logs.onLine((line) => hub.push('logs', prepare('log', 'some', { line }))),
    followAccounts(bus, { heard, missed }, clock),
  ];
  const models = bus.subscribe('beleg.v1.evt.models.*.*', () => {
    modelChanged();
    // The event may arrive here before the queried service has processed it.
    clock.after(PROGRESS_MS, modelChanged);
  });

  function modelChanged(): void {
    training.changed();
    metrics.changed();
  }

  function heard(event: HeardEvent): void {
    orders.heard(event);
    if (event.type === SessionClosed.type) {
      closed = SessionDate.safeParse(event.data?.['session']).data ?? null;
      prices.changed();
    }
    // Other events of orders do not change the account, so the account is not read for them.
    if (orderEventOf(event) !== null && event.type !== OrderFilled.type) return;
    positions.changed();
    metrics.changed();
  }

  function missed(newest: EventPlace): void {
    orders.missed(newest);
    closed = null;
    for (const feed of [metrics, positions, prices, training]) feed.changed();
  }

  return {
    close() {
      for (const close of closers) close();
      void models.unsubscribe();
    },
  };
}

const asking = (): CallContext => ({ correlationId: `ws-${randomUUID()}`, callId: randomUUID() });

async function metricsNow(
  bus: MessageBus,
  settings: DashboardGatewaySettings,
  clock: Clock,
): Promise<Prepared> {
  const { memory, account, model } = await readMetrics(bus, settings, asking());
  return prepare('metrics', 'newest', {
    timestamp: timestampOf(clock),
    memory: MetricsPush.shape.memory.parse(memory),
    account: { cash: account.cash, total_value: account.total_value, positions: account.positions_count },
    model: MetricsPush.shape.model.parse(model),
  });
}

async function positionsNow(bus: MessageBus): Promise<Prepared> {
  return prepare('positions', 'newest', await call(bus, TradingStatus, {}, asking()));
}

/** The prices of a session. `closed` is the last session with an event of its end; `null` before the first. */
async function pricesOf(bus: MessageBus, closed: string | null): Promise<Prepared | null> {
  const date = closed ?? (await call(bus, TradingStatus, {}, asking())).session;
  if (date === null) return null;
  const { session } = await call(bus, SessionOn, { date }, asking());
  return session === null ? null : prepare('prices', 'newest', { session: date, prices: session.bars });
}
