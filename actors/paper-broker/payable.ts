import { abs, moneyText, priceText, quantityText, valueOf } from '../../events/decimal.ts';
import type { Money, Price, Quantity } from '../../events/decimal.ts';
import type { OrderAction } from '../trading/broker.ts';
import { collateralOf } from '../trading/funds.ts';
import type { Book } from './book.ts';

/** The trade that would be made with enough money. */
interface Wish {
  readonly ticker: string;
  readonly action: OrderAction;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly lot: Quantity;
  /** The fee of a fill of this quantity. It must not fall as the quantity rises. */
  readonly fee: (quantity: Quantity) => Money;
}

/**
 * The part of a wish that can be paid for, its fee, and what is missing for the whole wish; `null` if nothing is
 * missing.
 */
interface Payable {
  readonly quantity: Quantity;
  readonly fee: Money;
  readonly missing: string | null;
}

/**
 * How much of a fill the account can pay for, in whole lots and including the fee. A fill that closes a position is
 * never held back. If nobody stated the funds, the whole fill can be paid.
 */
export function payable(wish: Wish, { funds, positions }: Pick<Book, 'funds' | 'positions'>): Payable {
  const { ticker, action, quantity, price } = wish;
  const fee = wish.fee(quantity);
  const held = positions.get(ticker) ?? 0n;
  const against = action === 'buy' ? -held : held;
  const closing = against <= 0n ? 0n : against < quantity ? against : quantity;
  if (funds === null || closing === quantity) return { quantity, fee, missing: null };
  // The closing part comes first. `short` is the short position in this ticker.
  const short = held < 0n ? held : 0n;
  let free = funds.cash;
  // Goes over the marks, which are few: only short positions have a mark here.
  for (const other of funds.marks.keys()) {
    const shares = other === ticker ? 0n : (positions.get(other) ?? 0n);
    if (shares < 0n) free -= collateralOf(shares, funds.marks.get(other)!);
  }
  if (action === 'buy') free -= valueOf(closing, price);
  else if (closing === 0n) free -= collateralOf(short, price);
  else if (funds.salesSettle) free += valueOf(closing, price);

  const cost = valueOf(quantity - closing, price) + fee;
  return cost <= free ? { quantity, fee, missing: null } : payableOf(wish, closing, free, cost);
}

/** The largest number of whole lots that the free funds can pay for, when they are too little for all. */
function payableOf(wish: Wish, closing: Quantity, free: Money, cost: Money): Payable {
  const { quantity, price, lot, fee } = wish;
  const isPayable = (of: Quantity): boolean =>
    of <= closing || valueOf(of - closing, price) + fee(of) <= free;
  let [most, tooMuch] = [0n, quantity / lot];
  while (tooMuch - most > 1n) {
    const between = (most + tooMuch) / 2n;
    if (isPayable(between * lot)) most = between;
    else tooMuch = between;
  }
  const paid = most * lot;
  return { quantity: paid, fee: fee(paid), missing: missing(wish, cost, free, quantity - closing) };
}

/** Says in words what is missing, in whole hundredths, so that the figures add up. */
function missing({ price, quantity, fee }: Wish, cost: Money, free: Money, opening: Quantity): string {
  const [needed, there] = [roundedUp(cost), free > 0n ? -roundedUp(-free) : 0n];
  const fees = roundedUp(fee(quantity));
  return (
    `INSUFFICIENT_FUNDS: ${quantityText(opening)} at ${priceText(price)} with a fee of ${moneyText(fees)} cost ` +
    `${moneyText(needed)}, ${moneyText(needed - there)} more than the ${moneyText(there)} that could be paid`
  );
}

const HUNDREDTH: Money = 10n ** 14n;

function roundedUp(amount: Money): Money {
  const rest = abs(amount) % HUNDREDTH;
  if (rest === 0n) return amount;
  return amount > 0n ? amount + HUNDREDTH - rest : amount + rest;
}
