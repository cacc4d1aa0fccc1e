import {
  mulDiv,
  optionalPriceText,
  parsePrice,
  quantityText,
  type Price,
  type Quantity,
  type Ratio,
} from '../../events/decimal.ts';
import { leftOf, type OrderState } from '../trading/state.ts';
import { splitTrail } from '../trading/trail.ts';
import { wholeLots } from './fill.ts';

const CENT = 1_000_000n;
const HUNDREDTH_CENT = 10_000n;
const ONE = 100_000_000n;

/** Shares after a split, cut to whole lots toward zero. */
export function splitShares(quantity: Quantity, ratio: Ratio, lot: Quantity): Quantity {
  return wholeLots((quantity * ratio.numerator) / ratio.denominator, lot);
}

/**
 * A limit or stop price after a split, rounded to what exchanges accept: to the cent, below 1 to the hundredth of a
 * cent. It does not become 0, at which nothing trades.
 */
function splitPrice(price: Price, ratio: Ratio): Price {
  const exact = mulDiv(price, ratio.denominator, ratio.numerator);
  const tick = exact < ONE ? HUNDREDTH_CENT : CENT;
  const rounded = mulDiv(exact, 1n, tick) * tick;
  return rounded === 0n && price > 0n ? tick : rounded;
}

/**
 * The stop price of a trailing order after a split, to the eighth decimal place. It is calculated and not stated by
 * anybody, so it is not rounded to cents.
 */
function splitFollowing(price: Price, { numerator, denominator }: Ratio): Price {
  const exact = mulDiv(price, denominator, numerator);
  return exact === 0n && price > 0n ? 1n : exact;
}

/** A recorded price after a split; `null` if there is none. */
export const splitPriceText = (price: string | null, ratio: Ratio): string | null =>
  optionalPriceText(price === null ? null : splitPrice(parsePrice(price), ratio));

/**
 * An open order after a split, at the broker and in the account alike; `null` if nothing of it is left. The filled part and
 * the rest are rounded down separately: together they might make a share that nobody ordered.
 */
export function splitOrder(
  order: Pick<OrderState, 'quantity' | 'filled' | 'price' | 'stop_price' | 'trail'>,
  ratio: Ratio,
  lot: Quantity,
) {
  const left = splitShares(leftOf(order), ratio, lot);
  if (left === 0n) return null;
  const filled = splitShares(order.filled, ratio, lot);
  const adjust = order.trail === undefined ? splitPrice : splitFollowing;
  const priceAfter = (price: Price | null): string | null => optionalPriceText(price && adjust(price, ratio));
  return {
    quantity: quantityText(filled + left),
    filled_quantity: quantityText(filled),
    price: priceAfter(order.price),
    stop_price: priceAfter(order.stop_price),
    ...(order.trail && { trail: splitTrail(order.trail, ratio) }),
  };
}
