import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { createStrategy } from '../../actors/strategy/strategies.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { toPosition } from '../../events/store/embedded/reader.ts';
import { parseMoney, parsePrice } from '../../events/decimal.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import { call, serve, type RequestDefinition } from '../../events/messages/define.ts';
import { Predict } from '../../events/messages/models.ts';
import * as messages from '../../events/messages/trading.ts';
import { Processes, type TestProcess } from '../../testing/processes/processes.suite.ts';
import { POLICY } from '../../actors/trading/account.suite.ts';
import { ACCOUNT, caller, noSnapshots, order } from './account/account.suite.ts';
import { openAccount } from './account/account.ts';
import { dayOf, FakeMarket } from './market.suite.ts';
import type { BrokerOpener } from './open-broker.ts';
import { openPaperBroker } from './paper-broker/paper-broker.ts';
import { RULES } from './paper-broker/paper-broker.suite.ts';
import type { TradingServiceOptions } from './held-account.ts';
import { serveTrading, type TradingService } from './serve-trading.ts';
import { PATIENT } from '../../events/patient.suite.ts';

interface Running {
  readonly process: TestProcess;
  readonly service: TradingService;
}

let processes: Processes;
let client: MessageBus;
let market: FakeMarket;
let started: Running[];

beforeEach(async () => {
  processes = await Processes.create();
  client = processes.connect();
  market = new FakeMarket({ days: 5, warmUp: 5 });
  market.serve(processes.connect());
  started = [];
});

afterEach(async () => {
  for (const { service } of started) await service.leave();
  await processes.close();
});

const SETTINGS: TradingServiceOptions['settings'] = {
  account: ACCOUNT,
  currency: 'USD',
  cash: parseMoney('100000'),
  strategy: 'none',
  feedSpeed: 10_000,
  riskFreePercent: 0,
  feedRests: false,
  source: 'fake',
  policy: POLICY,
  rules: { ...RULES, slippage: 0n, fees: { kind: 'none' } },
};

async function start(changes: Partial<TradingServiceOptions> = {}): Promise<Running> {
  const process = await processes.open();
  const settings = SETTINGS;
  const { rules } = settings;
  const openBroker: BrokerOpener = (options) => openPaperBroker({ ...process, ...options, rules });
  const service = serveTrading({ ...process, settings, openBroker, dataDir: processes.folder, ...changes });
  const running = { process, service };
  started.push(running);
  return running;
}

/** A process that holds the account and has reconciled it. */
async function startReady(changes: Partial<TradingServiceOptions> = {}): Promise<Running> {
  const running = await start(changes);
  await running.service.allHeld;
  await vi.waitFor(
    async () => expect(await ask(messages.StartTrading, {})).toEqual({ status: 'started' }),
    PATIENT,
  );
  await vi.waitFor(async () => expect((await status()).feed_waiting).toBe(true), PATIENT);
  return running;
}

function ask<Req extends z.ZodType, Rep extends z.ZodType>(
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
  callId: string = randomUUID(),
): Promise<z.output<Rep>> {
  return call(client, definition, payload, { correlationId: callId, callId });
}

const status = () => ask(messages.TradingStatus, {});
const orders = async (ids: string[] | null = null) =>
  (await ask(messages.Orders, { limit: 1_000, before: null, ids })).orders;
const buy = (changes: Partial<z.input<typeof messages.OrderRequest>> = {}, callId?: string) =>
  ask(messages.SubmitOrder, { ticker: 'AAA', action: 'buy', quantity: 10, ...changes }, callId);

/** Lets so many sessions come, and waits until they are closed. */
async function play(days: number): Promise<void> {
  market.extend(client, days);
  const last = dayOf(market.options.days - 1);
  await vi.waitFor(async () => expect((await status()).session).toBe(last), PATIENT);
}

describe('an account', () => {
  test.each([
    ['tables', ['', '-wal', '-shm']],
    ['logs of the tables', ['-wal']],
  ])('is taken up anew where the %s vanish: its orders can be read again', async (_, suffixes) => {
    await startReady();
    const { order_id } = await buy();
    const file = join(processes.folder, 'trading.db');
    for (const suffix of suffixes) await rm(`${file}${suffix}`, { force: true });
    await vi.waitFor(async () => {
      expect(existsSync(file)).toBe(true);
      expect(processes.logged).toContain(
        'the file of the trading tables, its log or one of its tables was removed or replaced, so they are built anew',
      );
      expect((await status()).feed_waiting).toBe(true);
      expect((await orders()).map((each) => each.order_id)).toEqual([order_id]);
    }, PATIENT);
    const next = await buy();
    expect((await orders()).map((each) => each.order_id)).toEqual([order_id, next.order_id]);
  });

  test('is opened once, with the cash of the settings, and begins stopped', async () => {
    const { service } = await start();
    await service.allHeld;
    await vi.waitFor(async () => expect((await status()).state).toBe('stopped'), PATIENT);
    expect(await status()).toMatchObject({
      cash: 100_000,
      active: false,
      session: null,
      orders_count: 0,
      currency: 'USD',
      strategy: 'none',
    });
    await service.leave();
    await (
      await start()
    ).service.allHeld;
    expect(
      (await processes.types(accountStream(ACCOUNT))).filter((type) => type === 'AccountOpened'),
    ).toHaveLength(1);
  });

  test('keeps to the market data that it began with, and says what to do where another start names other data', async () => {
    const { service } = await start({ settings: { ...SETTINGS, source: 'csv:bars' } });
    await service.allHeld;
    await service.leave();
    const recorded = await processes.types(accountStream(ACCOUNT));
    expect(recorded).toEqual(['AccountOpened', 'MarketSourceTaken']);
    const other = (await start({ settings: { ...SETTINGS, source: 'demo' } })).service;
    await expect(other.allHeld).rejects.toThrow(
      `TD_SOURCE: the account ${ACCOUNT} keeps to its market data, csv:bars, and cannot go on with demo; ` +
        'set TD_SOURCE to csv: and a folder named bars, or name another account with TD_ACCOUNT',
    );
    await other.leave();
    expect(await processes.types(accountStream(ACCOUNT))).toEqual(recorded);
    await (
      await start({ settings: { ...SETTINGS, source: 'csv:bars' } })
    ).service.allHeld;
  });

  test('of an earlier release goes on, and takes the market data of its next start', async () => {
    const writer = await openAccount({
      ...(await processes.open()),
      account: ACCOUNT,
      policy: POLICY,
      snapshots: noSnapshots,
      onLost: () => undefined,
    });
    const open = { type: 'open', account: ACCOUNT, currency: 'USD', cash: 1n } as const;
    await writer.submit(open, caller('open'));
    await writer.close();
    const { service } = await start();
    await service.allHeld;
    expect(await processes.types(accountStream(ACCOUNT))).toEqual(['AccountOpened', 'MarketSourceTaken']);
  });

  test('shows a strategy that is not in use any more as stopped, and a stop cancels the orders that it left', async () => {
    const first = await startReady();
    await first.service.leave();
    const options = { ...first.process, account: ACCOUNT, policy: POLICY, snapshots: noSnapshots };
    const writer = await openAccount({ ...options, onLost: () => undefined });
    const file = { source: 'old.ts', hash: 'h', parameters: {}, share: null };
    await writer.submit({ type: 'use-strategy', strategy: 'old', ...file }, caller('old'));
    const left = order('left', {
      origin: 'strategy',
      strategy: { name: 'old', hash: 'h', parameters: {}, reason: null },
      type: 'limit',
      price: parsePrice('1'),
      time_in_force: 'gtc',
    });
    await writer.submit({ type: 'submit', order: left }, caller('left'));
    await writer.close();
    await startReady();
    expect(await ask(messages.OwnStrategiesQuery, {})).toMatchObject({
      strategies: [{ name: 'old', in_use: false, state: 'stopped', open_orders: ['left'] }],
    });
    await expect(ask(messages.StopStrategy, { name: 'other' })).rejects.toMatchObject({
      code: 'UNKNOWN_STRATEGY',
    });
    await expect(ask(messages.StartStrategy, { name: 'old' })).rejects.toMatchObject({
      code: 'UNKNOWN_STRATEGY',
    });
    expect(await ask(messages.StopStrategy, { name: 'old' })).toEqual({ status: 'stopped' });
    await vi.waitFor(
      async () => expect(await orders(['left'])).toMatchObject([{ status: 'cancelled' }]),
      PATIENT,
    );
  });

  test('refuses an order for what no longer trades, and keeps the answer to an earlier one', async () => {
    market.options.ends = { AAA: 5 };
    await startReady();
    const first = await buy({}, 'once');
    await play(3);
    const reason = {
      code: 'MARKET_DATA_MISSING',
      detail: `AAA no longer trades: its last bar is from ${dayOf(5)}`,
    };
    await expect(buy()).rejects.toMatchObject(reason);
    expect(await buy({}, 'once')).toEqual(first);
    const [running] = started.splice(0);
    await running!.service.leave();
    await startReady();
    await expect(buy()).rejects.toMatchObject(reason);
    await buy({ ticker: 'BBB' });
  });

  test('an order meets the bars of the next session', async () => {
    await startReady();
    const { order_id } = await buy();
    expect(order_id).toMatch(/^o-[0-9a-f]{16}$/);
    expect(await orders([order_id])).toMatchObject([
      { order_id, status: expect.stringMatching(/submitted|accepted/) },
    ]);
    await play(1);
    expect(await orders([order_id])).toMatchObject([
      { status: 'filled', average_price: market.session(5).bars['AAA']!.open },
    ]);
    expect((await status()).positions['AAA']).toMatchObject({
      quantity: 10,
      side: 'long',
      current_price: market.close('AAA', 5),
    });
    const { points } = await ask(messages.EquityCurve, { limit: 10 });
    expect(points.map(({ session }) => session)).toEqual([dayOf(5)]);
  });

  test('a ticker that no longer trades is settled at its last price; what closes it expires', async () => {
    market.options.ends = { AAA: 5 };
    const { service } = await startReady();
    await buy();
    await play(2);
    expect((await status()).positions['AAA']).toMatchObject({ price_session: dayOf(5), stale: true });
    const { order_id } = await ask(messages.ClosePosition, { ticker: 'AAA' });
    const late = await buy({ type: 'limit', price: 90, time_in_force: 'gtc' });
    await play(1);
    expect(await orders([order_id, late.order_id])).toMatchObject([
      { status: 'expired', filled_quantity: 0 },
      { status: 'expired' },
    ]);
    const { open, close } = market.session(5).bars['AAA']!;
    expect(await status()).toMatchObject({
      positions: {},
      open_orders: 0,
      cash: 100_000 + 10 * (close - open),
    });
    await service.leave();
    await start();
    await vi.waitFor(async () => expect((await status()).state).toBe('running'), PATIENT);
    expect(await status()).toMatchObject({ discrepancies: 0 });
  });

  test('what a command has replied is in the list', async () => {
    await startReady();
    for (let n = 0; n < 20; n++) {
      const { order_id } = await buy({ quantity: 1 });
      expect((await orders()).at(-1)?.order_id).toBe(order_id);
    }
  });

  test('what a published event says is in the list, however soon it is asked for', async () => {
    // given
    await startReady();
    const { order_id: earlier } = await buy();
    await vi.waitFor(
      async () => expect((await orders([earlier]))[0]).toMatchObject({ status: 'accepted' }),
      PATIENT,
    );
    const including = toPosition(Number(await processes.store.end()) + 1);
    // when
    const asked = ask(messages.Orders, { limit: 10, before: null, ids: null, including });
    const { order_id } = await buy();
    // then
    expect((await asked).orders.map((each) => each.order_id)).toEqual([earlier, order_id]);
  });

  test('the same call again is the same order, and the same client_order_id the first one', async () => {
    await startReady();
    const first = await buy({ client_order_id: 'mine' }, 'call-1');
    expect(await buy({ client_order_id: 'mine' }, 'call-1')).toEqual(first);
    expect(await buy({ client_order_id: 'mine' }, 'call-2')).toEqual(first);
    await expect(buy({ client_order_id: 'mine', quantity: 11 })).rejects.toMatchObject({
      code: 'CLIENT_ORDER_ID_REUSED',
    });
    expect(await orders()).toHaveLength(1);
  });

  test('an order that is changed is good for what was wished, and is filled at that', async () => {
    await startReady();
    const { order_id } = await buy({ type: 'limit', price: 1, time_in_force: 'gtc' });
    expect(await ask(messages.AmendOrder, { order_id, quantity: 4 })).toEqual({
      status: 'amended',
      order_id,
    });
    await ask(messages.AmendOrder, { order_id, price: 500 });
    await vi.waitFor(async () =>
      expect(await orders([order_id])).toMatchObject([{ quantity: 4, price: 500 }]),
    );
    await play(1);
    expect(await orders([order_id])).toMatchObject([{ status: 'filled', filled_quantity: 4 }]);
    await expect(ask(messages.AmendOrder, { order_id, quantity: 5 })).rejects.toMatchObject({
      code: 'NOT_AMENDABLE',
    });
    await expect(ask(messages.AmendOrder, { order_id: 'o-x', quantity: 5 })).rejects.toMatchObject({
      code: 'UNKNOWN_ORDER',
    });
  });

  test('a bracket brings its exits with the fill, in the tables too', async () => {
    await startReady();
    const { order_id } = await buy({ bracket: { take_profit: 10_000, trail: { percent: 50 } } });
    await play(2);
    const all = await orders();
    expect(all).toMatchObject([
      {
        order_id,
        status: 'filled',
        bracket: { take_profit: 10_000, stop_loss: null, trail: { percent: 50 } },
      },
      { type: 'limit', price: 10_000, reduce_only: true, exit_of: order_id },
      { type: 'stop', trail: { percent: 50 }, reduce_only: true, exit_of: order_id },
    ]);
    expect(all[2]!.linked_to).toBe(all[1]!.order_id);
  });

  test('says what is wrong with an order', async () => {
    await startReady();
    await expect(buy({ ticker: 'ZZZ' })).rejects.toMatchObject({
      code: 'UNKNOWN_TICKER',
    });
    await expect(buy({ quantity: 100_000 })).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    await expect(buy({ action: 'sell' })).rejects.toMatchObject({ code: 'SHORT_NOT_ALLOWED' });
    await expect(ask(messages.CancelOrder, { order_id: 'o-x' })).rejects.toMatchObject({
      code: 'UNKNOWN_ORDER',
    });
    await expect(ask(messages.ClosePosition, { ticker: 'ZZZ' })).rejects.toMatchObject({
      code: 'UNKNOWN_TICKER',
    });
    await expect(ask(messages.ClosePosition, { ticker: 'AAA' })).rejects.toMatchObject({
      code: 'NO_POSITION',
    });
    expect(await ask(messages.CloseAllPositions, {})).toEqual({ status: 'submitted', results: [] });
    expect(await orders()).toEqual([]);
  });

  test('closes while trading is stopped, and opens nothing', async () => {
    await startReady();
    await buy();
    await buy({ ticker: 'BBB' });
    await play(1);
    const open = await buy({ type: 'limit', price: 1, time_in_force: 'gtc' });
    expect(await ask(messages.StopTrading, {})).toEqual({ status: 'stopped' });
    await vi.waitFor(
      async () => expect(await orders([open.order_id])).toMatchObject([{ status: 'cancelled' }]),
      PATIENT,
    );
    await expect(buy()).rejects.toMatchObject({ code: 'TRADING_INACTIVE' });
    const { results } = await ask(messages.CloseAllPositions, {});
    expect(results.map(({ ticker }) => ticker)).toEqual(['AAA', 'BBB']);
    await play(1);
    expect(await status()).toMatchObject({ positions: {}, open_orders: 0, active: false });
    expect((await orders(results.map(({ order_id }) => order_id))).map((order) => order.status)).toEqual([
      'filled',
      'filled',
    ]);
  });
});

describe('a process', () => {
  test('that starts again goes on where the record ends', async () => {
    const first = await startReady();
    const { order_id } = await buy({ type: 'limit', price: 60, time_in_force: 'gtc' });
    await buy({ ticker: 'BBB' });
    await play(1);
    const before = await status();
    await first.service.leave();
    await (
      await start()
    ).service.allHeld;
    await vi.waitFor(async () => expect((await status()).state).toBe('running'), PATIENT);
    expect(await status()).toEqual({ ...before, feed_waiting: expect.any(Boolean) });
    await play(1);
    expect(await orders([order_id])).toMatchObject([{ status: 'accepted', type: 'limit' }]);
    expect((await status()).positions['BBB']).toMatchObject({ quantity: 10 });
  });

  test('takes over at once from one that leaves, and when the lease is lost', async () => {
    const first = await startReady();
    const second = await start();
    expect(second.service.status()).toMatchObject({ held: false, open_orders: 0 });
    await buy();
    first.process.leases.lose('trading');
    await second.service.allHeld;
    await vi.waitFor(async () => expect((await status()).state).toBe('running'), PATIENT);
    expect(first.service.status().held).toBe(false);
    // Repeats the call like a client that is told to retry, or gets no reply in time.
    await vi.waitFor(() => buy({ ticker: 'BBB' }, 'again'), PATIENT);
    await second.service.leave();
    await play(1);
    expect(Object.keys((await status()).positions)).toEqual(['AAA', 'BBB']);
    expect(await orders()).toHaveLength(2);
  });

  test('that takes over or starts again goes on with the clock as an operator has set it', async () => {
    // given
    const replay = { settings: { ...SETTINGS, feedRests: true } };
    const first = await startReady(replay);
    expect(await ask(messages.SetClockSpeed, { speed: 20 })).toEqual({ status: 'running', speed: 20 });
    expect(await ask(messages.PauseClock, {})).toEqual({ status: 'paused', speed: 20 });
    const before = (await status()).session;
    market.extend(client, 2);
    const isPriced = () => vi.waitFor(async () => expect((await status()).state).toBe('running'), PATIENT);
    // when
    const second = await start({ settings: { ...replay.settings, feedSpeed: 500 } });
    first.process.leases.lose('trading');
    await second.service.allHeld;
    await isPriced();
    // then
    expect(await status()).toMatchObject({ feed_paused: true, session: before });
    const step = () => vi.waitFor(() => ask(messages.NextSession, {}), PATIENT);
    expect(await step()).toEqual({ session: dayOf(5) });
    // when
    await second.service.leave();
    await first.service.leave();
    await (
      await start(replay)
    ).service.allHeld;
    await isPriced();
    // then
    expect(await status()).toMatchObject({ feed_paused: true, session: dayOf(5) });
    expect(await step()).toEqual({ session: dayOf(6) });
    expect(await ask(messages.ResumeClock, {})).toEqual({ status: 'running', speed: 20 });
    expect((await status()).feed_paused).toBe(false);
    const recorded = await processes.types(accountStream(ACCOUNT));
    expect(recorded.filter((type) => type === 'ClockSet')).toHaveLength(3);
  });

  test('goes by the speed of its settings where no command has set one', async () => {
    const settings = { ...SETTINGS, feedRests: true };
    const first = await startReady({ settings });
    expect(await ask(messages.PauseClock, {})).toEqual({ status: 'paused', speed: 10_000 });
    await first.service.leave();
    await (
      await start({ settings: { ...settings, feedSpeed: 3 } })
    ).service.allHeld;
    expect(await ask(messages.ResumeClock, {})).toEqual({ status: 'running', speed: 3 });
  });

  test('that does not know that it has lost the account is fenced off', async () => {
    // With a bus and leases of its own, so that it knows of no other process.
    const net = new InProcessBus();
    const alone = net.connect(() => undefined);
    market.serve(net.connect(() => undefined));
    const leases = new InProcessLeases(() => undefined, { retryMs: 60_000 });
    const stale = await start({ bus: net.connect(() => undefined), leases, dataDir: await folder() });
    await stale.service.allHeld;
    await startReady();
    await buy();
    const starting = () =>
      call(alone, messages.StartTrading, {}, { correlationId: 'stale', callId: 'stale' });
    await vi.waitFor(
      () => expect(starting()).rejects.toMatchObject({ code: 'RESPONDER_LOST', retryAfter: 1 }),
      PATIENT,
    );
    await vi.waitFor(() => expect(stale.service.status().held).toBe(false), PATIENT);
    expect(processes.logged).toContain(
      'this process releases the account: its events can no longer be written',
    );
    expect(processes.logged).not.toContain('a request failed');
    expect(await orders()).toHaveLength(1);
    await play(1);
    expect((await status()).positions['AAA']).toMatchObject({ quantity: 10 });
  });

  test('sends no order again that an earlier holder may still take back', async () => {
    // given
    const first = await startReady();
    await first.service.leave();
    const { process } = first;
    const earlier = await openAccount({
      ...process,
      account: ACCOUNT,
      policy: POLICY,
      snapshots: noSnapshots,
      onLost: () => undefined,
    });
    await earlier.submit({ type: 'submit', order: order('o') }, caller('o'));
    // when
    const takenBack: unknown[] = [];
    const rules = { ...RULES, slippage: 0n, fees: { kind: 'none' } as const };
    await startReady({
      openBroker: async (options) => {
        const broker = await openPaperBroker({ ...process, ...options, rules });
        const send = broker.submit.bind(broker);
        vi.spyOn(broker, 'submit').mockImplementation(async (sent) => {
          const takingBack = earlier.submit({ type: 'withdraw', order_id: 'o' }, caller('o/undone'));
          takenBack.push(...(await Promise.allSettled([takingBack])));
          await send(sent);
        });
        return broker;
      },
    });
    // then
    expect(takenBack).toMatchObject([{ reason: { code: 'WRONG_EXPECTED_REVISION' } }]);
    await play(1);
    expect(await orders(['o'])).toMatchObject([{ status: 'filled' }]);
  });

  test('tells what it is about', async () => {
    const { service } = await startReady();
    await buy({ type: 'limit', price: 60, time_in_force: 'gtc' });
    await vi.waitFor(() => expect(service.status().tables_live).toBe(true), PATIENT);
    expect(service.status()).toMatchObject({
      held: true,
      reconciling: false,
      waiting: 0,
      open_orders: 1,
      discrepancies: 0,
    });
    await service.leave();
    expect(service.status().held).toBe(false);
    await expect(status()).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
  });
});

describe('with a strategy that uses predictions', () => {
  /** Asks the models service, which expects AAA to gain and BBB to lose. */
  const changes: Partial<TradingServiceOptions> = { createStrategy: () => createStrategy('model') };
  let asked: string[];

  function serveModels(): void {
    const predictions = [
      { ticker: 'AAA', return: 0.01, volatility: 0.01 },
      { ticker: 'BBB', return: -0.01, volatility: 0.01 },
    ];
    const answer = async ({ session }: { session: string }) => {
      asked.push(session);
      return { weights: 'w', predictions };
    };
    serve(processes.connect(), Predict, 'models', answer, () => undefined);
  }

  beforeEach(() => {
    asked = [];
  });

  test('sessions go on without any, which is told once, and it trades when there are some', async () => {
    await startReady(changes);
    await play(3);
    await vi.waitFor(async () => expect((await status()).feed_waiting).toBe(true), PATIENT);
    expect(await orders()).toEqual([]);
    expect(processes.logged.filter((line) => line.includes('the strategy does not trade'))).toHaveLength(1);
    serveModels();
    await play(1);
    await vi.waitFor(() => expect(asked).toEqual([dayOf(8)]), PATIENT);
    await vi.waitFor(
      async () =>
        expect(await orders()).toMatchObject([
          { ticker: 'AAA', action: 'buy', timestamp: `${dayOf(8)} 00:00:00` },
        ]),
      PATIENT,
    );
  });

  test('a new process learns what the last one knew, and does nothing for being new', async () => {
    serveModels();
    const first = await startReady(changes);
    await play(2);
    await vi.waitFor(async () => expect(await orders()).toHaveLength(1), PATIENT);
    await first.service.leave();
    asked = [];
    const second = await start(changes);
    await second.service.allHeld;
    await vi.waitFor(async () => expect((await status()).feed_waiting).toBe(true), PATIENT);
    expect(asked).toEqual([1, 2, 3, 4, 5, 6].map(dayOf));
    await play(2);
    expect(await orders()).toHaveLength(1);
  });
});

const STORE = /The event store is not available/u;

describe('while something is away', () => {
  test('the store: 503, and no order exists', async () => {
    const { service } = await startReady();
    await buy({ quantity: 1 });
    const before = await status();
    expect(service.status().losing).toBe(false);
    processes.store.mode = 'down';
    const callId = randomUUID();
    const buying = call(
      client,
      messages.SubmitOrder,
      { ticker: 'AAA', action: 'buy', quantity: 10 },
      { correlationId: callId, callId },
      // A quarter of the time is reserved for the reply.
      { timeoutMs: 1_000 },
    );
    await expect(buying).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfter: 1 });
    expect((await status()).orders_count).toBe(before.orders_count);
    expect(service.status().losing).toBe(true);
    processes.store.mode = 'up';
    await buy({ ticker: 'BBB', quantity: 1 });
    expect(service.status().losing).toBe(false);
    expect((await orders()).map(({ ticker, quantity }) => [ticker, quantity])).toEqual([
      ['AAA', 1],
      ['BBB', 1],
    ]);
  });

  test('the store: the status is as recorded last, whenever it was asked for', async () => {
    await startReady();
    await buy();
    processes.store.mode = 'down';
    const stopping = ask(messages.StopTrading, {});
    expect(await status()).toMatchObject({ orders_count: 1, active: true });
    processes.store.mode = 'up';
    expect(await stopping).toEqual({ status: 'stopped' });
    expect(processes.logged.filter((line) => line.startsWith('the event store '))).toEqual([
      'the event store is away: nothing can be recorded, and sessions wait, until it answers again',
    ]);
  });

  test('the store: the status is that of the opening where nothing was recorded or asked since', async () => {
    const { service } = await start();
    await service.allHeld;
    // A look at the status would be remembered.
    await vi.waitFor(
      () => expect(service.status()).toMatchObject({ held: true, reconciling: false }),
      PATIENT,
    );
    processes.store.mode = 'down';
    const starting = ask(messages.StartTrading, {});
    expect(await status()).toMatchObject({ orders_count: 0, active: false });
    processes.store.mode = 'up';
    expect(await starting).toEqual({ status: 'started' });
  });

  test('the store when it starts: the start waits for it', async () => {
    processes.store.mode = 'down';
    const { service } = await start();
    await vi.waitFor(() => expect(processes.logged).toContainEqual(expect.stringMatching(STORE)), PATIENT);
    processes.store.mode = 'up';
    await service.allHeld;
    expect(service.status().held).toBe(true);
  });

  test('the market: what is held can be sold', async () => {
    const first = await startReady();
    await buy();
    await play(1);
    await first.service.leave();
    const net = new InProcessBus();
    const { service } = await start({ bus: net.connect(() => undefined) });
    await service.allHeld;
    client = net.connect(() => undefined);
    const { order_id } = await buy({ action: 'sell', quantity: 4 });
    const closing = await ask(messages.ClosePosition, { ticker: 'AAA' });
    await expect(buy({ ticker: 'BBB' })).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
    expect((await orders([order_id, closing.order_id])).map(({ quantity }) => quantity)).toEqual([4, 10]);
  });

  test('the market: nothing is bought, and the status is told', async () => {
    const net = new InProcessBus();
    const { service } = await start({ bus: net.connect(() => undefined) });
    await service.allHeld;
    client = net.connect(() => undefined);
    await vi.waitFor(
      async () => expect(await status()).toMatchObject({ state: 'stopped', feed_waiting: true }),
      PATIENT,
    );
    expect(await ask(messages.StartTrading, {})).toEqual({ status: 'started' });
    await expect(buy()).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
    expect(await ask(messages.CloseAllPositions, {})).toEqual({ status: 'submitted', results: [] });
    expect(await status()).toMatchObject({ state: 'running', feed_waiting: true });
    market.serve(net.connect(() => undefined));
    // Before the feed has looked again there are no prices.
    await expect(buy()).rejects.toMatchObject({
      code: 'RECONCILING',
      detail: expect.stringMatching(/^Prices and what the strategy has to know of the past are being read/),
    });
    await vi.waitFor(async () => expect(await buy()).toMatchObject({ status: 'submitted' }), PATIENT);
  });
});

function folder(): Promise<string> {
  return mkdtemp(join(processes.folder, 'own-'));
}
