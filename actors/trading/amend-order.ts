import { optionalPriceText, quantityText, type Price, type Quantity } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import type { Drafts, CommandOf, TradingPolicy } from './commands.ts';
import { withoutOrder } from './open-orders.ts';
import { ORDER_LIFECYCLE } from './order-lifecycle.ts';
import { alreadyDone, invalid, requireStep } from './order-terms.ts';
import { admitExposure, openingQuantity } from './risk.ts';
import { hasLimit, hasStop, leftOf, linkedTo, orderOf, type AccountState, type OrderState } from './state.ts';

interface Amendable {
  readonly quantity: Quantity;
  readonly price: Price | null;
  readonly stop_price: Price | null;
}

/**
 * Requests a change of an open order; a fill may still come first. The cost is checked as for a new order, unless only
 * the quantity falls. Gives no events if the order has these terms already, or the change is requested already.
 *
 * @throws {BelegError} `UNKNOWN_ORDER`, `NOT_AMENDABLE` (the order is done or being cancelled, the quantity is filled
 * already, or linked orders would differ in quantity), `QUANTITY_STEP`, `INVALID_REQUEST` (a price that the order does
 * not have); for a change that opens exposure also the errors of `submit`.
 */
export function amend(command: CommandOf<'amend'>, state: AccountState, policy: TradingPolicy): Drafts {
  const order = orderOf(command.order_id, state);
  const { order_id, ticker, status, cancelRequested, amendments = 0 } = order;
  if (!ORDER_LIFECYCLE.mayFollow(status, 'OrderAmendRequested') || cancelRequested) {
    throw notAmendable(alreadyDone(order));
  }
  // If an earlier change is still requested, the new one starts from its terms.
  const before: Amendable = order.amending ?? order;
  const after = wishedFor(order, before, command);
  if (same(before, after)) return [];
  checkQuantity(order, before, after, state, policy);
  const onlyLess = same({ ...before, quantity: after.quantity }, after) && after.quantity < before.quantity;
  if (!onlyLess) admit({ ...order, ...after }, order, command.last_price, state, policy);
  return [
    {
      type: 'OrderAmendRequested',
      data: {
        order_id,
        ticker,
        amendment: amendments + 1,
        quantity: quantityText(after.quantity),
        price: optionalPriceText(after.price),
        stop_price: optionalPriceText(after.stop_price),
      },
    },
  ];
}

function wishedFor(
  { type }: OrderState,
  before: Amendable,
  { quantity, price, stop_price }: CommandOf<'amend'>,
): Amendable {
  const none = `a ${type} order has none`;
  if (price !== null && !hasLimit(type) && !hasStop(type)) throw invalid('price', none);
  if (stop_price !== null && !(hasLimit(type) && hasStop(type))) throw invalid('stop_price', none);
  // The price of a stop order is its stop price, so both fields contain it.
  const stop = hasLimit(type) || !hasStop(type) ? stop_price : price;
  return {
    quantity: quantity ?? before.quantity,
    price: price ?? before.price,
    stop_price: stop ?? before.stop_price,
  };
}

function checkQuantity(
  order: OrderState,
  before: Amendable,
  { quantity }: Amendable,
  state: AccountState,
  policy: TradingPolicy,
): void {
  if (quantity === before.quantity) return;
  requireStep(quantity, policy);
  if (quantity <= order.filled) {
    throw notAmendable(`${quantityText(order.filled)} are filled already; to end the order, cancel it`);
  }
  if (linkedTo(state, order).length > 0) {
    throw notAmendable('The quantity of linked orders cannot be changed: cancel them and place them anew');
  }
}

/** Checks the changed order as if it were new, in an account without the present one. */
function admit(
  wished: OrderState,
  order: OrderState,
  lastPrice: Price | null,
  state: AccountState,
  policy: TradingPolicy,
): void {
  const without = withoutOrder(state, order);
  const isAsLarge = wished.quantity === order.quantity;
  const quantity = isAsLarge
    ? order.opening
    : openingQuantity(without, { ...wished, quantity: leftOf(wished) });
  if (quantity === 0n) return;
  const reference_price = lastPrice ?? order.reference_price;
  admitExposure({ ...wished, quantity, reference_price }, without, policy);
}

const same = (one: Amendable, other: Amendable): boolean =>
  one.quantity === other.quantity && one.price === other.price && one.stop_price === other.stop_price;

const notAmendable = (detail: string): BelegError => new BelegError('NOT_AMENDABLE', { detail });
