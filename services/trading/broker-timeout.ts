import type { Broker } from '../../actors/trading/broker.ts';
import { BelegError } from '../../events/errors.ts';

/** Milliseconds after which a broker that has not answered counts as not answering. */
export const BROKER_TIMEOUT_MS = 5_000;

/** The same broker; each of its answers comes within `timeoutMs`, or `BROKER_UNAVAILABLE`, which says nothing of what it did. */
export function withTimeout(broker: Broker, timeoutMs = BROKER_TIMEOUT_MS): Broker {
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new BelegError('BROKER_UNAVAILABLE', { detail: 'it did not answer in time' })),
      timeoutMs,
    );
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    submit: (order) => inTime(broker.submit(order)),
    cancel: (orderId) => inTime(broker.cancel(orderId)),
    find: (orderId) => inTime(broker.find(orderId)),
    positions: () => inTime(broker.positions()),
    reports: (after) => inTime(broker.reports(after)),
    onReports: (listener) => broker.onReports(listener),
  };
}
