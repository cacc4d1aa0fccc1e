import type { MessageBus } from '../../../events/bus/bus.ts';
import { followEvents, onEvent, type EventHandler, type Publication } from './published.ts';
import { brief, counted, describeTraining } from './training-lines.ts';
import * as market from '../../../events/catalog/market.ts';
import * as trading from '../../../events/catalog/trading.ts';

/** More than anybody reads on a screen; the record itself is in the event store. */
export const MAX_LOG_LINES = 1_000;

/**
 * The newest lines of the log, `[YYYY-MM-DD HH:MM:SS] message`, as they came: clocks of several processes may differ by a
 * moment. Only in memory: what matters is on record elsewhere.
 */
export class DashboardLogs {
  #lines: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();
  /** Of the newest events: each is said once, also when it comes twice. */
  readonly #said = new Set<string>();

  /** `at` in UTC. */
  add(at: Date, message: string): void {
    const line = `[${at.toISOString().slice(0, 19).replace('T', ' ')}] ${message}`;
    this.#lines.push(line);
    if (this.#lines.length > MAX_LOG_LINES) this.#lines.shift();
    for (const listener of this.#listeners) listener(line);
  }

  /** Says what happens on the bus, from now on. */
  follow(bus: MessageBus): void {
    const handlers = describeEvents((message, { id, at }) => {
      if (this.#said.has(id)) return;
      this.#said.add(id);
      if (this.#said.size > MAX_LOG_LINES) this.#said.delete(this.#said.values().next().value!);
      this.add(at, message);
    });
    followEvents(bus, handlers);
  }

  /** The newest `limit` lines, oldest first, and how many there are. */
  read(limit: number): { logs: string[]; total: number } {
    return { logs: this.#lines.slice(-limit), total: this.#lines.length };
  }

  clear(): void {
    this.#lines = [];
  }

  /** Called with each new line; returns what ends it. */
  onLine(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/**
 * What the log says of events. Sessions that pass and brokers that take note of an order are no news. Nothing in here is
 * a client's free text.
 */
function describeEvents(say: (message: string, publication: Publication) => void): EventHandler[] {
  const { OrderSubmitted, OrderFilled, OrderRejected, OrderCancelled, OrderExpired, OrderTriggered } =
    trading;
  return [
    onEvent(trading.AccountOpened, ({ account, currency, cash }, of) =>
      say(`Account ${account} opened with ${money(cash)} ${currency}`, of),
    ),
    onEvent(trading.TradingStarted, (_, of) => say('Trading started', of)),
    onEvent(trading.TradingStopped, (_, of) => say('Trading stopped: orders may only close positions', of)),
    onEvent(trading.TradingHalted, ({ reason, detail }, of) =>
      say(`Trading HALTED (${HALTS[reason]}): orders may only close positions. ${brief(detail)}`, of),
    ),

    onEvent(trading.TradingResumed, ({ session }, of) =>
      say(`Trading resumed: session ${session} has begun, and the daily loss was in the session before`, of),
    ),

    onEvent(OrderSubmitted, (order, of) =>
      say(
        `Order ${order.order_id} submitted by ${ORIGINS[order.origin]}: ${order.action} ${order.quantity} ` +
          `${order.ticker}, ${order.type.replace('_', '-')}${pricesOf(order)}, ${order.time_in_force}`,
        of,
      ),
    ),
    onEvent(trading.OrderWithdrawn, ({ order_id, ticker }, of) =>
      say(`Order ${order_id} (${ticker}) withdrawn, because it could not be recorded in time`, of),
    ),
    onEvent(trading.OrderDeliveryUnknown, ({ order_id, ticker }, of) =>
      say(`Order ${order_id} (${ticker}): the broker did not answer in time and will be asked again`, of),
    ),
    onEvent(OrderRejected, ({ order_id, ticker, reason }, of) =>
      say(`Order ${order_id} (${ticker}) rejected: ${brief(reason)}`, of),
    ),
    onEvent(OrderTriggered, ({ order_id, ticker }, of) =>
      say(`Order ${order_id} (${ticker}) triggered: its stop price was reached`, of),
    ),
    onEvent(OrderFilled, ({ order_id, ticker, action, quantity, price, fee }, of) =>
      say(
        `Order ${order_id}: ${action === 'buy' ? 'bought' : 'sold'} ${quantity} ${ticker} at ${price}, fee ${money(fee)}`,
        of,
      ),
    ),
    onEvent(OrderCancelled, ({ order_id, ticker, reason }, of) =>
      say(`Order ${order_id} (${ticker}) cancelled: ${brief(reason)}`, of),
    ),
    onEvent(OrderExpired, ({ order_id, ticker }, of) => say(`Order ${order_id} (${ticker}) expired`, of)),
    onEvent(trading.OrderAdjusted, ({ order_id, ticker, quantity, price, stop_price }, of) =>
      say(
        `Order ${order_id} adjusted for a split: ${quantity} ${ticker}${pricesOf({ price, stop_price })}`,
        of,
      ),
    ),

    onEvent(trading.DiscrepancyFound, ({ kind, ticker, detail }, of) =>
      say(
        `DISCREPANCY with the broker (${kind.replace('_', ' ')}${ticker === null ? '' : ` of ${ticker}`}): ${brief(detail)}`,
        of,
      ),
    ),
    onEvent(trading.DiscrepanciesSettled, ({ count }, of) =>
      say(
        `The account and the broker agree again: ${counted(count, 'discrepancy', 'discrepancies')} settled`,
        of,
      ),
    ),
    onEvent(trading.SplitApplied, ({ ticker, ratio, quantity, cash_in_lieu }, of) =>
      say(
        `Split of ${ticker}, ${ratio.replace('/', ' for ')}: now ${quantity} held` +
          (Number(cash_in_lieu) === 0 ? '' : `, ${money(cash_in_lieu)} paid in cash for the fraction`),
        of,
      ),
    ),
    onEvent(trading.DividendPaid, ({ ticker, per_share, quantity, amount }, of) =>
      say(
        amount.startsWith('-')
          ? `Dividend of ${ticker} paid for a short position: ${money(amount.slice(1))} (${per_share} per share)`
          : `Dividend of ${ticker}: ${money(amount)} (${per_share} per share for ${quantity})`,
        of,
      ),
    ),

    onEvent(trading.BorrowCharged, ({ ticker, amount, days }, of) =>
      say(`Borrowing ${ticker} for a short position cost ${money(amount)} (${counted(days, 'day')})`, of),
    ),
    onEvent(trading.MarginCalled, ({ value, required }, of) =>
      say(
        `MARGIN CALL: the account is worth ${money(value)}, but its short positions require ${money(required)}; they are bought back`,
        of,
      ),
    ),
    onEvent(trading.PositionSettled, ({ ticker, quantity, price, last_traded }, of) =>
      say(
        `${ticker} no longer trades: the position of ${quantity} is settled at its last price ${price} (${last_traded})`,
        of,
      ),
    ),

    onEvent(market.MarketUpdateStarted, ({ source, tickers }, of) =>
      say(`Market data: update of ${counted(tickers.length, 'ticker')} from ${brief(source)} started`, of),
    ),
    onEvent(market.TickerUpdated, ({ ticker, bars, warnings_total, last }, of) =>
      say(
        `Market data: ${ticker} ${bars === 0 ? 'has no new bars' : `updated, ${counted(bars, 'bar')} new or changed`}` +
          (last === null ? '' : `, up to ${last}`) +
          (warnings_total === 0 ? '' : `, ${counted(warnings_total, 'warning')}`),
        of,
      ),
    ),
    onEvent(market.TickerUpdateFailed, ({ ticker, faults }, of) =>
      say(
        `Market data: ${ticker} FAILED with ${counted(faults.length, 'fault')}; the pipeline status lists them`,
        of,
      ),
    ),
    onEvent(market.MarketUpdateFinished, ({ updated, failed }, of) =>
      say(`Market data: update finished, ${updated} updated, ${failed} failed`, of),
    ),
    ...describeTraining(say),
  ];
}

const HALTS = {
  daily_loss: 'daily loss',
  discrepancy: 'discrepancy with the broker',
  no_equity: 'the account has no value left',
} as const;
const ORIGINS = { client: 'a client', strategy: 'the strategy', close: 'closing a position' } as const;

function pricesOf(order: { type?: string; price: string | null; stop_price: string | null }): string {
  // The price of a market order is a hint that nothing goes by.
  const price = order.price === null || order.type === 'market' ? '' : ` at ${order.price}`;
  return order.stop_price === null || order.stop_price === order.price
    ? price
    : `${price}, stop ${order.stop_price}`;
}

/** For readers; what counts is on record to the last digit. */
function money(text: string): string {
  return Number(text).toFixed(2);
}
