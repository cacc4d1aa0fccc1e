import { afterEach, describe, expect, test } from 'vitest';
import {
  DividendPaid,
  OrderAccepted,
  SessionClosed,
  SplitApplied,
  TradingHalted,
} from '../../../../events/catalog/trading.ts';
import {
  MarketUpdateFinished,
  MarketUpdateStarted,
  TickerUpdated,
  TickerUpdateFailed,
} from '../../../../events/catalog/market.ts';
import { BelegError } from '../../../../events/errors.ts';
import { MODEL_STATUS, TRADING_STATUS } from '../dashboard-examples.ts';
import { LAST_SESSION } from '../fake-market.suite.ts';
import { METRICS_INTERVAL_MS, startSocket, type Started } from './dashboard-socket.suite.ts';

let started: Started;
afterEach(() => started.close());

const closed = (session: string) => ({ session, closes: {}, cash: '1', total_value: '1' });
const questions = (name: string) => started.fakes.asked.filter((asked) => asked.name === name).length;

/** More than the shortest time between two pushes of a state. */
const SOON = 100;

describe('metrics', () => {
  test('come at once, in the shape of the contract and with nothing else', async () => {
    started = await startSocket();
    const peer = await started.open();
    const [push] = await peer.heard('metrics');
    expect(push).toEqual({
      type: 'metrics',
      seq: 1,
      timestamp: '2026-01-15T08:00:00.123000Z',
      memory: {
        allocated_gb: expect.any(Number),
        total_gb: expect.any(Number),
        usage_percent: expect.any(Number),
      },
      account: { cash: TRADING_STATUS.cash, total_value: TRADING_STATUS.total_value, positions: 1 },
      model: { status: 'loaded', device: 'cpu', precision: 'float32', mixed_precision: false },
    });
  });

  test('come again each interval, numbered, one question for all clients', async () => {
    started = await startSocket();
    const peers = [await started.open(), await started.open(), await started.open()];
    for (const peer of peers) await peer.heard('metrics');
    const before = questions('tradingStatus');
    for (let n = 2; n <= 4; n++) {
      await started.pass(METRICS_INTERVAL_MS);
      for (const peer of peers) await peer.heard('metrics', n);
    }
    expect(questions('tradingStatus') - before).toBe(3);
    for (const peer of peers) {
      expect((await peer.heard('metrics')).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    }
  });

  test('come at once when something has happened, once for much that happens at a time', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.heard('metrics');
    await started.pass(SOON);
    for (const day of [1, 2, 3, 4]) await started.fakes.publish(SessionClosed, closed(`2025-06-0${day}`));
    await peer.heard('metrics', 2);
    await started.pass(SOON);
    await peer.heard('metrics', 3);
    await started.pass(SOON);
    await peer.caughtUp();
    expect(await peer.heard('metrics')).toHaveLength(3);
  });

  test('stop on demand, and nobody is asked for them any more', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.heard('metrics');
    peer.say({ action: 'unsubscribe', channel: 'metrics' });
    await peer.heard('unsubscribed');
    await started.pass(SOON);
    const before = questions('tradingStatus');
    await started.pass(2 * METRICS_INTERVAL_MS);
    await peer.caughtUp();
    expect(questions('tradingStatus')).toBe(before);
  });

  test('come again when the account can be read again; until then there is one line in the log', async () => {
    started = await startSocket({
      script: { tradingStatus: () => Promise.reject(new BelegError('RECONCILING')) },
    });
    const peer = await started.open();
    await expect.poll(() => (started.clock.advance(1_000), questions('tradingStatus'))).toBeGreaterThan(3);
    started.fakes.script.tradingStatus = () => TRADING_STATUS;
    await expect
      .poll(() => (started.clock.advance(1_000), peer.messages.map(({ type }) => type)))
      .toContain('metrics');
    expect(started.lines.filter(({ level }) => Number(level) >= 40)).toHaveLength(1);
  });
});

describe('positions', () => {
  test('come at once', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.follow('positions');
    expect((await peer.heard('positions'))[0]).toEqual({
      type: 'positions',
      seq: expect.any(Number),
      ...TRADING_STATUS,
    });
  });

  const session = '2025-06-16';
  test.each([
    [SessionClosed.type, () => started.fakes.publish(SessionClosed, closed(session))],
    [TradingHalted.type, () => started.fakes.publish(TradingHalted, { reason: 'daily_loss', detail: '' })],
    [
      SplitApplied.type,
      () =>
        started.fakes.publish(SplitApplied, {
          ticker: 'AAPL',
          session,
          ratio: '4/1',
          quantity: '400',
          cost: '1',
          cash_in_lieu: '0',
          realized: '0',
        }),
    ],
    [
      DividendPaid.type,
      () =>
        started.fakes.publish(DividendPaid, {
          ticker: 'AAPL',
          session,
          per_share: '1',
          quantity: '1',
          amount: '1',
        }),
    ],
  ])('come after %s where they have changed', async (_, happen) => {
    started = await startSocket();
    const peer = await started.open();
    await peer.follow('positions');
    await peer.heard('positions');
    await started.pass(SOON);
    started.fakes.account.status = { ...TRADING_STATUS, cash: 5 };
    await happen();
    const [, push] = await peer.heard('positions', 2);
    expect(push).toMatchObject({ cash: 5 });
    await started.pass(SOON);
    await happen();
    await expect.poll(() => questions('tradingStatus')).toBeGreaterThan(2);
    await peer.caughtUp();
    expect(await peer.heard('positions')).toHaveLength(2);
  });

  test('come to who asked for them while they could not be read', async () => {
    started = await startSocket({ settings: { metricsIntervalMs: 3_600_000 } });
    const peer = await started.open();
    await peer.heard('metrics');
    started.fakes.script.tradingStatus = () => Promise.reject(new BelegError('RECONCILING'));
    await peer.follow('positions');
    await peer.caughtUp();
    started.fakes.script.tradingStatus = () => TRADING_STATUS;
    await peer.caughtUp();
    await started.pass(1_000);
    await peer.heard('positions');
  });

  test('that were read before the account had moved are read again at the next interval', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.follow('positions');
    await peer.heard('positions');
    await started.pass(SOON);
    await started.fakes.publish(SessionClosed, closed('2025-06-16'));
    await peer.caughtUp();
    started.fakes.account.status = { ...TRADING_STATUS, cash: 7 };
    await started.pass(METRICS_INTERVAL_MS);
    expect((await peer.heard('positions', 2))[1]).toMatchObject({ cash: 7 });
  });

  test('do not come after what moves nothing', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.follow('positions');
    await peer.heard('positions');
    await started.pass(SOON);
    const before = questions('tradingStatus');
    await started.fakes.publish(OrderAccepted, { order_id: 'o', ticker: 'AAPL', cursor: '1' });
    await peer.caughtUp();
    expect(questions('tradingStatus')).toBe(before);
  });
});

describe('prices', () => {
  test('are those of the newest session, and come after each close', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.follow('prices');
    const [first] = await peer.heard('prices');
    expect(first).toMatchObject({
      session: LAST_SESSION,
      prices: started.fakes.market.session(LAST_SESSION)!.bars,
    });
    await started.pass(SOON);
    await started.fakes.publish(SessionClosed, closed('2025-06-12'));
    const [, second] = await peer.heard('prices', 2);
    expect(second).toMatchObject({
      session: '2025-06-12',
      prices: { AAPL: { close: started.fakes.market.latest('AAPL', '2025-06-12').close } },
    });
  });

  test('are asked for once for all clients, and not at all where nobody follows them', async () => {
    started = await startSocket();
    const peers = [await started.open(), await started.open()];
    await started.fakes.publish(SessionClosed, closed('2025-06-11'));
    await peers[0]!.caughtUp();
    expect(questions('sessionOn')).toBe(0);
    for (const peer of peers) await peer.follow('prices');
    for (const peer of peers) await peer.heard('prices');
    // For clients that came during the read, the state is read again.
    for (const _ of peers) await started.pass(SOON);
    const before = questions('sessionOn');
    await started.fakes.publish(SessionClosed, closed('2025-06-12'));
    for (const peer of peers) await peer.heard('prices', 2);
    expect(questions('sessionOn')).toBe(before + 1);
  });

  test('do not come before the first session', async () => {
    started = await startSocket({ script: { tradingStatus: () => ({ ...TRADING_STATUS, session: null }) } });
    const peer = await started.open();
    await peer.follow('prices');
    await peer.caughtUp();
    await started.pass(SOON);
    await started.fakes.publish(SessionClosed, closed('2025-06-12'));
    expect((await peer.heard('prices'))[0]).toMatchObject({ session: '2025-06-12' });
  });
});

describe('logs', () => {
  test('bring each line that is added from now on, in order', async () => {
    started = await startSocket();
    const peer = await started.open();
    const at = new Date('2026-01-15T08:00:00Z');
    started.logs.add(at, 'before');
    await peer.follow('logs');
    for (let n = 0; n < 50; n++) started.logs.add(at, `line "${n}" \u2028 ü`);
    const lines = await peer.heard('log', 50);
    expect(lines.map(({ line }) => line)).toEqual(
      Array.from({ length: 50 }, (_, n) => `[2026-01-15 08:00:00] line "${n}" \u2028 ü`),
    );
  });

  test('tell how an update of the market data goes on', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.follow('logs');
    const of = { update_id: 'u1' };
    const updated = {
      ...of,
      bars: 1,
      splits: 0,
      dividends: 0,
      warnings: [],
      warnings_total: 0,
      first: null,
      last: null,
    };
    await started.fakes.publish(MarketUpdateStarted, { ...of, source: 'demo', tickers: ['A', 'B', 'C'] });
    await started.fakes.publish(TickerUpdated, { ...updated, ticker: 'A' });
    const faults = ['1', '2', '3', '4', '5', '6'];
    await started.fakes.publish(TickerUpdateFailed, { ...of, ticker: 'B', faults });
    await started.fakes.publish(TickerUpdated, { ...updated, ticker: 'A' });
    await started.fakes.publish(TickerUpdated, { ...updated, ticker: 'C' });
    await started.fakes.publish(MarketUpdateFinished, { ...of, updated: 2, failed: 1 });
    const pushes = await peer.heard('update', 6);
    expect(pushes.map(({ event, ticker, ok, done, total }) => [event, ticker, ok, done, total])).toEqual([
      ['MarketUpdateStarted', null, true, 0, 3],
      ['TickerUpdated', 'A', true, 1, 3],
      ['TickerUpdateFailed', 'B', false, 2, 3],
      ['TickerUpdated', 'A', true, 2, 3],
      ['TickerUpdated', 'C', true, 3, 3],
      ['MarketUpdateFinished', null, false, 3, 3],
    ]);
    expect(pushes.map((push) => push.faults)).toEqual([[], [], ['1', '2', '3', '4', '5'], [], [], []]);
  });

  test('say nothing twice of an update, and no total where its beginning was not heard', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.follow('logs');
    const failed = { update_id: 'u2', ticker: 'A', faults: [] };
    for (const revision of [7, 7, 6, 8]) {
      started.publishAt(revision, TickerUpdateFailed, failed, 'market-u2');
    }
    const pushes = await peer.heard('update', 2);
    await peer.caughtUp();
    expect(pushes.map(({ done, total }) => [done, total])).toEqual([
      [1, null],
      [1, null],
    ]);
    expect(await peer.heard('update')).toHaveLength(2);
  });
});

test('a bus that was away and is back has every state looked at', async () => {
  started = await startSocket({ settings: { metricsIntervalMs: 3_600_000 } });
  const peer = await started.open();
  peer.say({ action: 'subscribe', channel: 'all' });
  await started.fakes.publish(SessionClosed, closed('2025-06-02'));
  await expect
    .poll(() => (started.clock.advance(SOON), peer.messages))
    .toContainEqual(expect.objectContaining({ type: 'prices', session: '2025-06-02' }));
  await peer.heard('positions');
  await peer.heard('training');
  await peer.caughtUp();
  await started.pass(SOON);
  await peer.caughtUp();
  await started.pass(SOON);
  peer.forget();
  started.busState = 'reconnecting';
  await started.pass(1_000);
  const status = { ...TRADING_STATUS, session: '2025-06-06', cash: 3 };
  started.fakes.account.status = status;
  started.fakes.script.modelStatus = () => ({ ...MODEL_STATUS, status: 'trained' });
  started.busState = 'connected';
  await started.pass(1_000);
  expect((await peer.heard('metrics'))[0]).toMatchObject({ account: { cash: 3 } });
  expect((await peer.heard('positions'))[0]).toMatchObject({ cash: 3 });
  expect((await peer.heard('prices'))[0]).toMatchObject({ session: '2025-06-06' });
  expect((await peer.heard('training'))[0]).toMatchObject({ status: 'trained' });
});

test('one count of numbers over all channels, without a gap', async () => {
  started = await startSocket();
  const peer = await started.open();
  peer.say({ action: 'subscribe', channel: 'all' });
  await peer.heard('subscribed');
  for (let n = 0; n < 5; n++) {
    started.logs.add(new Date(), 'a line');
    await started.pass(METRICS_INTERVAL_MS / 4);
    await started.fakes.publish(SessionClosed, closed(`2025-06-0${n + 2}`));
    started.fakes.account.status = { ...TRADING_STATUS, cash: n };
    await peer.caughtUp();
  }
  const seqs = peer.messages.flatMap((message) => ('seq' in message ? [message.seq] : []));
  expect(new Set(peer.messages.map(({ type }) => type)).size).toBeGreaterThan(5);
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
});
