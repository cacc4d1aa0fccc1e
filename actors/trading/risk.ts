import {
  abs,
  mulDiv,
  valueOf,
  type Money,
  type Quantity,
  moneyText,
  quantityText,
} from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { totalValue } from './account-value.ts';
import type { BrokerOrder } from './broker.ts';
import type { TradingPolicy } from './commands.ts';
import { freeFunds } from './funds.ts';
import { priceBasis, WHOLE_BPS, withCollar } from './order-reserve.ts';
import { heldOf, signed } from './position.ts';
import { leftOf, linkedTo, type AccountState, type OrderState } from './state.ts';

/** The part of an order that would open exposure. */
type Exposure = Pick<
  OrderState,
  'ticker' | 'action' | 'type' | 'quantity' | 'price' | 'stop_price' | 'reference_price'
>;

/**
 * Checks that the account may take this exposure on. An order that only reduces exposure is never refused, so it is not
 * checked here.
 *
 * @throws {BelegError} `TRADING_INACTIVE`, `TRADING_HALTED`, `SHORT_NOT_ALLOWED`, `RISK_LIMIT`, `INSUFFICIENT_FUNDS`.
 */
export function admitExposure(exposure: Exposure, state: AccountState, policy: TradingPolicy): void {
  if (state.engine === 'stopped') throw new BelegError('TRADING_INACTIVE');
  if (state.engine === 'halted') throw new BelegError('TRADING_HALTED');
  if (exposure.action === 'sell' && !policy.shorting) throw shortNotAllowed(exposure, state);
  const { price, limited } = priceBasis(exposure);
  const value = valueOf(exposure.quantity, price);
  const [needed, free] = [limited ? value : withCollar(value, policy), freeFunds(state, policy)];
  if (needed > free) {
    const rest = 'the rest is reserved for open orders and short positions, or not settled';
    const detail = `${moneyText(needed)} is needed; ${moneyText(free)} of ${moneyText(state.cash)} is free, ${rest}`;
    throw new BelegError('INSUFFICIENT_FUNDS', { detail });
  }
  if (policy.maxOrderValue !== null && value > policy.maxOrderValue) {
    throw new BelegError('RISK_LIMIT', { detail: 'The value of the order exceeds the limit for one order' });
  }
  const room = positionRoom(exposure, state, policy);
  if (room !== null && valueOf(exposure.quantity, exposure.reference_price) > room) {
    throw new BelegError('RISK_LIMIT', {
      detail: 'The position would exceed the largest allowed share of the account',
    });
  }
}

function shortNotAllowed({ ticker }: Exposure, state: AccountState): BelegError {
  const [held, selling] = [heldOf(state, ticker), state.books.get(ticker)?.selling ?? 0n];
  if (selling === 0n || held <= 0n) return new BelegError('SHORT_NOT_ALLOWED');
  const detail =
    `${quantityText(held)} are held, and open orders sell ${quantityText(selling)} of them already, exits of brackets included; ` +
    'cancel those, or send the order with reduce_only, which cuts each fill to what is held';
  return new BelegError('SHORT_NOT_ALLOWED', { detail });
}

/**
 * How far a position may still grow on one side, at its last price, once all open orders of that side are filled;
 * `null`: without limit.
 */
export function positionRoom(
  order: Pick<Exposure, 'ticker' | 'action' | 'reference_price'>,
  state: AccountState,
  { maxPositionBps }: TradingPolicy,
): Money | null {
  if (maxPositionBps === null) return null;
  const reached = reachedBy(order, state);
  // Closing an opposite position uses up none of the room.
  const used = reached > 0n === (order.action === 'buy') ? valueOf(abs(reached), order.reference_price) : 0n;
  return mulDiv(totalValue(state), maxPositionBps, WHOLE_BPS) - used;
}

/**
 * How much of an order would open exposure: the quantity beyond the opposite position. Open orders of the same side
 * come first in closing that position. It is the whole order if there is nothing to close, and 0 for an order that only
 * reduces.
 */
export function openingQuantity(
  state: AccountState,
  order: Pick<BrokerOrder, 'order_id' | 'ticker' | 'action' | 'quantity' | 'reduce_only' | 'linked_to'>,
): Quantity {
  const { action, quantity, reduce_only, linked_to } = order;
  if (reduce_only) return 0n;
  const reached = reachedBy(order, state);
  let closable = action === 'sell' ? reached : -reached;
  // Only one of linked orders is filled, so the exposure that the other orders reserve covers this one too.
  if (linked_to !== undefined)
    for (const other of linkedTo(state, order)) if (other.action === action) closable += leftOf(other);
  if (closable <= 0n) return quantity;
  return closable < quantity ? quantity - closable : 0n;
}

/** The position once all open orders of one side are filled. */
function reachedBy({ ticker, action }: Pick<Exposure, 'ticker' | 'action'>, state: AccountState): Quantity {
  const book = state.books.get(ticker);
  return heldOf(state, ticker) + signed(action, (action === 'buy' ? book?.buying : book?.selling) ?? 0n);
}
