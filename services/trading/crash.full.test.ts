import { systemClock } from '../foundation/clock.ts';
import { ActorHost, type ActorName } from '../foundation/actor-host.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import type { AnyActorRef, AnyMachineSnapshot, InspectionEvent } from 'xstate';
import { beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import { stateHash } from '../../actors/trading/snapshot.ts';
import type { TradingPolicy } from '../../actors/trading/commands.ts';
import type { AccountState } from '../../actors/trading/state.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { parseMoney, quantityText } from '../../events/decimal.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import { call, serve, type RequestDefinition } from '../../events/messages/define.ts';
import { Predict } from '../../events/messages/models.ts';
import * as messages from '../../events/messages/trading.ts';
import type { AppendResult, EventStore, NewEvent } from '../../events/store/store.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import { POLICY } from '../../actors/trading/account.suite.ts';
import { ACCOUNT, noSnapshots } from './account/account.suite.ts';
import { dayOf, FakeMarket } from './market.suite.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import type { OpenBroker } from './open-broker.ts';
import { openPaperBroker } from './paper-broker/paper-broker.ts';
import { CODEC, RULES } from './paper-broker/paper-broker.suite.ts';
import { serveTrading, type TradingService } from './serve-trading.ts';
import { openAccount, type AccountWriter } from './account/account.ts';
import { deliveryMachine } from '../../actors/trading/delivery-machine.ts';
import { engineMachine } from '../../actors/trading/engine-machine.ts';
import { strategyMachine } from '../../actors/trading/strategy-machine.ts';
import { leavesOf } from '../../actors/machine-paths.suite.ts';
import { snapshotFile } from './account/snapshots.ts';

const now = (): Date => new Date('2026-01-01T00:00:00Z');

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** The store of a process that dies after this many appends: the last one lands without a reply. */
class DyingStore extends FaultyStore {
  readonly died = Promise.withResolvers<void>();
  #left: number;

  constructor(inner: EventStore, appends: number) {
    super(inner);
    this.#left = appends;
  }

  override async append(
    stream: string,
    expected: bigint,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    const result = await super.append(stream, expected, events);
    this.#left -= 1;
    if (this.#left > 0) return result;
    this.die();
    throw new BelegError('STORE_UNAVAILABLE');
  }

  /** Nothing that its process does from now on lands. */
  die(): void {
    this.mode = 'down';
    this.died.resolve();
  }
}

/** When the first process dies. */
interface Death {
  readonly afterAppends?: number;
  /** On entering a state of the engine or of the strategy for the n-th time, before or after what it does there has begun. */
  readonly inState?: { readonly id: string; readonly time: number; readonly hasBegun: boolean };
}

/** The conditions of the first process. */
interface World {
  readonly feedRests: boolean;
  /** Sessions a second; 0: a client asks for each. */
  readonly feedSpeed: number;
  /** The market comes late, and the broker does not answer its first questions. */
  readonly isTroubled: boolean;
  readonly strategy: () => Strategy;
  readonly policy: TradingPolicy;
  /** Whether an earlier process has traded for two days. */
  readonly hasPast: boolean;
}
const QUIET: World = {
  feedRests: false,
  feedSpeed: 10_000,
  isTroubled: false,
  strategy: byTheDay,
  policy: POLICY,
  hasPast: false,
};
/** Together they enter every state of every machine. */
const WORLDS: readonly (readonly [string, World])[] = [
  ['a market that is late and a broker that is away', { ...QUIET, feedRests: true, isTroubled: true }],
  ['a strategy that fails whenever it is to say what it wants', { ...QUIET, strategy: mistaken }],
  [
    'a strategy that has missed the predictions of its past',
    { ...QUIET, strategy: byPredictions, hasPast: true },
  ],
  ['sessions that a client asks for', { ...QUIET, feedRests: true, feedSpeed: 0 }],
  ['a loss that halts trading', { ...QUIET, policy: { ...POLICY, maxDailyLossBps: 1n } }],
];

/** Depends on the day alone, so that a repeated decision is the same. */
function byTheDay(): Strategy {
  return {
    name: 'by-the-day',
    parameters: {},
    warmUp: 2,
    usesPredictions: false,
    onSplit: () => undefined,
    resume: () => undefined,
    onSession: (bars, view) =>
      view === null
        ? []
        : Object.entries(bars).map(([ticker, { close }]) => ({
            ticker,
            weight: (Math.round(close) % 4) / 20,
          })),
  };
}

function byPredictions(): Strategy {
  return { ...byTheDay(), usesPredictions: true };
}

function mistaken(): Strategy {
  return {
    ...byTheDay(),
    onSession: (_, view) => {
      if (view !== null) throw new Error('a mistake');
      return [];
    },
  };
}

/** One account with its market and clients, and a process that dies once. */
class Script {
  appends = 0;
  snapshots = 0;
  readonly #store = new MemoryStore();
  readonly #net = new InProcessBus();
  readonly #leases = new InProcessLeases(() => undefined, { retryMs: 1 });
  readonly #client: MessageBus = this.#connect();
  readonly #market = new FakeMarket({
    days: 5,
    warmUp: 5,
    splits: { 7: { AAA: '2/1' } },
    dividends: { 8: { BBB: 0.37 } },
    ends: { BBB: 7 },
  });
  /** How often the first process has entered each state. */
  readonly entered = new Map<string, number>();
  readonly #name: string;
  readonly #world: World;
  /** The states of each actor. */
  readonly #states = new WeakMap<object, Set<string>>();
  #services: TradingService[] = [];
  #serveMarket = (): void => {
    this.#market.serve(this.#connect());
    this.#serveMarket = () => undefined;
  };

  constructor(name: string, world = QUIET) {
    this.#name = name;
    this.#world = world;
    if (!world.isTroubled) this.#serveMarket();
    const predictions = ['AAA', 'BBB'].map((ticker) => ({ ticker, return: 0.01, volatility: 0.01 }));
    serve(
      this.#connect(),
      Predict,
      'models',
      async () => ({ weights: 'w', predictions }),
      () => undefined,
    );
  }

  async run({ afterAppends = Infinity, inState }: Death = {}): Promise<AccountState> {
    if (this.#world.hasPast) {
      const before = this.#start(this.#counting(), 'before');
      await this.#do(messages.StartTrading, {}, 'start');
      await this.#day();
      await this.#day();
      await before.leave();
    }
    const dying = new DyingStore(this.#counting(), afterAppends);
    const first = this.#start(dying, 'first', (id, time) => {
      if (id.endsWith('preparing.delayed')) this.#serveMarket();
      if (id !== inState?.id || time !== inState.time) return;
      if (inState.hasBegun) setImmediate(() => dying.die());
      else dying.die();
    });
    const restarted = this.#restart(dying, first);
    // A repeated decision comes before the orders of this day.
    if (this.#world.hasPast) await this.#through();
    await this.#trade();
    if (dying.mode === 'down') await restarted;
    void first.endSessions();
    await first.leave();
    // The process may have died meanwhile.
    await nextTurn();
    if (dying.mode === 'down') await restarted;
    for (const service of this.#services) await service.leave();
    return (await this.#open()).state;
  }

  async #restart(dying: DyingStore, first: TradingService): Promise<void> {
    await dying.died.promise;
    // It may hand over its account while the store is gone, which it reports.
    await first.leave().catch(() => undefined);
    this.#serveMarket();
    this.#start(this.#counting(), 'second');
  }

  async #trade(): Promise<void> {
    await this.#do(messages.StartTrading, {}, 'start');
    await this.#order('a', { quantity: 100 });
    await this.#do(messages.MoveCash, { amount: 700, reason: 'deposit', client_cash_id: 'c-1' }, 'cash-in');
    const b = await this.#order('b', {
      ticker: 'BBB',
      type: 'limit',
      price: 20,
      quantity: 5,
      time_in_force: 'gtc',
    });
    await this.#day();
    await this.#order('c', { action: 'sell', quantity: 33, type: 'limit', price: 90 });
    await this.#order('d', { quantity: 7, type: 'stop', price: 140, time_in_force: 'gtc' });
    await this.#do(messages.CancelOrder, { order_id: b! }, 'cancel-b');
    await this.#day();
    await this.#order('e', { ticker: 'BBB', quantity: 12, time_in_force: 'ioc' });
    await this.#order('f', { quantity: 3 });
    await this.#day();
    await this.#day();
    await this.#do(messages.MoveCash, { amount: -300, reason: 'rent' }, 'cash-out');
    await this.#do(messages.StopTrading, {}, 'stop');
    await this.#do(messages.CloseAllPositions, {}, 'close-all');
    await this.#day();
  }

  /** Loads the account from the last process's snapshot and later events, or from the first event. */
  async again(): Promise<AccountState> {
    const dataDir = join(folder, `${this.#name}-${this.#services.length === 1 ? 'first' : 'second'}`);
    const snapshots = snapshotFile(join(dataDir, `account-${ACCOUNT}.snapshot`), () => undefined);
    if ((await snapshots.read()) !== undefined) this.snapshots += 1;
    return (await this.#open(snapshots)).state;
  }

  /** The positions in the broker's own book. */
  async brokerPositions(): Promise<Record<string, string>> {
    const options = { store: this.#store, codec: CODEC, account: ACCOUNT, rules: RULES, now };
    const positions = await (await openPaperBroker(options)).positions();
    return Object.fromEntries([...positions].map(([ticker, quantity]) => [ticker, quantityText(quantity)]));
  }

  async count(type: string): Promise<number> {
    let count = 0;
    for await (const event of this.#store.readStream(accountStream(ACCOUNT)))
      if (event.type === type) count += 1;
    return count;
  }

  #open(snapshots = noSnapshots): Promise<AccountWriter> {
    return openAccount({
      store: this.#store,
      codec: CODEC,
      account: ACCOUNT,
      snapshots,
      policy: POLICY,
      now,
    });
  }

  #connect(): MessageBus {
    return this.#net.connect(() => undefined);
  }

  #counting(): EventStore {
    const store = new FaultyStore(this.#store);
    const append = store.append.bind(store);
    store.append = (...args) => {
      this.appends += 1;
      return append(...args);
    };
    return store;
  }

  #start(store: EventStore, life: string, onEntry: (id: string, time: number) => void = () => undefined) {
    const dataDir = join(folder, `${this.#name}-${life}`);
    mkdirSync(dataDir);
    const service = serveTrading({
      bus: this.#connect(),
      store,
      codec: CODEC,
      leases: this.#leases,
      logger: pino({ enabled: false }),
      actors: new WatchedActors((event) => this.#note(event, onEntry)),
      settings: {
        account: ACCOUNT,
        currency: 'USD',
        cash: parseMoney('100000'),
        strategy: 'none',
        feedSpeed: this.#world.feedSpeed,
        riskFreePercent: 0,
        feedRests: this.#world.feedRests,
        source: 'fake',
        policy: this.#world.policy,
        rules: RULES,
      },
      dataDir,
      now,
      openBroker: async (options) => {
        const broker = await openPaperBroker({ ...options, store, codec: CODEC, rules: RULES });
        if (this.#world.isTroubled && life === 'first') awayAtFirst(broker);
        return broker;
      },
      createStrategy: this.#world.strategy,
    });
    this.#services.push(service);
    return service;
  }

  #note(event: InspectionEvent, onEntry: (id: string, time: number) => void): void {
    // The state that an actor begins in is no step, but its first snapshot.
    if (event.type !== '@xstate.microstep' && event.type !== '@xstate.snapshot') return;
    const { _nodes } = event.snapshot as AnyMachineSnapshot;
    // A child may not be a machine.
    if (_nodes === undefined) return;
    const ids = new Set(
      _nodes.filter(({ type }) => type === 'atomic' || type === 'final').map(({ id }) => id),
    );
    const before = this.#states.get(event.actorRef) ?? new Set();
    this.#states.set(event.actorRef, ids);
    for (const id of ids.difference(before)) {
      const time = (this.entered.get(id) ?? 0) + 1;
      this.entered.set(id, time);
      onEntry(id, time);
    }
  }

  /** Repeats the call until it is done, like a client that is refused or gets no reply. */
  async #do<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
    callId: string,
  ): Promise<z.output<Rep> | undefined> {
    for (;;) {
      try {
        return await call(this.#client, definition, payload, { correlationId: callId, callId });
      } catch (error) {
        // The first call did it, or a halt did.
        if (isBelegError(error, 'NOT_CANCELLABLE', 'TRADING_HALTED', 'NO_SESSION')) return undefined;
        if (!isBelegError(error) || error.status !== 503) throw error;
      }
      await nextTurn();
    }
  }

  async #order(
    callId: string,
    changes: Partial<z.input<typeof messages.OrderRequest>> = {},
  ): Promise<string | undefined> {
    const order = { ticker: 'AAA', action: 'buy' as const, quantity: 1, ...changes };
    return (await this.#do(messages.SubmitOrder, order, callId))?.order_id;
  }

  /** Plays one more session with all its consequences. */
  async #day(): Promise<void> {
    this.#market.extend(this.#client, 1);
    await this.#through();
  }

  async #through(): Promise<void> {
    const day = dayOf(this.#market.options.days - 1);
    for (;;) {
      const status = await this.#do(messages.TradingStatus, {}, 'status');
      const isThrough = status?.feed_waiting === true || status?.feed_resting === true;
      if (status?.session === day && isThrough && status.state !== 'reconciling') return;
      if (status?.feed_paused === true && !isThrough) await this.#do(messages.NextSession, {}, 'next');
      await nextTurn();
    }
  }
}

/** Nobody waits here for a pause to be over, and each step of a machine is seen. */
class WatchedActors extends ActorHost {
  readonly #see: (event: InspectionEvent) => void;

  constructor(see: (event: InspectionEvent) => void) {
    const logger = pino({ enabled: false });
    super({ logger, clock: { ...systemClock, after: (_, run) => systemClock.after(1, run) } });
    this.#see = see;
  }

  override host<Hosted extends AnyActorRef>(actor: Hosted, name: ActorName): Hosted {
    actor.system.inspect(this.#see);
    return super.host(actor, name);
  }
}

const away = (): Promise<never> => Promise.reject(new BelegError('BROKER_UNAVAILABLE'));

/**
 * A broker that is unavailable for the first reports, positions and session. For the session it first has no store, and
 * then a fault that waiting may not repair.
 */
function awayAtFirst(broker: OpenBroker): void {
  const positions = broker.positions.bind(broker);
  const advance = broker.advance.bind(broker);
  const reports = broker.reports.bind(broker);
  const asked = new Set<string>();
  const first = (what: string): boolean => !asked.has(what) && asked.add(what) !== undefined;
  broker.reports = (after) => (first('reports') ? away() : reports(after));
  broker.positions = () => (first('positions') ? away() : positions());
  const faults = [
    new BelegError('BROKER_UNAVAILABLE'),
    new BelegError('STORE_UNAVAILABLE'),
    new Error('a fault of its own'),
  ];
  broker.advance = async (...args) => {
    const fault = faults.shift();
    if (fault !== undefined) throw fault;
    return advance(...args);
  };
}

/** Without the cursor of the broker's reports, which also moves with sessions that need not be recorded. */
const hashOf = (state: AccountState): string => stateHash({ ...state, cursor: null });

test('a process that dies after any of its appends is carried on as if nothing had been', async () => {
  const undisturbed = new Script('undisturbed');
  const expected = await undisturbed.run();
  const appends = undisturbed.appends;
  expect(appends).toBeGreaterThan(30);
  expect(expected.orders.size).toBeGreaterThan(10);
  expect(expected.positions.get('AAA')?.fees).toBeGreaterThan(0n);
  expect(await undisturbed.count('SplitApplied')).toBe(1);
  expect(await undisturbed.count('DividendPaid')).toBe(1);
  expect(await undisturbed.count('PositionSettled')).toBe(1);

  let snapshots = 0;
  for (let died = 1; died <= appends; died++) {
    const script = new Script(`${died}`);
    const state = await script.run({ afterAppends: died });
    expect(hashOf(state), `died after ${died} of ${appends} appends`).toBe(hashOf(expected));
    expect(stateHash(await script.again())).toBe(stateHash(state));
    snapshots += script.snapshots;
    expect(await script.brokerPositions()).toEqual({});
    expect(await script.count('OrderSubmitted')).toBe(expected.orders.size);
    expect(await script.count('DiscrepancyFound')).toBe(0);
  }
  expect(snapshots).toBeGreaterThan(appends / 2);
});

/** The states by the first world that enters them, and how often. */
const UNENTERED = new Set(
  [engineMachine, strategyMachine, deliveryMachine].flatMap((machine) => leavesOf(machine)),
);

test.each(WORLDS)(
  'in a world with %s, a process that dies in any state is carried on as if nothing had been',
  async (name, world) => {
    const undisturbed = new Script(name, world);
    const expected = await undisturbed.run();
    const states = [...undisturbed.entered].filter(([id]) => UNENTERED.delete(id));
    expect(states.length).toBeGreaterThan(0);
    for (const [id, times] of states) await dieIn(id, times, world, expected);
  },
);

// A new state without a world that leads to it fails here.
test('no state is left in which no process has died', () => {
  expect([...UNENTERED]).toEqual([]);
});

async function dieIn(id: string, times: number, world: World, expected: AccountState): Promise<void> {
  for (const time of new Set([1, Math.ceil(times / 2)])) {
    for (const hasBegun of [false, true]) {
      const script = new Script(`${id}-${time}-${hasBegun}`, world);
      const state = await script.run({ inState: { id, time, hasBegun } });
      expect(hashOf(state), `died in ${id}`).toBe(hashOf(expected));
      expect(await script.brokerPositions()).toEqual({});
      expect(await script.count('OrderSubmitted')).toBe(expected.orders.size);
      expect(await script.count('DiscrepancyFound')).toBe(0);
    }
  }
}
