import {
  drawOrders,
  nextOrderStatus,
  ORDER_LIFECYCLE,
  type OrderEventType,
  type OrderStatus,
} from '../../../actors/trading/order-lifecycle.ts';
import { parseQuantity, type Quantity } from '../../../events/decimal.ts';
import { Walk } from './walk.ts';

/** What an account's events make of one order. */
export class OrderWalk {
  readonly walk = new Walk(ORDER_LIFECYCLE, drawOrders);
  #quantity: Quantity = 0n;
  #filled: Quantity = 0n;

  /** Where the order stands after an event with its id; `null` for one that leads nowhere: a discrepancy, a disputed fill. */
  take(type: string, data: Readonly<Record<string, unknown>>): string | null {
    if (type === 'OrderSubmitted') {
      this.#quantity = quantityOf(data['quantity']);
      return this.walk.state;
    }
    if (type === 'OrderFilled') this.#filled += quantityOf(data['quantity']);
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

const ORDER_EVENTS = [...new Set(Object.values(ORDER_LIFECYCLE.table).flatMap((on) => Object.keys(on)))];

const isOrderEvent = (type: string): type is OrderEventType => ORDER_EVENTS.includes(type);

/** What cannot be read counts as nothing: whether the record is whole is for `verify` to say. */
function quantityOf(text: unknown): Quantity {
  try {
    return typeof text === 'string' ? parseQuantity(text) : 0n;
  } catch {
    return 0n;
  }
}
