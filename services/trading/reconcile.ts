import { randomUUID } from 'node:crypto';
import { exposingOrders } from '../../actors/trading/cancel-order.ts';
import type { Market } from './ask-market.ts';
import { BROKER_PAUSES } from '../../actors/trading/order-machine.ts';
import { backoff } from '../../events/backoff.ts';
import { isBelegError, isRefusal } from '../../events/errors.ts';
import { newCall } from '../../events/messages/define.ts';
import { matchSession, openSession, type SessionSteps } from './session-steps.ts';
import { processTimer, type Timer } from './timer.ts';

/**
 * Finds out how things stand with the broker, and records it: a session that it has not met yet goes first, because its
 * splits belong to the orders from before it; then all reports; then each order of which it may not know is asked about, and
 * sent again, or cancelled where that is wished, where it has none; then positions are compared. Each step can be repeated.
 * Rejects with `BROKER_UNAVAILABLE`, with what keeps the market service from answering, or where the account can no longer be written.
 */
export async function reconcile(market: Pick<Market, 'sessions'>, steps: SessionSteps): Promise<void> {
  const { writer, broker, delivery, reports } = steps;
  const { session, closedSession } = writer.state;
  // One that is closed has met the broker's orders, whether or not the broker kept a record of it.
  if (
    session !== null &&
    session !== closedSession &&
    (broker.session === null || broker.session < session)
  ) {
    await matchSession(await openSession(market, session), steps);
  }
  await reports.drain();
  delivery.release();
  await delivery.flush();
  await reports.drain();
  const positions = await broker.positions();
  await reports.drain();
  await writer.submit({ type: 'compare', positions }, newCall(`compare/${randomUUID()}`));
  await cancelExposing(writer);
}

/** What a stop or a halt would have cancelled, had it not been cut off in a list of orders too long for one append. */
async function cancelExposing(writer: SessionSteps['writer']): Promise<void> {
  if (writer.state.engine === 'running') return;
  const orders = exposingOrders(writer.state).filter(({ cancelRequested }) => !cancelRequested);
  for (const { order_id } of orders) {
    const cause = { correlationId: order_id, callId: `cancel/${order_id}` };
    await writer.submit({ type: 'cancel', order_id }, cause).catch((error: unknown) => {
      // Done meanwhile.
      if (!isRefusal(error)) throw error;
    });
  }
}

interface Tries {
  readonly reconcile: () => Promise<void>;
  /** Told while that cannot be done; it is tried again. */
  readonly onDelay: (error: unknown) => void;
  /** Told of a fault that no other try mends. */
  readonly onFault: (error: unknown) => void;
  /** Once it has aborted, nothing is tried or told any more. */
  readonly signal: AbortSignal;
  readonly timer?: Pick<Timer, 'wait'>;
}

/** Again and again while broker, store or market are away: true once it is done, false where it will not be. Never rejects. */
export async function untilReconciled(tries: Tries): Promise<boolean> {
  const { reconcile, onDelay, onFault, signal, timer = processTimer } = tries;
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await reconcile();
      return true;
    } catch (error) {
      if (signal.aborted) break;
      if (!isTransient(error)) {
        onFault(error);
        break;
      }
      onDelay(error);
      await timer.wait(backoff(failures, BROKER_PAUSES), signal);
    }
  }
  return false;
}

/** Tells whether the error is transient, so that a retry may succeed. */
const isTransient = (error: unknown): boolean =>
  isBelegError(
    error,
    'BROKER_UNAVAILABLE',
    'STORE_UNAVAILABLE',
    'WRONG_EXPECTED_REVISION',
    'DEADLINE_EXCEEDED',
    'NO_RESPONDERS',
    'RESPONDER_LOST',
    'SERVICE_UNAVAILABLE',
    'OVERLOADED',
  );
