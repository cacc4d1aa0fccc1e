import { abs, integerOf, valueOf, type Money, type Price, type Quantity } from '../../events/decimal.ts';
import type { TargetWeight } from '../strategy/strategy.ts';
import type { OrderAction } from './broker.ts';
import type { Prices, SubmitOrder, TradingPolicy } from './commands.ts';
import { totalValue } from './account-value.ts';
import { openingQuantity, positionRoom } from './risk.ts';
import { freeFunds } from './funds.ts';
import { WHOLE_BPS, withCollar } from './order-reserve.ts';
import type { AccountState } from './state.ts';

/** An order without the id that its sender gives it. */
type SizedOrder = Omit<SubmitOrder, 'order_id'>;

/**
 * A target that an account does not reach, and why. `wanted` and `got` are in shares; `wanted` is `null` if the number
 * is not known.
 */
export interface Unmet {
  readonly ticker: string;
  readonly reason:
    | 'weight is no number'
    | 'no price'
    | 'no bar in this session'
    | 'short is not allowed'
    | 'an order is open'
    | 'more than it holds'
    | 'more than it holds beside what its open orders sell'
    | 'not in the universe'
    | 'linked to an order that is not placed'
    | 'no multiple of the smallest quantity'
    | 'not enough cash'
    | 'more than the largest position'
    | 'more than the largest order';
  readonly wanted: Quantity | null;
  readonly got: Quantity;
}

/** Weights, shares and tolerances are integers in units of 10^-9. */
export const SCALE = 10n ** 9n;

/** A weight, share or tolerance as an integer in units of 10^-9. */
export const scaled = (share: number): bigint => integerOf(Math.round(share * 1e9));

/** The quantity that a share of a value buys at a price, in whole lots, rounded toward zero. */
export function sharesWorth(weight: number, value: Money, price: Price, lot: Quantity): Quantity {
  const worth = (value * scaled(weight)) / SCALE;
  return (worth / (price * lot)) * lot;
}

/** A wanted change of a position, in shares. */
export interface Wanted {
  readonly ticker: string;
  readonly action: OrderAction;
  readonly quantity: Quantity;
  readonly price: Price;
  /** The order closes a part of a position and can never open one. */
  readonly reduce_only?: boolean;
}

/**
 * The market orders that lead from a strategy's own shares to its target weights: in whole lots, sales first, and new
 * exposure only within funds (with the collar) and limits. A ticker gets no order if it has no price or an open order,
 * or is less than a lot from its target. Weights are shares of the whole account's value. `tell` is called for each
 * target that is cut or left out.
 */
export function ordersFor(
  targets: readonly TargetWeight[],
  state: AccountState,
  policy: TradingPolicy,
  prices: Prices,
  tell: (unmet: Unmet) => void = () => undefined,
): readonly SizedOrder[] {
  const value = totalValue(state);
  const wanted: Wanted[] = [];
  for (const target of targets) {
    const reason = faultOf(target, policy, prices);
    if (reason !== null) tell({ ticker: target.ticker, reason, wanted: null, got: 0n });
    const wish = wantedOf(target, value, state, policy, prices);
    if (wish !== null) wanted.push(wish);
  }
  return sized(wanted, freeFunds(state, policy), state, policy, tell).map(marketOrder);
}

/**
 * The allowed size of each wish: sales first, and new exposure only within the funds (with the collar) and the limits.
 */
export function sized(
  wanted: readonly Wanted[],
  available: Money,
  state: AccountState,
  policy: TradingPolicy,
  tell: (unmet: Unmet) => void,
): readonly Wanted[] {
  let funds = available;
  const orders: Wanted[] = [];
  for (const action of ['sell', 'buy'] as const) {
    for (const wish of wanted) {
      if (wish.action !== action) continue;
      const { quantity, opening, bound } = allowed(wish, funds, state, policy);
      if (quantity < wish.quantity) {
        tell({ ticker: wish.ticker, reason: bound, wanted: wish.quantity, got: quantity });
      }
      if (quantity === 0n) continue;
      orders.push(quantity === wish.quantity ? wish : { ...wish, quantity });
      // The account rounds the collar once over all orders, so one unit is added for each order to keep the sum from
      // being too small.
      funds -= withCollar(valueOf(opening, wish.price), policy) + 1n;
    }
  }
  return orders;
}

function faultOf(
  { ticker, weight }: TargetWeight,
  { shorting }: TradingPolicy,
  prices: Prices,
): Unmet['reason'] | null {
  if (!Number.isFinite(weight)) return 'weight is no number';
  if ((prices.get(ticker) ?? 0n) <= 0n) return 'no price';
  return weight < 0 && !shorting ? 'short is not allowed' : null;
}

function wantedOf(
  { ticker, weight }: TargetWeight,
  value: Money,
  state: AccountState,
  { lot, shorting }: TradingPolicy,
  prices: Prices,
): Wanted | null {
  const price = prices.get(ticker);
  if (price === undefined || price <= 0n || state.books.has(ticker) || !Number.isFinite(weight)) return null;
  const target = sharesWorth(weight < 0 && !shorting ? 0 : weight, value, price, lot);
  const held = state.positions.get(ticker)?.ofStrategy ?? 0n;
  const difference = target - held;
  // A position that differs from its target by less than a lot stays as it is.
  const quantity = (abs(difference) / lot) * lot;
  return quantity === 0n ? null : { ticker, action: difference > 0n ? 'buy' : 'sell', quantity, price };
}

/**
 * How much of a wish the account accepts: all of what closes; of what opens, as much as funds and limits allow. `bound`
 * names the limit that allows least.
 */
function allowed(
  { ticker, action, quantity, price, reduce_only = false }: Wanted,
  funds: Money,
  state: AccountState,
  policy: TradingPolicy,
): { readonly quantity: Quantity; readonly opening: Quantity; readonly bound: Unmet['reason'] } {
  const { lot, collarBps, maxOrderValue } = policy;
  const beyond = openingQuantity(state, { order_id: '', ticker, action, quantity, reduce_only });
  const lotValue = valueOf(lot, price);
  const room = positionRoom({ ticker, action, reference_price: price }, state, policy);
  let lots = (funds * WHOLE_BPS) / (lotValue * (WHOLE_BPS + collarBps));
  let bound: Unmet['reason'] = 'not enough cash';
  if (room !== null && room / lotValue < lots) {
    lots = room / lotValue;
    bound = 'more than the largest position';
  }
  if (maxOrderValue !== null && maxOrderValue / lotValue < lots) {
    lots = maxOrderValue / lotValue;
    bound = 'more than the largest order';
  }
  const within = lots <= 0n ? 0n : lots * lot;
  const opening = within < beyond ? within : beyond;
  return { quantity: ((quantity - beyond + opening) / lot) * lot, opening, bound };
}

function marketOrder({ ticker, action, quantity, price }: Wanted): SizedOrder {
  return {
    ticker,
    action,
    type: 'market',
    quantity,
    price: null,
    stop_price: null,
    time_in_force: 'day',
    reduce_only: false,
    client_order_id: null,
    origin: 'strategy',
    client_timestamp: null,
    last_price: price,
  };
}
