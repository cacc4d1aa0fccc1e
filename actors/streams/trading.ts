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
import { emptyBook, evolve as evolveBook, type Book, type BookOrder } from '../paper-broker/book.ts';
import { decide as decideOnBook } from '../paper-broker/decide.ts';
import { decide } from '../trading/decide.ts';
import { evolve } from '../trading/evolve.ts';
import { ORDER_LIFECYCLE } from '../trading/order-lifecycle.ts';
import { archived, archiveHash, fromLines, toLines } from '../trading/order-archive.ts';
import { Int, SNAPSHOT_VERSION } from '../trading/snapshot.ts';
import { initialState, type AccountState } from '../trading/state.ts';
import { undo } from '../trading/undo.ts';

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
    hash: archiveHash,
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

const OpenOrder = z.strictObject({
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
  positions: z.record(z.string(), Int),
  meeting: z.strictObject({
    split: z.array(z.string()),
    adjusted: z.array(z.string()),
    met: z.array(z.string()),
    taken: z.record(z.string(), Int),
  }),
  done: z.strictObject({ orders: z.int(), hash: z.string() }),
});

const texts = (numbers: ReadonlyMap<string, bigint>): Record<string, string> =>
  Object.fromEntries([...numbers].map(([name, number]) => [name, String(number)]));

const optional = (price: bigint | null): string | null => (price === null ? null : String(price));

/** Its members as they are declared, always: an order that was replaced has them in another order. */
function openEntry(order: BookOrder): z.input<typeof OpenOrder> {
  const { order_id, ticker, action, type, time_in_force, reduce_only, triggered, traded } = order;
  return {
    order_id,
    ticker,
    action,
    type,
    quantity: String(order.quantity),
    price: optional(order.price),
    stop_price: optional(order.stop_price),
    time_in_force,
    reduce_only,
    filled: String(order.filled),
    triggered,
    traded: {
      shares: String(traded.shares),
      value: String(traded.value),
      fees: String(traded.fees),
    },
  };
}

function toJson({ book: { session, open, positions, meeting }, done }: PaperBrokerState): Json {
  const snapshot: z.input<typeof BookSnapshot> = {
    session,
    open: [...open.values()].map(openEntry),
    positions: texts(positions),
    meeting: {
      split: [...meeting.split],
      adjusted: [...meeting.adjusted],
      met: [...meeting.met],
      taken: texts(meeting.taken),
    },
    done: { orders: done.orders, hash: done.hash },
  };
  return snapshot;
}

function fromJson(json: Json): PaperBrokerState {
  const { session, open, positions, meeting, done } = BookSnapshot.parse(json);
  return {
    book: {
      session,
      open: new Map(open.map((order) => [order.order_id, order])),
      done: new Set(),
      positions: new Map(Object.entries(positions)),
      meeting: {
        split: new Set(meeting.split),
        adjusted: new Set(meeting.adjusted),
        met: new Set(meeting.met),
        taken: new Map(Object.entries(meeting.taken)),
      },
    },
    done,
  };
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
