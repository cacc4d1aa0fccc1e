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
 * Meets a session: splits take effect at its opening, then each open order meets its ticker's bar, oldest first. Tickers
 * that no longer trade are settled, and their orders expire. If a part of the session is on record already, only the rest is
 * returned; for a finished or earlier session nothing. The drafts are folded into the book that it is given, so that each
 * decision sees the ones before it.
 */
export function meetSession(command: SessionCommand, book: Book, rules: PaperRules): readonly PaperDraft[] {
  const { session } = command;
  if (book.session !== null && session.date <= book.session) return [];
  const drafts = isQuiet(session, book) ? [] : meetOrders(command, book, rules);
  const through: PaperDraft = { type: 'PaperSessionMatched', data: { session: session.date } };
  evolve(book, through);
  drafts.push(through);
  return drafts;
}

type SessionCommand = Extract<BookCommand, { type: 'session' }>;

/** Whether the session concerns nothing in the book. */
function isQuiet({ splits, gone }: SessionCommand['session'], { open, positions }: Book): boolean {
  if (open.size > 0 || !isEmpty(splits)) return false;
  return gone === undefined || !Object.keys(gone).some((ticker) => positions.has(ticker));
}

function meetOrders(
  { session: { date: session, bars, splits, gone = {} }, funds }: SessionCommand,
  book: Book,
  rules: PaperRules,
): PaperDraft[] {
  const drafts: PaperDraft[] = [];
  const settled = Object.keys(gone).filter((ticker) => book.positions.has(ticker));
  const { positions, open, meeting } = book;
  const groups = linkedOrders(book);
  const visited = new Set<string>();

  function record(draft: PaperDraft): void {
    drafts.push(draft);
    evolve(book, draft);
  }

  function stateFunds({ cash, salesSettle, marks }: Funds): void {
    const prices = [...marks].map(([ticker, price]) => [ticker, priceText(price)] as const);
    record({
      type: 'PaperFundsStated',
      data: { session, cash: moneyText(cash), sales_settle: salesSettle, marks: Object.fromEntries(prices) },
    });
  }

  function split(ticker: string, text: string): void {
    const ratio = parseRatio(text);
    const held = positions.get(ticker);
    if (held !== undefined && !meeting.split.has(ticker)) {
      const quantity = quantityText(splitShares(held, ratio, rules.lot));
      record({ type: 'PaperSplitApplied', data: { ticker, ratio: text, quantity, session } });
    }
    for (const order of open.values()) {
      if (order.ticker === ticker && !meeting.adjusted.has(order.order_id)) adjust(order, ratio);
    }
  }

  function adjust(order: BookOrder, ratio: Ratio): void {
    const { order_id } = order;
    const after = splitOrder(order, ratio, rules.lot);
    if (after === null) cancel(order, 'split');
    else record({ type: 'PaperOrderAdjusted', data: { order_id, ...after } });
  }

  /**
   * Of linked orders, those that the bar meets at its open come first, then stops, then limits: which of the two came first
   * within a bar nobody knows, so the worse counts.
   */
  function meetLinked(order: BookOrder): void {
    const bar = quoteOf(order.ticker)?.bar;
    const rank = (other: BookOrder): number =>
      bar === undefined || isMetAtOpen(other, bar) ? 0 : hasStop(other.type) && !other.triggered ? 1 : 2;
    const linked = groups.get(groupOf(order))!.flatMap((id) => open.get(id) ?? []);
    for (const { order_id } of linked.toSorted((one, other) => rank(one) - rank(other))) {
      // A fill of the one before may have ended or changed it.
      const now = open.get(order_id);
      if (now === undefined || visited.has(order_id) || meeting.met.has(order_id)) continue;
      visited.add(order_id);
      meet(now);
    }
  }

  function meet(order: BookOrder): void {
    const before = meeting.taken.get(order.ticker) ?? 0n;
    meetAlone(order);
    const taken = (meeting.taken.get(order.ticker) ?? 0n) - before;
    if (taken > 0n) takeFromLinked(order, taken);
    follow(order);
  }

  /** A fill of a linked order reduces the others by as much; a complete fill cancels them. */
  function takeFromLinked(order: BookOrder, taken: Quantity): void {
    for (const id of groups.get(groupOf(order)) ?? []) {
      const other = open.get(id);
      if (other === undefined || id === order.order_id) continue;
      if (taken === leftOf(order) || taken >= leftOf(other)) cancel(other, 'linked');
      else record(amended({ ...other, quantity: other.quantity - taken }, 'linked'));
    }
  }

  /** A trailing stop follows the bar that it has just met, from the next bar on. */
  function follow({ order_id, ticker, action, trail }: BookOrder): void {
    if (trail === undefined) return;
    const order = open.get(order_id);
    const bar = quoteOf(ticker)?.bar;
    if (order?.trail === undefined || order.triggered || bar === undefined) return;
    const stop = stopBehind(action === 'sell' ? bar.high : bar.low, action, order.trail);
    if (action === 'sell' ? stop <= order.stop_price! : stop >= order.stop_price!) return;
    record(amended({ ...order, price: stop, stop_price: stop }, 'trail'));
  }

  function meetAlone(order: BookOrder): void {
    const { order_id, ticker } = order;
    if (gone[ticker] !== undefined) {
      expire(order);
      return;
    }
    const quote = quoteOf(ticker);
    const { triggers, price } = quote === null ? NOT_MET : meetBar(order, quote.bar, rules.slippage);
    // Recorded once, before the first fill. Later fills record what is left of it.
    if (price !== null && funds !== null && book.funds === null) stateFunds(funds);
    if (triggers) record({ type: 'PaperOrderTriggered', data: { order_id, session } });
    const left = leftOf(order);
    const holding = order.reduce_only && price !== null ? reducible(order) : null;
    const quantity = price === null ? 0n : fillable(order, quote, holding);
    if (price !== null && quantity > 0n && !trade(order, quantity, price)) return;
    if (quantity === left) return;
    // The order can only reduce, and the position is closed.
    if (quantity === holding) cancel(order, 'reduce_only');
    else endOfSession(order);
  }

  /** Returns whether the order stays open: an order that cannot be paid for ends. */
  function trade(order: BookOrder, wished: Quantity, price: Price): boolean {
    const { ticker, action, type, time_in_force, traded } = order;
    const fee = (quantity: Quantity): Money => fillFee(traded, quantity, price, rules.fees);
    const wish = { ticker, action, quantity: wished, price, lot: rules.lot, fee };
    const { quantity, missing } = payable(wish, book);
    const isCut = isAtMarket(type) && time_in_force !== 'fok';
    if (quantity > 0n && (missing === null || isCut)) fill(order, quantity, price);
    if (missing !== null) refuse(order.order_id, missing);
    return missing === null;
  }

  /** An order that has traded cannot be rejected any more: its rest is cancelled. */
  function refuse(order_id: string, reason: string): void {
    const hasTraded = book.open.get(order_id)!.traded.shares > 0n;
    record({ type: hasTraded ? 'PaperOrderCancelled' : 'PaperOrderRejected', data: { order_id, reason } });
  }

  /** A day order ends with the next bar of its own ticker, whatever other tickers do. */
  function endOfSession(order: BookOrder): void {
    const { ticker, time_in_force } = order;
    if (bars[ticker] === undefined) return;
    switch (time_in_force) {
      case 'ioc':
      case 'fok':
        cancel(order, time_in_force);
        break;
      case 'day':
        expire(order);
        break;
      case 'gtc':
        break;
    }
  }

  function expire({ order_id }: BookOrder): void {
    record({ type: 'PaperOrderExpired', data: { order_id, session } });
  }

  function cancel({ order_id }: BookOrder, reason: 'ioc' | 'fok' | 'linked' | 'reduce_only' | 'split'): void {
    record({ type: 'PaperOrderCancelled', data: { order_id, reason } });
  }

  function fillable(order: BookOrder, quote: Quote | null, holding: Quantity | null): Quantity {
    const left = leftOf(order);
    let quantity = holding !== null && holding < left ? holding : left;
    if (quote !== null && quote.offered !== null) {
      const untaken = quote.offered - (meeting.taken.get(order.ticker) ?? 0n);
      if (untaken < quantity) quantity = untaken > 0n ? wholeLots(untaken, rules.lot) : 0n;
    }
    return order.time_in_force === 'fok' && quantity < left ? 0n : quantity;
  }

  function fill({ order_id, traded }: BookOrder, quantity: Quantity, price: Price): void {
    record({
      type: 'PaperTradeExecuted',
      data: {
        order_id,
        // A session meets an order once, so the two name the trade.
        trade_id: `${order_id}/${session}`,
        quantity: quantityText(quantity),
        price: priceText(price),
        fee: moneyText(fillFee(traded, quantity, price, rules.fees)),
        session,
      },
    });
  }

  /** How many shares an order can trade without taking the position through zero. */
  function reducible({ ticker, action }: BookOrder): Quantity {
    const held = positions.get(ticker) ?? 0n;
    const against = action === 'sell' ? held : -held;
    return against > 0n ? against : 0n;
  }

  function quoteOf(ticker: string): Quote | null {
    const bar = bars[ticker];
    // A bar without volume has prices carried forward at which nobody could have traded. Without a volume limit they
    // are accepted.
    if (bar === undefined || (bar.volume === 0 && rules.volumeLimit !== null)) return null;
    const { open: first, high, low, close } = bar;
    return {
      bar: { open: priceOf(first), high: priceOf(high), low: priceOf(low), close: priceOf(close) },
      offered: volumeOffered(bar.volume, rules),
    };
  }

  for (const [ticker, ratio] of Object.entries(splits)) split(ticker, ratio);
  for (const ticker of settled) record({ type: 'PaperPositionSettled', data: { ticker, session } });
  for (const order of open.values()) {
    if (groups.has(groupOf(order))) meetLinked(order);
    else if (!meeting.met.has(order.order_id)) meet(order);
  }
  return drafts;
}

/** The linked orders of each group, oldest first. Orders without links are in no group. */
function linkedOrders({ open }: Book): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { linked_to } of open.values()) if (linked_to !== undefined) groups.set(linked_to, []);
  if (groups.size === 0) return groups;
  for (const order of open.values()) groups.get(groupOf(order))?.push(order.order_id);
  return groups;
}

interface Quote {
  readonly bar: PricedBar;
  /** What all our orders together may take of the bar's volume; `null` means no limit. */
  readonly offered: Quantity | null;
}
