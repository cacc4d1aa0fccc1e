import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { z } from 'zod';
import { isOpen } from '../../../actors/trading/order-lifecycle.ts';
import type { ClientOrder, OrderState } from '../../../actors/trading/state.ts';
import { viewOrder } from '../../../actors/trading/view.ts';
import { moneyNumber, parseMoney } from '../../../events/decimal.ts';
import { BelegError } from '../../../events/errors.ts';
import type { EquityCurve, Orders, OrderView } from '../../../events/messages/trading.ts';
import { orderIn } from './projection-orders.ts';

export type OrdersQuery = z.output<(typeof Orders)['request']>;
type EquityPoint = z.output<(typeof EquityCurve)['reply']>['points'][number];

/**
 * Orders in the order of their submission: the newest `limit`, those before a given order, or those with given ids.
 *
 * @throws {BelegError} `UNKNOWN_ORDER` if the given order is not there.
 */
export function readOrders(
  db: DatabaseSync,
  account: string,
  { limit, before, ids }: OrdersQuery,
): OrderView[] {
  const find = db.prepare('SELECT 1 FROM orders WHERE account = ? AND order_id = ?');
  if (before !== null && find.get(account, before) === undefined) throw new BelegError('UNKNOWN_ORDER');
  const named = ids === null ? '' : 'AND order_id IN (SELECT value FROM json_each(:ids))';
  const earlier =
    before === null
      ? ''
      : 'AND place < (SELECT place FROM orders WHERE account = :account AND order_id = :before)';
  // The plus keeps SQLite from scanning all orders by `place` in order to find a few by id.
  const newest = ids === null ? 'place' : '+place';
  const sql = `SELECT * FROM orders WHERE account = :account ${named} ${earlier} ORDER BY ${newest} DESC LIMIT :limit`;
  const parameters = {
    account,
    limit,
    ...(ids && { ids: JSON.stringify(ids) }),
    ...(before && { before }),
  };
  return db.prepare(sql).all(parameters).reverse().map(toView);
}

/** The order under this `client_order_id` if it is done; `undefined` if there is none. */
export function readClientOrder(
  db: DatabaseSync,
  account: string,
  clientOrderId: string,
): ClientOrder | undefined {
  const row = db
    .prepare('SELECT order_id, fingerprint, status FROM orders WHERE account = ? AND client_order_id = ?')
    .get(account, clientOrderId);
  if (row === undefined || isOpen(row['status'] as OrderState['status'])) return undefined;
  return { order_id: row['order_id'] as string, fingerprint: row['fingerprint'] as string };
}

/**
 * The value of the account at the close of the newest `limit` sessions, or of those before a given session, ascending.
 */
export function readEquity(
  db: DatabaseSync,
  account: string,
  { limit, before = LATER }: z.output<(typeof EquityCurve)['request']>,
): EquityPoint[] {
  const rows = db
    .prepare(
      'SELECT session, total_value, cash FROM equity WHERE account = ? AND session < ? ORDER BY session DESC LIMIT ?',
    )
    .all(account, before, limit);
  return rows.reverse().map(({ session, total_value, cash }) => ({
    session: session as string,
    total_value: moneyNumber(parseMoney(total_value as string)),
    cash: moneyNumber(parseMoney(cash as string)),
  }));
}

/** A date later than every session. */
const LATER = '9999-12-31';

/** The order of a row as clients see it, in the same view as an order of the account itself. */
function toView(row: Record<string, SQLOutputValue>): OrderView {
  return { ...viewOrder(orderIn(row)), filled_at: row['filled_at'] as string | null };
}
