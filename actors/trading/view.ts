import type { z } from 'zod';
import {
  abs,
  moneyNumber,
  perShareNumber,
  priceNumber,
  quantityNumber,
  valueOf,
} from '../../events/decimal.ts';
import type { OrderView, Position, TradingStatusReply } from '../../events/messages/trading.ts';
import { markOf, totalValue, unsettledCash } from './account-value.ts';
import { isOpen, type OrderStatus } from './order-lifecycle.ts';
import { unrealized } from './position.ts';
import { toldTrail } from './trail.ts';
import { type AccountState, type OrderState, type PositionState, isAtMarket } from './state.ts';

type PositionView = z.output<typeof Position>;
export type StatusView = z.output<typeof TradingStatusReply>;

/** The parts of the status that are not in the account's record. */
interface Surroundings extends Pick<
  StatusView,
  'feed_waiting' | 'feed_resting' | 'feed_paused' | 'strategy'
> {
  readonly reconciling: boolean;
}

/** Statuses that clients see under another name. */
const SHOWN: Readonly<Record<Exclude<OrderStatus, OrderView['status']>, OrderView['status']>> = {
  unknown: 'submitted',
  triggered: 'accepted',
  // Clients never see this status, because for them such an order does not exist.
  withdrawn: 'cancelled',
};

const isRenamed = (status: OrderStatus): status is keyof typeof SHOWN => status in SHOWN;

/**
 * An order as clients see it. While a cancellation is requested, it is `pending_cancel`, even if a part was filled
 * since.
 */
export function viewOrder(order: OrderState): OrderView {
  const average = order.filled === 0n ? null : perShareNumber(order.filledValue, order.filled);
  const stated = priceNumber(order.price ?? order.reference_price);
  return {
    order_id: order.order_id,
    ticker: order.ticker,
    action: order.action,
    quantity: quantityNumber(order.quantity),
    price: isAtMarket(order.type) ? (average ?? stated) : stated,
    timestamp: timestampOf(order.session),
    type: order.type,
    status: statusOf(order),
    filled_quantity: quantityNumber(order.filled),
    average_price: average,
    fees: moneyNumber(order.fees),
    reject_reason: order.status === 'filled' ? null : order.reason,
    client_order_id: order.client_order_id,
    time_in_force: order.time_in_force,
    stop_price: order.stop_price === null ? null : priceNumber(order.stop_price),
    origin: order.origin,
    reduce_only: order.reduce_only,
    ...(order.linked_to !== undefined && { linked_to: order.linked_to }),
    ...(order.trail !== undefined && { trail: toldTrail(order.trail) }),
    ...(order.bracket !== undefined && { bracket: viewBracket(order.bracket) }),
    ...(order.exit_of !== undefined && { exit_of: order.exit_of }),
  };
}

function viewBracket({ take_profit, stop_loss, trail }: NonNullable<OrderState['bracket']>) {
  return {
    take_profit: take_profit === null ? null : Number(take_profit),
    stop_loss: stop_loss === null ? null : Number(stop_loss),
    trail: trail === null ? null : toldTrail(trail),
  };
}

function statusOf({ status, cancelRequested, filled }: OrderState): OrderView['status'] {
  if (isOpen(status) && cancelRequested) return 'pending_cancel';
  if (isOpen(status) && filled > 0n) return 'partially_filled';
  return isRenamed(status) ? SHOWN[status] : status;
}

/** The time of the session, to the day. Before the first session it is the earliest possible time. */
const timestampOf = (session: string | null): string => `${session ?? '1970-01-01'} 00:00:00`;

/** The positions by ticker. Quantity, value and cost of a short position are negative. */
export function viewPositions(state: AccountState): Record<string, PositionView> {
  const views: Record<string, PositionView> = {};
  for (const [ticker, position] of state.positions) {
    if (position.quantity !== 0n) views[ticker] = viewPosition(position, ticker, state);
  }
  return views;
}

function viewPosition(position: PositionState, ticker: string, state: AccountState): PositionView {
  const { quantity, cost, realized, dividends, borrowing, priced } = position;
  const mark = markOf(state, ticker);
  const pnl = moneyNumber(unrealized(position, mark));
  return {
    quantity: quantityNumber(quantity),
    strategy_quantity: quantityNumber(position.ofStrategy),
    side: quantity > 0n ? 'long' : 'short',
    average_price: perShareNumber(cost, quantity),
    current_price: priceNumber(mark),
    price_session: priced,
    stale: priced !== null && state.closedSession !== null && priced < state.closedSession,
    market_value: moneyNumber(valueOf(quantity, mark)),
    cost_basis: moneyNumber(cost),
    unrealized_pnl: pnl,
    unrealized_pnl_percent: cost === 0n ? 0 : (pnl / moneyNumber(abs(cost))) * 100,
    realized_pnl: moneyNumber(realized),
    dividends: moneyNumber(dividends),
    borrowing_costs: moneyNumber(borrowing),
  };
}

/** The reply to `TradingStatus`. `cash` is settled cash; profit, dividends and fees are those of all tickers ever traded. */
export function viewStatus(state: AccountState, { reconciling, ...surroundings }: Surroundings): StatusView {
  const all = { realized: 0n, dividends: 0n, borrowing: 0n, unrealized: 0n, fees: 0n };
  for (const [ticker, position] of state.positions) {
    all.realized += position.realized;
    all.dividends += position.dividends;
    all.borrowing += position.borrowing;
    all.unrealized += unrealized(position, markOf(state, ticker));
    all.fees += position.fees;
  }
  return {
    active: state.engine === 'running',
    cash: moneyNumber(state.cash),
    total_value: moneyNumber(totalValue(state)),
    positions: viewPositions(state),
    orders_count: state.orderCount,
    state: reconciling ? 'reconciling' : state.engine,
    halt_reason: state.engine === 'halted' ? (state.halt?.reason ?? null) : null,
    last_halt: state.halt,
    session: state.session,
    realized_pnl: moneyNumber(all.realized),
    dividends: moneyNumber(all.dividends),
    borrowing_costs: moneyNumber(all.borrowing),
    unrealized_pnl: moneyNumber(all.unrealized),
    fees: moneyNumber(all.fees),
    unsettled_cash: moneyNumber(unsettledCash(state)),
    open_orders: state.open.size,
    discrepancies: state.discrepancies.length,
    currency: state.currency,
    ...surroundings,
  };
}
