import { parsePrice, quantityText, type Price } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { orderOf } from './cancel-order.ts';
import type { SubmitOrder } from './commands.ts';
import { isOpen } from './order-lifecycle.ts';
import { groupOf, leftOf, type AccountState } from './state.ts';
import { closerStop, stopBehind } from './trail.ts';

/**
 * Whether trail and bracket fit the order.
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
  { action, reduce_only, price, last_price }: SubmitOrder,
  { take_profit, stop_loss, trail }: NonNullable<SubmitOrder['bracket']>,
): void {
  if (reduce_only) throw invalid('bracket', 'an order that only reduces opens nothing that could be closed');
  if (take_profit === null && stop_loss === null && trail === null)
    throw invalid('bracket', 'must have a take_profit or a stop_loss');
  if (action === 'buy' && trail !== null && stop_loss === null) {
    const lower = price !== null && price < last_price! ? price : last_price!;
    if (stopBehind(lower, 'sell', trail) <= 0n)
      throw invalid('bracket.trail', 'is more than the price itself');
  }
  if (take_profit === null || stop_loss === null) return;
  const apart = parsePrice(take_profit) - parsePrice(stop_loss);
  if (action === 'buy' ? apart <= 0n : apart >= 0n)
    throw invalid('bracket', `take_profit must be ${action === 'buy' ? 'above' : 'below'} stop_loss`);
}

/** The first stop of a trailing order; `null` for any other order. */
export function firstStopOf({ trail, trails_from, last_price, action }: SubmitOrder): Price | null {
  if (trail === undefined) return null;
  const behind = stopBehind(last_price!, action, trail);
  return trails_from === undefined ? behind : closerStop(behind, trails_from, action);
}

/**
 * The first of the orders that it is linked to; `undefined` where it is alone.
 *
 * @throws {BelegError} `UNKNOWN_ORDER`, `LINK_REFUSED`.
 */
export function linkOf(order: SubmitOrder, state: AccountState): string | undefined {
  if (order.linked_to === undefined) return undefined;
  const other = orderOf(order.linked_to, state);
  if (!isOpen(other.status) || other.cancelRequested) {
    throw refused(`The order is already ${other.cancelRequested ? 'being cancelled' : other.status}`);
  }
  if (other.ticker !== order.ticker) throw refused(`That order is for ${other.ticker}`);
  if (leftOf(other) !== order.quantity) {
    throw refused(`The quantity must be what is left of that order: ${quantityText(leftOf(other))}`);
  }
  return groupOf(other);
}

const refused = (detail: string): BelegError => new BelegError('LINK_REFUSED', { detail });

const invalid = (path: string, message: string): BelegError =>
  new BelegError('INVALID_REQUEST', { errors: [{ path, message }] });
