import { openTables } from '../../../events/sqlite/readable-file.ts';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { opening, order, POLICY } from '../../../actors/trading/account.suite.ts';
import type { BrokerReport } from '../../../actors/trading/broker.ts';
import type { AccountCommand, SubmitOrder } from '../../../actors/trading/commands.ts';
import { decide } from '../../../actors/trading/decide.ts';
import { evolve } from '../../../actors/trading/evolve.ts';
import { initialState, type AccountState } from '../../../actors/trading/state.ts';
import { viewOrder } from '../../../actors/trading/view.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { parseMoney, parsePrice, parseQuantity } from '../../../events/decimal.ts';
import { ProjectionTables } from '../../../events/projections/tables.ts';
import type { Position } from '../../../events/store/store.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { createEvents } from '../../foundation/streams/stamp-events.ts';
import { tradingProjection } from './projection.ts';
import { readEquity, readOrders, type OrdersQuery } from './queries.ts';

const NEWEST: OrdersQuery = { limit: 1_000, before: null, ids: null };

/** An account whose events go into the tables as they are decided. */
class Account {
  readonly name: string;
  state: AccountState = initialState();
  readonly #tables: ProjectionTables;
  #revision = -1n;
  #reports = 0;

  constructor(name: string, tables: ProjectionTables) {
    this.name = name;
    this.#tables = tables;
    this.do({ type: 'open', account: name, currency: 'USD', cash: parseMoney('100000') });
    this.do({ type: 'start' });
  }

  do(command: AccountCommand): void {
    const drafts = decide(command, this.state, POLICY);
    const cause = {
      stream: accountStream(this.name),
      at: '2026-01-01T00:00:00.000Z',
      correlationId: 'c',
      causationId: 'c',
      key: 'c',
    };
    for (const event of createEvents(drafts, cause, { redact: false })) {
      this.#revision += 1n;
      const position = `${this.#tables.position}x` as Position;
      const place = { revision: this.#revision, position };
      this.#tables.advance(position, () => tradingProjection.apply(this.#tables, event, place));
    }
    this.state = drafts.reduce(evolve, this.state);
  }

  submit(orderId: string, changes: Partial<SubmitOrder> = {}): void {
    const market = order({ id: orderId, ticker: 'AAPL', quantity: '10', last: '100.5' });
    this.do({ type: 'submit', order: { ...market, ...changes } });
  }

  report(orderId: string, report: { type: BrokerReport['type'] } & Record<string, unknown>): void {
    this.#reports += 1;
    const cursor = String(this.#reports).padStart(3, '0');
    this.do({ type: 'report', report: { ...report, order_id: orderId, cursor } as unknown as BrokerReport });
  }

  trade(orderId: string, quantity: string, price: string, session = '2024-01-02'): void {
    this.report(orderId, {
      type: 'trade',
      trade_id: `${orderId}/${session}/${quantity}`,
      quantity: parseQuantity(quantity),
      price: parsePrice(price),
      fee: parseMoney('1.25'),
      session,
    });
  }

  openSession(session: string, splits: Record<string, string> = {}): void {
    this.do(opening(session, { splits }));
  }
}

describe('the tables of an account', () => {
  let folder: string;
  let tables: ProjectionTables;
  let db: DatabaseSync;
  let account: Account;

  beforeEach(() => {
    folder = temporaryFolder();
    tables = new ProjectionTables(join(folder, 'trading.db'), tradingProjection);
    db = openTables(join(folder, 'trading.db'));
    account = new Account('main', tables);
  });

  afterEach(() => {
    db.close();
    tables.close();
  });

  const orders = (query: Partial<OrdersQuery> = {}) => readOrders(db, account.name, { ...NEWEST, ...query });
  const ids = (query: Partial<OrdersQuery> = {}) => orders(query).map(({ order_id }) => order_id);
  const shown = (orderId: string) => orders({ ids: [orderId] })[0];

  test('show an order from its submission on, as the account shows it itself', () => {
    account.openSession('2024-01-02');
    account.submit('limit', {
      type: 'limit',
      price: parsePrice('99.5'),
      time_in_force: 'gtc',
      client_order_id: 'mine',
      origin: 'strategy',
    });
    expect(shown('limit')).toEqual({
      order_id: 'limit',
      ticker: 'AAPL',
      action: 'buy',
      quantity: 10,
      price: 99.5,
      timestamp: '2024-01-02 00:00:00',
      type: 'limit',
      status: 'submitted',
      filled_quantity: 0,
      average_price: null,
      fees: 0,
      reject_reason: null,
      client_order_id: 'mine',
      time_in_force: 'gtc',
      stop_price: null,
      reduce_only: false,
      origin: 'strategy',
      filled_at: null,
    });
    account.report('limit', { type: 'accepted' });
    account.trade('limit', '4', '99.5');
    account.trade('limit', '6', '98', '2024-01-03');
    expect(shown('limit')).toMatchObject({
      status: 'filled',
      price: 99.5,
      average_price: 98.6,
      fees: 2.5,
      filled_at: '2024-01-03',
    });
  });

  test('the price of a market order: a hint or the last price, the average of its fills after them', () => {
    account.submit('plain');
    account.submit('hinted', { price: parsePrice('101') });
    expect([shown('plain')?.price, shown('hinted')?.price]).toEqual([100.5, 101]);
    account.trade('plain', '10', '100.75');
    expect(shown('plain')?.price).toBe(100.75);
  });

  test('agree with the account whatever happens to an order', () => {
    for (const id of ['unknown', 'rejected', 'expired', 'cancelled', 'wished', 'raced', 'overfilled']) {
      account.submit(id);
    }
    account.submit('adjusted', {
      ticker: 'MSFT',
      type: 'limit',
      price: parsePrice('90'),
      time_in_force: 'gtc',
    });
    account.submit('waiting', { ticker: 'MSFT', quantity: parseQuantity('3') });
    account.submit('triggered', {
      type: 'stop_limit',
      price: parsePrice('90'),
      stop_price: parsePrice('95'),
    });
    account.do({ type: 'delivery-unknown', order_id: 'unknown' });
    account.report('rejected', { type: 'rejected', reason: 'QUANTITY_STEP' });
    for (const id of ['expired', 'cancelled', 'wished', 'raced', 'overfilled', 'adjusted', 'triggered']) {
      account.report(id, { type: 'accepted' });
    }
    account.trade('adjusted', '3', '89');
    account.report('triggered', { type: 'triggered' });
    account.report('expired', { type: 'expired' });
    account.do({ type: 'cancel', order_id: 'cancelled' });
    account.report('cancelled', { type: 'cancelled', reason: 'requested' });
    account.do({ type: 'cancel', order_id: 'wished' });
    account.do({ type: 'cancel', order_id: 'raced' });
    account.trade('raced', '4', '100');
    account.report('raced', { type: 'cancelled', reason: 'requested' });
    account.trade('raced', '2', '100', '2024-01-03');
    account.openSession('2024-01-03', { MSFT: '7/2' });
    account.trade('overfilled', '10', '100');
    const views = () => [...account.state.orders.values()].map((order) => viewOrder(order));
    expect(orders()).toMatchObject(views());
    expect(orders().map(({ order_id, status }) => `${order_id} ${status}`)).toEqual([
      'unknown submitted',
      'rejected rejected',
      'expired expired',
      'cancelled cancelled',
      'wished pending_cancel',
      'raced cancelled',
      'overfilled filled',
      'adjusted partially_filled',
      'waiting submitted',
      'triggered accepted',
    ]);
    expect(shown('adjusted')).toMatchObject({ quantity: 34, filled_quantity: 10, price: 25.71 });
    expect(shown('waiting')).toMatchObject({ quantity: 10, price: 30.15 });
    // An impossible fill halts trading and cancels open orders.
    account.trade('overfilled', '5', '100', '2024-01-03');
    expect(orders()).toMatchObject(views());
    expect(shown('overfilled')).toMatchObject({ status: 'filled', quantity: 10, filled_quantity: 15 });
    expect(shown('adjusted')).toMatchObject({ status: 'pending_cancel', reject_reason: 'trading_halted' });
  });

  test('an order that was withdrawn is not there', () => {
    account.submit('a');
    account.submit('b');
    account.do({ type: 'withdraw', order_id: 'a' });
    expect(ids()).toEqual(['b']);
  });

  test('the newest orders in the order of their submission, earlier ones before one of them, or those that are named', () => {
    for (const id of ['e', 'd', 'c', 'b', 'a']) account.submit(id);
    expect(ids({ limit: 2 })).toEqual(['b', 'a']);
    expect(ids({ limit: 2, before: 'b' })).toEqual(['d', 'c']);
    expect(ids({ before: 'e' })).toEqual([]);
    expect(() => ids({ before: 'nobody' })).toThrow(expect.objectContaining({ code: 'UNKNOWN_ORDER' }));
    expect(ids({ ids: ['a', 'e', 'nobody'] })).toEqual(['e', 'a']);
    expect(ids({ ids: [] })).toEqual([]);
    expect(ids({ ids: ['a', 'e'], before: 'a', limit: 1 })).toEqual(['e']);
  });

  test('hold each fill once, and what the broker and the account do not agree on', () => {
    account.submit('a');
    account.trade('a', '10', '100');
    account.trade('a', '10', '100');
    account.trade('a', '3', '100', '2024-01-03');
    expect(db.prepare('SELECT trade_id, quantity, price, fee, session FROM fills').all()).toEqual([
      { trade_id: 'a/2024-01-02/10', quantity: '10', price: '100', fee: '1.25', session: '2024-01-02' },
      { trade_id: 'a/2024-01-03/3', quantity: '3', price: '100', fee: '1.25', session: '2024-01-03' },
    ]);
    const found = () => db.prepare('SELECT kind, order_id, settled FROM discrepancies').all();
    expect(found()).toEqual([{ kind: 'overfill', order_id: 'a', settled: 0 }]);
    account.do({ type: 'compare', positions: new Map([['AAPL', parseQuantity('13')]]) });
    expect(found()).toEqual([{ kind: 'overfill', order_id: 'a', settled: 1 }]);
  });

  test('what the account was worth at each close, the newest in ascending order', () => {
    account.submit('a');
    for (const [session, close] of [
      ['2024-01-02', '100'],
      ['2024-01-03', '101.5'],
      ['2024-01-04', '99'],
    ] as const) {
      account.openSession(session);
      if (session === '2024-01-02') account.trade('a', '10', '100', session);
      account.do({ type: 'close-session', session, closes: new Map([['AAPL', parsePrice(close)]]) });
    }
    expect(readEquity(db, 'main', { limit: 2 })).toEqual([
      { session: '2024-01-03', total_value: 100_013.75, cash: 98_998.75 },
      { session: '2024-01-04', total_value: 99_988.75, cash: 98_998.75 },
    ]);
    expect(readEquity(db, 'main', { limit: 10 })).toHaveLength(3);
  });

  test('accounts do not mix', () => {
    account.submit('a');
    const other = new Account('other', tables);
    other.submit('a', { quantity: parseQuantity('5') });
    expect(orders()).toMatchObject([{ order_id: 'a', quantity: 10 }]);
    expect(readOrders(db, 'other', NEWEST)).toMatchObject([{ order_id: 'a', quantity: 5 }]);
    expect(readEquity(db, 'other', { limit: 5 })).toEqual([]);
  });

  test('a file that is not there cannot be read', () => {
    expect(() => openTables(join(folder, 'none.db'))).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE' }),
    );
  });
});
