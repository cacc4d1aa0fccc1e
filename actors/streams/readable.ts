import { createHash } from 'node:crypto';
import {
  moneyText,
  optionalPriceText,
  priceText,
  quantityText,
  type Quantity,
} from '../../events/decimal.ts';
import type { Json } from '../../events/json.ts';
import type { Book } from '../paper-broker/book.ts';
import { isOpen } from '../trading/order-lifecycle.ts';
import type { AccountState, OrderState } from '../trading/state.ts';

function mapped<T>(entries: Iterable<readonly [string, T]>, text: (value: T) => Json): Json {
  return Object.fromEntries([...entries].map(([name, value]) => [name, text(value)]));
}

const byTicker = (quantities: Iterable<readonly [string, Quantity]>): Json =>
  mapped(quantities, quantityText);

/** An account with its amounts as decimals; of its orders, those that are done come first. */
export function readableAccount(state: AccountState): Json {
  const orders = [...state.orders.values()];
  const done = orders.filter(({ status }) => !isOpen(status));

  return {
    account: state.account,
    currency: state.currency,
    engine: state.engine,
    halt: state.halt && { ...state.halt },
    session: state.session,
    closed_session: state.closedSession,
    sessions_run: state.sessionsRun,
    cash: moneyText(state.cash),
    unsettled: state.unsettled.map(({ amount, sessionsLeft }) => ({
      amount: moneyText(amount),
      sessions_left: sessionsLeft,
    })),
    reserved: { at_limit: moneyText(state.reservedAtLimit), at_market: moneyText(state.reservedAtMarket) },
    close_value: moneyText(state.closeValue),
    loss_session: state.lossSession,
    positions: mapped(
      state.positions,
      ({ quantity, ofStrategy, cost, realized, dividends, borrowing, fees, priced }) => ({
        quantity: quantityText(quantity),
        of_strategy: quantityText(ofStrategy),
        cost: moneyText(cost),
        realized: moneyText(realized),
        dividends: moneyText(dividends),
        borrowing: moneyText(borrowing),
        fees: moneyText(fees),
        priced,
      }),
    ),
    marks: mapped(state.marks, priceText),
    discrepancies: state.discrepancies.map(({ kind, order_id, ticker, detail }) => ({
      kind,
      order_id,
      ticker,
      detail,
    })),
    cursor: state.cursor,
    order_count: state.orderCount,
    orders: mapped(
      [...done, ...state.open.values()].map((order) => [order.order_id, order] as const),
      readableOrder,
    ),
  };
}

function readableOrder(order: OrderState): Json {
  const { ticker, action, type, status, time_in_force, origin, client_order_id, session } = order;
  return {
    status,
    ticker,
    action,
    type,
    quantity: quantityText(order.quantity),
    price: optionalPriceText(order.price),
    stop_price: optionalPriceText(order.stop_price),
    time_in_force,
    reduce_only: order.reduce_only,
    origin,
    client_order_id,
    session,
    cancel_requested: order.cancelRequested,
    filled: quantityText(order.filled),
    filled_value: moneyText(order.filledValue),
    fees: moneyText(order.fees),
    trades: [...order.trades],
    reason: order.reason,
    disputed: order.disputed,
  };
}

/** A paper broker's book with its amounts as decimals. */
export function readableBook({ session, positions, open, meeting, done }: Book): Json {
  return {
    session,
    positions: byTicker(positions),
    meeting: {
      split: [...meeting.split],
      adjusted: [...meeting.adjusted],
      met: [...meeting.met],
      taken: byTicker(meeting.taken),
    },
    done: { orders: done.size, hash: chained(done) },
    open: mapped(open, ({ ticker, action, type, quantity, filled, triggered, traded, ...order }) => ({
      ticker,
      action,
      type,
      quantity: quantityText(quantity),
      filled: quantityText(filled),
      price: optionalPriceText(order.price),
      stop_price: optionalPriceText(order.stop_price),
      time_in_force: order.time_in_force,
      reduce_only: order.reduce_only,
      triggered,
      traded: {
        shares: quantityText(traded.shares),
        value: moneyText(traded.value),
        fees: moneyText(traded.fees),
      },
    })),
  };
}

/** SHA-256 of the one before and the next id, from id to id. */
const chained = (ids: Iterable<string>): string =>
  [...ids].reduce((before, id) => createHash('sha256').update(before).update(id).digest('hex'), '');
