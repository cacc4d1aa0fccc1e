import { randomUUID } from 'node:crypto';
import { exposingOrders } from '../../actors/trading/open-orders.ts';
import type { Market } from './ask-market.ts';
import { isRefusal } from '../../events/errors.ts';
import { newCall } from '../../events/messages/define.ts';
import { matchSession, openSession, settle, unfinishedSession, type SessionSteps } from './session-steps.ts';

/**
 * Finishes a session that is open in the account and that the broker has not met. This comes before reconciling,
 * because the session's splits change orders from before it. Rejects as the steps of a session do, and if the market
 * service does not answer.
 */
export async function finishSession(market: Pick<Market, 'sessions'>, steps: SessionSteps): Promise<void> {
  const { writer, broker } = steps;
  const { session, closedSession } = writer.state;
  // A closed session has met the broker's orders, whether or not the broker has a record of it.
  if (session === null || session === closedSession) return;
  if (broker.session !== null && broker.session >= session) return;
  const unfinished = await unfinishedSession(market, session);
  await openSession(unfinished, steps);
  await matchSession(unfinished, steps);
}

/**
 * Reconciles the account with the broker, and records the result. First all reports are taken. Then the broker is asked
 * about each order that it may not have; an order that it does not have is sent again, or cancelled if that was
 * requested. Then positions are compared. Each step can be repeated. Rejects with `BROKER_UNAVAILABLE`, or if the
 * account can no longer be written.
 */
export async function reconcile({ writer, broker, delivery, reports }: SessionSteps): Promise<void> {
  await reports.drain();
  delivery.release();
  await settle({ delivery, reports });
  const positions = await broker.positions();
  await reports.drain();
  await writer.submit({ type: 'compare', positions }, newCall(`compare/${randomUUID()}`));
  await cancelExposing(writer);
}

/**
 * Cancels orders whose cancellation by a stop or a halt is missing, because the list was too long for one append and
 * was cut off.
 */
async function cancelExposing(writer: SessionSteps['writer']): Promise<void> {
  const { engine } = writer.state;
  if (engine === 'running') return;
  const reason = engine === 'stopped' ? 'trading_stopped' : 'trading_halted';
  const orders = exposingOrders(writer.state).filter(({ cancelRequested }) => !cancelRequested);
  for (const { order_id } of orders) {
    const cause = { correlationId: order_id, callId: `cancel/${order_id}` };
    await writer.submit({ type: 'cancel', order_id, reason }, cause).catch((error: unknown) => {
      // The order is done by now.
      if (!isRefusal(error)) throw error;
    });
  }
}
