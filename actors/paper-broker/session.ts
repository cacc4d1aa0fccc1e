import {
  moneyText,
  parseRatio,
  priceOf,
  priceText,
  quantityText,
  type Money,
  type Price,
  type Quantity,
  type Ratio,
} from '../../events/decimal.ts';
import { isEmpty } from '../../events/is-empty.ts';
import { evolve, type Book, type BookOrder, type PaperDraft } from './book.ts';
import { fillFee } from './fees.ts';
import { isMetAtOpen, meetBar, NOT_MET, type PricedBar, volumeOffered, wholeLots } from './fill.ts';
import type { PaperRules } from './rules.ts';
import type { Funds } from '../trading/broker.ts';
import { groupOf, hasStop, isAtMarket, leftOf } from '../trading/state.ts';
import { stopBehind } from '../trading/trail.ts';
import { amended } from './amended.ts';
import type { BookCommand } from './commands.ts';
import { payable } from './payable.ts';
import { splitOrder, splitShares } from './share-split.ts';

/**
 * Meets a session: splits take effect at its opening, then each open order meets its ticker's bar, oldest first.
 * Tickers that no longer trade are settled, and their orders expire. If a part of the session is on record already,
 * only the rest is returned; for a finished or earlier session nothing. Each draft is folded into the given book, so
 * that the next decision sees its effect.
 */
export function meetSession(command: SessionCommand, book: Book, rules: PaperRules): readonly PaperDraft[] {
  const { session } = command;
  if (book.session !== null && session.date <= book.session) return [];
  const met = isQuiet(session, book) ? null : meetOrders(command, book, rules);
  const through: PaperDraft = { type: 'PaperSessionMatched', data: { session: session.date } };
  evolve(book, through);
  if (met === null) return [through];
  met.push(through);
  return met;
}

type SessionCommand = Extract<BookCommand, { type: 'session' }>;

/** Whether the session changes nothing in the book. */
function isQuiet({ splits, gone }: SessionCommand['session'], { open, positions }: Book): boolean {
  if (open.size > 0 || !isEmpty(splits)) return false;
  return gone === undefined || !Object.keys(gone).some((ticker) => positions.has(ticker));
}

function meetOrders(command: SessionCommand, book: Book, rules: PaperRules): PaperDraft[] {
  const meeting = new Meeting(command, book, rules);
  meeting.meetAll();
  return meeting.drafts;
}

/** How open orders meet one session, each in its turn. */
class Meeting {
  readonly drafts: PaperDraft[] = [];
  readonly #session: SessionCommand['session'];
  readonly #funds: Funds | null;
  readonly #book: Book;
  readonly #rules: PaperRules;
  readonly #groups: ReadonlyMap<string, readonly string[]>;
  /** The linked orders that have had their turn. */
  readonly #visited: Set<string>;

  constructor({ session, funds }: SessionCommand, book: Book, rules: PaperRules) {
    this.#session = session;
    this.#funds = funds;
    this.#book = book;
    this.#rules = rules;
    this.#groups = linkedOrders(book);
    this.#visited = this.#groups.size === 0 ? NONE_VISITED : new Set();
  }

  meetAll(): void {
    const { date: session, splits, gone } = this.#session;
    const { open, positions, meeting } = this.#book;
    const settled = gone === undefined ? [] : Object.keys(gone).filter((ticker) => positions.has(ticker));
    for (const ticker in splits) this.#split(ticker, splits[ticker]!);
    for (const ticker of settled) this.#record({ type: 'PaperPositionSettled', data: { ticker, session } });
    for (const order of open.values()) {
      if (this.#groups.has(groupOf(order))) this.#meetLinked(order);
      else if (!meeting.met.has(order.order_id)) this.#meet(order);
    }
  }

  #record(draft: PaperDraft): void {
    this.drafts.push(draft);
    evolve(this.#book, draft);
  }

  #stateFunds({ cash, salesSettle, marks }: Funds): void {
    const prices: Record<string, string> = {};
    for (const [ticker, price] of marks) prices[ticker] = priceText(price);
    const session = this.#session.date;
    this.#record({
      type: 'PaperFundsStated',
      data: { session, cash: moneyText(cash), sales_settle: salesSettle, marks: prices },
    });
  }

  #split(ticker: string, text: string): void {
    const ratio = parseRatio(text);
    const { positions, open, meeting } = this.#book;
    const held = positions.get(ticker);
    if (held !== undefined && !meeting.split.has(ticker)) {
      const quantity = quantityText(splitShares(held, ratio, this.#rules.lot));
      const session = this.#session.date;
      this.#record({ type: 'PaperSplitApplied', data: { ticker, ratio: text, quantity, session } });
    }
    for (const order of open.values()) {
      if (order.ticker === ticker && !meeting.adjusted.has(order.order_id)) this.#adjust(order, ratio);
    }
  }

  #adjust(order: BookOrder, ratio: Ratio): void {
    const { order_id } = order;
    const after = splitOrder(order, ratio, this.#rules.lot);
    if (after === null) this.#cancel(order, 'split');
    else this.#record({ type: 'PaperOrderAdjusted', data: { order_id, ...after } });
  }

  /**
   * Meets linked orders: first those that the bar meets at its open, then stops, then limits. Nobody knows which came
   * first within a bar, so the worse case counts.
   */
  #meetLinked(order: BookOrder): void {
    const { open, meeting } = this.#book;
    const bar = this.#barOf(order.ticker);
    const rank = (other: BookOrder): number =>
      bar === null || isMetAtOpen(other, bar) ? 0 : hasStop(other.type) && !other.triggered ? 1 : 2;
    const linked = this.#groups.get(groupOf(order))!.flatMap((id) => open.get(id) ?? []);
    for (const { order_id } of linked.toSorted((one, other) => rank(one) - rank(other))) {
      // A fill of an earlier linked order may have ended or changed this order.
      const now = open.get(order_id);
      if (now === undefined || this.#visited.has(order_id) || meeting.met.has(order_id)) continue;
      this.#visited.add(order_id);
      this.#meet(now);
    }
  }

  #meet(order: BookOrder): void {
    const { taken } = this.#book.meeting;
    const before = taken.get(order.ticker) ?? 0n;
    this.#meetAlone(order);
    const more = (taken.get(order.ticker) ?? 0n) - before;
    if (more > 0n) this.#takeFromLinked(order, more);
    this.#follow(order);
  }

  /** A fill of a linked order reduces the others by as much; a complete fill cancels them. */
  #takeFromLinked(order: BookOrder, taken: Quantity): void {
    for (const id of this.#groups.get(groupOf(order)) ?? []) {
      const other = this.#book.open.get(id);
      if (other === undefined || id === order.order_id) continue;
      if (taken === leftOf(order) || taken >= leftOf(other)) this.#cancel(other, 'linked');
      else this.#record(amended({ ...other, quantity: other.quantity - taken }, 'linked'));
    }
  }

  /**
   * Moves a trailing stop behind the bar that the order has just met. The new stop price counts from the next bar on.
   */
  #follow({ order_id, ticker, action, trail }: BookOrder): void {
    if (trail === undefined) return;
    const order = this.#book.open.get(order_id);
    const bar = this.#barOf(ticker);
    if (order?.trail === undefined || order.triggered || bar === null) return;
    const stop = stopBehind(action === 'sell' ? bar.high : bar.low, action, order.trail);
    if (action === 'sell' ? stop <= order.stop_price! : stop >= order.stop_price!) return;
    this.#record(amended({ ...order, price: stop, stop_price: stop }, 'trail'));
  }

  #meetAlone(order: BookOrder): void {
    const { order_id, ticker } = order;
    const { date: session, gone } = this.#session;
    if (gone?.[ticker] !== undefined) {
      this.#expire(order);
      return;
    }
    const bar = this.#barOf(ticker);
    const { triggers, price } = bar === null ? NOT_MET : meetBar(order, bar, this.#rules.slippage);
    // The funds are recorded once, before the first fill. Later fills record what is left of them.
    if (price !== null && this.#funds !== null && this.#book.funds === null) this.#stateFunds(this.#funds);
    if (triggers) this.#record({ type: 'PaperOrderTriggered', data: { order_id, session } });
    const holding = order.reduce_only && price !== null ? this.#reducible(order) : null;
    const quantity = price === null ? 0n : this.#fillable(order, holding);
    if (price !== null && quantity > 0n && !this.#trade(order, quantity, price)) return;
    if (quantity === leftOf(order)) return;
    // An order that can only reduce is cancelled once the position is closed.
    if (quantity === holding) this.#cancel(order, 'reduce_only');
    else this.#endOfSession(order);
  }

  /** Returns whether the order stays open: an order that cannot be paid for ends. */
  #trade(order: BookOrder, wished: Quantity, price: Price): boolean {
    const { ticker, action, type, time_in_force, traded } = order;
    const { lot, fees } = this.#rules;
    const feeOf = (quantity: Quantity): Money => fillFee(traded, quantity, price, fees);
    const wish = { ticker, action, quantity: wished, price, lot, fee: feeOf };
    const { quantity, fee, missing } = payable(wish, this.#book);
    const isCut = isAtMarket(type) && time_in_force !== 'fok';
    if (quantity > 0n && (missing === null || isCut)) this.#fill(order, quantity, price, fee);
    if (missing !== null) this.#refuse(order.order_id, missing);
    return missing === null;
  }

  /** An order that has traded cannot be rejected any more: its rest is cancelled. */
  #refuse(order_id: string, reason: string): void {
    const hasTraded = this.#book.open.get(order_id)!.traded.shares > 0n;
    this.#record({
      type: hasTraded ? 'PaperOrderCancelled' : 'PaperOrderRejected',
      data: { order_id, reason },
    });
  }

  /** A day order ends with the next bar of its own ticker, whatever other tickers do. */
  #endOfSession(order: BookOrder): void {
    const { ticker, time_in_force } = order;
    if (this.#session.bars[ticker] === undefined) return;
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

  #cancel({ order_id }: BookOrder, reason: 'ioc' | 'fok' | 'linked' | 'reduce_only' | 'split'): void {
    this.#record({ type: 'PaperOrderCancelled', data: { order_id, reason } });
  }

  /**
   * How much of an order can be filled by a bar that it meets: all our orders together may take only a share of the
   * bar's volume.
   */
  #fillable(order: BookOrder, holding: Quantity | null): Quantity {
    const { ticker, time_in_force } = order;
    const left = leftOf(order);
    let quantity = holding !== null && holding < left ? holding : left;
    const offered = volumeOffered(this.#session.bars[ticker]!.volume, this.#rules);
    if (offered !== null) {
      const untaken = offered - (this.#book.meeting.taken.get(ticker) ?? 0n);
      if (untaken < quantity) quantity = untaken > 0n ? wholeLots(untaken, this.#rules.lot) : 0n;
    }
    return time_in_force === 'fok' && quantity < left ? 0n : quantity;
  }

  #fill({ order_id }: BookOrder, quantity: Quantity, price: Price, fee: Money): void {
    const session = this.#session.date;
    this.#record({
      type: 'PaperTradeExecuted',
      data: {
        order_id,
        // A session meets an order once, so order and session together identify the trade.
        trade_id: `${order_id}/${session}`,
        quantity: quantityText(quantity),
        price: priceText(price),
        fee: moneyText(fee),
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

  /**
   * The bar that orders of a ticker meet. Prices of a bar without volume are carried forward, and nobody could have
   * traded at them. They are accepted only where there is no volume limit.
   */
  #barOf(ticker: string): PricedBar | null {
    const bar = this.#session.bars[ticker];
    if (bar === undefined || (bar.volume === 0 && this.#rules.volumeLimit !== null)) return null;
    return new ExactBar(bar);
  }
}

const NONE_VISITED = new Set<string>();

/** A bar with exact prices. Each price is converted when it is read, because a market order needs only one of them. */
class ExactBar implements PricedBar {
  readonly #bar: SessionCommand['session']['bars'][string];

  constructor(bar: SessionCommand['session']['bars'][string]) {
    this.#bar = bar;
  }

  get open(): Price {
    return priceOf(this.#bar.open);
  }

  get high(): Price {
    return priceOf(this.#bar.high);
  }

  get low(): Price {
    return priceOf(this.#bar.low);
  }

  get close(): Price {
    return priceOf(this.#bar.close);
  }
}

/** The linked orders of each group, oldest first. Orders without links are in no group. */
function linkedOrders({ open }: Book): ReadonlyMap<string, readonly string[]> {
  let groups: Map<string, string[]> | null = null;
  for (const { linked_to } of open.values())
    if (linked_to !== undefined) (groups ??= new Map()).set(linked_to, []);
  if (groups === null) return NO_GROUPS;
  for (const order of open.values()) groups.get(groupOf(order))?.push(order.order_id);
  return groups;
}

const NO_GROUPS: ReadonlyMap<string, readonly string[]> = new Map();
