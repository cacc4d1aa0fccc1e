import {
  abs,
  parseOptionalPrice,
  priceText,
  quantityText,
  type Price,
  type Quantity,
  type Ratio,
} from '../../events/decimal.ts';
import { splitPriceText } from '../paper-broker/share-split.ts';
import type { StrategyAnswer } from '../strategy/answer.ts';
import type { OrderAction } from './broker.ts';
import type { AccountData } from './commands.ts';
import { leftOf, type OrderState, type StrategyState } from './state.ts';
import { closerStop, givenPrice, splitTrail, trailOf, type Trail } from './trail.ts';

type Target = StrategyState['targets'][number];
type Protection = NonNullable<Target['protection']>;

/** The stop of a target. */
export function protectionOf({
  stop,
  trailing_stop,
}: StrategyAnswer['targets'][number]): Protection | undefined {
  if (stop === undefined && trailing_stop === undefined) return undefined;
  return { stop: givenPrice(stop), trail: trailing_stop === undefined ? null : trailOf(trailing_stop) };
}

/** The stop of a target after a split. It is rounded like the stop order itself, so that the two still agree. */
export const splitProtection = ({ stop, trail }: Protection, ratio: Ratio): Protection => ({
  stop: splitPriceText(stop, ratio),
  trail: trail && splitTrail(trail, ratio),
});

/** The bracket for shares that are still to be bought. */
export const bracketFor = ({ stop, trail }: Protection) => ({ take_profit: null, stop_loss: stop, trail });

/** The stops of a strategy for a ticker. */
export const stopsOf = (own: readonly OrderState[], ticker: string): readonly OrderState[] =>
  own.length === 0
    ? own
    : own.filter((order) => order.ticker === ticker && order.type === 'stop' && order.reduce_only);

/**
 * Whether these stops are exactly those that a position of this size needs. Shares that were bought later may have a
 * trailing stop of their own, which follows the price of their fill.
 */
export function isProtected(
  stops: readonly OrderState[],
  kept: Quantity,
  { stop, trail }: Protection,
): boolean {
  const covered = stops.reduce((sum, order) => sum + leftOf(order), 0n);
  const price = trail === null ? parseOptionalPrice(stop) : stops[0]?.stop_price;
  return (
    covered === abs(kept) &&
    stops.every(
      (order) =>
        order.stop_price === price &&
        (trail === null ? order.trail === undefined : sameTrail(order.trail, trail)),
    )
  );
}

/** The reason of a stop order, the same whether it came with the opening order or later. */
export const stopReason = (trail: Trail | null): string => (trail === null ? 'stop loss' : 'trailing stop');

/** The stop order for the part of a position that the strategy keeps, in place of the stops that it had. */
export function stopFor(
  ticker: string,
  kept: Quantity,
  { stop, trail }: Protection,
  before: readonly OrderState[],
): AccountData<'StrategyDecided'>['orders'][number] {
  const action = kept > 0n ? 'sell' : 'buy';
  const from = trail === null ? null : closestOf(before, action, trail);
  // A trailing stop without a price begins behind the last price.
  const price = trail === null ? stop : null;
  return {
    ticker,
    action,
    type: 'stop',
    quantity: quantityText(abs(kept)),
    price,
    stop_price: price,
    time_in_force: 'gtc',
    reduce_only: true,
    ...(trail && { trail }),
    ...(from !== null && { trails_from: priceText(from) }),
    reason: stopReason(trail),
  };
}

/** The closest stop among stops of the same trail. If a strategy repeats a trail, the stop never goes back. */
function closestOf(stops: readonly OrderState[], action: OrderAction, trail: Trail): Price | null {
  let closest: Price | null = null;
  for (const order of stops) {
    if (order.action !== action || order.stop_price === null || !sameTrail(order.trail, trail)) continue;
    closest = closest === null ? order.stop_price : closerStop(closest, order.stop_price, action);
  }
  return closest;
}

const sameTrail = (one: Trail | undefined, other: Trail): boolean =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);
