import type { Money, Price, Quantity } from '../../events/decimal.ts';
import type { BrokerOrder, OrderOrigin, OrderType } from './broker.ts';
import type { AccountData } from './commands.ts';
import type { EngineStatus } from './engine-lifecycle.ts';
import type { OrderStatus } from './order-lifecycle.ts';

/** One ticker. Its average price is `cost / quantity`; a flat one keeps its profit and its fees. */
export interface PositionState {
  /** Negative: short. */
  quantity: Quantity;
  /** What of it the strategy opened: the rest is by hand, and not the strategy's to trade. Never beyond the quantity. */
  ofStrategy: Quantity;
  /** What was paid for what is held, without fees; negative for a short position: what it was sold for. */
  cost: Money;
  /** Profit of what was closed, and of cash in lieu, less all fees. */
  realized: Money;
  /** Received, less those owed for a short position. */
  dividends: Money;
  /** What borrowing for a short position cost. */
  borrowing: Money;
  fees: Money;
  /** The session that its mark is of: an earlier one than the account's last where the ticker did not trade in that. */
  priced: string | null;
}

/** One order, open or done. Its prices and quantities are those after the splits since. */
export interface OrderState extends BrokerOrder {
  quantity: Quantity;
  /** Limit price; a stop order's stop price as well; the client's hint of a market order. */
  price: Price | null;
  /** Stop price of stop and stop-limit orders. */
  stop_price: Price | null;
  readonly client_order_id: string | null;
  readonly origin: OrderOrigin;
  readonly client_timestamp: string | null;
  /** The feed's time when it was submitted. */
  readonly session: string | null;
  reference_price: Price;
  status: OrderStatus;
  /** Stands, also where a report in between moved the status on. */
  cancelRequested: boolean;
  filled: Quantity;
  /** Quantity times price over its fills: their average price is `filledValue / filled`. */
  filledValue: Money;
  fees: Money;
  /** Why the broker rejected or cancelled it. */
  reason: string | null;
  /** Trade ids that are booked. */
  readonly trades: string[];
  /** How much of it opened exposure when it was submitted: what its reserve rests on. */
  opening: Quantity;
  /** A discrepancy is on record: fills that the lifecycle has no room for are booked all the same. */
  disputed: boolean;
}

/** What of an order answers its client when it comes again. */
export interface ClientOrder {
  readonly order_id: string;
  /** Of the body as first sent. */
  readonly fingerprint: string;
}

/** What works in one ticker: quantities not filled yet, by side, and the open orders in the order of submission. */
export interface TickerBook {
  buying: Quantity;
  selling: Quantity;
  readonly orders: Set<OrderState>;
}

/** Cash of a sale that may not be spent yet. */
interface UnsettledCash {
  amount: Money;
  /** Openings of sessions until it is settled. */
  sessionsLeft: number;
}

export type Discrepancy = Readonly<AccountData<'DiscrepancyFound'>>;
export type Halt = Readonly<AccountData<'TradingHalted'>>;

/** The last halt since somebody started trading. */
interface RecordedHalt extends Halt {
  /** The feed's time. */
  readonly session: string | null;
  /** The session in which it ended by itself; `null` while it stands. */
  readonly resumed: string | null;
}

/**
 * An account as its events say. `evolve` alone writes to it: everybody else reads. Whatever is asked for each event or
 * command is a look-up, however many orders there are.
 */
export interface AccountState {
  /** `null` until it is opened. */
  account: string | null;
  currency: string;
  /** Settled. May fall below zero by a fee. */
  cash: Money;
  unsettled: UnsettledCash[];
  readonly positions: Map<string, PositionState>;
  /** Last close or price of a fill, of what is held. */
  readonly marks: Map<string, Price>;
  engine: EngineStatus;
  /** `null` once somebody has started trading again. */
  halt: RecordedHalt | null;
  /** The session in which a daily loss halted it last. */
  lossSession: string | null;
  /** Last opened: the feed's time. */
  session: string | null;
  closedSession: string | null;
  /** Sessions closed since trading was started or resumed last. */
  sessionsRun: number;
  /** Worth at the last close, at first the opening cash. */
  closeValue: Money;
  /** Last broker's report on record. */
  cursor: string | null;
  /** Open ones, and of those that are done the last ones, in the order of submission. */
  readonly orders: Map<string, OrderState>;
  /** All that were submitted and not withdrawn. */
  orderCount: number;
  /** Those of `orders` that are done, in the order in which they came to be. */
  readonly done: Set<string>;
  readonly open: Map<string, OrderState>;
  /** By ticker, where something is open. */
  readonly books: Map<string, TickerBook>;
  /** Those of `orders` that have one, by `client_order_id`: who comes again finds its order. */
  readonly clientOrders: Map<string, ClientOrder>;
  /**
   * What open orders that open exposure would take: at limit prices, and at prices that the collar is added to. A part
   * of an order that closes something reserves nothing.
   */
  reservedAtLimit: Money;
  reservedAtMarket: Money;
  /** Those not settled. */
  discrepancies: Discrepancy[];
}

/** An account of which nothing has happened. Each call makes a new one. */
export function initialState(): AccountState {
  return {
    account: null,
    currency: '',
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
    reservedAtLimit: 0n,
    reservedAtMarket: 0n,
    discrepancies: [],
  };
}

/** What is not filled yet. */
export const leftOf = ({ filled, quantity }: Pick<OrderState, 'filled' | 'quantity'>): Quantity =>
  filled < quantity ? quantity - filled : 0n;

/** Also where a split left nothing of what was filled. */
export const hasFills = ({ trades }: OrderState): boolean => trades.length > 0;

/** What the broker is told of an order, at first and again after it confirmed that it never got it. */
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
  };
}

/** Which prices an order of each type goes by. A price that a type does not go by is a hint. */
const PRICES = {
  market: { limit: false, stop: false },
  limit: { limit: true, stop: false },
  stop: { limit: false, stop: true },
  stop_limit: { limit: true, stop: true },
} as const satisfies Record<OrderType, { readonly limit: boolean; readonly stop: boolean }>;

export const hasLimit = (type: OrderType): boolean => PRICES[type].limit;
export const hasStop = (type: OrderType): boolean => PRICES[type].stop;
/** It takes what the market gives. */
export const isAtMarket = (type: OrderType): boolean => !hasLimit(type) && !hasStop(type);
