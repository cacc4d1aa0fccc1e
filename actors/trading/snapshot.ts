import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, type Json } from '../../events/json.ts';
import { OrderAction, OrderOrigin, OrderType, TimeInForce } from '../../events/catalog/trading.ts';
import { enterOrder } from './book.ts';
import { ENGINE_LIFECYCLE, type EngineStatus } from './engine-lifecycle.ts';
import { ORDER_LIFECYCLE, type OrderStatus } from './order-lifecycle.ts';
import { initialState, type AccountState } from './state.ts';

/** Goes up with every change of what a state is; of another version: fold from the start. */
export const SNAPSHOT_VERSION = 1;

/** Exact numbers as the text of their integers. */
const Int = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);

const Status = z.enum(Object.keys(ORDER_LIFECYCLE) as OrderStatus[]);
const Engine = z.enum(Object.keys(ENGINE_LIFECYCLE) as EngineStatus[]);

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
  status: Status,
  cancelRequested: z.boolean(),
  filled: Int,
  filledValue: Int,
  fees: Int,
  reason: z.string().nullable(),
  trades: z.array(z.string()),
  opening: Int,
  fingerprint: z.string().nullable(),
  disputed: z.boolean(),
});

const PositionEntry = z.strictObject({ quantity: Int, cost: Int, realized: Int, fees: Int });

const DiscrepancyEntry = z.strictObject({
  kind: z.enum(['overfill', 'unknown_order', 'position', 'late_report']),
  order_id: z.string().nullable(),
  ticker: z.string().nullable(),
  detail: z.string(),
  cursor: z.string().nullable(),
});

/** What cannot be derived. What is summed over open orders and looked up by other keys is built up again. */
const Snapshot = z.strictObject({
  version: z.literal(SNAPSHOT_VERSION),
  account: z.string().nullable(),
  currency: z.string(),
  cash: Int,
  unsettled: z.array(z.strictObject({ amount: Int, sessionsLeft: z.int() })),
  positions: z.record(z.string(), PositionEntry),
  marks: z.record(z.string(), Int),
  engine: Engine,
  halt: z.strictObject({ reason: z.enum(['daily_loss', 'discrepancy']), detail: z.string() }).nullable(),
  lossSession: z.string().nullable(),
  session: z.string().nullable(),
  closedSession: z.string().nullable(),
  closeValue: Int,
  cursor: z.string().nullable(),
  orders: z.array(Order),
  discrepancies: z.array(DiscrepancyEntry),
});

/** The whole state as JSON: a cache that can be thrown away at any time. */
export function toSnapshot(state: AccountState): Json {
  const {
    open: _open,
    books: _books,
    clientOrders: _ids,
    reservedAtLimit: _l,
    reservedAtMarket: _m,
    ...kept
  } = state;
  const snapshot = {
    version: SNAPSHOT_VERSION,
    ...kept,
    positions: Object.fromEntries(state.positions),
    marks: Object.fromEntries(state.marks),
    orders: [...state.orders.values()],
  };
  return plain(snapshot) as Json;
}

/** A copy that shares nothing, with texts for bigints. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = plain(member);
  return copy;
}

/** @throws {z.ZodError} for what `toSnapshot` of this version did not write. */
export function fromSnapshot(snapshot: Json): AccountState {
  const { version: _, positions, marks, orders, ...kept } = Snapshot.parse(snapshot);
  const state: AccountState = {
    ...initialState(),
    ...kept,
    positions: new Map(Object.entries(positions)),
    marks: new Map(Object.entries(marks)),
  };
  for (const order of orders) {
    enterOrder(state, order);
    if (order.client_order_id !== null) state.clientOrders.set(order.client_order_id, order.order_id);
  }
  return state;
}

/** SHA-256 of the state: the same live, on replay, and from snapshot plus tail. */
export function stateHash(state: AccountState): string {
  return createHash('sha256')
    .update(canonicalJson(toSnapshot(state)))
    .digest('hex');
}
