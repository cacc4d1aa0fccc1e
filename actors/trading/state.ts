import type { z } from 'zod';
import type { Money, Quantity } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import type { BrokerOrder, OrderType } from './broker.ts';
import type { AccountData } from './commands.ts';
import type { Client, Header, Order, OwnStrategy, Position } from './snapshot.ts';

/**
 * The position in one ticker. Its average price is `cost / quantity`. A closed position keeps its profit and its fees.
 */
export type PositionState = z.output<typeof Position>;

/** An order, open or done. Its prices and quantities are adjusted by later splits. */
export type OrderState = z.output<typeof Order>;

/** A strategy of the operator's own. */
export type StrategyState = z.output<typeof OwnStrategy>;

/** What is kept of an order to answer a client who sends the order again. */
export type ClientOrder = z.output<typeof Client>;

/** Open orders in one ticker: the quantities that are not filled yet, by side, and the orders in the order of submission. */
export interface TickerBook {
  buying: Quantity;
  selling: Quantity;
  readonly orders: Set<OrderState>;
}

export type Discrepancy = Readonly<AccountData<'DiscrepancyFound'>>;
export type Halt = Readonly<AccountData<'TradingHalted'>>;

/**
 * The state of an account, folded from its events. Only `evolve` writes to it. Everything that is read for each event
 * or command is a look-up, however many orders there are.
 */
export interface AccountState extends Omit<z.output<typeof Header>, 'version'> {
  /** The open orders and the newest orders that are done, in the order of submission. */
  readonly orders: Map<string, OrderState>;
  readonly open: Map<string, OrderState>;
  /** Open orders by ticker. Tickers without open orders are missing. */
  readonly books: Map<string, TickerBook>;
  /** Orders by `client_order_id`, for orders that have one: if a client sends an order again, it is found here. */
  readonly clientOrders: Map<string, ClientOrder>;
  /** The tickers of short positions. */
  readonly shorts: Set<string>;
  /**
   * The cash that open orders that open exposure reserve: the sum at limit prices, and the sum of prices that the
   * collar is added to. A part of an order that closes a position reserves nothing.
   */
  reservedAtLimit: Money;
  reservedAtMarket: Money;
  /** The value of the account if its last event is a close that has just been calculated; otherwise `null`. */
  worth: Money | null;
}

/** The state of an account without events. Each call makes a new one. */
export function initialState(): AccountState {
  return {
    account: null,
    currency: '',
    source: null,
    cash: 0n,
    unsettled: [],
    positions: new Map(),
    marks: new Map(),
    engine: 'stopped',
    halt: null,
    lossSession: null,
    session: null,
    closedSession: null,
    sessionsRun: 0,
    closeValue: 0n,
    cursor: null,
    orders: new Map(),
    orderCount: 0,
    done: new Set(),
    open: new Map(),
    books: new Map(),
    clientOrders: new Map(),
    shorts: new Set(),
    reservedAtLimit: 0n,
    reservedAtMarket: 0n,
    worth: null,
    discrepancies: [],
  };
}

/** The quantity that is not filled yet. */
export const leftOf = ({ filled, quantity }: Pick<OrderState, 'filled' | 'quantity'>): Quantity =>
  filled < quantity ? quantity - filled : 0n;

/** The number of the last amendment that the broker has not granted; 0 if there is none. */
export const pendingAmendment = ({ amending, amendments = 0 }: OrderState): number =>
  amending === undefined ? 0 : amendments;

/** Tells whether the order was ever filled. It stays true if a later split reduced the filled quantity to zero. */
export const hasFills = ({ trades }: OrderState): boolean => trades.length > 0;

/** The order in the form for the broker. */
export function brokerOrder(order: OrderState): BrokerOrder {
  return {
    order_id: order.order_id,
    ticker: order.ticker,
    action: order.action,
    type: order.type,
    quantity: order.quantity,
    price: isAtMarket(order.type) ? null : order.price,
    stop_price: order.stop_price,
    time_in_force: order.time_in_force,
    reduce_only: order.reduce_only,
    linked_to: order.linked_to,
    trail: order.trail,
  };
}

/** Linked orders form a group that goes by the id of its first order: a fill of one reduces the others by as much. */
export const groupOf = ({ order_id, linked_to }: Pick<BrokerOrder, 'order_id' | 'linked_to'>): string =>
  linked_to ?? order_id;

/** The other open orders that an order is linked to. */
export function linkedTo(
  state: AccountState,
  order: Pick<BrokerOrder, 'order_id' | 'ticker' | 'linked_to'>,
): OrderState[] {
  const group = groupOf(order);
  const all = [...(state.books.get(order.ticker)?.orders ?? [])];
  return all.filter((other) => other.order_id !== order.order_id && groupOf(other) === group);
}

/** Whether a limit price counts for orders of this type. Otherwise it is only a hint. */
export const hasLimit = (type: OrderType): boolean => type === 'limit' || type === 'stop_limit';
export const hasStop = (type: OrderType): boolean => type === 'stop' || type === 'stop_limit';
/** Whether the order is filled at the market's price. */
export const isAtMarket = (type: OrderType): boolean => type === 'market';

/** @throws {BelegError} `UNKNOWN_ORDER`. */
export function orderOf(orderId: string, state: AccountState): OrderState {
  const order = state.orders.get(orderId);
  if (order === undefined) throw new BelegError('UNKNOWN_ORDER');
  return order;
}
