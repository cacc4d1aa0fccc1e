import { mulDiv, valueOf, type Money, type Price, type Quantity } from '../../events/decimal.ts';
import type { BrokerOrder } from './broker.ts';
import type { TradingPolicy } from './commands.ts';
import { type AccountState, type OrderState, hasLimit, isAtMarket } from './state.ts';

/** Hundredths of a percent. */
export const WHOLE_BPS = 10_000n;

/**
 * How much of an order would open exposure: what goes beyond the opposite position, less what open orders of the same
 * side take of it already. All of it where nothing is there to be closed, nothing of an order that only reduces.
 */
export function openingQuantity(
  state: AccountState,
  {
    ticker,
    action,
    quantity,
    reduce_only,
  }: Pick<BrokerOrder, 'ticker' | 'action' | 'quantity' | 'reduce_only'>,
): Quantity {
  if (reduce_only) return 0n;
  const held = state.positions.get(ticker)?.quantity ?? 0n;
  const book = state.books.get(ticker);
  const closable = action === 'sell' ? held - (book?.selling ?? 0n) : -held - (book?.buying ?? 0n);
  if (closable <= 0n) return quantity;
  return closable < quantity ? quantity - closable : 0n;
}

/**
 * The price that the value of an order rests on, and whether it is the worst one possible. A sale may always be filled
 * at more than it asks for, and a short position is the larger for it: the last price counts where that is higher.
 */
export function priceBasis(
  order: Pick<OrderState, 'action' | 'type' | 'price' | 'stop_price' | 'reference_price'>,
): { readonly price: Price; readonly limited: boolean } {
  const { reference_price } = order;
  if (isAtMarket(order.type)) return { price: reference_price, limited: false };
  const limited = hasLimit(order.type);
  const stated = (limited ? order.price : order.stop_price) ?? reference_price;
  if (order.action === 'buy') return { price: stated, limited };
  return { price: stated > reference_price ? stated : reference_price, limited: false };
}

/** What the part of an order that opens exposure and is not filled yet takes, before any collar. */
export function reserveOf(order: OrderState): Money {
  const left = order.quantity - order.filled;
  const opening = left < order.opening ? left : order.opening;
  return opening <= 0n ? 0n : valueOf(opening, priceBasis(order).price);
}

/** A value with the collar on it: the next price may be so much higher. */
export const withCollar = (value: Money, { collarBps }: TradingPolicy): Money =>
  mulDiv(value, WHOLE_BPS + collarBps, WHOLE_BPS);

/**
 * What may be spent on new exposure: settled cash, less what open orders would take, less twice what short positions
 * are worth. Once, because their proceeds are in the cash and will be needed to buy back; and once more as their
 * collateral, so that a short position ties up as much as a long one of the same size.
 */
export function freeFunds(state: AccountState, policy: TradingPolicy): Money {
  let free = state.cash - state.reservedAtLimit - withCollar(state.reservedAtMarket, policy);
  for (const [ticker, { quantity }] of state.positions) {
    if (quantity < 0n) free += 2n * valueOf(quantity, markOf(state, ticker));
  }
  return free;
}

export const markOf = (state: AccountState, ticker: string): Price => state.marks.get(ticker) ?? 0n;

/** Sales that are not settled yet. */
export const unsettledCash = (state: AccountState): Money =>
  state.unsettled.reduce((sum, { amount }) => sum + amount, 0n);

/** Cash, settled or not, and positions at their marks; `closes` go before the marks. */
export function totalValue(state: AccountState, closes?: ReadonlyMap<string, Price>): Money {
  let value = state.cash + unsettledCash(state);
  for (const [ticker, { quantity }] of state.positions) {
    if (quantity !== 0n) value += valueOf(quantity, closes?.get(ticker) ?? markOf(state, ticker));
  }
  return value;
}
