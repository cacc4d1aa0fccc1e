import {
  moneyText,
  parseRatio,
  priceOf,
  priceText,
  quantityText,
  type Price,
  type Quantity,
  type Ratio,
} from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { draftOf, evolve, type Book, type BookOrder, type PaperDraft } from './book.ts';
import { fillFee } from './fees.ts';
import { meetBar, NOT_MET, type PricedBar, volumeOffered, wholeLots } from './fill.ts';
import type { PaperRules } from './rules.ts';
import { leftOf } from '../trading/state.ts';
import { splitOrder, splitShares } from './split.ts';

/**
 * A session: splits take effect at its opening, then each open order meets its ticker's bar, oldest first. What no longer
 * trades is settled, and its orders expire. Where a part
 * of it is on record already, what is missing. Nothing for a session that is through, and for any before it.
 */
export function meetSession(session: SessionData, book: Book, rules: PaperRules): readonly PaperDraft[] {
  if (book.session !== null && session.date <= book.session) return [];
  const through: PaperDraft = { type: 'PaperSessionMatched', data: { session: session.date } };
  const splits = Object.entries(session.splits);
  const settled = Object.keys(session.gone ?? {}).filter((ticker) => book.positions.has(ticker));
  if (book.open.size === 0 && splits.length === 0 && settled.length === 0) return [through];
  const matching = new Matching(session, book, rules);
  for (const [ticker, ratio] of splits) matching.split(ticker, parseRatio(ratio), ratio);
  for (const ticker of settled) matching.settle(ticker);
  matching.meetAll();
  return [...matching.drafts, through];
}

interface Quote {
  readonly bar: PricedBar;
  /** What all our orders together may take of it; `null`: as much as they like. */
  readonly offered: Quantity | null;
}

/** One session, decided on a draft of the book, so that each decision sees what those before it have done. */
class Matching {
  readonly drafts: PaperDraft[] = [];
  readonly #session: SessionData;
  readonly #book: Book;
  readonly #rules: PaperRules;

  constructor(session: SessionData, book: Book, rules: PaperRules) {
    this.#session = session;
    this.#book = draftOf(book);
    this.#rules = rules;
  }

  split(ticker: string, ratio: Ratio, ratioText: string): void {
    const { positions, open, meeting } = this.#book;
    const held = positions.get(ticker);
    if (held !== undefined && !meeting.split.has(ticker)) {
      const quantity = quantityText(splitShares(held, ratio, this.#rules.lot));
      this.#record({
        type: 'PaperSplitApplied',
        data: { ticker, ratio: ratioText, quantity, session: this.#session.date },
      });
    }
    for (const order of open.values()) {
      if (order.ticker === ticker && !meeting.adjusted.has(order.order_id)) this.#adjust(order, ratio);
    }
  }

  settle(ticker: string): void {
    this.#record({ type: 'PaperPositionSettled', data: { ticker, session: this.#session.date } });
  }

  meetAll(): void {
    const { open, meeting } = this.#book;
    for (const order of open.values()) if (!meeting.met.has(order.order_id)) this.#meet(order);
  }

  #adjust(order: BookOrder, ratio: Ratio): void {
    const { order_id } = order;
    const after = splitOrder(order, ratio, this.#rules.lot);
    if (after === null) this.#cancel(order, 'split');
    else this.#record({ type: 'PaperOrderAdjusted', data: { order_id, ...after } });
  }

  #meet(order: BookOrder): void {
    const { order_id } = order;
    if (this.#session.gone?.[order.ticker] !== undefined) {
      this.#expire(order);
      return;
    }
    const quote = this.#quote(order.ticker);
    const { triggers, price } = quote === null ? NOT_MET : meetBar(order, quote.bar, this.#rules.slippage);
    if (triggers) {
      this.#record({ type: 'PaperOrderTriggered', data: { order_id, session: this.#session.date } });
    }
    const left = leftOf(order);
    const holding = order.reduce_only && price !== null ? this.#reducible(order) : null;
    const quantity = price === null ? 0n : this.#fillable(order, quote, holding);
    if (price !== null && quantity > 0n) this.#fill(order, quantity, price);
    if (quantity === left) return;
    // All that it could close is closed.
    if (quantity === holding) this.#cancel(order, 'reduce_only');
    else this.#endOfSession(order);
  }

  #endOfSession(order: BookOrder): void {
    const { time_in_force } = order;
    switch (time_in_force) {
      case 'ioc':
      case 'fok':
        this.#cancel(order, time_in_force);
        break;
      case 'day':
        this.#expire(order);
        break;
      case 'gtc':
        break;
    }
  }

  #expire({ order_id }: BookOrder): void {
    this.#record({ type: 'PaperOrderExpired', data: { order_id, session: this.#session.date } });
  }

  #cancel({ order_id }: BookOrder, reason: 'ioc' | 'fok' | 'reduce_only' | 'split'): void {
    this.#record({ type: 'PaperOrderCancelled', data: { order_id, reason } });
  }

  #fillable(order: BookOrder, quote: Quote | null, holding: Quantity | null): Quantity {
    const left = leftOf(order);
    let quantity = holding !== null && holding < left ? holding : left;
    if (quote !== null && quote.offered !== null) {
      const untaken = quote.offered - (this.#book.meeting.taken.get(order.ticker) ?? 0n);
      if (untaken < quantity) quantity = untaken > 0n ? wholeLots(untaken, this.#rules.lot) : 0n;
    }
    return order.time_in_force === 'fok' && quantity < left ? 0n : quantity;
  }

  #fill(order: BookOrder, quantity: Quantity, price: Price): void {
    const session = this.#session.date;
    this.#record({
      type: 'PaperTradeExecuted',
      data: {
        order_id: order.order_id,
        // A session meets an order once, so the two name the trade.
        trade_id: `${order.order_id}/${session}`,
        quantity: quantityText(quantity),
        price: priceText(price),
        fee: moneyText(fillFee(order.traded, quantity, price, this.#rules.fees)),
        session,
      },
    });
  }

  /** How many shares an order can trade without taking the position through zero. */
  #reducible({ ticker, action }: BookOrder): Quantity {
    const held = this.#book.positions.get(ticker) ?? 0n;
    const against = action === 'sell' ? held : -held;
    return against > 0n ? against : 0n;
  }

  #quote(ticker: string): Quote | null {
    const bar = this.#session.bars[ticker];
    // No volume: its prices are carried forward, and nobody could have traded at them. Who sets no limit takes them.
    if (bar === undefined || (bar.volume === 0 && this.#rules.volumeLimit !== null)) return null;
    const { open, high, low, close } = bar;
    return {
      bar: { open: priceOf(open), high: priceOf(high), low: priceOf(low), close: priceOf(close) },
      offered: volumeOffered(bar.volume, this.#rules),
    };
  }

  #record(draft: PaperDraft): void {
    this.drafts.push(draft);
    evolve(this.#book, draft);
  }
}
