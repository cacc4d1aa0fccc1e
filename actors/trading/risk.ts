import {
  abs,
  mulDiv,
  valueOf,
  type Money,
  type Price,
  type Quantity,
  moneyText,
} from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { markOf, totalValue } from './account-value.ts';
import type { BrokerOrder, Funds } from './broker.ts';
import type { TradingPolicy } from './commands.ts';
import { signed } from './position.ts';
import { type AccountState, type OrderState, hasLimit, isAtMarket } from './state.ts';

/** Hundredths of a percent. */
export const WHOLE_BPS = 10_000n;

/**
 * What a market order sets aside beyond its last price when it is submitted: 5 %. It is a guess at the next price, so that
 * few orders have to be cut when they are filled.
 */
export const COLLAR_BPS = 500n;

/** The part of an order that would open exposure. */
type Exposure = Pick<
  OrderState,
  'ticker' | 'action' | 'type' | 'quantity' | 'price' | 'stop_price' | 'reference_price'
>;

/**
 * Whether the account may take this on. What reduces exposure is never held back, so it is not asked about here.
 *
 * @throws {BelegError} `TRADING_INACTIVE`, `TRADING_HALTED`, `SHORT_NOT_ALLOWED`, `RISK_LIMIT`, `INSUFFICIENT_FUNDS`.
 */
export function admitExposure(exposure: Exposure, state: AccountState, policy: TradingPolicy): void {
  if (state.engine === 'stopped') throw new BelegError('TRADING_INACTIVE');
  if (state.engine === 'halted') throw new BelegError('TRADING_HALTED');
  if (exposure.action === 'sell' && !policy.shorting) throw new BelegError('SHORT_NOT_ALLOWED');
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

/**
 * What a position may still grow by on one side, at its last price, when all that works on that side is filled;
 * `null`: without limit.
 */
export function positionRoom(
  { ticker, action, reference_price }: Pick<Exposure, 'ticker' | 'action' | 'reference_price'>,
  state: AccountState,
  { maxPositionBps }: TradingPolicy,
): Money | null {
  if (maxPositionBps === null) return null;
  const held = state.positions.get(ticker)?.quantity ?? 0n;
  const book = state.books.get(ticker);
  const working = (action === 'buy' ? book?.buying : book?.selling) ?? 0n;
  const reached = held + signed(action, working);
  // What still stands on the other side is closed first: it leaves all of the room.
  const used = reached > 0n === (action === 'buy') ? valueOf(abs(reached), reference_price) : 0n;
  return mulDiv(totalValue(state), maxPositionBps, WHOLE_BPS) - used;
}

/**
 * How much of an order would open exposure: what goes beyond the opposite position, less what open orders of the same
 * side take of it already. All of it where nothing is there to be closed, nothing of an order that only reduces.
 */
export function openingQuantity(
  state: AccountState,
  {
    ticker,
    action,
    quantity,
    reduce_only,
  }: Pick<BrokerOrder, 'ticker' | 'action' | 'quantity' | 'reduce_only'>,
): Quantity {
  if (reduce_only) return 0n;
  const held = state.positions.get(ticker)?.quantity ?? 0n;
  const book = state.books.get(ticker);
  const closable = action === 'sell' ? held - (book?.selling ?? 0n) : -held - (book?.buying ?? 0n);
  if (closable <= 0n) return quantity;
  return closable < quantity ? quantity - closable : 0n;
}

/**
 * The price that the value of an order rests on, and whether it is the worst one possible. A sale may always be filled
 * at more than it asks for, and a short position is the larger for it: the last price counts where that is higher.
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

/** What the part of an order that opens exposure and is not filled yet takes, before any collar. */
export function reserveOf(order: OrderState): Money {
  const left = order.quantity - order.filled;
  const opening = left < order.opening ? left : order.opening;
  return opening <= 0n ? 0n : valueOf(opening, priceBasis(order).price);
}

/** A value with the collar on it: the next price may be so much higher. */
export const withCollar = (value: Money, { collarBps }: TradingPolicy): Money =>
  mulDiv(value, WHOLE_BPS + collarBps, WHOLE_BPS);

/**
 * What may be spent on new exposure: settled cash, less what open orders would take, less what short positions tie up.
 * What an order then really costs is looked at when it is filled (see `Funds`).
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

/** What fills of the session that is open may cost. Open orders are not looked at: it is they that are filled. */
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
