import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, type Json } from '../../events/json.ts';
import {
  DiscrepancyFound,
  OrderAction,
  OrderOrigin,
  OrderType,
  TimeInForce,
  TradingHalted,
} from '../../events/catalog/trading.ts';
import { enterOrder } from './book.ts';
import { ENGINE_LIFECYCLE } from './engine-lifecycle.ts';
import { ORDER_LIFECYCLE } from './order-lifecycle.ts';
import { initialState, type AccountState, type OrderState } from './state.ts';

/** Goes up with every change of what a state is; of another version: fold from the start. */
export const SNAPSHOT_VERSION = 7;

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

const Order = z.strictObject({
  order_id: z.string(),
  client_order_id: z.string().nullable(),
  ticker: z.string(),
  action: OrderAction,
  type: OrderType,
  quantity: Int,
  price: Int.nullable(),
  stop_price: Int.nullable(),
  time_in_force: TimeInForce,
  reduce_only: z.boolean(),
  origin: OrderOrigin,
  client_timestamp: z.string().nullable(),
  session: z.string().nullable(),
  reference_price: Int,
  status: z.enum(ORDER_LIFECYCLE.statuses),
  cancelRequested: z.boolean(),
  filled: Int,
  filledValue: Int,
  fees: Int,
  reason: z.string().nullable(),
  trades: z.array(z.string()),
  opening: Int,
  disputed: z.boolean(),
});

const PositionEntry = z.strictObject({
  quantity: Int,
  ofStrategy: Int,
  cost: Int,
  realized: Int,
  dividends: Int,
  borrowing: Int,
  fees: Int,
  priced: z.string().nullable(),
});

/** All but the orders, and what their clients know them by. */
const Header = z.object({
  version: z.literal(SNAPSHOT_VERSION),
  account: z.string().nullable(),
  currency: z.string(),
  cash: Int,
  unsettled: z.array(z.strictObject({ amount: Int, sessionsLeft: z.int() })),
  positions: mapOf(PositionEntry),
  marks: mapOf(Int),
  engine: z.enum(ENGINE_LIFECYCLE.statuses),
  halt: TradingHalted.schema
    .extend({ session: z.string().nullable(), resumed: z.string().nullable() })
    .nullable(),
  lossSession: z.string().nullable(),
  session: z.string().nullable(),
  closedSession: z.string().nullable(),
  sessionsRun: z.int(),
  closeValue: Int,
  cursor: z.string().nullable(),
  orderCount: z.int(),
  done: Names,
  discrepancies: z.array(DiscrepancyFound.schema),
});

/** What cannot be derived. What is summed over open orders and looked up by other keys is built up again. */
const Snapshot = z.strictObject({
  ...Header.shape,
  orders: z.array(Order),
  clientOrders: z.array(
    z.tuple([z.string(), z.strictObject({ order_id: z.string(), fingerprint: z.string() })]),
  ),
});

type Entry = z.input<typeof Order>;

/** The whole state as JSON: a cache that can be thrown away at any time. */
export function toSnapshot(state: AccountState): Json {
  return {
    ...header(state),
    orders: [...state.orders.values()].map(orderEntry),
    clientOrders: [...state.clientOrders].map(([id, order]) => [id, { ...order }]),
  };
}

function header(state: AccountState): z.input<typeof Header> {
  return Header.encode({ ...state, version: SNAPSHOT_VERSION });
}

const MEMBERS = Object.keys(Order.shape) as (keyof Entry)[];

/** Its members in this order, always: the hash rests on it. Without the schema's codecs: there may be thousands of orders. */
function orderEntry(order: OrderState): Entry {
  const entries = MEMBERS.map((name) => {
    const value = order[name];
    return [name, typeof value === 'bigint' ? `${value}` : value];
  });
  return { ...(Object.fromEntries(entries) as Entry), trades: [...order.trades] };
}

/** @throws {z.ZodError} for what `toSnapshot` of this version did not write. */
export function fromSnapshot(snapshot: Json): AccountState {
  const { version: _, orders, clientOrders, ...kept } = Snapshot.parse(snapshot);
  const state: AccountState = { ...initialState(), ...kept, clientOrders: new Map(clientOrders) };
  for (const order of orders) enterOrder(state, order);
  return state;
}

/**
 * SHA-256 of the state: the same live, on replay, and from snapshot plus tail. Of canonical JSON, a text for each order;
 * what is derived from the orders has no part in it.
 */
export function stateHash(state: AccountState): string {
  const orders = [...state.orders.values()].map((order) => JSON.stringify(orderEntry(order)));
  return createHash('sha256')
    .update(canonicalJson(header(state)))
    .update(orders.join(''))
    .digest('hex');
}
