import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../events/json.ts';
import { enterOrder } from './book.ts';
import { isOpen } from './order-lifecycle.ts';
import { fromSnapshot, header, orderEntry, readOrder } from './snapshot.ts';
import type { AccountState, Orders, OrderState } from './state.ts';

/**
 * The orders of an account of which a state at any point is asked for: thousands of them are done, and hardly one is
 * looked at again. Those are kept as they are written, and read when somebody asks for one.
 */
class OrderArchive implements Orders {
  readonly #orders = new Map<string, OrderState | string>();

  get size(): number {
    return this.#orders.size;
  }

  get(id: string): OrderState | undefined {
    const order = this.#orders.get(id);
    if (typeof order !== 'string') return order;
    const read = readOrder(JSON.parse(order));
    this.#orders.set(id, read);
    return read;
  }

  has(id: string): boolean {
    return this.#orders.has(id);
  }

  /** `order`: or what stands for it in a snapshot. */
  set(id: string, order: OrderState | string): void {
    this.#orders.set(id, order);
  }

  delete(id: string): boolean {
    return this.#orders.delete(id);
  }

  keys(): Iterable<string> {
    return this.#orders.keys();
  }

  *values(): Generator<OrderState> {
    for (const id of this.#orders.keys()) yield this.get(id)!;
  }

  /** Each as it is written, in their order. */
  *texts(): Generator<string> {
    for (const [id, order] of this.#orders) {
      if (typeof order === 'string') {
        yield order;
        continue;
      }
      const text = JSON.stringify(orderEntry(order));
      // What is done changes by a late report only: whoever books that asks for it first.
      if (!isOpen(order.status)) this.#orders.set(id, text);
      yield text;
    }
  }
}

/** The same account, for a fold that is looked at on its way. */
export function archived(state: AccountState): AccountState & { readonly orders: OrderArchive } {
  const orders = new OrderArchive();
  for (const order of state.orders.values()) orders.set(order.order_id, order);
  return { ...state, orders };
}

/** Characters. */
const HASHED_AT_ONCE = 65_536;

/**
 * SHA-256 of the state: the same live, on replay, and from snapshot plus tail. Of canonical JSON, a text for each order;
 * what is derived from the orders has no part in it.
 */
export function stateHash(state: AccountState): string {
  const hash = createHash('sha256').update(canonicalJson(header(state)));
  // Some at a time: a call for each of ten thousand takes longer than hashing them.
  let some = '';
  for (const order of textsOf(state)) {
    some += order;
    if (some.length < HASHED_AT_ONCE) continue;
    hash.update(some);
    some = '';
  }
  return hash.update(some).digest('hex');
}

/** First what is not an order, then the orders, one a line, then the ids of those that are done. */
export function toLines(state: AccountState): string[] {
  const { done, ...rest } = header(state);
  const orders = [...textsOf(state)];
  const first = JSON.stringify({ ...rest, orders: orders.length, open: [...state.open.keys()] });
  return [first, ...orders, ...done];
}

interface First {
  readonly [name: string]: Json;
  readonly orders: number;
  readonly open: readonly string[];
}

/** Of what `toLines` wrote. @throws {z.ZodError} */
export function fromLines(lines: readonly string[]): AccountState {
  const { orders: count, open, ...rest } = JSON.parse(lines[0]!) as First;
  const state = archived(fromSnapshot({ ...rest, done: [], orders: [], clientOrders: [] }));
  for (let i = 1; i <= count; i++) state.orders.set(idOf(lines[i]!), lines[i]!);
  for (let i = count + 1; i < lines.length; i++) state.done.add(lines[i]!);
  for (const id of open) enterOrder(state, state.orders.get(id)!);
  return state;
}

const ID = '{"order_id":"';

/** The first member, without reading the others; one with a character that JSON escapes is read as JSON. */
function idOf(text: string): string {
  const end = text.indexOf('"', ID.length);
  const id = text.slice(ID.length, end);
  return text.startsWith(ID) && !id.includes('\\') ? id : readOrder(JSON.parse(text)).order_id;
}

function* textsOf({ orders }: AccountState): Generator<string> {
  if (orders instanceof OrderArchive) yield* orders.texts();
  else for (const order of orders.values()) yield JSON.stringify(orderEntry(order));
}
