import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { type SubmitOrder, orderId } from '../../actors/trading/commands.ts';
import { openingQuantity } from '../../actors/trading/exposure.ts';
import { findByClientOrderId } from '../../actors/trading/submit.ts';
import { parsePrice, parseQuantity, plainText, type Price } from '../../events/decimal.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type { CloseAllReply, OrderRequest } from '../../events/messages/trading.ts';
import type { AccountWriter } from './account/account.ts';
import type { EarlierOrders } from './earlier-orders.ts';
import type { Engine } from './engine.ts';
import type { Feed } from './feed.ts';
import type { Prices } from './prices.ts';
import type { Tickers } from './tickers.ts';

interface TradingCommandsOptions {
  readonly account: string;
  readonly writer: AccountWriter;
  readonly prices: Prices;
  readonly tickers: Tickers;
  readonly earlier: EarlierOrders;
  readonly engine: Pick<Engine, 'reconciling'>;
  /** Once it has begun, it is known what prices are. */
  readonly feed: Pick<Feed, 'begun'>;
}

type Call = CallContext & { readonly deadline: Date };

/** What clients ask of an account. Each resolves once what follows is on record. */
export class TradingCommands {
  readonly #options: TradingCommandsOptions;

  constructor(options: TradingCommandsOptions) {
    this.#options = options;
  }

  async start(call: Call): Promise<void> {
    this.#assertReconciled();
    await this.#options.writer.submit({ type: 'start' }, callerOf(call));
  }

  async stop(call: Call): Promise<void> {
    await this.#options.writer.submit({ type: 'stop' }, callerOf(call));
  }

  /** The order's id: of the first one, where this `client_order_id` came before with the same body. */
  async submit(request: z.output<typeof OrderRequest>, call: Call): Promise<string> {
    const { account, writer, tickers, prices, earlier } = this.#options;
    const { ticker, action, type, quantity, price, stop_price, time_in_force, ...more } = request;
    const { client_order_id = null, timestamp = null, ...unread } = more;
    assertAllRead(unread);
    // What is held can be sold, also while nobody knows the market's tickers.
    const held = writer.state.positions.has(ticker);
    if (!held && !(await tickers.has(ticker))) {
      throw new BelegError('UNKNOWN_TICKER');
    }
    const caller = callerOf(call);
    const order: SubmitOrder = {
      order_id: orderId(account, caller.callId),
      ticker,
      action,
      type,
      quantity: parseQuantity(plainText(quantity)),
      price: priceOf(price),
      stop_price: priceOf(stop_price),
      time_in_force,
      reduce_only: false,
      client_order_id,
      earlier: client_order_id === null ? undefined : await earlier.find(client_order_id),
      origin: 'client',
      client_timestamp: timestamp,
      last_price: prices.last(ticker) ?? writer.state.marks.get(ticker) ?? null,
    };
    if (openingQuantity(writer.state, order) > 0n) this.#assertReconciled();
    if (order.last_price === null && !this.#options.feed.begun) throw startingUp();
    this.#assertTrades(order);
    const events = await writer.submit({ type: 'submit', order }, caller);
    if (events.length > 0) return order.order_id;
    return findByClientOrderId(writer.state, order) ?? order.order_id;
  }

  async cancel(orderId: string, call: Call): Promise<void> {
    await this.#options.writer.submit({ type: 'cancel', order_id: orderId }, callerOf(call));
  }

  async close(ticker: string, call: Call): Promise<string> {
    const { writer, tickers } = this.#options;
    const held = writer.state.positions.has(ticker);
    if (!held && !(await tickers.has(ticker))) throw new BelegError('UNKNOWN_TICKER');
    return this.#close(ticker, callerOf(call));
  }

  async closeAll(call: Call): Promise<z.output<typeof CloseAllReply>['results']> {
    const caller = callerOf(call);
    const held = [...this.#options.writer.state.positions].filter(([, { quantity }]) => quantity !== 0n);
    const results = held.map(async ([ticker]) => {
      try {
        const order_id = await this.#close(ticker, { ...caller, callId: `${caller.callId}/${ticker}` });
        return [{ ticker, order_id }];
      } catch (error) {
        // Closed meanwhile.
        if (isBelegError(error, 'NO_POSITION')) return [];
        throw error;
      }
    });
    return (await Promise.all(results)).flat();
  }

  async #close(ticker: string, caller: Call): Promise<string> {
    const { account, writer, prices } = this.#options;
    const order_id = orderId(account, caller.callId);
    await writer.submit({ type: 'close', ticker, order_id, last_price: prices.last(ticker) }, caller);
    return order_id;
  }

  /** What no longer trades is never filled. An order that came before keeps its answer. */
  #assertTrades(order: SubmitOrder): void {
    const { writer, prices } = this.#options;
    const last = prices.goneSince(order.ticker);
    if (last === null || writer.state.orders.has(order.order_id)) return;
    if (findByClientOrderId(writer.state, order) !== undefined) return;
    throw new BelegError('MARKET_DATA_MISSING', {
      detail: `${order.ticker} no longer trades: its last bar is from ${last}`,
    });
  }

  #assertReconciled(): void {
    if (this.#options.engine.reconciling) throw startingUp();
  }
}

const startingUp = (): BelegError => new BelegError('RECONCILING', { retryAfter: 1 });

const priceOf = (price: number | null | undefined): Price | null =>
  price === null || price === undefined ? null : parsePrice(plainText(price));

function callerOf(call: Call): Call {
  // Orders are told apart by their calls: one without an id is one of its own.
  return { ...call, callId: call.callId || randomUUID() };
}
