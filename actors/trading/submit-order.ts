import { optionalPriceText, priceText, quantityText } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import type { SubmitOrder, TradingPolicy, AccountData, Drafts } from './commands.ts';
import { checkTerms, firstStopOf, linkOf, pricesOf, requirePrices, requireStep } from './order-terms.ts';
import { openingQuantity, admitExposure } from './risk.ts';
import { fingerprintOf, type Body } from './fingerprint.ts';
import type { AccountState } from './state.ts';

/**
 * Records an order before it is sent. Gives no events if the order is on record: by its `order_id`, or by a
 * `client_order_id` with the same body (then `findByClientOrderId` returns the first order).
 *
 * @throws {BelegError} `CLIENT_ORDER_ID_REUSED`, `PRICE_REQUIRED`, `INVALID_REQUEST` (a stop price that its type does
 * not use), `QUANTITY_STEP`, `MARKET_DATA_MISSING`; `UNKNOWN_ORDER` and `LINK_REFUSED` if the order that it is to be
 * linked to is unknown or does not fit; for the part that opens exposure `TRADING_INACTIVE`, `TRADING_HALTED`,
 * `SHORT_NOT_ALLOWED`, `RISK_LIMIT`, `INSUFFICIENT_FUNDS`.
 */
export function submit(order: SubmitOrder, state: AccountState, policy: TradingPolicy): Drafts {
  if (state.orders.has(order.order_id) || findByClientOrderId(state, order) !== undefined) return [];
  requirePrices(order);
  requireStep(order.quantity, policy);
  if (order.last_price === null || order.last_price <= 0n) throw new BelegError('MARKET_DATA_MISSING');
  checkTerms(order);
  const first = firstStopOf(order);
  const linked = linkOf(order, state);
  const quantity = openingQuantity(state, linked === undefined ? order : { ...order, linked_to: linked });
  if (quantity > 0n) {
    const { ticker, action, type, last_price: reference_price } = order;
    const { price, stop_price } = first === null ? pricesOf(order) : { price: first, stop_price: first };
    admitExposure({ ticker, action, type, price, stop_price, quantity, reference_price }, state, policy);
  }
  const data: AccountData<'OrderSubmitted'> = {
    ...bodyOf(order),
    order_id: order.order_id,
    client_order_id: order.client_order_id,
    origin: order.origin,
    weights: order.weights ?? null,
    session: state.session,
    reference_price: priceText(order.last_price),
  };
  if (first !== null) data.price = data.stop_price = priceText(first);
  if (linked !== undefined) data.linked_to = linked;
  if (order.strategy !== undefined) data.strategy = order.strategy;
  return [{ type: 'OrderSubmitted', data }];
}

/**
 * The id of the order that was first submitted with this `client_order_id` and the same body; `undefined` if there is
 * none.
 *
 * @throws {BelegError} `CLIENT_ORDER_ID_REUSED` if that order has another body.
 */
export function findByClientOrderId(state: AccountState, order: SubmitOrder): string | undefined {
  if (order.client_order_id === null) return undefined;
  const first = state.clientOrders.get(order.client_order_id) ?? order.earlier;
  if (first === undefined) return undefined;
  const linked = order.linked_to && (state.orders.get(order.linked_to)?.linked_to ?? order.linked_to);
  if (first.fingerprint !== fingerprintOf(bodyOf({ ...order, linked_to: linked })))
    throw new BelegError('CLIENT_ORDER_ID_REUSED');
  return first.order_id;
}

/** The terms that the client sent. */
function bodyOf(order: SubmitOrder): Body {
  const { ticker, action, type, time_in_force, client_timestamp, reduce_only, linked_to, trail, bracket } =
    order;
  const { price, stop_price } = pricesOf(order);
  const body: Body = {
    ticker,
    action,
    type,
    quantity: quantityText(order.quantity),
    price: optionalPriceText(price),
    stop_price: optionalPriceText(stop_price),
    time_in_force,
    client_timestamp,
    reduce_only,
  };
  if (linked_to !== undefined) body.linked_to = linked_to;
  if (trail !== undefined) body.trail = trail;
  if (bracket !== undefined) body.bracket = bracket;
  return body;
}
