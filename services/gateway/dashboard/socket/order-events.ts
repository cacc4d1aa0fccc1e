import {
  OrderAccepted,
  OrderAdjusted,
  OrderCancelled,
  OrderCancelRequested,
  OrderDeliveryUnknown,
  OrderExpired,
  OrderFilled,
  OrderRejected,
  OrderSubmitted,
  OrderTriggered,
  OrderWithdrawn,
} from '../../../../events/catalog/trading.ts';
import type { HeardEvent } from './account-events.ts';

const TYPES = new Set<string>(
  [
    OrderSubmitted,
    OrderWithdrawn,
    OrderDeliveryUnknown,
    OrderAccepted,
    OrderRejected,
    OrderTriggered,
    OrderFilled,
    OrderCancelRequested,
    OrderCancelled,
    OrderExpired,
    OrderAdjusted,
  ].map(({ type }) => type),
);

/** Something happened to an order. */
export interface OrderEvent {
  readonly event: string;
  readonly revision: number;
  readonly orderId: string;
}

/** `null` for an event of anything else. */
export function orderEventOf({ type, revision, data }: HeardEvent): OrderEvent | null {
  const orderId = data?.['order_id'];
  return TYPES.has(type) && typeof orderId === 'string' ? { event: type, revision, orderId } : null;
}
