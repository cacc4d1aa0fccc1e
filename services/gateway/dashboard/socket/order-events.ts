import { ORDER_LIFECYCLE } from '../../../../actors/trading/order-lifecycle.ts';
import { OrderSubmitted } from '../../../../events/catalog/trading.ts';
import type { HeardEvent } from './account-events.ts';

const TYPES: ReadonlySet<string> = new Set([OrderSubmitted.type, ...ORDER_LIFECYCLE.events]);

/** Stands for an event that only causes an order to be read again: the order is pushed if it has changed. */
export const RESYNC = 'resync';

/** An order has changed or may have changed. */
export interface OrderEvent {
  readonly event: string;
  readonly revision: number;
  readonly orderId: string;
}

/** Returns `null` for an event that is not of an order. */
export function orderEventOf({ type, revision, data }: HeardEvent): OrderEvent | null {
  const orderId = data?.['order_id'];
  return TYPES.has(type) && typeof orderId === 'string' ? { event: type, revision, orderId } : null;
}
