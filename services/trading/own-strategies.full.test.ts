import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { POLICY } from '../../actors/trading/account.suite.ts';
import type { AccountDraft } from '../../actors/trading/commands.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { parseMoney } from '../../events/decimal.ts';
import { call } from '../../events/messages/define.ts';
import * as messages from '../../events/messages/trading.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { Processes } from '../../testing/processes/processes.suite.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import { evolve } from '../../actors/trading/evolve.ts';
import { initialState } from '../../actors/trading/state.ts';
import { accountFigures } from '../backtest/account-figures.ts';
import { AccountHistory } from '../backtest/account-history.ts';
import { percentOf } from '../backtest/parameters.ts';
import { rhythmOfPoints } from '../market/rhythm.ts';
import { Backtest } from '../backtest/run-backtest.ts';
import { noStrategy } from '../../actors/strategy/strategies.ts';
import { ownStrategies } from '../strategies/named.ts';
import { closeAll, openAll } from '../strategies/open-all.ts';
import { dayOf, FakeMarket, TICKERS } from './market.suite.ts';
import { openPaperBroker } from './paper-broker/paper-broker.ts';
import { RULES } from './paper-broker/paper-broker.suite.ts';
import { serveTrading, type TradingService } from './serve-trading.ts';

const WARM_UP = 10;

let processes: Processes;
let client: MessageBus;
let market: FakeMarket;
let service: TradingService | undefined;
let actors: ActorHost;

beforeEach(async () => {
  processes = await Processes.create();
  client = processes.connect();
  market = new FakeMarket({
    days: WARM_UP,
    warmUp: WARM_UP,
    splits: { 14: { AAA: '2/1' }, 25: { BBB: '1/3' } },
    dividends: { 18: { AAA: 0.5 }, 26: { AAA: 0.25 } },
  });
  market.serve(processes.connect());
});

afterEach(async () => {
  await service?.leave();
  await processes.close();
});

/** Sells what has risen and buys what has fallen, places limit orders, and counts its days. */
const SWING = `export default {
  history: 6,
  parameters: { days: { default: 5, min: 2, max: 5 } },
  onSession({ past, parameters, account, state, date }) {
    const n = (state?.n ?? 0) + 1;
    const targets = past.tickers.map((ticker) => {
      const closes = past.closes(ticker, parameters.days + 1);
      const rise = closes.at(-1) / closes[0] - 1;
      return { ticker, weight: Math.round(Math.max(0, 0.4 - 3 * rise) * 100) / 100, reason: 'swing' };
    });
    if (n % 4 !== 0) return { state: { n }, plot: { luck: Math.random() } };
    return { targets, state: { n, high: account.positions.AAA?.high ?? null } };
  },
};`;
const LIMITS = `export default {
  history: 2,
  onSession({ bars, account, past }) {
    const [before] = past.closes('BBB', 2);
    return {
      orders: account.orders.length > 0 ? [] : [
        { ticker: 'BBB', action: 'buy', quantity: 7, type: 'limit', price: Math.round(before * 98) / 100, time_in_force: 'gtc' },
      ],
      targets: (account.positions.BBB?.quantity ?? 0) > 30 ? [{ ticker: 'BBB', quantity: 3 }] : [],
      plot: { close: bars.BBB.close },
    };
  },
};`;

async function files(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await writeFile(join(processes.folder, name), text);
}

const named = (text: string) =>
  ownStrategies(
    text
      .split(',')
      .map((part) => join(processes.folder, part))
      .join(','),
  );

function settingsOf(strategies: string) {
  return {
    account: 'test',
    currency: 'USD',
    cash: parseMoney('100000'),
    strategy: 'none' as const,
    own: { sources: named(strategies), parameters: {} },
    feedSpeed: 10_000,
    riskFreePercent: 0,
    feedRests: false,
    source: 'fake',
    policy: POLICY,
    rules: RULES,
  };
}

async function start(strategies: string): Promise<TradingService> {
  const process = await processes.open();
  ({ actors } = process);
  const settings = settingsOf(strategies);
  service = serveTrading({
    ...process,
    settings,
    openBroker: (options) => openPaperBroker({ ...process, ...options, rules: RULES }),
    dataDir: processes.folder,
  });
  await service.allHeld;
  return service;
}

function ask(definition: Parameters<typeof call>[1], payload: unknown = {}) {
  const callId = randomUUID();
  return call(client, definition, payload as never, { correlationId: callId, callId });
}
const status = async () =>
  (await ask(messages.TradingStatus)) as { session: string | null; feed_waiting: boolean };

async function startTrading(): Promise<void> {
  await vi.waitFor(
    async () => expect(await ask(messages.StartTrading)).toEqual({ status: 'started' }),
    PATIENT,
  );
}

async function play(days: number): Promise<void> {
  market.extend(client, days);
  const last = dayOf(market.options.days - 1);
  await vi.waitFor(
    async () => expect(await status()).toMatchObject({ session: last, feed_waiting: true }),
    PATIENT,
  );
}

/** The data of what was recorded of a type, in order. */
async function recorded(type: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const event of processes.store.readStream(accountStream('test'))) {
    if (event.type === type) found.push(event.data);
  }
  return found;
}

async function backtested(strategies: string): Promise<AccountDraft[]> {
  const events: AccountDraft[] = [];
  const settings = settingsOf(strategies);
  const opened = await openAll(settings.own.sources, {
    parameters: {},
    hasTicker: (ticker) => TICKERS.includes(ticker),
    onPrinted: () => undefined,
  });
  const backtest = new Backtest({
    ...settings,
    strategy: noStrategy(),
    strategies: opened,
    from: dayOf(WARM_UP),
    onEvent: (event) => events.push(event),
  });
  for (let n = 0; n < market.options.days; n += 1) await backtest.runOwn(market.session(n));
  await closeAll(opened);
  return events;
}

function figuresOf(events: readonly AccountDraft[]) {
  const history = new AccountHistory({ matching: 'fifo' });
  let account = initialState();
  for (const event of events) history.take(event, (account = evolve(account, event)));
  const rhythm = rhythmOfPoints(
    history.equity.slice(1).map(({ session }) => session),
    null,
  );
  const slippagePercent = percentOf(RULES.slippage);
  return accountFigures(history, { rhythm, benchmarks: [], slippagePercent, riskFreePercent: 0 });
}

test('several strategies, through restarts, splits and dividends, decide and come to the same live as in a backtest', async () => {
  await files({ 'swing.ts': SWING, 'limits.ts': LIMITS });
  const strategies = 'swing.ts=60%,limits.ts=40%';
  await start(strategies);
  await startTrading();
  for (const days of [5, 7, 6, 9]) {
    await play(days);
    await service!.leave();
    await start(strategies);
  }
  await play(3);
  const events = await backtested(strategies);
  for (const type of ['StrategyDecided', 'SessionClosed'] as const) {
    const live = await recorded(type);
    expect(live).toHaveLength(type === 'SessionClosed' ? 30 : 60);
    expect(live).toEqual(events.filter((event) => event.type === type).map(({ data }) => data));
  }
  const { notes: _, ...live } = (await ask(messages.AccountPerformance, {
    from: null,
    to: null,
    benchmark: 'none',
    lots: 'fifo',
  })) as z.output<typeof messages.PerformanceReply>;
  const figures = figuresOf(events);
  expect(live).toEqual(figures);
  expect(figures.byStrategy).toMatchObject([
    { strategy: 'swing' },
    { strategy: 'limits' },
    // The trade for the fraction after a split.
    { strategy: null, trades: 1 },
  ]);
  expect(figures.byReason.map(({ reason }) => reason)).toContain('swing');
  expect(await recorded('StrategyTaken')).toHaveLength(2);
  expect((await recorded('OrderSubmitted')).length).toBeGreaterThan(20);
});

test('a strategy that fails is halted by name and line, and others and orders by hand go on', async () => {
  await files({
    'limits.ts': LIMITS,
    'bad.ts': `export default { history: 1, onSession({ date }) {\n if (date > '${dayOf(WARM_UP)}') throw new Error('oh');\n } };`,
  });
  await start('bad.ts=50%,limits.ts=50%');
  await startTrading();
  await play(4);
  expect(await recorded('StrategyHalted')).toEqual([
    {
      strategy: 'bad',
      session: dayOf(WARM_UP + 1),
      detail: 'Error: oh',
      file: join(processes.folder, 'bad.ts'),
      line: 2,
    },
  ]);
  const decided = (await recorded('StrategyDecided')) as { strategy: string }[];
  expect(decided.filter(({ strategy }) => strategy === 'limits')).toHaveLength(4);
  expect(decided.filter(({ strategy }) => strategy === 'bad')).toHaveLength(1);
  await expect(
    ask(messages.SubmitOrder, { ticker: 'AAA', action: 'buy', quantity: 1 }),
  ).resolves.toMatchObject({ status: 'submitted' });
});

/** Processes that run a file of this test's folder. */
const processesOf = (file: string): number =>
  readdirSync('/proc').filter((id) => {
    try {
      return (
        /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(join(processes.folder, file))
      );
    } catch {
      // The process has ended.
      return false;
    }
  }).length;

/** The actors as `beleg actors` lists them. */
const actorsShown = () =>
  Object.fromEntries(
    actors
      .list()
      .actors.filter(({ kind }) => kind === 'own-strategy')
      .map(({ id, state }) => [id, state]),
  );

interface Shown {
  readonly name: string;
  readonly state: string;
  readonly fault: unknown;
  readonly value: number;
  readonly last_decision: { readonly session: string } | null;
}
const strategies = async () =>
  ((await ask(messages.OwnStrategiesQuery)) as { strategies: Shown[] }).strategies;

test('one that cannot be loaded stays halted until it is started, and is then as its file is', async () => {
  await files({ 'mine.ts': 'export default {};' });
  await start('mine.ts');
  await startTrading();
  await play(1);
  expect(await recorded('StrategyHalted')).toMatchObject([
    { strategy: 'mine', session: null, detail: expect.stringContaining('history and onSession') as string },
  ]);
  await expect(ask(messages.StartStrategy, { name: 'mine' })).rejects.toMatchObject({
    code: 'STRATEGY_FAULT',
    detail: expect.stringContaining('mine.ts') as string,
  });
  // Its fault is that of the last start.
  await files({ 'mine.ts': "import 'fs';" });
  await expect(ask(messages.StartStrategy, { name: 'mine' })).rejects.toMatchObject({
    code: 'STRATEGY_FAULT',
  });
  expect(await strategies()).toMatchObject([
    { state: 'halted', fault: { detail: expect.stringContaining('imports "fs"') as string } },
  ]);
  expect(actorsShown()).toEqual({ mine: 'halted' });
  await service!.leave();
  await files({ 'mine.ts': LIMITS });
  await start('mine.ts');
  await play(2);
  expect(await strategies()).toMatchObject([{ name: 'mine', state: 'halted', last_decision: null }]);
  expect(await recorded('StrategyTaken')).toHaveLength(1);
  expect(await ask(messages.StartStrategy, { name: 'mine' })).toEqual({ status: 'started' });
  await play(2);
  expect(await recorded('StrategyTaken')).toMatchObject([
    { strategy: 'mine', hash: '' },
    { strategy: 'mine', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
  ]);
  expect(await recorded('StrategyDecided')).toHaveLength(2);
  expect(await strategies()).toMatchObject([
    { state: 'running', fault: null, last_decision: { session: dayOf(market.options.days - 1) } },
  ]);
});

test('they are shown, stopped and started by name, and one that failed is mended while the service runs', async () => {
  await files({
    'limits.ts': LIMITS,
    'bad.ts': `export default { history: 1, onSession() {\n throw new Error('oh'); } };`,
  });
  await start('bad.ts=50%,limits.ts=50%');
  await startTrading();
  await play(2);
  const place = { file: join(processes.folder, 'bad.ts'), line: 2 };
  expect(await strategies()).toMatchObject([
    { name: 'bad', share: 0.5, state: 'halted', fault: { detail: 'Error: oh', ...place }, value: 50_000 },
    { name: 'limits', state: 'running', fault: null },
  ]);
  expect(actorsShown()).toEqual({ bad: 'halted', limits: 'running' });
  expect(processesOf('bad.ts')).toBe(0);
  expect(processesOf('limits.ts')).toBe(1);
  expect(await ask(messages.StopStrategy, { name: 'limits' })).toEqual({ status: 'stopped' });
  expect(actorsShown()).toEqual({ bad: 'halted', limits: 'stopped' });
  expect(processesOf('limits.ts')).toBe(0);
  const decided = (await recorded('StrategyDecided')).length;
  // Its history is longer than what was kept for the others.
  await files({
    'bad.ts': `export default { history: 9, onSession({ past }) { return { plot: { seen: past.dates.length } }; } };`,
  });
  await ask(messages.StartStrategy, { name: 'bad' });
  await play(2);
  const since = (await recorded('StrategyDecided')).slice(decided);
  expect(since).toMatchObject([
    { strategy: 'bad', plot: { seen: 9 } },
    { strategy: 'bad', plot: { seen: 9 } },
  ]);
  // One that is stopped while it is being loaded stays stopped, and two starts at once are one.
  await files({ 'limits.ts': `for (let n = 0; n < 1e9; n += 1);\n${LIMITS}` });
  const overtaken = ask(messages.StartStrategy, { name: 'limits' }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(processesOf('limits.ts')).toBe(1), PATIENT);
  await ask(messages.StopStrategy, { name: 'limits' });
  expect(await overtaken).toMatchObject({
    code: 'STRATEGY_FAULT',
    detail: 'it was stopped while it was being loaded',
  });
  expect(actorsShown()).toEqual({ bad: 'running', limits: 'stopped' });
  const before = (await recorded('StrategyStarted')).length;
  await Promise.all([1, 2].map(() => ask(messages.StartStrategy, { name: 'limits' })));
  expect(await recorded('StrategyStarted')).toHaveLength(before + 1);
  expect(actorsShown()).toEqual({ bad: 'running', limits: 'running' });
  expect(['bad.ts', 'limits.ts'].map(processesOf)).toEqual([1, 1]);
  await expect(ask(messages.StopStrategy, { name: 'other' })).rejects.toMatchObject({
    code: 'UNKNOWN_STRATEGY',
  });
});
