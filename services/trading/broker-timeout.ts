import { BelegError, NOT_IN_TIME } from '../../events/errors.ts';
import { inTime } from '../../events/timeout-and-abort.ts';
import type { Broker } from '../../actors/trading/broker.ts';

/** Milliseconds after which a broker counts as away: for a request, and for the matching of a session. */
const ANSWER_MS = 5_000;
const SESSION_MS = 30_000;

/**
 * A broker whose answers arrive in time or reject with `BROKER_UNAVAILABLE`. The rejection does not say whether the
 * request had an effect.
 */
export function withTimeout(broker: Broker): Broker {
  return {
    get session() {
      return broker.session;
    },
    submit: (order) => inTime(broker.submit(order), ANSWER_MS, late),
    cancel: (orderId) => inTime(broker.cancel(orderId), ANSWER_MS, late),
    amend: (amendment) => inTime(broker.amend(amendment), ANSWER_MS, late),
    find: (orderId) => inTime(broker.find(orderId), ANSWER_MS, late),
    positions: () => inTime(broker.positions(), ANSWER_MS, late),
    reports: (after) => inTime(broker.reports(after), ANSWER_MS, late),
    advance: (session, funds) => inTime(broker.advance(session, funds), SESSION_MS, late),
    onReports: (listener) => broker.onReports(listener),
  };
}

const late = (): BelegError => new BelegError('BROKER_UNAVAILABLE', { detail: NOT_IN_TIME });
