import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as market from '../../../events/catalog/market.ts';
import * as trading from '../../../events/catalog/trading.ts';
import { InProcessBroker } from '../../../events/bus/in-process.ts';
import { DashboardLogs, MAX_LOG_LINES } from './logs.ts';
import { startDashboard, type Dashboard } from './dashboard.suite.ts';

const ORDER = { order_id: 'o-1', ticker: 'AAPL' };
const CURSOR = { cursor: '7' };
const SUBMITTED = {
  ...ORDER,
  client_order_id: null,
  action: 'buy',
  type: 'market',
  quantity: '10',
  price: null,
  stop_price: null,
  time_in_force: 'day',
  reduce_only: false,
  origin: 'client',
  client_timestamp: null,
  session: '2025-06-13',
  reference_price: '191.58',
} as const;
const FILL = {
  ...ORDER,
  trade_id: 't-1',
  action: 'buy',
  quantity: '10',
  price: '187.445',
  fee: '1.0000000000000001',
  session: '2025-06-16',
  settles_after: 0,
  ...CURSOR,
} as const;
const SPLIT = {
  ticker: 'AAPL',
  session: '2025-06-16',
  ratio: '7/1',
  quantity: '70',
  cost: '1874.45',
  cash_in_lieu: '0',
  realized: '0',
};
const DIVIDEND = { ticker: 'AAPL', session: '2025-06-16', per_share: '0.26', quantity: '100', amount: '26' };
const UPDATED = {
  update_id: '1',
  ticker: 'AAPL',
  bars: 1,
  splits: 0,
  dividends: 0,
  warnings: [],
  warnings_total: 0,
  first: null,
  last: null,
};

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('events', () => {
  let dashboard: Dashboard;
  beforeEach(async () => void (dashboard = await startDashboard()));
  afterEach(() => dashboard.app.close());

  const read = async () =>
    (await dashboard.app.inject('/api/dashboard/logs')).json<{ logs: string[]; total: number }>();
  /** Without the line that the dashboard has started. */
  const said = async () =>
    (await read()).logs.slice(1).map((line) => line.slice('[2026-01-15 08:00:00] '.length));

  test('of orders', async () => {
    const { publish } = dashboard.fakes;
    await publish(trading.OrderSubmitted, SUBMITTED);
    await publish(trading.OrderSubmitted, { ...SUBMITTED, price: '190', origin: 'strategy' });
    await publish(trading.OrderSubmitted, {
      ...SUBMITTED,
      action: 'sell',
      type: 'stop_limit',
      price: '179.5',
      stop_price: '180',
      time_in_force: 'gtc',
      origin: 'close',
    });
    await publish(trading.OrderSubmitted, { ...SUBMITTED, type: 'stop', price: '180', stop_price: '180' });
    await publish(trading.OrderFilled, FILL);
    await publish(trading.OrderFilled, { ...FILL, action: 'sell', quantity: '2.5' });
    await publish(trading.OrderRejected, { ...ORDER, reason: 'INSUFFICIENT_FUNDS', cursor: null });
    await publish(trading.OrderCancelled, { ...ORDER, reason: 'requested', cursor: null });
    await publish(trading.OrderExpired, { ...ORDER, ...CURSOR });
    await publish(trading.OrderTriggered, { ...ORDER, ...CURSOR });
    await publish(trading.OrderWithdrawn, ORDER);
    await publish(trading.OrderDeliveryUnknown, ORDER);
    await publish(trading.OrderAdjusted, {
      ...ORDER,
      quantity: '70',
      filled_quantity: '0',
      price: '26.5',
      stop_price: null,
    });
    expect(await said()).toEqual([
      'Order o-1 submitted by a client: buy 10 AAPL, market, day',
      'Order o-1 submitted by the strategy: buy 10 AAPL, market, day',
      'Order o-1 submitted by closing a position: sell 10 AAPL, stop-limit at 179.5, stop 180, gtc',
      'Order o-1 submitted by a client: buy 10 AAPL, stop at 180, day',
      'Order o-1: bought 10 AAPL at 187.445, fee 1.00',
      'Order o-1: sold 2.5 AAPL at 187.445, fee 1.00',
      'Order o-1 (AAPL) rejected: INSUFFICIENT_FUNDS',
      'Order o-1 (AAPL) cancelled: requested',
      'Order o-1 (AAPL) expired',
      'Order o-1 (AAPL) triggered: its stop price was reached',
      'Order o-1 (AAPL) withdrawn: it could not be recorded in time',
      'Order o-1 (AAPL): the broker did not answer in time and is asked again',
      'Order o-1 adjusted to a split: 70 AAPL at 26.5',
    ]);
  });

  test('of the account', async () => {
    const { publish } = dashboard.fakes;
    await publish(trading.AccountOpened, { account: 'main', currency: 'USD', cash: '100000' });
    await publish(trading.TradingStarted, {});
    await publish(trading.TradingHalted, { reason: 'daily_loss', detail: 'Lost 5.1 % since 2025-06-13' });
    await publish(trading.TradingStopped, {});
    await publish(trading.DiscrepancyFound, {
      kind: 'unknown_order',
      order_id: 'o-9',
      ticker: 'AAPL',
      detail: 'the broker has order o-9',
      ...CURSOR,
    });
    await publish(trading.DiscrepancyFound, {
      kind: 'position',
      order_id: null,
      ticker: null,
      detail: 'differs',
      cursor: null,
    });
    await publish(trading.DiscrepanciesSettled, { count: 2 });
    await publish(trading.SplitApplied, SPLIT);
    await publish(trading.SplitApplied, { ...SPLIT, ratio: '1/10', quantity: '1', cash_in_lieu: '93.725' });
    await publish(trading.DividendPaid, DIVIDEND);
    await publish(trading.DividendPaid, { ...DIVIDEND, quantity: '-100', amount: '-26' });
    expect(await said()).toEqual([
      'Account main opened with 100000.00 USD',
      'Trading started',
      'Trading HALTED (daily loss): closing only. Lost 5.1 % since 2025-06-13',
      'Trading stopped: closing only',
      'DISCREPANCY with the broker (unknown order of AAPL): the broker has order o-9',
      'DISCREPANCY with the broker (position): differs',
      'The account and the broker agree again: 2 discrepancies settled',
      'Split of AAPL, 7 for 1: now 70 held',
      'Split of AAPL, 1 for 10: now 1 held, 93.72 paid in cash for the fraction',
      'Dividend of AAPL: 26.00 (0.26 a share for 100)',
      'Dividend of AAPL owed for a short position: 26.00 (0.26 a share)',
    ]);
  });

  test('of the market data', async () => {
    const { publish } = dashboard.fakes;
    await publish(market.MarketUpdateStarted, { update_id: '1', source: 'demo', tickers: ['AAPL'] });
    await publish(market.TickerUpdated, UPDATED);
    await publish(market.TickerUpdated, { ...UPDATED, bars: 0, last: '2025-06-13' });
    await publish(market.TickerUpdated, { ...UPDATED, bars: 2_520, warnings_total: 3, last: '2025-06-13' });
    await publish(market.TickerUpdateFailed, { update_id: '1', ticker: 'X', faults: ['/data/x.csv:7', 'b'] });
    await publish(market.MarketUpdateFinished, { update_id: '1', updated: 2, failed: 1 });
    expect(await said()).toEqual([
      'Market data: update of 1 ticker from demo started',
      'Market data: AAPL updated, 1 bar new or changed',
      'Market data: AAPL has nothing new, up to 2025-06-13',
      'Market data: AAPL updated, 2520 bars new or changed, up to 2025-06-13, 3 warnings',
      'Market data: X FAILED with 2 faults; the pipeline status lists them',
      'Market data: update finished, 2 updated, 1 failed',
    ]);
  });

  test('that are no news leave no line: sessions that pass, what the broker takes note of', async () => {
    const { publish } = dashboard.fakes;
    await publish(trading.SessionOpened, { session: '2025-06-16' });
    await publish(trading.OrderAccepted, { ...ORDER, ...CURSOR });
    await publish(trading.OrderCancelRequested, ORDER);
    await publish(trading.SessionClosed, {
      session: '2025-06-16',
      closes: {},
      cash: '1',
      total_value: '1',
    });
    expect(await said()).toEqual([]);
  });

  test('are told with the time at which they were recorded, in UTC', async () => {
    await dashboard.fakes.publish(trading.TradingStarted, {}, { at: '2026-03-29T01:59:59.999Z' });
    expect((await read()).logs[1]).toBe('[2026-03-29 01:59:59] Trading started');
  });

  test('say nothing of what a client may have written, and stay one line', async () => {
    await dashboard.fakes.publish(trading.OrderSubmitted, {
      ...SUBMITTED,
      client_order_id: 'secret-of-mine',
      client_timestamp: '2025-06-13 secret',
    });
    const reason = `first\nsecond\u2028third\u202e${'x'.repeat(500)}`;
    await dashboard.fakes.publish(trading.OrderRejected, { ...ORDER, reason, cursor: null });
    const lines = await said();
    expect(lines[0]).not.toContain('secret');
    expect(lines[1]).toBe(`Order o-1 (AAPL) rejected: first second third ${'x'.repeat(181)}`);
  });

  test('that come again are said once, what cannot be read is passed over', async () => {
    const sent: [string, Uint8Array, Readonly<Record<string, string>>][] = [];
    const { bus, publish, faults } = dashboard.fakes;
    bus.subscribe('beleg.v1.evt.>', ({ subject, data, headers }) => void sent.push([subject, data, headers]));
    await publish(trading.TradingStarted, {});
    const [subject, data, headers] = sent[0]!;
    const event = JSON.parse(new TextDecoder().decode(data)) as Record<string, unknown>;
    bus.publish(subject, data, headers);
    bus.publish(subject, encode({ ...event, id: 'other', data: null }), headers);
    bus.publish(subject, encode({ ...event, id: 'more', data: { added: 'by a newer version' } }), headers);
    bus.publish(subject, data, { ...headers, 'event-type': 'constructor' });
    await publish(trading.TradingStopped, {});
    expect(await said()).toEqual(['Trading started', 'Trading stopped: closing only']);
    expect(faults).toEqual([]);
  });

  test('are the newest first to stay, and gone once they are cleared', async () => {
    await dashboard.fakes.publish(trading.TradingStarted, {});
    await dashboard.fakes.publish(trading.TradingStopped, {});
    const newest = (await dashboard.app.inject('/api/dashboard/logs?limit=1')).json<object>();
    expect(newest).toEqual({
      logs: ['[2026-01-15 08:00:00] Trading stopped: closing only'],
      total: 3,
    });
    expect((await dashboard.post('/api/dashboard/logs/clear')).json()).toEqual({ status: 'cleared' });
    expect(await read()).toEqual({ logs: [], total: 0 });
    await dashboard.fakes.publish(trading.TradingStarted, {});
    expect((await read()).total).toBe(1);
  });
});

describe('the ring', () => {
  const AT = new Date('2026-01-15T08:00:00Z');

  test('keeps the newest lines', () => {
    const logs = new DashboardLogs();
    for (let i = 0; i < MAX_LOG_LINES + 5; i++) logs.add(AT, String(i));
    const { logs: lines, total } = logs.read(2);
    expect(lines).toEqual(['[2026-01-15 08:00:00] 1003', '[2026-01-15 08:00:00] 1004']);
    expect(total).toBe(1_000);
    expect(logs.read(5_000).logs).toHaveLength(1_000);
  });

  test('tells listeners of each line until they leave, also after it was cleared', () => {
    const logs = new DashboardLogs();
    const heard: string[] = [];
    const leave = logs.onLine((line) => heard.push(line));
    logs.add(AT, 'a');
    logs.clear();
    logs.add(AT, 'b');
    leave();
    logs.add(AT, 'c');
    expect(heard).toEqual(['[2026-01-15 08:00:00] a', '[2026-01-15 08:00:00] b']);
  });

  test('a message on the bus that is none of ours is nobody’s fault but its sender’s', async () => {
    const faults: unknown[] = [];
    const broker = new InProcessBroker();
    const bus = broker.connect((error) => faults.push(error));
    const logs = new DashboardLogs();
    logs.follow(bus);
    bus.publish('beleg.v1.evt.trading.trading-started.x', new TextEncoder().encode('nonsense'), {
      'event-type': 'TradingStarted',
    });
    await bus.drain();
    expect(faults).toHaveLength(1);
    expect(logs.read(1)).toEqual({ logs: [], total: 0 });
  });
});
