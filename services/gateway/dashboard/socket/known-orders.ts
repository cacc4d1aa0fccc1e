import { isOpen } from '../../../../actors/trading/order-lifecycle.ts';
import type { OrderView } from '../../../../events/messages/trading.ts';

/** Final ones beyond this many are forgotten, the oldest first. */
const MAX_KNOWN = 2_000;

/** How orders stood when they were last seen: what a later look is compared with. */
export function knownOrders(newest: readonly OrderView[]) {
  const orders = new Map<string, { readonly text: string; readonly open: boolean }>();

  /** The order as JSON, and whether that is news. */
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
