import type { Quantity } from '../../events/decimal.ts';
import { priceBasis, reserveOf } from './exposure.ts';
import { isOpen } from './order-lifecycle.ts';
import { leftOf, type AccountState, type OrderState, type TickerBook } from './state.ts';

/**
 * Changes an order and keeps what is summed over open orders: quantities working in its ticker, and reserves. Every
 * change of an order's status, quantity or prices goes through here.
 */
export function changeOrder(
  state: AccountState,
  order: OrderState,
  change: (order: OrderState) => void,
): void {
  count(state, order, -1n);
  change(order);
  if (isOpen(order.status)) {
    count(state, order, 1n);
    return;
  }
  order.cancelRequested = false;
  state.open.delete(order.order_id);
  const book = state.books.get(order.ticker);
  book?.orders.delete(order);
  if (book?.orders.size === 0) state.books.delete(order.ticker);
}

/** Takes a new order in. */
export function enterOrder(state: AccountState, order: OrderState): void {
  state.orders.set(order.order_id, order);
  if (!isOpen(order.status)) return;
  state.open.set(order.order_id, order);
  bookOf(state, order.ticker).orders.add(order);
  count(state, order, 1n);
}

function bookOf(state: AccountState, ticker: string): TickerBook {
  let book = state.books.get(ticker);
  if (book === undefined) {
    book = { buying: 0n, selling: 0n, orders: new Set() };
    state.books.set(ticker, book);
  }
  return book;
}

/** Adds (`1n`) or takes away (`-1n`) what an open order counts for; nothing for one that is done. */
function count(state: AccountState, order: OrderState, sign: Quantity): void {
  if (!isOpen(order.status)) return;
  const book = bookOf(state, order.ticker);
  const left = leftOf(order) * sign;
  if (order.action === 'buy') book.buying += left;
  else book.selling += left;
  if (order.opening === 0n) return;
  const reserve = reserveOf(order) * sign;
  if (priceBasis(order).limited) state.reservedAtLimit += reserve;
  else state.reservedAtMarket += reserve;
}
