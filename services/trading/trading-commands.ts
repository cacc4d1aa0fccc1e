import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { type AccountCommand, type SubmitOrder, orderId } from '../../actors/trading/commands.ts';
import { openingQuantity } from '../../actors/trading/risk.ts';
import { findByClientOrderId } from '../../actors/trading/submit-order.ts';
import { parseMoney, parsePrice, parseQuantity, plainText, type Price } from '../../events/decimal.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { bracketOf, trailOf } from '../../actors/trading/trail.ts';
import type { AmendOrder, CashRequest, OrderRequest } from '../../events/messages/trading.ts';
import type { AccountWriter } from './account/account.ts';
import type { EarlierOrders } from './earlier-orders.ts';
import type { EngineView } from './engine.ts';
import type { OwnRunner } from './own-strategy-runner.ts';
import type { Prices } from './prices.ts';
import { startingUp } from './starting-up.ts';

interface TradingCommandsParts {
  readonly account: string;
  readonly writer: AccountWriter;
  readonly prices: Prices;
  readonly hasTicker: (ticker: string) => Promise<boolean>;
  readonly earlier: EarlierOrders;
  readonly engine: Pick<EngineView, 'has'>;
  readonly ownStrategies: OwnRunner | undefined;
}

export type Call = CallContext & { readonly deadline: Date };

/** The handlers of clients' requests to an account. Each resolves once its events are on record. */
export function tradingCommands(parts: TradingCommandsParts) {
  const { account, writer, prices, hasTicker, earlier, engine, ownStrategies } = parts;

  function assertReconciled(): void {
    if (!engine.has('reconciled')) throw startingUp(engine);
  }

  /** The runner of the strategies in use, if the named strategy is one of them. */
  function runnerOf(name: string): OwnRunner {
    if (ownStrategies?.inUse.has(name) !== true) throw new BelegError('UNKNOWN_STRATEGY');
    return ownStrategies;
  }

  /** Checks that the market has the ticker. A position can be sold even while the market's tickers are not known. */
  async function assertTicker(ticker: string): Promise<void> {
    if (writer.state.positions.get(ticker)?.quantity) return;
    if (!(await hasTicker(ticker))) throw new BelegError('UNKNOWN_TICKER');
  }

  /**
   * Checks that the ticker still trades: an order for any other would never be filled. A repeated order keeps its
   * reply.
   */
  function assertTrades(order: SubmitOrder): void {
    const last = prices.goneSince(order.ticker);
    if (last === null || writer.state.orders.has(order.order_id)) return;
    if (findByClientOrderId(writer.state, order) !== undefined) return;
    throw new BelegError('MARKET_DATA_MISSING', {
      detail: `${order.ticker} no longer trades: its last bar is from ${last}`,
    });
  }

  async function closeOne(ticker: string, caller: Call): Promise<string> {
    const order_id = orderId(account, caller.callId);
    await writer.submit({ type: 'close', ticker, order_id, last_price: prices.last(ticker) }, caller);
    return order_id;
  }

  async function record<Status extends string>(command: AccountCommand, call: Call, status: Status) {
    await writer.submit(command, callerOf(call));
    return { status };
  }

  return {
    start: async (_: unknown, call: Call) => {
      assertReconciled();
      return record({ type: 'start' }, call, 'started');
    },

    stop: (_: unknown, call: Call) => record({ type: 'stop' }, call, 'stopped'),

    startStrategy: async ({ name }: { name: string }) => {
      const runner = runnerOf(name);
      if (!engine.has('priced')) throw startingUp(engine);
      await runner.start(name);
      return { status: 'started' as const };
    },

    stopStrategy: async ({ name }: { name: string }, call: Call) => {
      // A strategy that is not in use any more may have open orders.
      if (ownStrategies?.inUse.has(name) !== true)
        return record({ type: 'stop-strategy', strategy: name }, call, 'stopped');
      await ownStrategies.stop(name, callerOf(call));
      return { status: 'stopped' as const };
    },

    /** Returns the id of the order: the first one's if this `client_order_id` came before with the same body. */
    submit: async (request: z.output<typeof OrderRequest>, call: Call) => {
      const { ticker, action, type, quantity, price, stop_price, time_in_force, ...more } = request;
      const {
        client_order_id = null,
        timestamp = null,
        reduce_only,
        linked_to,
        trail,
        bracket,
        ...unread
      } = more;
      assertAllRead(unread);
      await assertTicker(ticker);
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
        reduce_only: reduce_only ?? false,
        linked_to: linked_to ?? undefined,
        trail: trail ? trailOf(trail) : undefined,
        ...(bracket && { bracket: bracketOf(bracket) }),
        client_order_id,
        earlier: client_order_id === null ? undefined : await earlier.find(client_order_id),
        origin: 'client',
        client_timestamp: timestamp,
        last_price: prices.last(ticker) ?? writer.state.marks.get(ticker) ?? null,
      };
      if (openingQuantity(writer.state, order) > 0n) assertReconciled();
      if (order.last_price === null && !engine.has('priced')) throw startingUp(engine);
      assertTrades(order);
      const events = await writer.submit({ type: 'submit', order }, caller);
      const first = events.length > 0 ? undefined : findByClientOrderId(writer.state, order);
      return { status: 'submitted' as const, order_id: first ?? order.order_id };
    },

    moveCash: async ({ amount, reason, client_cash_id }: z.output<typeof CashRequest>, call: Call) => {
      assertReconciled();
      const moved = { amount: parseMoney(plainText(amount)), reason, client_cash_id: client_cash_id ?? null };
      return record({ type: 'move-cash', ...moved }, call, 'booked');
    },

    cancel: ({ order_id }: { order_id: string }, call: Call) =>
      record({ type: 'cancel', order_id }, call, 'cancelled'),

    amend: async (request: z.output<(typeof AmendOrder)['request']>, call: Call) => {
      const { order_id, quantity, price, stop_price } = request;
      assertReconciled();
      const ticker = writer.state.orders.get(order_id)?.ticker;
      const wished = {
        quantity: quantity ? parseQuantity(plainText(quantity)) : null,
        price: priceOf(price),
        stop_price: priceOf(stop_price),
      };
      const last_price = ticker === undefined ? null : prices.last(ticker);
      return {
        ...(await record({ type: 'amend', order_id, ...wished, last_price }, call, 'amended')),
        order_id,
      };
    },

    close: async ({ ticker }: { ticker: string }, call: Call) => {
      await assertTicker(ticker);
      return { status: 'submitted' as const, order_id: await closeOne(ticker, callerOf(call)) };
    },

    closeAll: async (_: unknown, call: Call) => {
      const caller = callerOf(call);
      const held = [...writer.state.positions].filter(([, { quantity }]) => quantity !== 0n);
      const closed = held.map(async ([ticker]) => {
        try {
          const order_id = await closeOne(ticker, { ...caller, callId: `${caller.callId}/${ticker}` });
          return [{ ticker, order_id }];
        } catch (error) {
          // The position was closed meanwhile.
          if (isBelegError(error, 'NO_POSITION')) return [];
          throw error;
        }
      });
      return { status: 'submitted' as const, results: (await Promise.all(closed)).flat() };
    },
  };
}

const priceOf = (price: number | null | undefined): Price | null =>
  price === null || price === undefined ? null : parsePrice(plainText(price));

/** Orders and other events are identified by their calls, so a call without an id gets one. */
export function callerOf(call: Call): Call {
  return { ...call, callId: call.callId || randomUUID() };
}
