import type { MessageBus } from '../../../events/bus/bus.ts';
import { followEvents, type EventReaders, type Publication } from './follow-events.ts';
import { brief, counted, MODEL_LINES } from './training-lines.ts';
import * as market from '../../../events/catalog/market.ts';
import * as models from '../../../events/catalog/models.ts';
import { LIST_LENGTHS } from '../../../events/messages/list-lengths.ts';
import * as trading from '../../../events/catalog/trading.ts';

/** The number of lines that are kept. Nobody reads more on a screen, and the record has everything. */
const KEPT = LIST_LENGTHS.logLines.most;

/**
 * The newest lines of the log, `[YYYY-MM-DD HH:MM:SS] message`, in order of arrival: the clocks of several processes
 * may differ by a moment. They are kept in memory only, because everything of importance is on record.
 */
export class DashboardLogs {
  #lines: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();
  /** Ids of the newest events, so that an event that arrives twice is logged once. */
  readonly #said = new Set<string>();

  /** Adds a line. `at` is shown in UTC. */
  add(at: Date, message: string): void {
    const line = `[${at.toISOString().slice(0, 19).replace('T', ' ')}] ${message}`;
    this.#lines.push(line);
    if (this.#lines.length > KEPT) this.#lines.shift();
    for (const listener of this.#listeners) listener(line);
  }

  /** Adds a line for each event that the bus delivers from now on. */
  follow(bus: MessageBus): void {
    const say = (message: string, { id, at }: Publication) => {
      if (this.#said.has(id)) return;
      this.#said.add(id);
      if (this.#said.size > KEPT) this.#said.delete(this.#said.values().next().value!);
      this.add(at, message);
    };
    followEvents(bus, trading, TRADING_LINES, say);
    followEvents(bus, market, MARKET_LINES, say);
    followEvents(bus, models, MODEL_LINES, say);
  }

  /** The newest `limit` lines, oldest first, and the number of all lines. */
  read(limit: number): { logs: string[]; total: number } {
    return { logs: this.#lines.slice(-limit), total: this.#lines.length };
  }

  clear(): void {
    this.#lines = [];
  }

  /** Calls `listener` with each new line; returns a function that ends that. */
  onLine(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

const AMENDED = {
  requested: 'changed',
  linked: 'reduced by the fill of a linked order',
  trail: 'has followed the price',
};

/**
 * The lines of the log for events. Ends of sessions and acknowledgements of a broker have no lines. No line contains
 * free text of a client.
 */
const TRADING_LINES: EventReaders<typeof trading, string> = {
  AccountOpened: ({ account, currency, cash }) => `Account ${account} opened with ${money(cash)} ${currency}`,
  CashMoved: ({ amount, reason, takes_back }) =>
    `${amount.startsWith('-') ? 'Cash out' : 'Cash in'}: ${money(amount.replace('-', ''))} (${reason})${takes_back ? ', taken back' : ''}`,
  TradingStarted: () => 'Trading started',
  TradingStopped: () => 'Trading stopped: orders may only close positions',
  TradingHalted: ({ reason, detail }) =>
    `Trading HALTED (${HALTS[reason]}): orders may only close positions. ${brief(detail)}`,
  TradingResumed: ({ session }) =>
    `Trading resumed: session ${session} has begun, and the daily loss was in the session before`,
  ClockSet: ({ paused, speed }) =>
    `Session clock ${paused ? 'held' : 'running'}` +
    (speed === null ? '' : `, at ${counted(speed, 'session')} a second`),
  OrderSubmitted: (order) =>
    `Order ${order.order_id} submitted by ${ORIGINS[order.origin]}: ${order.action} ${order.quantity} ` +
    `${order.ticker}, ${order.type.replace('_', '-')}${pricesOf(order)}, ${order.time_in_force}`,
  OrderWithdrawn: ({ order_id, ticker }) =>
    `Order ${order_id} (${ticker}) withdrawn, because it could not be recorded in time`,
  OrderDeliveryUnknown: ({ order_id, ticker }) =>
    `Order ${order_id} (${ticker}): the broker did not answer in time and will be asked again`,
  OrderRejected: ({ order_id, ticker, reason }) => `Order ${order_id} (${ticker}) rejected: ${brief(reason)}`,
  OrderTriggered: ({ order_id, ticker }) =>
    `Order ${order_id} (${ticker}) triggered: its stop price was reached`,
  OrderFilled: ({ order_id, ticker, action, quantity, price, fee }) =>
    `Order ${order_id}: ${action === 'buy' ? 'bought' : 'sold'} ${quantity} ${ticker} at ${price}, fee ${money(fee)}`,
  OrderCancelled: ({ order_id, ticker, reason }) =>
    `Order ${order_id} (${ticker}) cancelled: ${brief(reason)}`,
  OrderExpired: ({ order_id, ticker }) => `Order ${order_id} (${ticker}) expired`,
  OrderAdjusted: ({ order_id, ticker, quantity, price, stop_price }) =>
    `Order ${order_id} adjusted for a split: ${quantity} ${ticker}${pricesOf({ price, stop_price })}`,
  OrderAmended: ({ order_id, ticker, quantity, price, stop_price, reason }) =>
    `Order ${order_id} ${AMENDED[reason]}: ${quantity} ${ticker}${pricesOf({ price, stop_price })}`,
  DiscrepancyFound: ({ kind, ticker, detail }) =>
    `DISCREPANCY with the broker (${kind.replace('_', ' ')}${ticker === null ? '' : ` of ${ticker}`}): ${brief(detail)}`,
  DiscrepanciesSettled: ({ count }) =>
    `The account and the broker agree again: ${counted(count, 'discrepancy', 'discrepancies')} settled`,
  SplitApplied: ({ ticker, ratio, quantity, cash_in_lieu }) =>
    `Split of ${ticker}, ${ratio.replace('/', ' for ')}: now ${quantity} held` +
    (Number(cash_in_lieu) === 0 ? '' : `, ${money(cash_in_lieu)} paid in cash for the fraction`),
  DividendPaid: ({ ticker, per_share, quantity, amount }) =>
    amount.startsWith('-')
      ? `Dividend of ${ticker} paid for a short position: ${money(amount.slice(1))} (${per_share} per share)`
      : `Dividend of ${ticker}: ${money(amount)} (${per_share} per share for ${quantity})`,
  BorrowCharged: ({ ticker, amount, days }) =>
    `Borrowing ${ticker} for a short position cost ${money(amount)} (${counted(days, 'day')})`,
  MarginCalled: ({ value, required }) =>
    `MARGIN CALL: the account is worth ${money(value)}, but its short positions require ${money(required)}; they are bought back`,
  PositionSettled: ({ ticker, quantity, price, last_traded }) =>
    `${ticker} no longer trades: the position of ${quantity} is settled at its last price ${price} (${last_traded})`,
  StrategyTaken: ({ strategy, hash, share }) =>
    `Strategy ${strategy}${share === null ? '' : ` with ${share * 100} % of the account`} in use: file ${hash.slice(0, 12)}`,
  StrategyHalted: ({ strategy, detail, line }) =>
    `Strategy ${strategy} HALTED${line === null ? '' : `, line ${line}`}: ${brief(detail)}`,
  StrategyOrderRefused: ({ strategy, ticker, reason }) =>
    `Strategy ${strategy}: its order for ${ticker} was refused: ${brief(reason)}`,
  StrategyStopped: ({ strategy }) => `Strategy ${strategy} stopped`,
  StrategyStarted: ({ strategy }) => `Strategy ${strategy} started`,
};

const MARKET_LINES: EventReaders<typeof market, string> = {
  MarketUpdateStarted: ({ source, tickers }) =>
    `Market data: update of ${counted(tickers.length, 'ticker')} from ${brief(source)} started`,
  TickerUpdated: ({ ticker, bars, warnings_total, last }) =>
    `Market data: ${ticker} ${bars === 0 ? 'has no new bars' : `updated, ${counted(bars, 'bar')} new or changed`}` +
    (last === null ? '' : `, up to ${last}`) +
    (warnings_total === 0 ? '' : `, ${counted(warnings_total, 'warning')}`),
  TickerUpdateFailed: ({ ticker, faults }) =>
    `Market data: ${ticker} FAILED with ${counted(faults.length, 'fault')}; the pipeline status lists them`,
  MarketUpdateFinished: ({ updated, failed }) =>
    `Market data: update finished, ${updated} updated, ${failed} failed`,
};

const HALTS = {
  daily_loss: 'daily loss',
  discrepancy: 'discrepancy with the broker',
  no_equity: 'the account has no value left',
} as const;
const ORIGINS = { client: 'a client', strategy: 'the strategy', close: 'closing a position' } as const;

function pricesOf(order: { type?: string; price: string | null; stop_price: string | null }): string {
  // The price of a market order is only a hint and has no effect.
  const price = order.price === null || order.type === 'market' ? '' : ` at ${order.price}`;
  return order.stop_price === null || order.stop_price === order.price
    ? price
    : `${price}, stop ${order.stop_price}`;
}

/** An amount with two decimals for readers; the record has all decimals. */
function money(text: string): string {
  return Number(text).toFixed(2);
}
