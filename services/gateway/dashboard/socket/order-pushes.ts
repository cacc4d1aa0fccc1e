import type { OrderView } from '../../../../events/messages/trading.ts';
import type { Hub } from './subscriptions.ts';
import { knownOrders } from './known-orders.ts';
import type { EventPlace } from './account-events.ts';
import type { OrderEvent } from './order-events.ts';
import { prepareText } from './prepared-push.ts';

/** The most orders of one query, whose reply is far below the limit of the bus. */
export const MAX_ORDERS = 500;

/**
 * Reads at most 500 orders: those with the given ids, or the newest for `null`, oldest first, as of the given event or
 * later.
 */
export type OrderQuery = (ids: string[] | null, at?: EventPlace) => Promise<readonly OrderView[]>;

/** The event name for events that were missed. */
const RESYNC = 'resync';

export type OrderPushes = ReturnType<typeof createOrderPushes>;

/**
 * Makes the pushes of orders from their present and their last known states. The orders in `newest` count as known and
 * are not pushed.
 */
export function createOrderPushes(hub: Hub, readOrders: OrderQuery, newest: readonly OrderView[]) {
  const known = knownOrders(newest);

  async function viewsOf(orderIds: readonly string[], at: EventPlace): Promise<Map<string, OrderView>> {
    const views = new Map<string, OrderView>();
    for (let from = 0; from < orderIds.length; from += MAX_ORDERS) {
      const orders = await readOrders(orderIds.slice(from, from + MAX_ORDERS), at);
      for (const order of orders) views.set(order.order_id, order);
    }
    return views;
  }

  function pushIfChanged(view: OrderView, revision: number): void {
    const { text, changed } = known.see(view);
    if (changed) push(RESYNC, revision, view.order_id, text);
  }

  /** Sends a push. `order` is JSON that is written once, however many events the order has. */
  function push(event: string, revision: number, orderId: string, order: string | null): void {
    const about = JSON.stringify({ event, revision, order_id: orderId }).slice(1, -1);
    hub.push('orders', prepareText('order', 'all', `${about},"order":${order}`));
  }

  return {
    /** Sends one push for each event. */
    async tell(events: readonly OrderEvent[]): Promise<void> {
      const views = await viewsOf([...new Set(events.map(({ orderId }) => orderId))], events.at(-1)!);
      for (const { event, revision, orderId } of events) {
        const view = views.get(orderId);
        push(event, revision, orderId, view ? known.see(view).text : null);
      }
    },

    /** Pushes the changed orders among the newest ones and those that were open. */
    async makeUp(at: EventPlace): Promise<void> {
      const newest = await readOrders(null, at);
      const among = new Set(newest.map(({ order_id }) => order_id));
      const older = known.openIds().filter((orderId) => !among.has(orderId));
      const views = await viewsOf(older, at);
      for (const view of [...views.values(), ...newest]) pushIfChanged(view, at.revision);
      for (const orderId of older.filter((id) => !views.has(id))) {
        known.forget(orderId);
        push(RESYNC, at.revision, orderId, null);
      }
    },
  };
}
