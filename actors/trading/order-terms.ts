import { parsePrice, quantityText, type Price, type Quantity } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import type { SubmitOrder, TradingPolicy } from './commands.ts';
import { isOpen } from './order-lifecycle.ts';
import {
  groupOf,
  hasLimit,
  hasStop,
  isAtMarket,
  leftOf,
  orderOf,
  type AccountState,
  type OrderState,
} from './state.ts';
import { closerStop, stopBehind } from './trail.ts';

/**
 * The prices of an order. A stop order's price is its stop price: both fields have it, whichever of the two its client
 * gave.
 */
export function pricesOf({ type, price, stop_price }: SubmitOrder): {
  price: Price | null;
  stop_price: Price | null;
} {
  if (hasLimit(type) || !hasStop(type)) return { price, stop_price };
  return { price: price ?? stop_price, stop_price: price ?? stop_price };
}

const given = (price: Price | null): boolean => price !== null && price > 0n;

/**
 * Checks that the order has the prices that its type needs, and no others.
 *
 * @throws {BelegError} `PRICE_REQUIRED`, `INVALID_REQUEST`.
 */
export function requirePrices(order: SubmitOrder): void {
  const { type } = order;
  const { price, stop_price } = pricesOf(order);
  if (hasLimit(type) && hasStop(type)) {
    if (given(price) && given(stop_price)) return;
    throw new BelegError('PRICE_REQUIRED', { detail: 'A stop_limit order needs both price and stop_price' });
  }
  if (!isAtMarket(type) && !given(price) && order.trail === undefined) throw new BelegError('PRICE_REQUIRED');
  if (order.stop_price === null || (hasStop(type) && order.stop_price === price)) return;
  // A client that gives a price which its type of order does not use probably means another type.
  const message = 'is only for stop_limit orders; for a stop order, put the stop price in price';
  throw invalid('stop_price', message);
}

/**
 * Checks that a quantity is a multiple of the lot.
 *
 * @throws {BelegError} `QUANTITY_STEP`.
 */
export function requireStep(quantity: Quantity, { lot }: TradingPolicy): void {
  if (quantity > 0n && quantity % lot === 0n) return;
  throw new BelegError('QUANTITY_STEP', {
    detail: `The quantity must be a multiple of ${quantityText(lot)}`,
  });
}

/**
 * Checks that trail and bracket fit the order.
 *
 * @throws {BelegError} `INVALID_REQUEST`.
 */
export function checkTerms(order: SubmitOrder): void {
  const { type, trail, price, stop_price, bracket } = order;
  if (trail !== undefined) {
    if (type !== 'stop') throw invalid('trail', 'is only for stop orders');
    if (price !== null || stop_price !== null)
      throw invalid('price', 'a stop that trails begins behind the last price: it has no price of its own');
    if (firstStopOf(order)! <= 0n) throw invalid('trail', 'is more than the price itself');
  }
  if (bracket !== undefined) checkBracket(order, bracket);
}

function checkBracket(
  order: SubmitOrder,
  { take_profit, stop_loss, trail }: NonNullable<SubmitOrder['bracket']>,
): void {
  const { action, reduce_only } = order;
  if (reduce_only) throw invalid('bracket', 'an order that only reduces opens nothing that could be closed');
  if (take_profit === null && stop_loss === null && trail === null)
    throw invalid('bracket', 'must have a take_profit or a stop_loss');
  const entry = entryOf(order);
  if (action === 'buy' && trail !== null && stop_loss === null && stopBehind(entry, 'sell', trail) <= 0n)
    throw invalid('bracket.trail', 'is more than the price itself');
  if (stop_loss !== null && !isWorse(parsePrice(stop_loss), entry, action))
    throw invalid('bracket.stop_loss', `must be ${action === 'buy' ? 'below' : 'above'} the price`);
  if (take_profit === null || stop_loss === null) return;
  const apart = parsePrice(take_profit) - parsePrice(stop_loss);
  if (action === 'buy' ? apart <= 0n : apart >= 0n)
    throw invalid('bracket', `take_profit must be ${action === 'buy' ? 'above' : 'below'} stop_loss`);
}

/** Whether a position that this action opens loses when the price goes from `from` to `to`. */
const isWorse = (to: Price, from: Price, action: SubmitOrder['action']): boolean =>
  action === 'buy' ? to < from : to > from;

/** The price of the fill if the order were filled next: the last price, or a limit or stop price still to be reached. */
function entryOf({ type, action, price, stop_price, last_price }: SubmitOrder): Price {
  const [last, stop] = [last_price!, hasLimit(type) ? stop_price : (price ?? stop_price)];
  const reached = hasStop(type) && stop !== null && isWorse(last, stop, action) ? stop : last;
  return hasLimit(type) && isWorse(price!, reached, action) ? price! : reached;
}

/** The first stop of a trailing order; `null` for any other order. */
export function firstStopOf({ trail, trails_from, last_price, action }: SubmitOrder): Price | null {
  if (trail === undefined) return null;
  const behind = stopBehind(last_price!, action, trail);
  return trails_from === undefined ? behind : closerStop(behind, trails_from, action);
}

/** The error for an order that is done and cannot be changed any more. */
export const alreadyDone = ({ status, cancelRequested }: OrderState): string =>
  `The order is already ${cancelRequested && isOpen(status) ? 'being cancelled' : status}`;

/**
 * The id of the first of the orders that this one is linked to; `undefined` if it is not linked.
 *
 * @throws {BelegError} `UNKNOWN_ORDER`, `LINK_REFUSED`.
 */
export function linkOf(order: SubmitOrder, state: AccountState): string | undefined {
  if (order.linked_to === undefined) return undefined;
  const other = orderOf(order.linked_to, state);
  if (!isOpen(other.status) || other.cancelRequested) {
    throw refused(alreadyDone(other));
  }
  if (other.ticker !== order.ticker) throw refused(`That order is for ${other.ticker}`);
  if (leftOf(other) !== order.quantity) {
    throw refused(`The quantity must be what is left of that order: ${quantityText(leftOf(other))}`);
  }
  return groupOf(other);
}

const refused = (detail: string): BelegError => new BelegError('LINK_REFUSED', { detail });

export const invalid = (path: string, message: string): BelegError =>
  new BelegError('INVALID_REQUEST', { errors: [{ path, message }] });
