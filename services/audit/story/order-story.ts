import {
  isOpen,
  type OrderStatus,
  drawOrders,
  nextOrderStatus,
  ORDER_LIFECYCLE,
  type OrderEventType,
} from '../../../actors/trading/order-lifecycle.ts';
import { paperBrokerStream } from '../../../events/catalog/broker.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import type { Position, RecordedEvent, RecordReader } from '../../../events/store/store.ts';
import { memberOf, openEvent } from './open-event.ts';
import { readAfter } from './read-after.ts';
import type { Plot, StorySource } from './plot.ts';
import { Timeline } from './timeline.ts';
import { parseQuantity, type Quantity } from '../../../events/decimal.ts';
import { Walk } from './machine-walk.ts';

/** The form of an id that `orderId` makes. Orders are searched for only by such an id. */
const ORDER_ID = /^o-[0-9a-f]{16}$/;

const ACCOUNTS = accountStream('');

/**
 * An order, by the events of its account and its paper broker. The id does not name the account, so submissions are
 * searched from the newest back; from there the account's stream is read until the order is final.
 */
export async function plotOrder({ store, codec }: StorySource, id: string): Promise<Plot | null> {
  if (!ORDER_ID.test(id)) return null;
  const submission = await findSubmission(store, id);
  if (submission === null) return null;
  const order = new OrderWalk();
  const isAtRest = (): boolean => !isOpen(order.walk.state as OrderStatus);
  const told = new Timeline();
  let end: Position | undefined;
  for await (const event of readOrder(store, submission, isAtRest)) {
    const { data } = await openEvent(codec, event);
    told.add({ event, state: order.take(event.type, data) });
    end = event.position;
  }
  const atBroker = new Timeline();
  const broker = paperBrokerStream(submission.stream.slice(ACCOUNTS.length));
  for await (const event of readAfter(store, broker, submission.position)) {
    // The broker records a report before the account does, so later events of the broker do not concern an order that
    // is at rest.
    if (isAtRest() && end !== undefined && event.position > end) break;
    if (isOf(event, id)) atBroker.add({ event, state: null });
  }
  return { kind: 'order', walk: order.walk, parts: [told, atBroker] };
}

async function findSubmission(store: RecordReader, id: string): Promise<RecordedEvent | null> {
  for await (const event of store.readAll({ direction: 'backwards', types: ['OrderSubmitted'] })) {
    if (isOf(event, id)) return event;
  }
  return null;
}

/**
 * Reads an order from its submission on. Once the order is done, only events that can still follow are searched for.
 */
async function* readOrder(
  store: RecordReader,
  submission: RecordedEvent,
  isAtRest: () => boolean,
): AsyncGenerator<RecordedEvent> {
  const id = memberOf(submission, 'order_id');
  let isDisputed = false;
  for await (const event of store.readStream(submission.stream, { from: submission.revision })) {
    if (!isOf(event, id)) continue;
    yield event;
    isDisputed ||= event.type === 'DiscrepancyFound';
    if (isAtRest()) {
      // A fill can come after a cancellation, and after a discrepancy.
      const maybeFilled = isDisputed || event.type === 'OrderCancelled';
      yield* readLate(store, event, id, maybeFilled);
      return;
    }
  }
}

async function* readLate(
  store: RecordReader,
  { stream, position }: RecordedEvent,
  id: unknown,
  maybeFilled: boolean,
): AsyncGenerator<RecordedEvent> {
  const types = ['DiscrepancyFound', ...(maybeFilled ? ['OrderFilled'] : [])];
  for await (const event of store.readAll({ after: position, types })) {
    if (event.stream !== stream || !isOf(event, id)) continue;
    yield event;
    if (event.type === 'DiscrepancyFound' && !maybeFilled) {
      yield* readLate(store, event, id, true);
      return;
    }
  }
}

const isOf = (event: RecordedEvent, id: unknown): boolean => memberOf(event, 'order_id') === id;

/** The path of one order through its machine, by the account's events. */
class OrderWalk {
  readonly walk = new Walk(ORDER_LIFECYCLE, drawOrders);
  #quantity: Quantity = 0n;
  #filled: Quantity = 0n;

  /**
   * The state of the order after an event with its id; `null` for an event without a transition: a discrepancy, a
   * disputed fill.
   */
  take(type: string, data: Readonly<Record<string, unknown>>): string | null {
    if (type === 'OrderSubmitted') {
      this.#quantity = quantityOf(data['quantity']);
      return this.walk.state;
    }
    if (type === 'OrderFilled') this.#filled += quantityOf(data['quantity']);
    if (type === 'OrderAmended') this.#quantity = quantityOf(data['quantity']);
    if (type === 'OrderAdjusted') {
      this.#quantity = quantityOf(data['quantity']);
      this.#filled = quantityOf(data['filled_quantity']);
    }
    return this.walk.take(type, this.#next(type));
  }

  #next(type: string): OrderStatus | undefined {
    const status = this.walk.state as OrderStatus;
    return isOrderEvent(type) && ORDER_LIFECYCLE.mayFollow(status, type)
      ? nextOrderStatus(status, type, this.#filled < this.#quantity)
      : undefined;
  }
}

const ORDER_EVENTS: ReadonlySet<string> = new Set(ORDER_LIFECYCLE.events);

const isOrderEvent = (type: string): type is OrderEventType => ORDER_EVENTS.has(type);

/** An unreadable amount counts as 0, because `verify` reports damage. */
function quantityOf(text: unknown): Quantity {
  try {
    return typeof text === 'string' ? parseQuantity(text) : 0n;
  } catch {
    return 0n;
  }
}
