import { fingerprintOf } from '../../../actors/trading/fingerprint.ts';
import {
  nextOrderStatus,
  ORDER_LIFECYCLE,
  type OrderStatus,
} from '../../../actors/trading/order-lifecycle.ts';
import type { AccountEvent } from '../../../events/catalog/catalog.ts';
import {
  moneyText,
  mulDiv,
  parseMoney,
  parsePrice,
  parseQuantity,
  priceText,
  quantityText,
  valueOf,
} from '../../../events/decimal.ts';
import { BelegError } from '../../../events/errors.ts';
import type { Rows } from '../../../events/projections/projection.ts';

/** Orders and their fills. */
export const ORDER_TABLES = `
  CREATE TABLE orders (
    account TEXT NOT NULL,
    order_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    at TEXT NOT NULL,
    client_order_id TEXT,
    fingerprint TEXT,
    ticker TEXT NOT NULL,
    action TEXT NOT NULL,
    type TEXT NOT NULL,
    quantity TEXT NOT NULL,
    price TEXT,
    stop_price TEXT,
    time_in_force TEXT NOT NULL,
    reduce_only INTEGER NOT NULL,
    origin TEXT NOT NULL,
    client_timestamp TEXT,
    session TEXT,
    reference_price TEXT NOT NULL,
    status TEXT NOT NULL,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    filled_quantity TEXT NOT NULL DEFAULT '0',
    filled_value TEXT NOT NULL DEFAULT '0',
    filled_at TEXT,
    fees TEXT NOT NULL DEFAULT '0',
    reason TEXT,
    PRIMARY KEY (account, order_id)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX orders_by_place ON orders (account, place);
  CREATE INDEX orders_by_client ON orders (account, client_order_id) WHERE client_order_id IS NOT NULL;

  CREATE TABLE fills (
    account TEXT NOT NULL,
    trade_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    order_id TEXT NOT NULL,
    ticker TEXT NOT NULL,
    action TEXT NOT NULL,
    quantity TEXT NOT NULL,
    price TEXT NOT NULL,
    fee TEXT NOT NULL,
    session TEXT NOT NULL,
    PRIMARY KEY (account, trade_id)
  ) STRICT, WITHOUT ROWID;
`;

type DataOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>['data'];

export function submitted(
  rows: Rows,
  account: string,
  place: bigint,
  at: string,
  order: DataOf<'OrderSubmitted'>,
): void {
  rows.run(
    `INSERT INTO orders (account, order_id, place, at, client_order_id, fingerprint, ticker, action, type, quantity, price,
       stop_price, time_in_force, reduce_only, origin, client_timestamp, session, reference_price, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'submitted')`,
    account,
    order.order_id,
    place,
    at,
    order.client_order_id,
    order.client_order_id === null ? null : fingerprintOf(order),
    order.ticker,
    order.action,
    order.type,
    order.quantity,
    order.price,
    order.stop_price,
    order.time_in_force,
    Number(order.reduce_only),
    order.origin,
    order.client_timestamp,
    order.session,
    order.reference_price,
  );
}

/** What later events change of an order. */
interface OrderRow {
  readonly status: OrderStatus;
  readonly quantity: string;
  readonly filled_quantity: string;
  readonly filled_value: string;
  readonly fees: string;
  readonly reference_price: string;
}

function orderRow(rows: Rows, account: string, orderId: string): OrderRow {
  const row = rows.get(
    `SELECT status, quantity, filled_quantity, filled_value, fees, reference_price
     FROM orders WHERE account = ? AND order_id = ?`,
    account,
    orderId,
  );
  if (row === undefined)
    throw new BelegError('STREAM_CORRUPT', { detail: `the tables have no order ${orderId}` });
  return row as unknown as OrderRow;
}

type Move = Extract<
  AccountEvent,
  {
    type:
      | 'OrderDeliveryUnknown'
      | 'OrderAccepted'
      | 'OrderTriggered'
      | 'OrderExpired'
      | 'OrderRejected'
      | 'OrderCancelled'
      | 'OrderCancelRequested';
  }
>;

export function moved(rows: Rows, account: string, { type, data: { order_id } }: Move): void {
  const { status } = orderRow(rows, account, order_id);
  rows.run(
    'UPDATE orders SET status = ? WHERE account = ? AND order_id = ?',
    nextOrderStatus(status, type),
    account,
    order_id,
  );
}

export function ended(
  rows: Rows,
  account: string,
  event: Extract<Move, { type: 'OrderRejected' | 'OrderCancelled' }>,
): void {
  moved(rows, account, event);
  rows.run(
    'UPDATE orders SET reason = ? WHERE account = ? AND order_id = ?',
    event.data.reason,
    account,
    event.data.order_id,
  );
}

export function wishedToCancel(
  rows: Rows,
  account: string,
  event: Extract<Move, { type: 'OrderCancelRequested' }>,
): void {
  moved(rows, account, event);
  rows.run(
    'UPDATE orders SET cancel_requested = 1 WHERE account = ? AND order_id = ?',
    account,
    event.data.order_id,
  );
}

/** No order exists, and none is shown. */
export function withdrawn(rows: Rows, account: string, { order_id }: DataOf<'OrderWithdrawn'>): void {
  rows.run('DELETE FROM orders WHERE account = ? AND order_id = ?', account, order_id);
}

/** A fill that the lifecycle has no room for is a discrepancy, and a fill all the same. */
export function filled(rows: Rows, account: string, place: bigint, fill: DataOf<'OrderFilled'>): void {
  const order = orderRow(rows, account, fill.order_id);
  const quantity = parseQuantity(fill.quantity);
  const total = parseQuantity(order.filled_quantity) + quantity;
  const left = total < parseQuantity(order.quantity);
  rows.run(
    'INSERT INTO fills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    account,
    fill.trade_id,
    place,
    fill.order_id,
    fill.ticker,
    fill.action,
    fill.quantity,
    fill.price,
    fill.fee,
    fill.session,
  );
  rows.run(
    `UPDATE orders SET status = ?, filled_quantity = ?, filled_value = ?, fees = ?, filled_at = ?
     WHERE account = ? AND order_id = ?`,
    ORDER_LIFECYCLE.mayFollow(order.status, 'OrderFilled')
      ? nextOrderStatus(order.status, 'OrderFilled', left)
      : order.status,
    quantityText(total),
    moneyText(parseMoney(order.filled_value) + valueOf(quantity, parsePrice(fill.price))),
    moneyText(parseMoney(order.fees) + parseMoney(fill.fee)),
    fill.session,
    account,
    fill.order_id,
  );
}

export function adjusted(rows: Rows, account: string, data: DataOf<'OrderAdjusted'>): void {
  const order = orderRow(rows, account, data.order_id);
  const before = parseQuantity(order.quantity) - parseQuantity(order.filled_quantity);
  const after = parseQuantity(data.quantity) - parseQuantity(data.filled_quantity);
  rows.run(
    `UPDATE orders SET status = ?, quantity = ?, filled_quantity = ?, price = ?, stop_price = ?, reference_price = ?
     WHERE account = ? AND order_id = ?`,
    nextOrderStatus(order.status, 'OrderAdjusted'),
    data.quantity,
    data.filled_quantity,
    data.price,
    data.stop_price,
    priceText(mulDiv(parsePrice(order.reference_price), before, after)),
    account,
    data.order_id,
  );
}
