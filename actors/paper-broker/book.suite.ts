import { parsePrice, parseQuantity, priceText, quantityText } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { BrokerOrder, Funds } from '../trading/broker.ts';
import { emptyBook, evolve, type Book, type PaperDraft } from './book.ts';
import { decide } from './decide.ts';
import type { BookCommand } from './commands.ts';
import type { PaperRules } from './rules.ts';

/** No fees, no slippage, no limits, whole shares. */
export const PLAIN: PaperRules = {
  fees: { kind: 'none' },
  slippage: 0n,
  volumeLimit: null,
  lot: parseQuantity('1'),
};

/** 100 at the open, then up to 105 and down to 95. */
export const BAR = { open: 100, high: 105, low: 95, close: 101, volume: 1_000 };

type Prices = Partial<Record<'price' | 'stop_price' | 'quantity', string>>;
type Others = Partial<Omit<BrokerOrder, 'price' | 'stop_price' | 'quantity'>>;

/** A market order to buy ten of XYZ, good until it is cancelled. */
export function order(
  orderId: string,
  { price, stop_price, quantity, ...others }: Prices & Others = {},
): BrokerOrder {
  return {
    order_id: orderId,
    ticker: 'XYZ',
    action: 'buy',
    type: 'market',
    quantity: parseQuantity(quantity ?? '10'),
    price: price === undefined ? null : parsePrice(price),
    stop_price: stop_price === undefined ? null : parsePrice(stop_price),
    time_in_force: 'gtc',
    reduce_only: false,
    ...others,
  };
}

/** The n-th day of January 2024. */
export function day(n: number, session: Partial<SessionData> = {}): SessionData {
  const date = `2024-01-${String(n).padStart(2, '0')}`;
  return { date, bars: { XYZ: BAR }, splits: {}, dividends: {}, ...session };
}

/** A paper broker in memory, and all that it has decided. */
export class BookTrial {
  readonly book: Book = emptyBook();
  readonly drafts: PaperDraft[] = [];
  readonly #rules: PaperRules;

  constructor(rules: Partial<PaperRules> = {}) {
    this.#rules = { ...PLAIN, ...rules };
  }

  /** The resulting events in words. */
  do(command: BookCommand): string[] {
    const drafts = decide(command, this.book, this.#rules);
    for (const draft of drafts) evolve(this.book, draft);
    this.drafts.push(...drafts);
    return drafts.map(inWords);
  }

  submit(...orders: BrokerOrder[]): string[] {
    return orders.flatMap((submitted) => this.do({ type: 'submit', order: submitted }));
  }

  amend(orderId: string, { quantity, price, stop_price }: Prices, amendment = 1): string[] {
    const before = this.book.open.get(orderId)!;
    return this.do({
      type: 'amend',
      order_id: orderId,
      amendment,
      quantity: quantity === undefined ? before.quantity : parseQuantity(quantity),
      price: price === undefined ? before.price : parsePrice(price),
      stop_price: stop_price === undefined ? before.stop_price : parsePrice(stop_price),
    });
  }

  cancel(orderId: string): string[] {
    return this.do({ type: 'cancel', order_id: orderId });
  }

  /** Repeats the command until the session is complete. */
  meet(session: SessionData, funds: Funds | null = null): string[] {
    return this.do({ type: 'session', session, funds }).filter((words) => !/^(through|can pay)/.test(words));
  }

  held(ticker = 'XYZ'): string {
    return quantityText(this.book.positions.get(ticker) ?? 0n);
  }

  /** Quantity, what of it is filled, and its prices. */
  open(orderId: string): string {
    const { quantity, filled, price, stop_price } = this.book.open.get(orderId)!;
    const prices = [price, stop_price].filter((each) => each !== null).map(priceText);
    return `${quantityText(filled)} of ${quantityText(quantity)}${prices.map((text) => ` @ ${text}`).join('')}`;
  }
}

function inWords({ type, data }: PaperDraft): string {
  switch (type) {
    case 'PaperOrderAccepted':
      return `${data.order_id} accepted`;
    case 'PaperOrderRejected':
      return `${data.order_id} rejected: ${data.reason}`;
    case 'PaperOrderTriggered':
      return `${data.order_id} triggered`;
    case 'PaperTradeExecuted':
      return `${data.order_id} ${data.quantity} @ ${data.price}`;
    case 'PaperOrderAmended':
      return `${data.order_id} ${data.reason}: ${data.quantity}${[data.stop_price ?? data.price ?? ''].map((price) => price && ` @ ${price}`).join('')}`;
    case 'PaperOrderCancelled':
      return `${data.order_id} cancelled: ${data.reason}`;
    case 'PaperOrderExpired':
      return `${data.order_id} expired`;
    case 'PaperSplitApplied':
      return `${data.ticker} split ${data.ratio}: ${data.quantity}`;
    case 'PaperPositionSettled':
      return `${data.ticker} settled`;
    case 'PaperOrderAdjusted':
      return `${data.order_id} adjusted`;
    case 'PaperFundsStated':
      return `can pay ${data.cash}`;
    case 'PaperSessionMatched':
      return `through: ${data.session}`;
  }
}
