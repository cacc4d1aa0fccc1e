import type { z } from 'zod';
import {
  mulDiv,
  parsePrice,
  plainText,
  priceOf,
  priceText,
  type Price,
  type Ratio,
} from '../../events/decimal.ts';
import type * as trading from '../../events/catalog/trading.ts';
import type { OrderAction } from './broker.ts';

export type Trail = z.output<typeof trading.Trail>;

const HUNDRED = parsePrice('100');

/** The stop price behind a price: below it for a seller, above it for a buyer. */
export function stopBehind(price: Price, action: OrderAction, trail: Trail): Price {
  const distance =
    'amount' in trail ? parsePrice(trail.amount) : mulDiv(price, parsePrice(trail.percent), HUNDRED);
  return action === 'sell' ? price - distance : price + distance;
}

/** The one of two stops that the price meets first: the higher for a seller, the lower for a buyer. */
export const closerStop = (one: Price, other: Price, action: OrderAction): Price =>
  (action === 'sell' ? one > other : one < other) ? one : other;

/**
 * A trail after a split. An amount a share is converted to new shares and not rounded, because nothing trades at it.
 */
export function splitTrail(trail: Trail, { numerator, denominator }: Ratio): Trail {
  if ('percent' in trail) return trail;
  const amount = mulDiv(parsePrice(trail.amount), denominator, numerator);
  return { amount: priceText(amount > 0n ? amount : 1n) };
}

/** The trail as clients and strategies give it, with numbers for JSON. Exactly one of the two is given. */
interface GivenTrail {
  readonly amount?: number | undefined;
  readonly percent?: number | undefined;
}

export const trailOf = ({ amount, percent }: GivenTrail): Trail =>
  amount === undefined
    ? { percent: plainText(Math.round(percent! * 1e6) / 1e6) }
    : { amount: priceText(priceOf(amount)) };

/** The trail in the form for clients and strategies. */
export const toldTrail = (trail: Trail): { amount: number } | { percent: number } =>
  'amount' in trail ? { amount: Number(trail.amount) } : { percent: Number(trail.percent) };

/** The recorded text of a price that a client or a strategy gave as a number; `null` if none is given. */
export const givenPrice = (price: number | null = null): string | null =>
  price === null ? null : priceText(priceOf(price));

export function bracketOf({
  take_profit,
  stop_loss,
  trail = null,
}: {
  readonly take_profit?: number | null | undefined;
  readonly stop_loss?: number | null | undefined;
  readonly trail?: GivenTrail | null | undefined;
}): z.output<typeof trading.Bracket> {
  return {
    take_profit: givenPrice(take_profit),
    stop_loss: givenPrice(stop_loss),
    trail: trail === null ? null : trailOf(trail),
  };
}
