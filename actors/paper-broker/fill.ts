import { integerOf, mulDiv, type Price, type Quantity } from '../../events/decimal.ts';
import type { OrderAction } from '../trading/broker.ts';
import { hasLimit, hasStop } from '../trading/state.ts';
import type { BookOrder } from './book.ts';
import { type Rate, RATE_ONE, type PaperRules } from './rules.ts';

/** A day's prices as traded, exact. */
export interface PricedBar {
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
}

/** An order as it meets a bar. `triggered`: its stop price was reached before. */
export type WorkingOrder = Pick<BookOrder, 'type' | 'action' | 'price' | 'stop_price' | 'triggered'>;

/** The effect of a bar on an order: `price` is what it is filled at if there is enough volume; `null` if it is not filled. */
interface Meeting {
  readonly triggers: boolean;
  readonly price: Price | null;
}

/** Also the result of a day without a bar. */
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

/** Whether the order is already filled at the bar's opening, so that nothing within the bar can come before it. */
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
 * Triggered by the open, the whole bar is left. Triggered within the bar, the price stood at the stop just then: a limit
 * that this satisfies fills at the stop price. A limit that the price has to come back to fills only when the close is
 * there: the bar's extreme may have been before the trigger.
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

/** A price made worse by a share of it: higher for who buys, lower for who sells. */
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

/** Cut to whole lots, toward zero. */
export const wholeLots = (quantity: Quantity, lot: Quantity): Quantity => quantity - (quantity % lot);
