import type { HeardEvent } from './account-events.ts';
import type { Clock } from '../../../clock.ts';
import type { Hub } from './hub.ts';
import { orderEventOf, type OrderEvent } from './order-events.ts';
import { OrderPushes, type OrderQueries } from './order-pushes.ts';

/** Events of one query: what else the process does comes in between. */
const BATCH = 100;

/** Events that wait for the trading service to answer; beyond it they are made up for like missed ones. */
const MAX_WAITING = 10_000;

const RETRY_MS = 500;

/** Something else to do, when what came before it is done. */
interface Look {
  readonly event: null;
  readonly revision: number;
  /** Null: events were missed, any order may have changed. */
  readonly orderIds: readonly string[] | null;
}

interface OrderFeedOptions extends OrderQueries {
  readonly hub: Hub;
  readonly clock: Clock;
  /** Told once, until orders can be read again. */
  readonly onFault: (error: unknown) => void;
  readonly onResync: () => void;
}

/**
 * Pushes one message for each event of an order, in order, with the order as it stands. One query serves all events that
 * came while the last one was under way. What was missed is made up for: orders are compared with how they stood when
 * they were last seen, and those that differ are pushed. So is one that was asked for too early to show its event.
 */
export class OrderFeed {
  readonly #options: OrderFeedOptions;
  #waiting: (OrderEvent | Look)[] = [];
  /** Undefined while nobody follows. */
  #pushes: OrderPushes | undefined;
  readonly #secondLook: SecondLook;
  /** The newest that was heard of. */
  #revision = 0;
  #working = false;
  #failing = false;

  constructor(options: OrderFeedOptions) {
    this.#options = options;
    this.#secondLook = new SecondLook(options.clock, (orderIds) => {
      this.#add({ event: null, revision: this.#revision, orderIds });
    });
    options.hub.greet('orders', () => void this.#work());
  }

  heard(event: HeardEvent): void {
    const ofOrder = orderEventOf(event);
    if (ofOrder !== null) this.#add(ofOrder);
  }

  missed(revision: number): void {
    this.#add({ event: null, revision, orderIds: null });
  }

  #add(item: OrderEvent | Look): void {
    this.#revision = item.revision;
    this.#waiting.push(item);
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting = [{ event: null, revision: item.revision, orderIds: null }];
    }
    void this.#work();
  }

  #isFollowed(): boolean {
    return this.#options.hub.followers('orders').size > 0;
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    try {
      while (this.#isFollowed() && (this.#pushes === undefined || this.#waiting.length > 0)) {
        if (this.#pushes === undefined) {
          this.#pushes = await OrderPushes.begin(this.#options.hub, this.#options);
        } else await this.#pushNext(this.#pushes);
        this.#failing = false;
      }
      this.#working = false;
    } catch (error) {
      if (!this.#failing) this.#options.onFault(error);
      this.#failing = true;
      this.#options.clock.after(RETRY_MS, () => {
        this.#working = false;
        void this.#work();
      });
    }
    if (this.#isFollowed()) return;
    this.#pushes = undefined;
    this.#waiting = [];
  }

  async #pushNext(pushes: OrderPushes): Promise<void> {
    const items = this.#takeNext();
    const [first] = items;
    try {
      if (first?.event === null) await this.#look(pushes, first);
      else await this.#tell(pushes, items as OrderEvent[]);
    } catch (error) {
      this.#waiting.unshift(...items);
      throw error;
    }
  }

  /** The events that one query can serve, or the one look before them. */
  #takeNext(): (OrderEvent | Look)[] {
    const look = this.#waiting.findIndex(({ event }) => event === null);
    if (look === 0) return this.#waiting.splice(0, 1);
    return this.#waiting.splice(0, look === -1 ? BATCH : Math.min(BATCH, look));
  }

  async #tell(pushes: OrderPushes, events: readonly OrderEvent[]): Promise<void> {
    await pushes.tell(events);
    for (const { orderId } of events) this.#secondLook.at(orderId);
  }

  async #look(pushes: OrderPushes, { revision, orderIds }: Look): Promise<void> {
    if (orderIds !== null) return pushes.lookAgain(orderIds, revision);
    await pushes.makeUp(revision);
    this.#options.onResync();
  }
}

/** By twice this time the trading service has got to what was on record before. */
const PERIOD_MS = 500;

/**
 * An event is on the bus when it is on record, and that may be before the service that recorded it has got to it: an
 * order that is asked for then does not show it yet. So each is looked at once more, half a second to a second later,
 * all of a period at once.
 */
class SecondLook {
  readonly #clock: Clock;
  readonly #look: (orderIds: readonly string[]) => void;
  #young = new Set<string>();
  #due = new Set<string>();
  #waiting = false;

  constructor(clock: Clock, look: (orderIds: readonly string[]) => void) {
    this.#clock = clock;
    this.#look = look;
  }

  at(orderId: string): void {
    this.#young.add(orderId);
    if (!this.#waiting) this.#wait();
  }

  #wait(): void {
    this.#waiting = true;
    this.#clock.after(PERIOD_MS, () => {
      const due = this.#due;
      this.#due = this.#young;
      this.#young = new Set();
      this.#waiting = false;
      if (this.#due.size > 0) this.#wait();
      if (due.size > 0) this.#look([...due]);
    });
  }
}
