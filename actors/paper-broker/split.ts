import { mulDiv, type Price, type Quantity, type Ratio } from '../../events/decimal.ts';
import { wholeLots } from './fill.ts';

const CENT = 1_000_000n;
const HUNDREDTH_CENT = 10_000n;
const ONE = 100_000_000n;

/** Shares after a split, cut to whole lots toward zero. */
export function splitShares(quantity: Quantity, ratio: Ratio, lot: Quantity): Quantity {
  return wholeLots((quantity * ratio.numerator) / ratio.denominator, lot);
}

/** An order's price after a split: to the cent, below 1 to the hundredth of a cent. */
export function splitPrice(price: Price, ratio: Ratio): Price {
  const exact = mulDiv(price, ratio.denominator, ratio.numerator);
  const tick = exact < ONE ? HUNDREDTH_CENT : CENT;
  return mulDiv(exact, 1n, tick) * tick;
}
