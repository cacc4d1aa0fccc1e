import type { CancelReason } from '../../events/catalog/trading.ts';
import type { Quantity } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import type { AccountDraft, CommandOf } from './commands.ts';
import { isOpen } from './order-lifecycle.ts';
import { leftOf, type AccountState, type OrderState } from './state.ts';

/**
 * The wish to cancel an order; a fill may still come first. Quiet where the wish is on record already.
 *
 * @throws {BelegError} `UNKNOWN_ORDER`, or `NOT_CANCELLABLE` for an order that is done.
 */
export function cancel(
  { order_id, reason }: Omit<CommandOf<'cancel'>, 'type'>,
  state: AccountState,
): readonly AccountDraft[] {
  const order = orderOf(order_id, state);
  if (!isOpen(order.status)) {
    throw new BelegError('NOT_CANCELLABLE', { detail: `The order is already ${order.status}` });
  }
  return requestCancels([order], reason);
}

/** @throws {BelegError} `UNKNOWN_ORDER`. */
export function orderOf(orderId: string, state: AccountState): OrderState {
  const order = state.orders.get(orderId);
  if (order === undefined) throw new BelegError('UNKNOWN_ORDER');
  return order;
}

/** Requests the cancellation of each order for which it is not on record yet. Without a reason somebody asked for it. */
export function requestCancels(orders: Iterable<OrderState>, reason?: CancelReason): readonly AccountDraft[] {
  const why = reason === undefined ? {} : { reason };
  return [...orders]
    .filter(({ cancelRequested }) => !cancelRequested)
    .map(({ order_id, ticker }) => ({ type: 'OrderCancelRequested', data: { order_id, ticker, ...why } }));
}

/** A fill that is decided on but not in the state yet. */
export interface PendingFill {
  readonly order_id: string;
  readonly ticker: string;
  /** Negative for a sale. */
  readonly quantity: Quantity;
}

/**
 * The open orders that could open exposure: those beyond what there is to close. Orders that only reduce come first,
 * then the older ones.
 */
export function exposingOrders(state: AccountState, fill?: PendingFill): OrderState[] {
  const exposing: OrderState[] = [];
  // Sorted by ticker, so that a state from a snapshot decides in the same order.
  for (const ticker of [...state.books.keys()].toSorted()) {
    const orders = state.books.get(ticker)!.orders;
    let held = state.positions.get(ticker)?.quantity ?? 0n;
    if (fill?.ticker === ticker) held += fill.quantity;
    let sellable = held;
    let coverable = -held;
    for (const order of reducingFirst(orders)) {
      if (order.order_id === fill?.order_id) continue;
      const closable = order.action === 'sell' ? sellable : coverable;
      if (!order.reduce_only && leftOf(order) > closable) exposing.push(order);
      else if (order.action === 'sell') sellable -= leftOf(order);
      else coverable -= leftOf(order);
    }
  }
  return exposing;
}

function reducingFirst(orders: ReadonlySet<OrderState>): OrderState[] {
  return [...orders].toSorted((a, b) => Number(b.reduce_only) - Number(a.reduce_only));
}
