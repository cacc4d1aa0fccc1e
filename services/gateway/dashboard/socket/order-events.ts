import { ORDER_LIFECYCLE } from '../../../../actors/trading/order-lifecycle.ts';
import { OrderSubmitted } from '../../../../events/catalog/trading.ts';
import type { HeardEvent } from './account-events.ts';

const TYPES: ReadonlySet<string> = new Set([OrderSubmitted.type, ...ORDER_LIFECYCLE.events]);

/** An event after which an order is only read again: what has changed of it is pushed. */
export const RESYNC = 'resync';

/** Something happened to an order, or may have. */
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
