import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import { call, type CallContext } from '../../events/messages/define.ts';
import { Pipeline, Sessions } from '../../events/messages/market.ts';
import { TradingStatus } from '../../events/messages/trading.ts';

/** Milliseconds that the trading service has to reply with the feed's day. */
const TIMEOUT_MS = 2_000;

/**
 * The newest day whose data may be used. The feed replays history, so later days have not happened yet. It is the
 * account's last closed session. Without one, or without a trading service, it is the session before the feed's first;
 * `null` if the feed begins with the first session of all. Rejects with the errors of the bus and the market service,
 * and with `SERVICE_UNAVAILABLE` while there is no market data.
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

/** The source of the market's bars; `undefined` if the market does not answer. */
export async function marketSource(bus: MessageBus, context: CallContext): Promise<string | undefined> {
  const pipeline = await call(bus, Pipeline, {}, context, { timeoutMs: TIMEOUT_MS }).catch(() => null);
  return pipeline?.source;
}
