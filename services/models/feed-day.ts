import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import { call, type CallContext } from '../../events/messages/define.ts';
import { Pipeline, Sessions } from '../../events/messages/market.ts';
import { TradingStatus } from '../../events/messages/trading.ts';

/** A trading service that is slow to say how late it is, is not waited for. */
const TIMEOUT_MS = 2_000;

/**
 * The newest day that may be looked at: the feed replays history, and what comes after its day has not happened yet. Its
 * last closed session; without one, or without a trading service, the one before the feed's first, which is earlier; `null`
 * where the feed begins with the first session of all. Rejects with what the bus and the market service say, and with
 * `SERVICE_UNAVAILABLE` while no market data is there.
 */
export async function feedDay(bus: MessageBus, context: CallContext): Promise<string | null> {
  const timeout = { timeoutMs: TIMEOUT_MS };
  const trading = await call(bus, TradingStatus, {}, context, timeout).catch(() => null);
  if (trading !== null && trading.session !== null) return trading.session;
  const { sessions, warm_up } = await call(bus, Sessions, { after: null, limit: 1 }, context, timeout);
  if (warm_up === null && sessions.length === 0) {
    throw new BelegError('SERVICE_UNAVAILABLE', { detail: 'There is no market data yet', retryAfter: 1 });
  }
  return warm_up;
}

/** The source of the market's bars; `undefined` if the market does not say. */
export async function marketSource(bus: MessageBus, context: CallContext): Promise<string | undefined> {
  const pipeline = await call(bus, Pipeline, {}, context, { timeoutMs: TIMEOUT_MS }).catch(() => null);
  return pipeline?.source;
}
