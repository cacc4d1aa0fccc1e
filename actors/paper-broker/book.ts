import type { DraftOf, PaperBrokerEvent } from '../../events/catalog/catalog.ts';
import {
  parseMoney,
  parseOptionalPrice,
  parsePrice,
  parseQuantity,
  valueOf,
  type Money,
  type Price,
  type Quantity,
} from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import type { BrokerOrder, Funds } from '../trading/broker.ts';
import { NOTHING_TRADED, type Traded } from './fees.ts';

/** The events that the paper broker records. */
export type PaperDraft = DraftOf<PaperBrokerEvent>;

/** An open order in the book; never changed, but replaced. */
export interface BookOrder extends BrokerOrder {
  /** The shares that are filled, adjusted by later splits as `quantity` is. */
  readonly filled: Quantity;
  /** Whether the order's stop price was reached. */
  readonly triggered: boolean;
  /** The number of the last amendment of the order that was requested. */
  readonly amendment?: number | undefined;
  /** The order's trades so far, from which its fees are calculated. */
  readonly traded: Traded;
}

/** The paper broker's order book, folded from its own stream alone. */
export interface Book {
  /** The last session that the book has met completely, `YYYY-MM-DD`. */
  session: string | null;
  /** Open orders by id, oldest first. */
  readonly open: Map<string, BookOrder>;
  /** Every order that is filled, cancelled, expired or rejected. */
  readonly done: Set<string>;
  /** The positions other than zero, by ticker. */
  readonly positions: Map<string, Quantity>;
  /** The funds left in the session whose orders are being filled; `null` between sessions, and if nobody stated them. */
  funds: BookFunds | null;
  /** The recorded part of the present session, because a crash can come between two appends. */
  readonly meeting: {
    /** The tickers whose split is applied. */
    readonly split: Set<string>;
    /** The orders that are adjusted to a split. */
    readonly adjusted: Set<string>;
    /** The orders that have met their bar. */
    readonly met: Set<string>;
    /** How much our orders took of each ticker's bar. */
    readonly taken: Map<string, Quantity>;
  };
}

interface BookFunds extends Omit<Funds, 'cash'> {
  cash: Money;
  readonly marks: Map<string, Price>;
}

export function emptyBook(): Book {
  return {
    session: null,
    open: new Map(),
    done: new Set(),
    positions: new Map(),
    funds: null,
    meeting: { split: new Set(), adjusted: new Set(), met: new Set(), taken: new Map() },
  };
}

/** A copy of the book to try decisions on: changes to it do not show in the original. `done` starts empty. */
export function draftOf(book: Book): Book {
  return {
    session: book.session,
    open: new Map(book.open),
    done: new Set(),
    positions: new Map(book.positions),
    funds: book.funds && { ...book.funds, marks: new Map(book.funds.marks) },
    meeting: {
      split: new Set(book.meeting.split),
      adjusted: new Set(book.meeting.adjusted),
      met: new Set(book.meeting.met),
      taken: new Map(book.meeting.taken),
    },
  };
}

/** Folds one event into the book, in place: a book of many orders is not copied for each of its events. */
export function evolve(book: Book, event: PaperBrokerEvent | PaperDraft): Book {
  switch (event.type) {
    case 'PaperOrderAccepted':
      book.open.set(event.data.order_id, accepted(event.data));
      break;
    case 'PaperOrderTriggered': {
      const order = openOrder(book, event.data.order_id);
      book.open.set(order.order_id, { ...order, triggered: true });
      book.meeting.met.add(order.order_id);
      break;
    }
    case 'PaperTradeExecuted':
      trade(book, event.data);
      break;
    case 'PaperOrderAmended':
      amended(book, event.data);
      break;
    case 'PaperOrderRejected':
    case 'PaperOrderCancelled':
    case 'PaperOrderExpired':
      book.open.delete(event.data.order_id);
      book.done.add(event.data.order_id);
      break;
    case 'PaperFundsStated': {
      const { cash, sales_settle, marks } = event.data;
      const prices = new Map<string, Price>();
      for (const ticker in marks) prices.set(ticker, parsePrice(marks[ticker]!));
      book.funds = { cash: parseMoney(cash), salesSettle: sales_settle, marks: prices };
      break;
    }
    case 'PaperSplitApplied':
      hold(book, event.data.ticker, parseQuantity(event.data.quantity));
      book.meeting.split.add(event.data.ticker);
      break;
    case 'PaperPositionSettled':
      book.positions.delete(event.data.ticker);
      break;
    case 'PaperOrderAdjusted': {
      const order = openOrder(book, event.data.order_id);
      book.open.set(order.order_id, {
        ...order,
        quantity: parseQuantity(event.data.quantity),
        filled: parseQuantity(event.data.filled_quantity),
        price: parseOptionalPrice(event.data.price),
        stop_price: parseOptionalPrice(event.data.stop_price),
        ...(event.data.trail && { trail: event.data.trail }),
      });
      book.meeting.adjusted.add(order.order_id);
      break;
    }
    case 'PaperSessionMatched':
      book.session = event.data.session;
      book.funds = null;
      beginMeeting(book);
      break;
    default:
      event satisfies never;
  }
  return book;
}

function beginMeeting({ meeting: { split, adjusted, met, taken } }: Book): void {
  // `clear` takes as long for an empty set as for a full one, and most of these sets are empty.
  if (split.size > 0) split.clear();
  if (adjusted.size > 0) adjusted.clear();
  if (met.size > 0) met.clear();
  if (taken.size > 0) taken.clear();
}

type DataOf<Type extends PaperDraft['type']> = Extract<PaperDraft, { type: Type }>['data'];

function accepted(data: DataOf<'PaperOrderAccepted'>): BookOrder {
  return {
    ...data,
    quantity: parseQuantity(data.quantity),
    price: parseOptionalPrice(data.price),
    stop_price: parseOptionalPrice(data.stop_price),
    filled: 0n,
    triggered: false,
    traded: NOTHING_TRADED,
  };
}

/** A better price or a larger quantity moves the order to the end of the queue, a smaller quantity does not. */
function amended(book: Book, data: DataOf<'PaperOrderAmended'>): void {
  const before = openOrder(book, data.order_id);
  const [price, stop_price] = [parseOptionalPrice(data.price), parseOptionalPrice(data.stop_price)];
  const quantity = parseQuantity(data.quantity);
  const { amendment = before.amendment } = data;
  const keepsPlace =
    quantity <= before.quantity && price === before.price && stop_price === before.stop_price;
  if (data.reason === 'requested' && !keepsPlace) book.open.delete(data.order_id);
  book.open.set(data.order_id, {
    ...before,
    quantity,
    price,
    stop_price,
    ...(amendment !== undefined && { amendment }),
  });
  if (data.reason === 'trail') book.meeting.met.add(data.order_id);
}

function trade(book: Book, data: DataOf<'PaperTradeExecuted'>): void {
  const order = openOrder(book, data.order_id);
  const { order_id, ticker, traded } = order;
  const [quantity, price, fee] = [parseQuantity(data.quantity), parsePrice(data.price), parseMoney(data.fee)];
  const filled = order.filled + quantity;
  if (filled >= order.quantity) {
    book.open.delete(order_id);
    book.done.add(order_id);
  } else {
    const shares = traded.shares + quantity;
    const value = traded.value + valueOf(quantity, price);
    const fees = traded.fees + fee;
    book.open.set(order_id, { ...order, filled, traded: { shares, value, fees } });
  }
  pay(book, order, { quantity, price, fee });
  const held = book.positions.get(ticker) ?? 0n;
  hold(book, ticker, order.action === 'buy' ? held + quantity : held - quantity);
  book.meeting.met.add(order_id);
  book.meeting.taken.set(ticker, (book.meeting.taken.get(ticker) ?? 0n) + quantity);
}

/** Books cash as the account does: a sale that is not settled at once brings nothing yet. */
function pay(
  book: Book,
  { ticker, action }: BookOrder,
  { quantity, price, fee }: { readonly quantity: Quantity; readonly price: Price; readonly fee: Money },
): void {
  const { funds } = book;
  if (funds === null) return;
  const value = valueOf(quantity, price);
  const brought = action === 'buy' ? -value : funds.salesSettle ? value : 0n;
  funds.marks.set(ticker, price);
  funds.cash += brought - fee;
}

function hold({ positions }: Book, ticker: string, quantity: Quantity): void {
  if (quantity === 0n) positions.delete(ticker);
  else positions.set(ticker, quantity);
}

function openOrder(book: Book, orderId: string): BookOrder {
  const order = book.open.get(orderId);
  if (order === undefined) throw new BelegError('STREAM_CORRUPT', { detail: `${orderId} is not open` });
  return order;
}
