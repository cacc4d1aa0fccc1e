import {
  mulDiv,
  parseMoney,
  parseOptionalPrice,
  parsePrice,
  parseQuantity,
  valueOf,
  type Money,
} from '../../events/decimal.ts';
import { corrupt } from './corrupt.ts';
import { changeOrder, enterOrder } from './open-orders.ts';
import type { AccountData, AccountDraft } from './commands.ts';
import { openingQuantity } from './risk.ts';
import { filledForStrategy, fitHoldings } from './evolve-strategy.ts';
import { fingerprintOf } from './fingerprint.ts';
import { isOpen, nextOrderStatus, ORDER_LIFECYCLE, type OrderEventType } from './order-lifecycle.ts';
import { attribute, bookFill, flat, noteSide, signed } from './position.ts';
import { hasFills, leftOf, type AccountState, type OrderState } from './state.ts';

/** The events of a submitted order. */
export type OrderEvent = Extract<AccountDraft, { type: OrderEventType }>;
type Reported = Extract<OrderEvent, { data: { cursor: string | null } }>;
type Filled = Extract<OrderEvent, { type: 'OrderFilled' }>;

function orderOfEvent(state: AccountState, { data }: OrderEvent): OrderState {
  const order = state.orders.get(data.order_id);
  if (order === undefined) throw corrupt(`the account has no order ${data.order_id}`);
  return order;
}

/** Applies an event to an order, in an account and in the tables alike. It writes to the given order. */
export function evolveOrder(order: OrderState, event: OrderEvent): void {
  if (event.type === 'OrderFilled') filledIn(order, event.data);
  else {
    order.status = nextOrderStatus(order.status, event.type);
    if (event.type === 'OrderAdjusted') adjusted(order, event.data);
    if (event.type === 'OrderAmendRequested') amendRequested(order, event.data);
    if (event.type === 'OrderAmended') amended(order, event.data);
    if (event.type === 'OrderCancelRequested') {
      order.cancelRequested = true;
      order.reason = event.data.reason ?? null;
    }
    if (event.type === 'OrderRejected') order.reason = event.data.reason;
    if (event.type === 'OrderCancelled') order.reason = endedBy(order, event.data);
  }
}

/** Why the order was cancelled. The broker only reports that it was asked to cancel; the account knows the reason. */
const endedBy = (order: OrderState, { reason }: AccountData<'OrderCancelled'>): string =>
  reason === 'requested' ? (order.reason ?? reason) : reason;

/** A fill that the lifecycle does not allow is a discrepancy, but it is booked all the same. */
function filledIn(order: OrderState, data: AccountData<'OrderFilled'>): void {
  const quantity = parseQuantity(data.quantity);
  order.filled += quantity;
  order.filledValue += valueOf(quantity, parsePrice(data.price));
  order.fees += parseMoney(data.fee);
  // Makes a new array for the first fill: `push` would reserve room for 17 elements, and orders are kept.
  order.trades = hasFills(order) ? [...order.trades, data.trade_id] : [data.trade_id];
  if (ORDER_LIFECYCLE.mayFollow(order.status, 'OrderFilled')) {
    order.status = nextOrderStatus(order.status, 'OrderFilled', leftOf(order) > 0n);
  }
}

/** Adjusts an open order after a split. Its reserve keeps its share of the rest, at an adjusted price. */
function adjusted(order: OrderState, data: AccountData<'OrderAdjusted'>): void {
  const before = leftOf(order);
  order.quantity = parseQuantity(data.quantity);
  order.filled = parseQuantity(data.filled_quantity);
  order.price = parseOptionalPrice(data.price);
  order.stop_price = parseOptionalPrice(data.stop_price);
  const after = leftOf(order);
  if (before === 0n || after === 0n)
    throw corrupt(`the order ${order.order_id} is already filled completely`);
  order.opening = mulDiv(order.opening, after, before);
  order.reference_price = mulDiv(order.reference_price, before, after);
  if (data.trail !== undefined) order.trail = data.trail;
  if (data.bracket !== undefined) order.bracket = data.bracket;
  if (data.amending !== undefined) order.amending = amendableOf(data.amending);
}

function amendRequested(order: OrderState, data: AccountData<'OrderAmendRequested'>): void {
  order.amendments = data.amendment;
  order.amending = amendableOf(data);
}

function amended(order: OrderState, data: AccountData<'OrderAmended'>): void {
  Object.assign(order, amendableOf(data));
  // A later amendment stays requested, because the broker may still grant it.
  if (data.amendment === order.amendments) delete order.amending;
}

const amendableOf = ({
  quantity,
  price,
  stop_price,
}: Pick<AccountData<'OrderAmended'>, 'quantity' | 'price' | 'stop_price'>) => ({
  quantity: parseQuantity(quantity),
  price: parseOptionalPrice(price),
  stop_price: parseOptionalPrice(stop_price),
});

export function submitted(state: AccountState, data: AccountData<'OrderSubmitted'>): void {
  const { order_id, client_order_id, strategy } = data;
  if (state.orders.has(order_id)) throw corrupt(`the order ${order_id} was submitted twice`);
  if (client_order_id !== null) {
    state.clientOrders.set(client_order_id, { order_id, fingerprint: fingerprintOf(data) });
  }
  state.orderCount += 1;
  const order: OrderState = {
    order_id,
    client_order_id,
    ticker: data.ticker,
    action: data.action,
    type: data.type,
    quantity: parseQuantity(data.quantity),
    price: parseOptionalPrice(data.price),
    stop_price: parseOptionalPrice(data.stop_price),
    time_in_force: data.time_in_force,
    reduce_only: data.reduce_only,
    origin: data.origin,
    client_timestamp: data.client_timestamp,
    session: data.session,
    reference_price: parsePrice(data.reference_price),
    status: 'submitted',
    cancelRequested: false,
    filled: 0n,
    filledValue: 0n,
    fees: 0n,
    reason: null,
    trades: [],
    opening: 0n,
    disputed: false,
  };
  if (strategy !== undefined) order.strategy = strategy.name;
  if (data.linked_to !== undefined) order.linked_to = data.linked_to;
  if (data.trail !== undefined) order.trail = data.trail;
  if (data.bracket !== undefined) order.bracket = data.bracket;
  if (data.exit_of !== undefined) order.exit_of = data.exit_of;
  order.opening = openingQuantity(state, order);
  enterOrder(state, order);
}

export function changed(state: AccountState, event: OrderEvent): void {
  const order = orderOfEvent(state, event);
  // Between two open statuses the sums change only by a split, or because the broker changed the order.
  const changesSums = event.type === 'OrderAdjusted' || event.type === 'OrderAmended';
  const staysOpen = !changesSums && isOpen(nextOrderStatus(order.status, event.type));
  if (staysOpen) evolveOrder(order, event);
  else
    changeOrder(state, order, () => {
      const before = order.quantity;
      evolveOrder(order, event);
      // Takes the order out of the sums before its terms change.
      if (event.type === 'OrderAmended' && event.data.reason === 'requested' && order.quantity !== before)
        order.opening = openingQuantity(state, { ...order, quantity: leftOf(order) });
    });
}

/** Applies a broker's report of an order. */
export function reported(state: AccountState, event: Reported): void {
  changed(state, event);
  state.cursor = event.data.cursor ?? state.cursor;
}

/** Applies a withdrawal: the order no longer exists, and its `client_order_id` is free again. */
export function withdrawn(state: AccountState, event: OrderEvent): void {
  changed(state, event);
  const { order_id } = event.data;
  const client = state.orders.get(order_id)?.client_order_id ?? null;
  state.orders.delete(order_id);
  state.done.delete(order_id);
  state.orderCount -= 1;
  if (client !== null) state.clientOrders.delete(client);
}

/** Books a fill into its order, the position and the cash. A fill that exceeds its order was disputed first. */
export function filled(state: AccountState, event: Filled): void {
  const { data } = event;
  const order = orderOfEvent(state, event);
  const quantity = parseQuantity(data.quantity);
  if (order.trades.includes(data.trade_id)) throw corrupt(`the trade ${data.trade_id} was recorded twice`);
  if (
    !order.disputed &&
    (quantity > leftOf(order) || !ORDER_LIFECYCLE.mayFollow(order.status, 'OrderFilled'))
  ) {
    throw corrupt(`the trade ${data.trade_id} is larger than what is left of the order ${order.order_id}`);
  }
  changeOrder(state, order, () => evolveOrder(order, event));
  bookTrade(state, data, order.origin, signed(data.action, quantity));
  filledForStrategy(state, order, data);
  fitHoldings(state, data.ticker);
  state.cursor = data.cursor;
}

function bookTrade(
  state: AccountState,
  data: AccountData<'OrderFilled'>,
  origin: OrderState['origin'],
  quantity: bigint,
): void {
  const { ticker, settles_after, session } = data;
  const price = parsePrice(data.price);
  const fee = parseMoney(data.fee);
  let position = state.positions.get(ticker);
  if (position === undefined) {
    position = flat();
    state.positions.set(ticker, position);
  }
  bookFill(position, quantity, price, fee);
  noteSide(state, ticker, position);
  attribute(position, origin === 'strategy' ? position.ofStrategy + quantity : position.ofStrategy);
  position.priced = session;
  if (position.quantity === 0n) state.marks.delete(ticker);
  else state.marks.set(ticker, price);
  const proceeds = -valueOf(quantity, price);
  state.cash -= fee;
  if (proceeds < 0n || settles_after === 0) state.cash += proceeds;
  else settleLater(state, proceeds, settles_after);
}

function settleLater(state: AccountState, amount: Money, sessionsLeft: number): void {
  const sameDay = state.unsettled.find((entry) => entry.sessionsLeft === sessionsLeft);
  if (sameDay === undefined) state.unsettled.push({ amount, sessionsLeft });
  else sameDay.amount += amount;
}
