import { isOpen } from '../../../../actors/trading/order-lifecycle.ts';
import type { OrderView } from '../../../../events/messages/trading.ts';

/** The most final orders that are kept; the oldest are dropped first. */
const MAX_KNOWN = 2_000;

/** The last known states of orders, to find out which have changed. */
export function knownOrders(newest: readonly OrderView[]) {
  const orders = new Map<string, { readonly text: string; readonly open: boolean }>();

  /** Returns the order as JSON, and whether it has changed. */
  function see(order: OrderView) {
    const text = JSON.stringify(order);
    const changed = orders.get(order.order_id)?.text !== text;
    orders.set(order.order_id, { text, open: isOpen(order.status) });
    if (orders.size > MAX_KNOWN) forgetOne();
    return { text, changed };
  }

  function forgetOne(): void {
    const [oldest] = orders.keys();
    const final = orders.entries().find(([, { open }]) => !open)?.[0];
    orders.delete((final ?? oldest)!);
  }

  newest.forEach(see);
  return {
    see,
    forget: (orderId: string): void => void orders.delete(orderId),
    openIds: () => [...orders].filter(([, { open }]) => open).map(([orderId]) => orderId),
  };
}
