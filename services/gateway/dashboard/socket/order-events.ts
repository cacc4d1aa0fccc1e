import { ORDER_LIFECYCLE } from '../../../../actors/trading/order-lifecycle.ts';
import { OrderSubmitted } from '../../../../events/catalog/trading.ts';
import type { HeardEvent } from '../heard-event.ts';
import type { EventPlace } from './account-events.ts';

const TYPES: ReadonlySet<string> = new Set([OrderSubmitted.type, ...ORDER_LIFECYCLE.events]);

/** An order has changed. */
export interface OrderEvent extends EventPlace {
  readonly event: string;
  readonly orderId: string;
}

/** The change of an order; `null` for an event that does not belong to an order. */
export function orderEventOf({ type, revision, position, data }: HeardEvent): OrderEvent | null {
  const orderId = data?.['order_id'];
  return TYPES.has(type) && typeof orderId === 'string' ? { event: type, revision, position, orderId } : null;
}
