import type { HeardEvent } from './account-events.ts';
import type { Clock } from '../../../foundation/clock.ts';
import type { Hub } from './subscriptions.ts';
import { orderEventOf, RESYNC, type OrderEvent } from './order-events.ts';
import { createOrderPushes, type OrderPushes, type OrderQuery } from './order-pushes.ts';

/** The events that one query serves; other work of the process runs in between. */
const BATCH = 100;

/** The events that may wait for the trading service; if there are more, all orders are compared as after a break. */
const MAX_WAITING = 10_000;

const RETRY_MS = 500;

/** Events were missed: any order may have changed. */
interface Missed {
  readonly event: typeof RESYNC;
  readonly revision: number;
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
 * events that came during the previous one. After missed events, orders are compared with their last known states, and
 * those that differ are pushed. The same is done for an order that was read too early to show its event.
 */
export function orderFeed({ readOrders, hub, clock, onFault, onResync }: OrderFeedOptions) {
  let waiting: (OrderEvent | Missed)[] = [];
  /** Undefined while nobody follows the channel. */
  let pushes: OrderPushes | undefined;
  /** The newest revision that was heard. */
  let newest = 0;
  let working = false;
  let failing = false;
  const lookSoon = lookAgain(clock, (orderIds) => {
    const revision = newest;
    add(...orderIds.map((orderId) => ({ event: RESYNC, revision, orderId })));
  });
  hub.greet('orders', () => void work());

  function add(...items: readonly (OrderEvent | Missed)[]): void {
    waiting.push(...items);
    if (waiting.length > MAX_WAITING) {
      waiting = [{ event: RESYNC, revision: newest, orderId: null }];
    }
    void work();
  }

  const isFollowed = (): boolean => hub.followers('orders').size > 0;

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    try {
      while (isFollowed() && (pushes === undefined || waiting.length > 0)) {
        if (pushes === undefined) {
          pushes = createOrderPushes(hub, readOrders, await readOrders(null));
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
        await to.makeUp(items[0]!.revision);
        onResync();
        return;
      }
      const events = items as OrderEvent[];
      await to.tell(events);
      for (const { event, orderId } of events) if (event !== RESYNC) lookSoon(orderId);
    } catch (error) {
      waiting.unshift(...items);
      throw error;
    }
  }

  return {
    heard(event: HeardEvent): void {
      const ofOrder = orderEventOf(event);
      if (ofOrder === null) return;
      newest = ofOrder.revision;
      add(ofOrder);
    },
    missed(revision: number): void {
      newest = revision;
      add({ event: RESYNC, revision, orderId: null });
    },
  };
}

/** The trading service has processed an event by twice this time after its recording. */
const PERIOD_MS = 500;

/**
 * An event may be on the bus before the service that recorded it has processed it, and an order that is read then does
 * not show it. So each order is read once more, half a second to a second later, all orders of a period in one query.
 */
function lookAgain(clock: Clock, look: (orderIds: readonly string[]) => void): (orderId: string) => void {
  let young = new Set<string>();
  let due = new Set<string>();
  let waiting = false;
  const wait = (): void => {
    waiting = true;
    clock.after(PERIOD_MS, () => {
      const old = due;
      due = young;
      young = new Set();
      waiting = false;
      if (due.size > 0) wait();
      if (old.size > 0) look([...old]);
    });
  };
  return (orderId) => {
    young.add(orderId);
    if (!waiting) wait();
  };
}
