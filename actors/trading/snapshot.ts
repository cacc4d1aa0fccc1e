import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, type Json } from '../../events/json.ts';
import {
  Bracket,
  ClockSet,
  DecidedAmendment,
  DecidedOrder,
  DiscrepancyFound,
  OrderAction,
  OrderOrigin,
  OrderType,
  Protection,
  TargetKind,
  TimeInForce,
  Trail,
  TradingHalted,
} from '../../events/catalog/trading.ts';
import { enterOrder } from './open-orders.ts';
import { noteSide } from './position.ts';
import { ENGINE_LIFECYCLE } from './engine-lifecycle.ts';
import { OWN_STRATEGY_LIFECYCLE } from './own-strategy-lifecycle.ts';
import { ORDER_LIFECYCLE } from './order-lifecycle.ts';
import { initialState, type AccountState, type OrderState } from './state.ts';

/**
 * Raise this with every change of the state's shape. If a snapshot has another version, the account is folded from its
 * first event.
 */
export const SNAPSHOT_VERSION = 9;

/** Exact numbers as the text of their integers. */
const Int = z.codec(z.string().regex(/^-?\d+$/), z.bigint(), { decode: BigInt, encode: String });

/** A map as an object. */
const mapOf = <Value extends z.ZodType>(value: Value) =>
  z.codec(z.record(z.string(), value), z.custom<Map<string, z.output<Value>>>(), {
    decode: (values) => new Map(Object.entries(values)),
    encode: (map) => Object.fromEntries(map),
  });

/** A set of names as a list. */
const Names = z.codec(z.array(z.string()), z.custom<Set<string>>(), {
  decode: (names) => new Set(names),
  encode: (set) => [...set],
});

export const Order = z.strictObject({
  order_id: z.string(),
  client_order_id: z.string().nullable(),
  ticker: z.string(),
  action: OrderAction,
  type: OrderType,
  quantity: Int,
  /**
   * The limit price. A stop order has its stop price here as well, and a market order the price that its client gave as
   * a hint.
   */
  price: Int.nullable(),
  /** The stop price of a stop or stop-limit order. */
  stop_price: Int.nullable(),
  time_in_force: TimeInForce,
  reduce_only: z.boolean(),
  origin: OrderOrigin,
  client_timestamp: z.string().nullable(),
  /** The session in which the order was submitted. */
  session: z.string().nullable(),
  reference_price: Int,
  status: z.enum(ORDER_LIFECYCLE.statuses),
  /** Whether a cancellation was requested. This stays true if a later report changes the status. */
  cancelRequested: z.boolean(),
  filled: Int,
  /** Quantity times price, summed over the order's fills: their average price is `filledValue / filled`. */
  filledValue: Int,
  fees: Int,
  /** Why the broker rejected or cancelled the order. */
  reason: z.string().nullable(),
  /** The ids of the order's trades that are booked. */
  trades: z.array(z.string()),
  /** How much of the order opened exposure when it was submitted. The reserve is calculated from it. */
  opening: Int,
  /** Whether a discrepancy is recorded, because a fill was booked that the lifecycle does not allow. */
  disputed: z.boolean(),
  /** The name of the operator's own strategy that decided on the order; missing if none did. */
  strategy: z.string().optional(),
  // The field is missing if the order has no link, so that the hash of such an order stays the same as in earlier
  // releases.
  linked_to: z.string().optional(),
  trail: Trail.optional(),
  bracket: Bracket.optional(),
  exit_of: z.string().optional(),
  /** How many amendments were requested. */
  amendments: z.int().optional(),
  /** The last requested amendment, until the broker has granted it. */
  amending: z.strictObject({ quantity: Int, price: Int.nullable(), stop_price: Int.nullable() }).optional(),
});

export const Position = z.strictObject({
  /** The number of shares; negative for a short position. */
  quantity: Int,
  /**
   * The part that the strategy opened. The rest was opened by hand, and the strategy does not trade it. Never more than
   * the quantity.
   */
  ofStrategy: Int,
  /** What was paid for the position, without fees. For a short position it is negative: the proceeds. */
  cost: Int,
  /** Profit of what was closed, and of cash in lieu, less all fees. */
  realized: Int,
  /** Dividends received, less those owed for a short position. */
  dividends: Int,
  /** The cost of borrowing for a short position. */
  borrowing: Int,
  fees: Int,
  /**
   * The session of the position's mark. It is earlier than the account's last session if the ticker has not traded
   * since.
   */
  priced: z.string().nullable(),
});

/** A strategy's part of the account's position in one ticker. It is kept for its profit after it is closed. */
const Holding = z.strictObject({
  quantity: Int,
  cost: Int,
  /** The profit of closed positions, less fees. */
  realized: Int,
  fees: Int,
  /** The session of the fill that opened the holding. */
  opened: z.string(),
  /** The highest close since the holding was opened. */
  high: Int,
});

/** A strategy of the operator's own, as the record has it. */
export const OwnStrategy = z.strictObject({
  source: z.string(),
  hash: z.string(),
  parameters: z.record(z.string(), z.number()),
  share: z.number().nullable(),
  capital: Int.nullable(),
  status: z.enum(OWN_STRATEGY_LIFECYCLE.statuses),
  /** Why the strategy is halted. */
  fault: z.string().nullable(),
  /** Where the strategy failed, if that is known. */
  place: z.strictObject({ file: z.string(), line: z.int().nullable() }).optional(),
  /** The last session that the strategy decided on. */
  session: z.string().nullable(),
  /** What the strategy wants to remember. */
  state: z.json(),
  targets: z.array(
    z.strictObject({
      ticker: z.string(),
      by: TargetKind,
      amount: z.number(),
      quantity: Int.nullable(),
      reason: z.string().nullable(),
      protection: Protection.optional(),
      tolerance: z.number().optional(),
    }),
  ),
  /** The orders of the strategy's last decision, which may have to be submitted again. */
  orders: z.array(DecidedOrder),
  cancels: z.array(z.string()),
  amends: z.array(DecidedAmendment).optional(),
  /** The refused parts of the strategy's last decision: orders by index, changes by the id of their order. */
  refused: z.array(z.union([z.int(), z.string()])).optional(),
  holdings: mapOf(Holding),
  /** Dividends less borrowing costs of what the strategy holds. */
  income: Int,
  /** The fills of the strategy's orders in the session that was opened last. */
  trades: z.array(
    z.strictObject({
      order_id: z.string(),
      ticker: z.string(),
      action: OrderAction,
      quantity: Int,
      price: Int,
    }),
  ),
});

/** The state of an account without its orders and the ids that clients gave them. */
export const Header = z.object({
  version: z.literal(SNAPSHOT_VERSION),
  /** The account's name; `null` until the account is opened. */
  account: z.string().nullable(),
  currency: z.string(),
  /** The source of the account's sessions and prices; `null` before its first start with a release that records it. */
  source: z.string().nullable(),
  /** Settled cash. A fee, or buying back a short position, can take it below zero. */
  cash: Int,
  /** The proceeds of sales that may not be spent yet, each with the number of sessions that must open before it is settled. */
  unsettled: z.array(z.strictObject({ amount: Int, sessionsLeft: z.int() })),
  positions: mapOf(Position),
  /** The mark of each ticker that is held: its last close, or the price of a later fill. */
  marks: mapOf(Int),
  engine: z.enum(ENGINE_LIFECYCLE.statuses),
  /** The halt of trading; `null` if there was none, or once somebody has started trading again. */
  halt: TradingHalted.schema
    .extend({
      /** The session in which trading was halted. */
      session: z.string().nullable(),
      /** The session in which the halt ended by itself; `null` while it lasts. */
      resumed: z.string().nullable(),
    })
    .nullable(),
  /** The last session in which a daily loss halted trading. */
  lossSession: z.string().nullable(),
  /** The session that was opened last. */
  session: z.string().nullable(),
  closedSession: z.string().nullable(),
  /** Sessions closed since trading was started or resumed last. */
  sessionsRun: z.int(),
  /** The value of the account at the last close; the opening cash before the first close. */
  closeValue: Int,
  /** The cursor of the last recorded report. */
  cursor: z.string().nullable(),
  /** The number of orders that were submitted and were not withdrawn. */
  orderCount: z.int(),
  /** Ids of the orders that are done, in the order of submission. */
  done: Names,
  /** Discrepancies that are not settled. */
  discrepancies: z.array(DiscrepancyFound.schema),
  /**
   * The clock of a replay as commands have set it; missing if none has, so that the state's hash stays the same as in
   * earlier releases.
   */
  clock: ClockSet.schema.optional(),
  /**
   * The cash moved under each `client_cash_id`; missing if there never was any, so that the state's hash stays the same
   * as in earlier releases.
   */
  cashMoves: mapOf(z.string()).optional(),
  /**
   * The operator's own strategies by name; missing if there never was one, so that the state's hash stays the same as
   * in earlier releases.
   */
  strategies: mapOf(OwnStrategy).optional(),
});

/** `fingerprint` is that of the order as it was first sent. */
export const Client = z.strictObject({ order_id: z.string(), fingerprint: z.string() });

/** All parts of the state that cannot be derived. Sums over open orders and look-ups by other keys are built again. */
const Snapshot = z.strictObject({
  ...Header.shape,
  orders: z.array(Order),
  clientOrders: z.array(z.tuple([z.string(), Client])),
});

type Entry = z.input<typeof Order>;

/** The whole state as JSON: a cache that can be thrown away at any time. */
export function toSnapshot(state: AccountState): Json {
  return {
    ...(header(state) as object),
    orders: [...state.orders.values()].map(orderEntry) as readonly object[] as Json,
    clientOrders: [...state.clientOrders].map(([id, order]) => [id, { ...order }]),
  };
}

function header(state: AccountState): Json {
  return Header.encode({ ...state, version: SNAPSHOT_VERSION }) as object as Json;
}

const MEMBERS = Object.keys(Order.shape) as (keyof Entry)[];

/**
 * The members always have this order, because the hash depends on it. The schema's codecs are not used: there may be
 * thousands of orders.
 */
function orderEntry(order: OrderState): Entry {
  const entry: Record<string, unknown> = {};
  for (const name of MEMBERS) {
    const value = order[name];
    entry[name] = typeof value === 'bigint' ? `${value}` : value;
  }
  const { amending } = order;
  return {
    ...(entry as Entry),
    trades: [...order.trades],
    ...(amending && { amending: Order.shape.amending.unwrap().encode(amending) }),
  };
}

/** @throws {z.ZodError} for what `toSnapshot` of this version did not write. */
export function fromSnapshot(snapshot: Json): AccountState {
  const { version: _, orders, clientOrders, ...kept } = Snapshot.parse(snapshot);
  const state: AccountState = { ...initialState(), ...kept, clientOrders: new Map(clientOrders) };
  for (const order of orders) enterOrder(state, order);
  for (const [ticker, position] of state.positions) noteSide(state, ticker, position);
  return state;
}

/**
 * SHA-256 of the state. It is equal whether the state was folded live, on replay, or from a snapshot with later events.
 * It covers canonical JSON with one text for each order; what is derived from the orders is left out.
 */
export function stateHash(state: AccountState): string {
  const orders = [...state.orders.values()].map((order) => JSON.stringify(orderEntry(order)));
  return createHash('sha256')
    .update(canonicalJson(header(state)))
    .update(orders.join(''))
    .digest('hex');
}
