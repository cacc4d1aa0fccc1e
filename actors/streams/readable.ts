import { createHash } from 'node:crypto';
import { moneyText, priceText, quantityText } from '../../events/decimal.ts';
import type { Json } from '../../events/json.ts';
import type { Book } from '../paper-broker/book.ts';
import type { AccountState } from '../trading/state.ts';

/** Names of a state's quantities and prices; its other amounts are money. */
const QUANTITIES = new Set(['quantity', 'ofStrategy', 'filled', 'opening', 'positions', 'shares', 'taken']);
const PRICES = new Set(['price', 'stop_price', 'reference_price', 'marks']);

/** A state as JSON: its amounts as decimals, maps as objects, names in snake case. */
function readable(value: unknown, name = ''): Json {
  if (typeof value === 'bigint') {
    if (QUANTITIES.has(name)) return quantityText(value);
    return PRICES.has(name) ? priceText(value) : moneyText(value);
  }
  if (value instanceof Set || Array.isArray(value)) return [...value].map((each) => readable(each, name));
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, each]) => [key, readable(each, name)]));
  }
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [snakeCase(key), readable(each, key)]),
  );
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Orders as an object by id; the id is left out of each. */
const byId = (orders: Iterable<{ readonly order_id: string }>): Json =>
  Object.fromEntries([...orders].map(({ order_id, ...order }) => [order_id, readable(order)]));

/** An account with its amounts as decimals; orders that are done come before open ones. */
export function readableAccount(state: AccountState): Json {
  const {
    orders,
    open,
    done,
    books: _,
    clientOrders: __,
    shorts: ___,
    reservedAtLimit,
    reservedAtMarket,
    ...kept
  } = state;
  return {
    ...(readable(kept) as object),
    reserved: readable({ atLimit: reservedAtLimit, atMarket: reservedAtMarket }),
    orders: byId([...[...orders.values()].filter(({ order_id }) => done.has(order_id)), ...open.values()]),
  };
}

/** A paper broker's book with its amounts as decimals. */
export function readableBook({ open, done, funds, ...kept }: Book): Json {
  return {
    ...(readable(kept) as object),
    // Funds exist only during a session.
    ...(funds === null ? {} : { funds: readable(funds) }),
    open: byId(open.values()),
    done: { orders: done.size, hash: chained(done) },
  };
}

/** Hashes the ids as a chain: each step is the SHA-256 of the previous hash followed by the next id. */
const chained = (ids: Iterable<string>): string =>
  [...ids].reduce((before, id) => createHash('sha256').update(before).update(id).digest('hex'), '');
