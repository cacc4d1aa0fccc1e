import type { Quantity } from '../../events/decimal.ts';
import { priceBasis, reserveOf } from './order-reserve.ts';
import { isOpen } from './order-lifecycle.ts';
import { heldOf } from './position.ts';
import { leftOf, type AccountState, type OrderState, type TickerBook } from './state.ts';

/**
 * Changes an order and updates the sums over open orders: open quantities of its ticker, and reserves. Every change of
 * an order's status, quantity or prices goes through here.
 */
export function changeOrder(state: AccountState, order: OrderState, change: () => void): void {
  const wasOpen = isOpen(order.status);
  if (wasOpen) count(state, order, false);
  change();
  if (isOpen(order.status)) count(state, order, true);
  else if (wasOpen) close(state, order);
}

/**
 * How many orders that are done are kept. A late report of the broker is about one of them, and the limit bounds memory
 * and snapshots. A caller that asks for an earlier order by its `client_order_id` gives its record along.
 */
export const KEPT_DONE = 10_000;

function close(state: AccountState, order: OrderState): void {
  state.open.delete(order.order_id);
  state.done.add(order.order_id);
  if (state.done.size > KEPT_DONE) letGo(state, oldestOf(state.done));
  const { orders } = bookOf(state, order.ticker);
  // Mostly the order is the only one of its ticker. Deleting the last entry of a set makes V8 allocate a new table, so
  // the whole set is dropped.
  if (orders.size === 1) state.books.delete(order.ticker);
  else orders.delete(order);
}

/** An iterator at the oldest entry of each set. A new one would first step over everything that was deleted before. */
const fronts = new WeakMap<ReadonlySet<string>, Iterator<string>>();

function oldestOf(done: ReadonlySet<string>): string {
  let front = fronts.get(done);
  if (front === undefined) {
    front = done.values();
    fronts.set(done, front);
  }
  return front.next().value as string;
}

function letGo(state: AccountState, orderId: string): void {
  // If no order has a client's id, the order need not be looked up.
  const client = state.clientOrders.size > 0 ? state.orders.get(orderId)?.client_order_id : null;
  if (typeof client === 'string') state.clientOrders.delete(client);
  state.done.delete(orderId);
  state.orders.delete(orderId);
}

/** Adds a new order. */
export function enterOrder(state: AccountState, order: OrderState): void {
  state.orders.set(order.order_id, order);
  if (!isOpen(order.status)) return;
  state.open.set(order.order_id, order);
  bookOf(state, order.ticker).orders.add(order);
  count(state, order, true);
}

function bookOf(state: AccountState, ticker: string): TickerBook {
  let book = state.books.get(ticker);
  if (book === undefined) {
    book = { buying: 0n, selling: 0n, orders: new Set() };
    state.books.set(ticker, book);
  }
  return book;
}

/** A copy of the account without this open order. */
export function withoutOrder(state: AccountState, order: OrderState): AccountState {
  const { buying, selling, orders } = bookOf(state, order.ticker);
  const others = new Set([...orders].filter((other) => other !== order));
  const books = new Map(state.books).set(order.ticker, { buying, selling, orders: others });
  const without = { ...state, books };
  count(without, order, false);
  return without;
}

/** Adds an open order to the sums, or takes it away. */
function count(state: AccountState, order: OrderState, add: boolean): void {
  const book = bookOf(state, order.ticker);
  const counted = (sum: bigint, much: bigint): bigint => (add ? sum + much : sum - much);
  if (order.action === 'buy') book.buying = counted(book.buying, leftOf(order));
  else book.selling = counted(book.selling, leftOf(order));
  if (order.opening === 0n) return;
  const reserve = reserveOf(order);
  if (priceBasis(order).limited) state.reservedAtLimit = counted(state.reservedAtLimit, reserve);
  else state.reservedAtMarket = counted(state.reservedAtMarket, reserve);
}

/** A fill that is decided on but not in the state yet. */
export interface PendingFill {
  readonly order_id: string;
  readonly ticker: string;
  /** Negative for a sale. */
  readonly quantity: Quantity;
}

/**
 * The open orders that could open exposure: those beyond the quantity that can be closed. Orders that only reduce come
 * first, then older ones.
 */
export function exposingOrders(state: AccountState, fill?: PendingFill): OrderState[] {
  const exposing: OrderState[] = [];
  // Sorted by ticker, so that a state from a snapshot decides in the same order.
  for (const ticker of [...state.books.keys()].toSorted()) {
    const orders = state.books.get(ticker)!.orders;
    let held = heldOf(state, ticker);
    if (fill?.ticker === ticker) held += fill.quantity;
    let sellable = held;
    let coverable = -held;
    for (const order of reducingFirst(orders)) {
      if (order.order_id === fill?.order_id) continue;
      const closable = order.action === 'sell' ? sellable : coverable;
      if (!order.reduce_only && leftOf(order) > closable) exposing.push(order);
      else if (order.action === 'sell') sellable -= leftOf(order);
      else coverable -= leftOf(order);
    }
  }
  return exposing;
}

function reducingFirst(orders: ReadonlySet<OrderState>): OrderState[] {
  return [...orders].toSorted((a, b) => Number(b.reduce_only) - Number(a.reduce_only));
}
