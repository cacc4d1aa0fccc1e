import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { draw, Lifecycle, type Drawing } from '../lifecycle.ts';

export type OrderStatus =
  /** The order is on record. It is not known yet whether the broker has it. */
  | 'submitted'
  /** The broker did not answer: it may have the order or not. */
  | 'unknown'
  | 'accepted'
  /** A stop-limit order that works as a limit order now. */
  | 'triggered'
  | 'partially_filled'
  | 'filled'
  | 'pending_cancel'
  | 'cancelled'
  | 'rejected'
  | 'expired'
  /** The order's client was told that no such order exists, so the order does not exist for clients. */
  | 'withdrawn';

/** The events of a submitted order. */
export type OrderEventType = Exclude<Extract<AccountEvent['type'], `Order${string}`>, 'OrderSubmitted'>;

/** The events that may follow a submission that the broker has not answered yet. */
const UNDELIVERED = {
  OrderAccepted: 'accepted',
  OrderRejected: 'rejected',
  OrderFilled: 'filled',
  OrderCancelRequested: 'pending_cancel',
  OrderCancelled: 'cancelled',
} as const;

/** The events that may follow once the broker has reported on the order. */
const WORKING = {
  OrderFilled: 'filled',
  OrderCancelRequested: 'pending_cancel',
  OrderCancelled: 'cancelled',
  OrderExpired: 'expired',
} as const;

/**
 * `OrderFilled` leads to `partially_filled` while a part is left (see `nextOrderStatus`). A fill may still come after a
 * cancellation, because the two race. If no status allows an event, it is a discrepancy, or the record is corrupt.
 */
export const ORDER_LIFECYCLE = new Lifecycle<OrderStatus, OrderEventType>('order', 'submitted', {
  submitted: {
    ...UNDELIVERED,
    OrderWithdrawn: 'withdrawn',
    OrderDeliveryUnknown: 'unknown',
    OrderAdjusted: 'submitted',
    OrderAmendRequested: 'submitted',
  },
  // The event may follow again: the next process that takes over the account also records `OrderDeliveryUnknown`.
  unknown: {
    ...UNDELIVERED,
    OrderDeliveryUnknown: 'unknown',
    OrderAdjusted: 'unknown',
    OrderAmendRequested: 'unknown',
  },
  accepted: {
    OrderRejected: 'rejected',
    OrderTriggered: 'triggered',
    ...WORKING,
    OrderAdjusted: 'accepted',
    OrderAmendRequested: 'accepted',
    OrderAmended: 'accepted',
  },
  triggered: {
    OrderRejected: 'rejected',
    ...WORKING,
    OrderAdjusted: 'triggered',
    OrderAmendRequested: 'triggered',
    OrderAmended: 'triggered',
  },
  partially_filled: {
    OrderAccepted: 'accepted',
    ...WORKING,
    OrderAdjusted: 'partially_filled',
    OrderAmendRequested: 'partially_filled',
    OrderAmended: 'partially_filled',
  },
  pending_cancel: {
    // The order was withdrawn after its cancellation was recorded, and before the cancellation was sent anywhere.
    OrderWithdrawn: 'withdrawn',
    OrderAccepted: 'accepted',
    OrderRejected: 'rejected',
    ...WORKING,
    OrderAdjusted: 'pending_cancel',
    OrderAmended: 'pending_cancel',
  },
  cancelled: { OrderFilled: 'filled' },
  filled: {},
  rejected: {},
  expired: {},
  withdrawn: {},
});

/** True while the order may still change by itself. Open orders are those that can be cancelled. */
export const isOpen = (status: OrderStatus): boolean => OPEN.has(status);

/** A set, because `isOpen` runs several times for each event and the look-up in the table is several times as slow. */
const OPEN: ReadonlySet<OrderStatus> = new Set(
  ORDER_LIFECYCLE.statuses.filter((status) => ORDER_LIFECYCLE.mayFollow(status, 'OrderCancelled')),
);

/**
 * The status after an event. `left`: whether a part is still open after a fill.
 *
 * @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now.
 */
export function nextOrderStatus(
  status: OrderStatus,
  type: OrderEventType,
  left: boolean = false,
): OrderStatus {
  const next = ORDER_LIFECYCLE.next(status, type);
  if (type !== 'OrderFilled' || !left) return next;
  // A cancelled order stays cancelled after a late fill: its rest will not be filled.
  return status === 'cancelled' ? 'cancelled' : 'partially_filled';
}

/**
 * The table of the lifecycle, with both outcomes of a fill: filled, or partially filled. A status that is not open is
 * final.
 */
export function drawOrders(): Drawing {
  const whole = draw(ORDER_LIFECYCLE);
  const inPart = whole.transitions
    .filter(({ event }) => event === 'OrderFilled')
    .map(({ from, event }) => ({
      from,
      event,
      to: nextOrderStatus(from as OrderStatus, 'OrderFilled', true),
    }));
  return {
    ...whole,
    states: whole.states.map(({ name }) => ({ name, final: !isOpen(name as OrderStatus) })),
    transitions: [...whole.transitions, ...inPart],
  };
}
