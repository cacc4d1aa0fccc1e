import type { SQLOutputValue } from 'node:sqlite';
import type { AccountData } from '../../../actors/trading/commands.ts';
import { evolveOrder, type OrderEvent } from '../../../actors/trading/evolve-order.ts';
import { fingerprintOf } from '../../../actors/trading/fingerprint.ts';
import type { OrderState } from '../../../actors/trading/state.ts';
import type { AccountEvent } from '../../../events/catalog/catalog.ts';
import {
  moneyText,
  optionalPriceText,
  parseMoney,
  parseOptionalPrice,
  parsePrice,
  parseQuantity,
  priceText,
  quantityText,
} from '../../../events/decimal.ts';
import { BelegError } from '../../../events/errors.ts';
import { insert, type Rows } from '../../../events/projections/projection.ts';

/** Orders and their fills, in the order of submission, so that rows which change together are on few pages. */
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
    linked_to TEXT,
    trail TEXT,
    bracket TEXT,
    exit_of TEXT,
    status TEXT NOT NULL,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    filled_quantity TEXT NOT NULL DEFAULT '0',
    filled_value TEXT NOT NULL DEFAULT '0',
    filled_at TEXT,
    fees TEXT NOT NULL DEFAULT '0',
    reason TEXT,
    PRIMARY KEY (account, place)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX orders_by_id ON orders (account, order_id);
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
    PRIMARY KEY (account, place)
  ) STRICT, WITHOUT ROWID;
`;

export function submitted(
  rows: Rows,
  account: string,
  place: bigint,
  at: string,
  order: AccountData<'OrderSubmitted'>,
): void {
  const { weights: _, strategy: __, reduce_only, linked_to, trail, bracket, exit_of, ...said } = order;
  const fingerprint = order.client_order_id === null ? null : fingerprintOf(order);
  const status = 'submitted';
  insert(rows, 'orders', {
    account,
    place,
    at,
    fingerprint,
    ...said,
    reduce_only: Number(reduce_only),
    linked_to: linked_to ?? null,
    trail: jsonOf(trail),
    bracket: jsonOf(bracket),
    exit_of: exit_of ?? null,
    status,
  });
}

const jsonOf = (terms: object | undefined): string | null =>
  terms === undefined ? null : JSON.stringify(terms);

/** The values of the columns that only some orders have. */
function termsIn(row: Record<string, SQLOutputValue>) {
  const { linked_to, trail, bracket, exit_of } = row as Record<string, string | null>;
  return {
    ...(typeof linked_to === 'string' && { linked_to }),
    ...(typeof trail === 'string' && { trail: JSON.parse(trail) as OrderState['trail'] }),
    ...(typeof bracket === 'string' && { bracket: JSON.parse(bracket) as OrderState['bracket'] }),
    ...(typeof exit_of === 'string' && { exit_of }),
  };
}

/**
 * The order of a row, without the parts that only the account needs: the ids of its trades, its reserve, whether it is
 * disputed.
 */
export function orderIn(row: Record<string, SQLOutputValue>): OrderState {
  const text = (column: string) => row[column] as string;
  const price = (column: string) => parseOptionalPrice(row[column] as string | null);
  return {
    order_id: text('order_id'),
    client_order_id: row['client_order_id'] as string | null,
    ticker: text('ticker'),
    action: text('action') as OrderState['action'],
    type: text('type') as OrderState['type'],
    quantity: parseQuantity(text('quantity')),
    price: price('price'),
    stop_price: price('stop_price'),
    time_in_force: text('time_in_force') as OrderState['time_in_force'],
    reduce_only: row['reduce_only'] === 1,
    origin: text('origin') as OrderState['origin'],
    client_timestamp: row['client_timestamp'] as string | null,
    session: row['session'] as string | null,
    reference_price: parsePrice(text('reference_price')),
    status: text('status') as OrderState['status'],
    cancelRequested: row['cancel_requested'] === 1,
    filled: parseQuantity(text('filled_quantity')),
    filledValue: parseMoney(text('filled_value')),
    fees: parseMoney(text('fees')),
    reason: row['reason'] as string | null,
    trades: [],
    opening: 0n,
    disputed: false,
    ...termsIn(row),
  };
}

/** Changes the row of an order by an event, by the same function as the account. */
export function changed(rows: Rows, account: string, event: OrderEvent): void {
  const { order_id } = event.data;
  const row = rows.get('SELECT * FROM orders WHERE account = ? AND order_id = ?', account, order_id);
  if (row === undefined)
    throw new BelegError('STREAM_CORRUPT', { detail: `the tables have no order ${order_id}` });
  const order = orderIn(row);
  evolveOrder(order, event);
  rows.run(
    `UPDATE orders SET status = ?, quantity = ?, price = ?, stop_price = ?, reference_price = ?, trail = ?, bracket = ?, cancel_requested = ?,
       filled_quantity = ?, filled_value = ?, filled_at = ?, fees = ?, reason = ?
     WHERE account = ? AND order_id = ?`,
    order.status,
    quantityText(order.quantity),
    optionalPriceText(order.price),
    optionalPriceText(order.stop_price),
    priceText(order.reference_price),
    jsonOf(order.trail),
    jsonOf(order.bracket),
    Number(order.cancelRequested),
    quantityText(order.filled),
    moneyText(order.filledValue),
    event.type === 'OrderFilled' ? event.data.session : row['filled_at']!,
    moneyText(order.fees),
    order.reason,
    account,
    order_id,
  );
}

/** Removes a withdrawn order, which does not exist for clients. */
export function withdrawn(rows: Rows, account: string, { order_id }: AccountData<'OrderWithdrawn'>): void {
  rows.run('DELETE FROM orders WHERE account = ? AND order_id = ?', account, order_id);
}

export function filled(
  rows: Rows,
  account: string,
  place: bigint,
  event: Extract<AccountEvent, { type: 'OrderFilled' }>,
): void {
  const { settles_after: _, cursor: __, ...fill } = event.data;
  insert(rows, 'fills', { account, place, ...fill });
  changed(rows, account, event);
}
