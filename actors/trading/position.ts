import { abs, mulDiv, valueOf, type Money, type Price, type Quantity } from '../../events/decimal.ts';
import type { OrderAction } from './broker.ts';
import type { AccountState, PositionState } from './state.ts';

export const flat = (): PositionState => ({
  quantity: 0n,
  ofStrategy: 0n,
  cost: 0n,
  realized: 0n,
  dividends: 0n,
  borrowing: 0n,
  fees: 0n,
  priced: null,
});

export const heldOf = ({ positions }: AccountState, ticker: string): Quantity =>
  positions.get(ticker)?.quantity ?? 0n;

/** The quantity with a sign: positive for a purchase, negative for a sale. */
export const signed = (action: OrderAction, quantity: Quantity): Quantity =>
  action === 'buy' ? quantity : -quantity;

/**
 * Books a fill at average cost: what closes takes its share of the cost along and realizes the difference; what opens
 * (also beyond zero) adds its value. The fee is realized at once. Writes to the position that it is given.
 *
 * Cash changes by `-quantity × price - fee`, which always equals the change of `realized - cost`.
 */
export function bookFill(
  position: Pick<PositionState, 'quantity' | 'cost' | 'realized' | 'fees'>,
  quantity: Quantity,
  price: Price,
  fee: Money,
): void {
  const held = position.quantity;
  const closes = held > 0n === quantity > 0n ? 0n : abs(held) < abs(quantity) ? held : -quantity;
  const opens = quantity + closes;
  if (closes !== 0n) {
    const cost = mulDiv(position.cost, closes, held);
    position.realized += valueOf(closes, price) - cost;
    position.cost -= cost;
  }
  position.quantity = held + quantity;
  position.cost += valueOf(opens, price);
  position.realized -= fee;
  position.fees += fee;
}

/**
 * Adjusts the strategy's share of a position after each change of the quantity: it gets what it opened, and loses what
 * is no longer there. A sale by hand first takes the shares that were bought by hand.
 */
export function attribute(position: PositionState, ofStrategy: Quantity): void {
  const { quantity } = position;
  const sameSide = ofStrategy > 0n === quantity > 0n;
  position.ofStrategy = !sameSide ? 0n : abs(ofStrategy) < abs(quantity) ? ofStrategy : quantity;
}

/** Notes which side a position is on. Called after each change of the quantity. */
export function noteSide({ shorts }: AccountState, ticker: string, { quantity }: PositionState): void {
  if (quantity < 0n) shorts.add(ticker);
  else if (shorts.size > 0) shorts.delete(ticker);
}

/** The value of a position less its cost: negative for a loss. */
export const unrealized = ({ quantity, cost }: PositionState, mark: Price): Money =>
  valueOf(quantity, mark) - cost;
