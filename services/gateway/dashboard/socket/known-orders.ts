import { isOpen } from '../../../../actors/trading/order-lifecycle.ts';
import type { OrderView } from '../../../../events/messages/trading.ts';

/** Final ones beyond this many are forgotten, the oldest first. */
const MAX_KNOWN = 2_000;

/** How orders stood when they were last seen: what a later look is compared with. */
export class KnownOrders {
  readonly #orders = new Map<string, { readonly text: string; readonly open: boolean }>();

  constructor(orders: readonly OrderView[]) {
    for (const order of orders) this.see(order);
  }

  /** The order as JSON, and whether that is news. */
  see(order: OrderView): { text: string; changed: boolean } {
    const text = JSON.stringify(order);
    const changed = this.#orders.get(order.order_id)?.text !== text;
    this.#orders.set(order.order_id, { text, open: isOpen(order.status) });
    if (this.#orders.size > MAX_KNOWN) this.#forgetOne();
    return { text, changed };
  }

  forget(orderId: string): void {
    this.#orders.delete(orderId);
  }

  openIds(): string[] {
    return [...this.#orders].filter(([, { open }]) => open).map(([orderId]) => orderId);
  }

  #forgetOne(): void {
    const [oldest] = this.#orders.keys();
    const final = this.#orders.entries().find(([, { open }]) => !open)?.[0];
    this.#orders.delete((final ?? oldest)!);
  }
}
