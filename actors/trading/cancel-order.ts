import type { CancelReason } from '../../events/catalog/trading.ts';
import { BelegError } from '../../events/errors.ts';
import type { Drafts, CommandOf } from './commands.ts';
import { isOpen } from './order-lifecycle.ts';
import { orderOf, type AccountState, type OrderState } from './state.ts';

/**
 * Requests the cancellation of an order; a fill may still come first. Gives no events if it is requested already.
 *
 * @throws {BelegError} `UNKNOWN_ORDER`, or `NOT_CANCELLABLE` for an order that is done.
 */
export function cancel({ order_id, reason }: Omit<CommandOf<'cancel'>, 'type'>, state: AccountState): Drafts {
  const order = orderOf(order_id, state);
  if (!isOpen(order.status)) {
    throw new BelegError('NOT_CANCELLABLE', { detail: `The order is already ${order.status}` });
  }
  return requestCancels([order], reason);
}

/**
 * Requests the cancellation of each of these orders, unless it is on record already. No reason means that a client
 * asked for it.
 */
export function requestCancels(orders: Iterable<OrderState>, reason?: CancelReason): Drafts {
  const why = reason === undefined ? {} : { reason };
  return [...orders]
    .filter(({ cancelRequested }) => !cancelRequested)
    .map(({ order_id, ticker }) => ({ type: 'OrderCancelRequested', data: { order_id, ticker, ...why } }));
}
