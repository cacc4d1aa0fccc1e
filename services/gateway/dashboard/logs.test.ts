import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { submitted } from '../../../events/catalog/order-submitted.suite.ts';
import * as market from '../../../events/catalog/market.ts';
import * as models from '../../../events/catalog/models.ts';
import * as trading from '../../../events/catalog/trading.ts';
import { InProcessBus } from '../../../events/bus/in-process.ts';
import { LIST_LENGTHS } from '../../../events/messages/list-lengths.ts';
import { DashboardLogs } from './logs.ts';
import { MODEL_STATUS, TRAINED_RUN, WEIGHTS } from './dashboard-examples.ts';
import { startDashboard, type Dashboard } from './dashboard.suite.ts';

const ORDER = { order_id: 'o-1', ticker: 'AAPL' };
const CURSOR = { cursor: '7' };
const SUBMITTED = submitted({ session: '2025-06-13', reference_price: '191.58' });
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

const RUN = { run: TRAINED_RUN.run };
const TRAINING = {
  ...RUN,
  settings: {
    features: MODEL_STATUS.features,
    sequence_length: 60,
    hidden_channels: 64,
    num_heads: 4,
    layers: 2,
    dropout: 0.1,
    batch_size: 32,
    epochs: 2,
    learning_rate: 0.001,
    seed: 1,
  },
  as_of: '2025-06-13',
  provider: 'cuda',
};
const PREPARED = {
  ...RUN,
  dataset: WEIGHTS,
  tickers: 3,
  train: TRAINED_RUN.train,
  validation: TRAINED_RUN.validation,
  test: TRAINED_RUN.test,
  parameters: 104_642,
  steps: 308,
  step: 0,
  provider: 'cpu',
  fallback: null,
};
const EPOCH = {
  ...RUN,
  epoch: 1,
  step: 154,
  train_loss: 1.0127,
  validation_loss: 0.9836,
  validation: { return: -0.0041, volatility: -0.00001 },
  best: true,
};

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('events', () => {
  let dashboard: Dashboard;
  beforeEach(async () => void (dashboard = await startDashboard()));
  afterEach(() => dashboard.app.close());

  const read = async () =>
    (await dashboard.app.inject('/api/dashboard/logs')).json<{ logs: string[]; total: number }>();
  /** The first line, which says that the dashboard has started, is left out. */
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
      'Order o-1 (AAPL) withdrawn, because it could not be recorded in time',
      'Order o-1 (AAPL): the broker did not answer in time and will be asked again',
      'Order o-1 adjusted for a split: 70 AAPL at 26.5',
    ]);
  });

  test('of the account', async () => {
    const { publish } = dashboard.fakes;
    await publish(trading.AccountOpened, { account: 'main', currency: 'USD', cash: '100000' });
    await publish(trading.TradingStarted, {});
    await publish(trading.TradingHalted, { reason: 'daily_loss', detail: 'Lost 5.1 % since 2025-06-13' });
    await publish(trading.TradingResumed, { session: '2025-06-17' });
    await publish(trading.TradingStopped, {});
    await publish(trading.ClockSet, { paused: true, speed: null });
    await publish(trading.ClockSet, { paused: false, speed: 20 });
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
    await publish(trading.PositionSettled, {
      ticker: 'ORCL',
      session: '2025-06-13',
      last_traded: '2025-05-15',
      quantity: '10',
      price: '41.25',
      amount: '412.5',
    });
    expect(await said()).toEqual([
      'Account main opened with 100000.00 USD',
      'Trading started',
      'Trading HALTED (daily loss): orders may only close positions. Lost 5.1 % since 2025-06-13',
      'Trading resumed: session 2025-06-17 has begun, and the daily loss was in the session before',
      'Trading stopped: orders may only close positions',
      'Session clock held',
      'Session clock running, at 20 sessions a second',
      'DISCREPANCY with the broker (unknown order of AAPL): the broker has order o-9',
      'DISCREPANCY with the broker (position): differs',
      'The account and the broker agree again: 2 discrepancies settled',
      'Split of AAPL, 7 for 1: now 70 held',
      'Split of AAPL, 1 for 10: now 1 held, 93.72 paid in cash for the fraction',
      'Dividend of AAPL: 26.00 (0.26 per share for 100)',
      'Dividend of AAPL paid for a short position: 26.00 (0.26 per share)',
      'ORCL no longer trades: the position of 10 is settled at its last price 41.25 (2025-05-15)',
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
      'Market data: AAPL has no new bars, up to 2025-06-13',
      'Market data: AAPL updated, 2520 bars new or changed, up to 2025-06-13, 3 warnings',
      'Market data: X FAILED with 2 faults; the pipeline status lists them',
      'Market data: update finished, 2 updated, 1 failed',
    ]);
  });

  test('of trainings and the weights that come of them', async () => {
    const publish: typeof dashboard.fakes.publish = (definition, data) =>
      dashboard.fakes.publish(definition, data, { stream: models.trainingStream(RUN.run) });
    await publish(models.TrainingRunOpened, RUN);
    await publish(models.TrainingStarted, TRAINING);
    await publish(models.TrainingStarted, { ...TRAINING, as_of: null });
    await publish(models.TrainingPrepared, PREPARED);
    const fallback = 'cuda: no such\ndevice';
    await publish(models.TrainingPrepared, { ...PREPARED, tickers: 1, step: 154, fallback });
    await publish(models.TrainingEpochFinished, EPOCH);
    await publish(models.TrainingEpochFinished, { ...EPOCH, epoch: 2, best: false });
    await publish(models.TrainingStopRequested, RUN);
    await publish(models.TrainingInterrupted, { ...RUN, reason: 'stopped', detail: null, step: 160 });
    await publish(models.TrainingInterrupted, { ...RUN, reason: 'shutdown', detail: null, step: 170 });
    await publish(models.TrainingInterrupted, { ...RUN, reason: 'crashed', detail: 'SIGKILL', step: 180 });
    await publish(models.TrainingResumed, RUN);
    const { scores } = TRAINED_RUN;
    await publish(models.TrainingFinished, { ...RUN, weights: WEIGHTS, best_epoch: 2, step: 308, scores });
    await publish(models.TrainingFailed, { ...RUN, fault: 'LOSS_NOT_FINITE', detail: 'NaN', step: 12 });
    await publish(models.ModelPutToUse, { weights: WEIGHTS, cause: 'trained', run: RUN.run });
    await publish(models.ModelPutToUse, { weights: WEIGHTS, cause: 'loaded', run: null });
    await publish(models.ModelSaved, { weights: WEIGHTS, run: null });
    expect(await said()).toEqual([
      'Training started: 2 epochs, batch 32, learning rate 0.001, market data up to 2025-06-13',
      'Training started: 2 epochs, batch 32, learning rate 0.001, all market data',
      'Training prepared: 3 tickers, windows 4920 to train, 942 to validate, 945 to test; 104642 parameters, 308 steps on cpu',
      'Training prepared: 1 ticker, windows 4920 to train, 942 to validate, 945 to test; 104642 parameters, 308 steps on cpu, ' +
        '154 of them done before. Not the device that was asked for: cuda: no such device',
      'Training: epoch 1 done, loss 1.0127, validation loss 0.9836, validation R² -0.0041 of return, 0.0000 of volatility, best so far',
      'Training: epoch 2 done, loss 1.0127, validation loss 0.9836, validation R² -0.0041 of return, 0.0000 of volatility',
      'Training is stopping',
      'Training stopped, at step 160: it can be resumed',
      'Training interrupted because its service stopped, at step 170: it can be resumed',
      'Training INTERRUPTED: its process stopped unexpectedly (SIGKILL), at step 180: it can be resumed',
      'Training resumed from its last checkpoint',
      'Training finished after 308 steps, best epoch 2. R² out of sample: network 0.0009 of return, 0.1533 of volatility; ' +
        'ridge -0.0021 of return, 0.1407 of volatility; mean -0.0003 of return, -0.0118 of volatility',
      'Training FAILED at step 12 (LOSS_NOT_FINITE): NaN',
      'Model: trained weights 1f0c7e1b6a5d are now in use',
      'Model: loaded weights 1f0c7e1b6a5d are now in use',
      'Model: weights 1f0c7e1b6a5d saved',
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
    expect(await said()).toEqual(['Trading started', 'Trading stopped: orders may only close positions']);
    expect(faults).toEqual([]);
  });

  test('are the newest first to stay, and gone once they are cleared', async () => {
    await dashboard.fakes.publish(trading.TradingStarted, {});
    await dashboard.fakes.publish(trading.TradingStopped, {});
    const newest = (await dashboard.app.inject('/api/dashboard/logs?limit=1')).json<object>();
    expect(newest).toEqual({
      logs: ['[2026-01-15 08:00:00] Trading stopped: orders may only close positions'],
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
    for (let i = 0; i < LIST_LENGTHS.logLines.most + 5; i++) logs.add(AT, String(i));
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

  test('a message on the bus that is none of ours is passed over', async () => {
    const faults: unknown[] = [];
    const broker = new InProcessBus();
    const bus = broker.connect((error) => faults.push(error));
    const logs = new DashboardLogs();
    logs.follow(bus);
    bus.publish('beleg.v1.evt.trading.trading-started.x', new TextEncoder().encode('nonsense'), {
      'event-type': 'TradingStarted',
    });
    await bus.drain();
    expect(faults).toEqual([]);
    expect(logs.read(1)).toEqual({ logs: [], total: 0 });
  });
});
