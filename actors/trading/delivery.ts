import { BelegError } from '../../events/errors.ts';
import type { AccountDraft } from './commands.ts';
import { isOpen, ORDER_LIFECYCLE } from './order-lifecycle.ts';
import { hasFills, type AccountState, type OrderState } from './state.ts';

function orderOf(orderId: string, state: AccountState): OrderState {
  const order = state.orders.get(orderId);
  if (order === undefined) throw new BelegError('UNKNOWN_ORDER');
  return order;
}

/**
 * Its client was told that it could not be recorded. Quiet where it never was.
 *
 * @throws {BelegError} `NOT_CANCELLABLE` once the broker has to do with it.
 */
export function withdraw(orderId: string, state: AccountState): readonly AccountDraft[] {
  const order = state.orders.get(orderId);
  if (order === undefined) return [];
  if (!ORDER_LIFECYCLE.mayFollow(order.status, 'OrderWithdrawn')) {
    throw new BelegError('NOT_CANCELLABLE', { detail: `The order is already ${order.status}` });
  }
  return [{ type: 'OrderWithdrawn', data: { order_id: orderId, ticker: order.ticker } }];
}

/**
 * The broker did not answer in time. Quiet where that is known, where a report has answered meanwhile, and where the
 * order is to be cancelled: whoever cancels asks first.
 *
 * @throws {BelegError} `UNKNOWN_ORDER`.
 */
export function deliveryUnknown(orderId: string, state: AccountState): readonly AccountDraft[] {
  const { status, ticker } = orderOf(orderId, state);
  if (status !== 'submitted') return [];
  return [{ type: 'OrderDeliveryUnknown', data: { order_id: orderId, ticker } }];
}

/**
 * The account has a new holder: of each order that the broker has not spoken about it may have heard or not. None is sent
 * again before this is on record: from then on an earlier holder can take back or cancel none of them.
 */
export function takeUp(state: AccountState): readonly AccountDraft[] {
  return [...state.open.values()]
    .filter(({ status }) => ORDER_LIFECYCLE.mayFollow(status, 'OrderDeliveryUnknown'))
    .map(({ order_id, ticker }) => ({ type: 'OrderDeliveryUnknown', data: { order_id, ticker } }));
}

/**
 * The broker never got it and will not. Quiet where a report says otherwise, or the order is done.
 *
 * @throws {BelegError} `UNKNOWN_ORDER`.
 */
export function undeliverable(
  { order_id, reason }: { readonly order_id: string; readonly reason: string },
  state: AccountState,
): readonly AccountDraft[] {
  const order = orderOf(order_id, state);
  const { status, ticker, cancelRequested } = order;
  if (!isOpen(status) || hasFills(order) || status === 'accepted' || status === 'triggered') return [];
  // What its client wished for has come true.
  const type = cancelRequested ? 'OrderCancelled' : 'OrderRejected';
  return [{ type, data: { order_id, ticker, reason, cursor: null } }];
}
