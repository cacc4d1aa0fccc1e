import { createHash } from 'node:crypto';
import { z } from 'zod';
import { paperBrokerStream } from '../../events/catalog/broker.ts';
import {
  ACCOUNT_EVENTS,
  PAPER_BROKER_EVENTS,
  type AccountEvent,
  type PaperBrokerEvent,
} from '../../events/catalog/catalog.ts';
import { accountStream, OrderAction, OrderType, TimeInForce } from '../../events/catalog/trading.ts';
import type { Json } from '../../events/json.ts';
import { readableAccount, readableBook } from './readable.ts';
import { defineStream, inJson } from './define.ts';
import { emptyBook, evolve as evolveBook, type Book } from '../paper-broker/book.ts';
import { decide as decideOnBook } from '../paper-broker/decide.ts';
import { decide, undo } from '../trading/decide.ts';
import { evolve } from '../trading/evolve.ts';
import { ORDER_LIFECYCLE } from '../trading/order-lifecycle.ts';
import { archived, stateHash, fromLines, toLines } from '../trading/order-archive.ts';
import { SNAPSHOT_VERSION } from '../trading/snapshot.ts';
import { initialState, type AccountState } from '../trading/state.ts';
import { Int, mapOf, Names } from './written.ts';

export const ACCOUNT = defineStream({
  kind: 'account',
  stream: accountStream,
  events: ACCOUNT_EVENTS,
  lifecycle: ORDER_LIFECYCLE,
  initial: initialState,
  evolve,
  decide,
  undo,
  inPlace: true,
  kept: {
    version: SNAPSHOT_VERSION,
    initial: () => archived(initialState()),
    evolve: (state: AccountState, event: AccountEvent) => {
      const next = evolve(state, event);
      // No part of the state that the hash is of, and no event asks for it.
      next.clientOrders.clear();
      return next;
    },
    hash: stateHash,
    readable: readableAccount,
    toLines,
    fromLines,
  },
});

/** The paper broker's book, where it is asked for at any point: orders that are done by their number and a hash of all of them. */
export interface PaperBrokerState {
  /** Its `done` is empty: only whether an order comes again is asked of that, and no event asks. */
  readonly book: Book;
  readonly done: DoneOrders;
}

interface DoneOrders {
  readonly orders: number;
  /** SHA-256 of the one before and the next order's id, from order to order in which they came to be done. */
  readonly hash: string;
}

const NONE_DONE: DoneOrders = { orders: 0, hash: '' };

function withDone({ orders, hash }: DoneOrders, id: string): DoneOrders {
  const next = createHash('sha256').update(hash).update(id).digest('hex');
  return { orders: orders + 1, hash: next };
}

/** Of a book as the broker has it. */
export function paperBrokerState(book: Book): PaperBrokerState {
  return { book, done: [...book.done].reduce(withDone, NONE_DONE) };
}

/** An order that was replaced has its members in another order: they are written as they stand here, always. */
const OpenOrder = z.object({
  order_id: z.string(),
  ticker: z.string(),
  action: OrderAction,
  type: OrderType,
  quantity: Int,
  price: Int.nullable(),
  stop_price: Int.nullable(),
  time_in_force: TimeInForce,
  reduce_only: z.boolean(),
  filled: Int,
  triggered: z.boolean(),
  traded: z.strictObject({ shares: Int, value: Int, fees: Int }),
});

const BookSnapshot = z.strictObject({
  session: z.string().nullable(),
  open: z.array(OpenOrder),
  positions: mapOf(Int),
  meeting: z.strictObject({ split: Names, adjusted: Names, met: Names, taken: mapOf(Int) }),
  done: z.strictObject({ orders: z.int(), hash: z.string() }),
});

function toJson({ book: { session, open, positions, meeting }, done }: PaperBrokerState): Json {
  return BookSnapshot.encode({ session, open: [...open.values()], positions, meeting, done });
}

function fromJson(json: Json): PaperBrokerState {
  const { open, done, ...kept } = BookSnapshot.parse(json);
  const byId = new Map(open.map((order) => [order.order_id, order]));
  return { book: { ...kept, open: byId, done: new Set() }, done };
}

export const PAPER_BROKER = defineStream({
  kind: 'paper-broker',
  stream: paperBrokerStream,
  events: PAPER_BROKER_EVENTS,
  initial: emptyBook,
  evolve: evolveBook,
  decide: decideOnBook,
  /** The same order, or the same session of it, again: the same events. */
  stamp: ({ data }, command) => {
    const of = 'order_id' in data ? data.order_id : 'ticker' in data ? data.ticker : data.session;
    const cause = command.type === 'session' ? command.session.date : command.type;
    return { correlationId: of, causationId: `${cause}/${of}`, key: of };
  },
  /** A market without orders leaves no record of its days. */
  defers: ([first, ...rest], { meeting }) =>
    rest.length === 0 &&
    first?.type === 'PaperSessionMatched' &&
    Object.values(meeting).every(({ size }) => size === 0),
  inPlace: true,
  kept: {
    ...inJson(1, toJson, fromJson),
    initial: (): PaperBrokerState => ({ book: emptyBook(), done: NONE_DONE }),
    evolve: (state: PaperBrokerState, event: PaperBrokerEvent) => {
      const book = evolveBook(state.book, event);
      if (book.done.size === 0) return state;
      const done = [...book.done].reduce(withDone, state.done);
      book.done.clear();
      return { book, done };
    },
    readable: readableBook,
  },
});
