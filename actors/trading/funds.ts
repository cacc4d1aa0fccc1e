import { mulDiv, valueOf, type Money, type Price, type Quantity } from '../../events/decimal.ts';
import { markOf } from './account-value.ts';
import type { Funds } from './broker.ts';
import type { TradingPolicy } from './commands.ts';
import { type AccountState, type OrderState, hasLimit, isAtMarket } from './state.ts';

/** The whole of something, in basis points (hundredths of a percent). */
export const WHOLE_BPS = 10_000n;

/**
 * How much more than its last price a market order reserves when it is submitted, in basis points: 5 %. The next price may
 * be higher, and with this reserve few orders have to be cut when they are filled.
 */
export const COLLAR_BPS = 500n;

/**
 * The price from which the value of an order is calculated, and whether it is the worst possible one. A sale may always be
 * filled above its price, and a short position grows with it, so the last price counts if it is higher.
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

/** What an order reserves, without the collar: the value of what opens exposure and is not filled yet. */
export function reserveOf(order: OrderState): Money {
  const left = order.quantity - order.filled;
  const opening = left < order.opening ? left : order.opening;
  return opening <= 0n ? 0n : valueOf(opening, priceBasis(order).price);
}

/** A value and the collar on it (see `COLLAR_BPS`). */
export const withCollar = (value: Money, { collarBps }: TradingPolicy): Money =>
  mulDiv(value, WHOLE_BPS + collarBps, WHOLE_BPS);

/**
 * What may be spent on new exposure: settled cash, less what open orders would take, less what short positions tie up.
 * What an order really costs is checked when it is filled (see `Funds`).
 */
export function freeFunds(state: AccountState, policy: TradingPolicy): Money {
  let free = state.cash - state.reservedAtLimit - withCollar(state.reservedAtMarket, policy);
  for (const [ticker, { quantity }] of state.positions) {
    if (quantity < 0n) free -= collateralOf(quantity, markOf(state, ticker));
  }
  return free;
}

/**
 * What a short position (a negative quantity) ties up: twice what it is worth. Once, because its proceeds are in the cash and
 * will be needed to buy back; and once more as its collateral, so that it ties up as much as a long one of the same size.
 */
export const collateralOf = (short: Quantity, price: Price): Money => -2n * valueOf(short, price);

/** What fills in the open session may cost. Open orders reserve nothing here, because they are being filled. */
export function fundsOf(
  state: AccountState,
  { settlementSessions }: Pick<TradingPolicy, 'settlementSessions'>,
): Funds {
  const marks = new Map<string, Price>();
  for (const [ticker, { quantity }] of state.positions) {
    if (quantity < 0n) marks.set(ticker, markOf(state, ticker));
  }
  return { cash: state.cash, salesSettle: settlementSessions === 0, marks };
}
