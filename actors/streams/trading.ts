import { paperBrokerStream } from '../../events/catalog/broker.ts';
import { ACCOUNT_EVENTS, PAPER_BROKER_EVENTS } from '../../events/catalog/catalog.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { readableAccount, readableBook } from './readable.ts';
import { defineStream, jsonHash } from './define-stream.ts';
import { emptyBook, evolve as evolveBook } from '../paper-broker/book.ts';
import { decide as decideOnBook } from '../paper-broker/decide.ts';
import { decide, undo } from '../trading/decide.ts';
import { evolve } from '../trading/evolve.ts';
import { ORDER_LIFECYCLE } from '../trading/order-lifecycle.ts';
import { stateHash } from '../trading/snapshot.ts';
import { initialState } from '../trading/state.ts';

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
  hash: stateHash,
  readable: readableAccount,
});

export const PAPER_BROKER = defineStream({
  kind: 'paper-broker',
  stream: paperBrokerStream,
  events: PAPER_BROKER_EVENTS,
  initial: emptyBook,
  evolve: evolveBook,
  decide: decideOnBook,
  /** Event ids depend on the order, and on its step in a session, so that a repetition gives events with equal ids. */
  stamp: ({ data }, command) => {
    const of = 'order_id' in data ? data.order_id : 'ticker' in data ? data.ticker : data.session;
    const cause =
      command.type === 'session'
        ? command.session.date
        : command.type === 'amend'
          ? `amend/${command.amendment}`
          : command.type;
    // A session may change the quantity of an order several times, so the quantity belongs to the cause.
    if ('amendment' in data || ('reason' in data && data.reason === 'linked' && 'quantity' in data))
      return { correlationId: of, causationId: `${cause}/${of}/${data.quantity}`, key: of };
    return { correlationId: of, causationId: `${cause}/${of}`, key: of };
  },
  /** A session without events of orders need not be recorded. */
  defers: ([first, ...rest], { meeting }) =>
    rest.length === 0 &&
    first?.type === 'PaperSessionMatched' &&
    Object.values(meeting).every(({ size }) => size === 0),
  inPlace: true,
  // The ids of open orders in their order of arrival belong to the hash, because that order decides which one is filled
  // first.
  hash: (book) => jsonHash([readableBook(book), [...book.open.keys()]]),
  readable: readableBook,
});
