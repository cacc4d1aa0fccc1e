import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountState } from '../../actors/trading/state.ts';
import { findByClientOrderId } from '../../actors/trading/submit-order.ts';
import { parseQuantity } from '../../events/decimal.ts';
import { startProjection, type ProjectionRunner } from '../../events/projections/runner.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { ACCOUNT, AccountRecord, caller, order } from './account/account.suite.ts';
import type { AccountWriter } from './account/account.ts';
import { earlierOrders, type EarlierOrders } from './earlier-orders.ts';
import { tradingProjection } from './tables/projection.ts';

let folder: string;
let record: AccountRecord;
let writer: AccountWriter;
let projection: ProjectionRunner | undefined;
let earlier: EarlierOrders | undefined;

beforeEach(async () => {
  folder = temporaryFolder();
  record = new AccountRecord();
  writer = await record.writer();
});

afterEach(async () => {
  earlier?.close();
  await projection?.stop();
  await writer.close();
});

const mine = (id: string, quantity = '10') =>
  order(id, { client_order_id: 'mine', quantity: parseQuantity(quantity) });

const reject = (order_id: string) =>
  writer.submit(
    { type: 'report', report: { type: 'rejected', order_id, reason: 'because', cursor: order_id } },
    caller(`rejected/${order_id}`),
  );

/** The account after it has dropped all orders that are done. */
function forgetful(): AccountState {
  const { open, orderCount } = writer.state;
  const clients = [...writer.state.clientOrders].filter(([, { order_id }]) => open.has(order_id));
  return {
    ...writer.state,
    orders: new Map(open),
    done: new Set(),
    clientOrders: new Map(clients),
    orderCount,
  };
}

function look(state: () => AccountState): EarlierOrders {
  const file = join(folder, 'trading.db');
  projection = startProjection({
    store: record.store,
    codec: record.codec,
    projection: tradingProjection,
    file,
  });
  const watched = {
    get state() {
      return state();
    },
    position: writer.position,
    follow: () => () => undefined,
  };
  return (earlier = earlierOrders({ account: ACCOUNT, writer: watched, projection, file }));
}

test('an order that the account has let go of is found by its client_order_id, as its client sent it', async () => {
  await writer.submit({ type: 'submit', order: mine('first') }, caller('first'));
  await reject('first');
  const found = await look(forgetful).find('mine');
  expect(findByClientOrderId(forgetful(), { ...mine('again'), earlier: found })).toBe('first');
  expect(() => findByClientOrderId(forgetful(), { ...mine('other', '11'), earlier: found })).toThrow(
    expect.objectContaining({ code: 'CLIENT_ORDER_ID_REUSED' }) as Error,
  );
  expect(await earlier!.find('nobody')).toBeUndefined();
});

test('one that the account knows needs no tables, and one that is open may still be withdrawn', async () => {
  await writer.submit({ type: 'submit', order: mine('first') }, caller('first'));
  const orders = look(() => writer.state);
  await projection!.stop();
  expect(await orders.find('mine')).toBeUndefined();
  expect(await orders.find('nobody')).toBeUndefined();
  await reject('first');
  expect(await orders.find('mine')).toMatchObject({ order_id: 'first' });
});

test('an order is not taken while the tables cannot say whether it came before', async () => {
  await writer.submit({ type: 'submit', order: mine('first') }, caller('first'));
  await reject('first');
  const orders = look(forgetful);
  await projection!.stop();
  await expect(orders.find('mine')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
