import { mulDiv, valueOf, type Money, type Price } from '../../events/decimal.ts';
import type { TradingPolicy } from './commands.ts';
import { type OrderState, hasLimit, isAtMarket } from './state.ts';

/** The whole of something, in basis points (hundredths of a percent). */
export const WHOLE_BPS = 10_000n;

/**
 * How much more than its last price a market order reserves when it is submitted, in basis points: 5 %. The next price may
 * be higher, and with this reserve few orders have to be cut when they are filled.
 */
export const COLLAR_BPS = 500n;

/**
 * The price from which the value of an order is calculated, and whether it is the worst possible price. A sale may be
 * filled above its price, and the short position that it opens grows with the price, so the last price counts if it is
 * higher.
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

/**
 * What an order reserves, before the collar is added: the value of the part that opens exposure and is not filled yet.
 */
export function reserveOf(order: OrderState): Money {
  const left = order.quantity - order.filled;
  const opening = left < order.opening ? left : order.opening;
  return opening <= 0n ? 0n : valueOf(opening, priceBasis(order).price);
}

/**
 * A value with the collar added (see `COLLAR_BPS`). The check for zero saves the multiplication, as mostly nothing is
 * reserved.
 */
export const withCollar = (value: Money, { collarBps }: TradingPolicy): Money =>
  value === 0n ? value : mulDiv(value, WHOLE_BPS + collarBps, WHOLE_BPS);
