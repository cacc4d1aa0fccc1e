import { BelegError } from '../../events/errors.ts';
import { inTime } from '../../events/race.ts';
import type { Broker } from '../../actors/trading/broker.ts';

/** Milliseconds after which a broker that has not answered counts as not answering: a question, and a session's matching. */
const BROKER_TIMEOUTS = { answer: 5_000, session: 30_000 };

/** The same broker; its answers come in time, or `BROKER_UNAVAILABLE`, which says nothing of what it did. */
export function withTimeout(broker: Broker, timeouts = BROKER_TIMEOUTS): Broker {
  const { answer, session } = timeouts;
  return {
    get session() {
      return broker.session;
    },
    submit: (order) => inTime(broker.submit(order), answer, late),
    cancel: (orderId) => inTime(broker.cancel(orderId), answer, late),
    find: (orderId) => inTime(broker.find(orderId), answer, late),
    positions: () => inTime(broker.positions(), answer, late),
    reports: (after) => inTime(broker.reports(after), answer, late),
    advance: (data) => inTime(broker.advance(data), session, late),
    onReports: (listener) => broker.onReports(listener),
  };
}

const late = (): BelegError => new BelegError('BROKER_UNAVAILABLE', { detail: 'it did not answer in time' });
