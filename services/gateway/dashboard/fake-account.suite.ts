import type { z } from 'zod';
import { BelegError } from '../../../events/errors.ts';
import type { OrderRequest, OrderView, TradingStatusReply } from '../../../events/messages/trading.ts';
import { FILLED, TRADING_STATUS, WORKING } from './dashboard-examples.ts';

type Status = z.output<typeof TradingStatusReply>;

/** An account that obeys every command and has no money, for tests of its clients and not of its decisions. */
export class FakeAccount {
  /** Oldest first; tests change them as they like. */
  readonly orders: OrderView[] = [FILLED, WORKING];
  status: Status = structuredClone(TRADING_STATUS);
  #submitted = 0;

  start(): void {
    this.status = { ...this.status, active: true, state: 'running', halt_reason: null };
  }

  stop(): void {
    this.status = { ...this.status, active: false, state: 'stopped' };
  }

  submit(request: z.output<typeof OrderRequest>, origin: OrderView['origin'] = 'client'): string {
    if (!this.status.active && origin !== 'close') throw new BelegError('TRADING_INACTIVE');
    const client_order_id = request.client_order_id ?? null;
    const known = this.orders.find((order) => order.client_order_id === client_order_id);
    if (client_order_id !== null && known !== undefined) return known.order_id;
    const order_id = `order-${++this.#submitted}`;
    this.orders.push({
      order_id,
      ticker: request.ticker,
      action: request.action,
      quantity: request.quantity,
      price: request.price ?? 191.58,
      timestamp: `${this.status.session ?? '2025-06-13'} 00:00:00`,
      type: request.type,
      status: 'submitted',
      filled_quantity: 0,
      average_price: null,
      fees: 0,
      reject_reason: null,
      client_order_id,
      time_in_force: request.time_in_force,
      stop_price: request.stop_price ?? null,
      origin,
    });
    return order_id;
  }

  cancel(orderId: string): void {
    const at = this.orders.findIndex(({ order_id }) => order_id === orderId);
    const order = this.orders[at];
    if (order === undefined) throw new BelegError('UNKNOWN_ORDER');
    if (order.status !== 'submitted' && order.status !== 'accepted') throw new BelegError('NOT_CANCELLABLE');
    this.orders[at] = { ...order, status: 'pending_cancel' };
  }

  close(ticker: string): string {
    const position = this.status.positions[ticker];
    if (position === undefined) throw new BelegError('NO_POSITION');
    return this.submit(
      {
        ticker,
        action: 'sell',
        quantity: position.quantity,
        type: 'market',
        time_in_force: 'day',
      },
      'close',
    );
  }

  closeAll(): { ticker: string; order_id: string }[] {
    return Object.keys(this.status.positions).map((ticker) => ({ ticker, order_id: this.close(ticker) }));
  }

  page(limit: number, before: string | null, ids: readonly string[] | null): OrderView[] {
    if (ids !== null) return this.orders.filter(({ order_id }) => ids.includes(order_id));
    const end = before === null ? this.orders.length : this.orders.findIndex((o) => o.order_id === before);
    return this.orders.slice(Math.max(0, end - limit), Math.max(0, end));
  }
}
