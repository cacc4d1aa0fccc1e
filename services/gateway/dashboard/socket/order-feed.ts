import type { HeardEvent } from '../heard-event.ts';
import type { EventPlace } from './account-events.ts';
import type { Clock } from '../../../foundation/clock.ts';
import type { Hub } from './subscriptions.ts';
import { orderEventOf, type OrderEvent } from './order-events.ts';
import { createOrderPushes, type OrderPushes, type OrderQuery } from './order-pushes.ts';

/** The most events that one query serves; other work of the process runs between queries. */
const BATCH = 100;

/** The most events that wait for the trading service. If there are more, all orders are compared as after a break. */
const MAX_WAITING = 10_000;

const RETRY_MS = 500;

/** Events were missed: any order may have changed. */
interface Missed extends EventPlace {
  readonly orderId: null;
}

interface OrderFeedOptions {
  readonly readOrders: OrderQuery;
  readonly hub: Hub;
  readonly clock: Clock;
  /** Called with the first error when orders cannot be read, and again only after a read has succeeded. */
  readonly onFault: (error: unknown) => void;
  readonly onResync: () => void;
}

/**
 * Pushes one message for each event of an order, in order, with the present state of the order. One query serves all
 * events that arrived during the previous one. After missed events, orders are compared with their last known states,
 * and those that differ are pushed.
 *
 * The events come from the relay and not from the account's holder, so that events are published even if their holder
 * has crashed after recording them.
 */
export function orderFeed({ readOrders, hub, clock, onFault, onResync }: OrderFeedOptions) {
  let waiting: (OrderEvent | Missed)[] = [];
  /** Undefined while nobody is subscribed to the channel. */
  let pushes: OrderPushes | undefined;
  let newest: EventPlace = { revision: 0 };
  let working = false;
  let failing = false;
  hub.greet('orders', () => void work());

  function add(item: OrderEvent | Missed): void {
    newest = item;
    waiting.push(item);
    if (waiting.length > MAX_WAITING) waiting = [{ ...newest, orderId: null }];
    void work();
  }

  const isFollowed = (): boolean => hub.followers('orders').size > 0;

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    try {
      while (isFollowed() && (pushes === undefined || waiting.length > 0)) {
        if (pushes === undefined) {
          pushes = createOrderPushes(hub, readOrders, await readOrders(null, newest));
        } else await pushNext(pushes);
        failing = false;
      }
      working = false;
    } catch (error) {
      if (!failing) onFault(error);
      failing = true;
      clock.after(RETRY_MS, () => {
        working = false;
        void work();
      });
    }
    if (isFollowed()) return;
    pushes = undefined;
    waiting = [];
  }

  /** Handles the events that one query can serve, or the missed events if they come first. */
  async function pushNext(to: OrderPushes): Promise<void> {
    const missed = waiting.findIndex(({ orderId }) => orderId === null);
    const items = waiting.splice(0, missed === -1 ? BATCH : Math.min(BATCH, Math.max(1, missed)));
    try {
      if (missed === 0) {
        await to.makeUp(items[0]!);
        onResync();
        return;
      }
      await to.tell(items as OrderEvent[]);
    } catch (error) {
      waiting.unshift(...items);
      throw error;
    }
  }

  return {
    heard(event: HeardEvent): void {
      const ofOrder = orderEventOf(event);
      if (ofOrder !== null) add(ofOrder);
    },
    missed: (place: EventPlace): void => add({ ...place, orderId: null }),
  };
}
