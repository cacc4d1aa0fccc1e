import type { CancelReason } from '../../events/catalog/trading.ts';
import { BelegError } from '../../events/errors.ts';
import type { Drafts, CommandOf } from './commands.ts';
import { isOpen } from './order-lifecycle.ts';
import { orderOf, type AccountState, type OrderState } from './state.ts';

/**
 * The wish to cancel an order; a fill may still come first. Quiet where the wish is on record already.
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

/** Requests the cancellation of each order for which it is not on record yet. Without a reason somebody asked for it. */
export function requestCancels(orders: Iterable<OrderState>, reason?: CancelReason): Drafts {
  const why = reason === undefined ? {} : { reason };
  return [...orders]
    .filter(({ cancelRequested }) => !cancelRequested)
    .map(({ order_id, ticker }) => ({ type: 'OrderCancelRequested', data: { order_id, ticker, ...why } }));
}
