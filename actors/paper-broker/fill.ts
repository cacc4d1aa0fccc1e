import { integerOf, mulDiv, type Price, type Quantity } from '../../events/decimal.ts';
import type { OrderAction } from '../trading/broker.ts';
import { hasLimit, hasStop } from '../trading/state.ts';
import type { BookOrder } from './book.ts';
import { type Rate, RATE_ONE, type PaperRules } from './rules.ts';

/** A day's prices as traded, as exact integers. */
export interface PricedBar {
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
}

/** An order as it meets a bar. `triggered`: its stop price was reached before. */
export type WorkingOrder = Pick<BookOrder, 'type' | 'action' | 'price' | 'stop_price' | 'triggered'>;

/**
 * The effect of a bar on an order. `price` is the price of the fill if there is enough volume; `null` if there is no
 * fill.
 */
interface Meeting {
  readonly triggers: boolean;
  readonly price: Price | null;
}

/** The result for an order that a bar neither triggers nor fills, and for a day without a bar. */
export const NOT_MET: Meeting = { triggers: false, price: null };

/**
 * How an order meets a bar. Only this is known of the price's path: the open comes first, the close last, high and low in
 * between. What may or may not have happened counts as not having happened.
 *
 * - market: the open, made worse by the slippage;
 *
 * - limit: the limit as soon as the bar touches it, or the open if that is better;
 *
 * - stop: the stop price as soon as the bar reaches it, or the open if that is worse; both with slippage;
 *
 * - stop-limit: triggered like a stop, then a limit order (without slippage) for the rest of the bar.
 */
export function meetBar(order: WorkingOrder, bar: PricedBar, slippage: Rate): Meeting {
  const { type, action, triggered } = order;
  if (hasStop(type) && !triggered) {
    return hasLimit(type) ? meetStopLimit(order, bar) : meetStop(order, bar, slippage);
  }
  const price = hasLimit(type) ? limitPrice(order, bar) : slipped(bar.open, action, slippage);
  return { triggers: false, price };
}

/** Whether the order is filled at the bar's opening, before anything else in the bar. */
export function isMetAtOpen(order: WorkingOrder, bar: PricedBar): boolean {
  if (hasStop(order.type) && !order.triggered) return stopReached(order, bar) === 'open';
  return !hasLimit(order.type) || satisfies(order, bar.open);
}

function meetStop(order: WorkingOrder, bar: PricedBar, slippage: Rate): Meeting {
  const reached = stopReached(order, bar);
  if (reached === 'never') return NOT_MET;
  const price = reached === 'open' ? bar.open : order.stop_price!;
  return { triggers: true, price: slipped(price, order.action, slippage) };
}

/**
 * How a stop-limit order meets a bar. If the open triggers it, the whole bar is left for its limit. If it is triggered
 * within the bar, the price was at the stop at that moment: a limit that the stop price satisfies is filled there. Any
 * other limit is filled only if the close satisfies it, because the bar's extreme may have come before the trigger.
 */
function meetStopLimit(order: WorkingOrder, bar: PricedBar): Meeting {
  const reached = stopReached(order, bar);
  if (reached === 'never') return NOT_MET;
  const [limit, stop] = [order.price!, order.stop_price!];
  if (reached === 'open') return { triggers: true, price: limitPrice(order, bar) };
  if (satisfies(order, stop)) return { triggers: true, price: stop };
  return { triggers: true, price: satisfies(order, bar.close) ? limit : null };
}

function limitPrice(order: WorkingOrder, bar: PricedBar): Price | null {
  if (satisfies(order, bar.open)) return bar.open;
  return satisfies(order, order.action === 'buy' ? bar.low : bar.high) ? order.price : null;
}

/** Whether a price is the limit or better. */
function satisfies({ action, price }: WorkingOrder, candidate: Price): boolean {
  return action === 'buy' ? candidate <= price! : candidate >= price!;
}

function stopReached({ action, stop_price }: WorkingOrder, bar: PricedBar): 'open' | 'within' | 'never' {
  const stop = stop_price!;
  if (action === 'buy') return bar.open >= stop ? 'open' : bar.high >= stop ? 'within' : 'never';
  return bar.open <= stop ? 'open' : bar.low <= stop ? 'within' : 'never';
}

/** A price made worse by a share of it: higher for a buyer, lower for a seller. */
export function slipped(price: Price, action: OrderAction, slippage: Rate): Price {
  const worse = mulDiv(price, slippage, RATE_ONE);
  return action === 'buy' ? price + worse : price - worse;
}

/**
 * The volume of a bar that all our orders may take together, in whole lots; `null` for no limit.
 *
 * @param volume shares that were traded.
 */
export function volumeOffered(
  volume: number,
  { volumeLimit, lot }: Pick<PaperRules, 'volumeLimit' | 'lot'>,
): Quantity | null {
  // Rates count in units of 10^-8, and so do quantities: the product with whole shares needs no conversion.
  return volumeLimit === null ? null : wholeLots(integerOf(volume) * volumeLimit, lot);
}

/** The quantity rounded down to whole lots, toward zero. */
export const wholeLots = (quantity: Quantity, lot: Quantity): Quantity => quantity - (quantity % lot);
