import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../events/dates.ts';
import type { Strategy, StrategyBars } from '../../actors/strategy/strategy.ts';
import { parsePrice, parseQuantity } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import type { EventStore } from '../../events/store/store.ts';
import { POLICY } from '../../actors/trading/account.suite.ts';
import { ACCOUNT, caller, noSnapshots, order } from './account/account.suite.ts';
import { openAccount } from './account/account.ts';
import { deliveryTo } from './delivery.ts';
import { FakeBroker } from './fake-broker.suite.ts';
import { startEngine } from './engine.ts';
import type { Market } from './ask-market.ts';
import { dayOf, FakeMarket } from './market.suite.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { CODEC } from './paper-broker/paper-broker.suite.ts';
import { Prices } from './prices.ts';
import { sessionPages } from './session-pages.ts';
import { takeReports } from './take-reports.ts';
import { runStrategy } from './strategy-runner.ts';
import type { Clock } from '../foundation/clock.ts';
import { ActorHost } from '../foundation/actor-host.ts';

/** A clock that only moves when a test advances it. */
class ManualClock implements Clock {
  #now = 0;
  readonly #waiting = new Set<{ readonly at: number; readonly wake: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, wake: () => void): () => void {
    const waiting = { at: this.#now + ms, wake };
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  }

  every(): never {
    throw new Error('nothing here repeats by itself');
  }

  /** Advances the clock, and waits for rest at each moment for which there is a timer. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await rest();
      const due = [...this.#waiting].filter(({ at }) => at <= end);
      if (due.length === 0) break;
      this.#now = Math.max(this.#now, Math.min(...due.map(({ at }) => at)));
      for (const each of due) if (each.at <= this.#now && this.#waiting.delete(each)) each.wake();
    }
    this.#now = end;
  }
}

async function rest(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await nextTurn();
}

const NEVER = -1;

/** Notes what a strategy is shown. */
class Spy implements Strategy {
  readonly name = 'spy';
  readonly parameters = {};
  readonly warmUp = 3;
  readonly usesPredictions = false;
  readonly shown: string[] = [];
  /** Its target, whenever it may act. */
  weight = 0;
  /** The session in which it throws. */
  fails = NEVER;

  resumed = false;

  resume(): void {
    this.resumed = true;
  }

  onSplit(ticker: string, factor: number): void {
    this.shown.push(`split ${ticker} ${factor}`);
  }

  onSession(bars: StrategyBars, view: unknown): readonly { ticker: string; weight: number }[] {
    this.shown.push(
      `${Object.entries(bars)
        .map(([ticker, { close }]) => `${ticker} ${close}`)
        .join(', ')}${view === null ? '' : ' !'}`,
    );
    if (this.shown.length === this.fails) throw new TypeError('a mistake');
    return view === null || this.weight === 0 ? [] : [{ ticker: 'AAA', weight: this.weight }];
  }
}

let store: EventStore;
let broker: FakeBroker;
let fake: FakeMarket;
let market: Market;
let spies: Spy[];
let logged: string[];

beforeEach(() => {
  store = new MemoryStore();
  broker = new FakeBroker();
  fake = new FakeMarket({ days: 8, warmUp: 5, splits: { 6: { AAA: '2/1' } } });
  market = marketOf(fake);
  spies = [];
  logged = [];
});

function marketOf(source: FakeMarket): Market {
  return {
    sessions: async (after, limit) => {
      const { sessions, warm_up } = source.sessions(after, limit);
      return { sessions, warmUp: warm_up };
    },
    sessionOn: async (date) => source.on(date),
    recentSessions: async (upTo, count) =>
      source
        .sessions('', source.options.days)
        .sessions.filter(({ date }) => date <= upTo)
        .slice(-count),
    recentCloses: async (asOf, count) => new Map(Object.entries(source.closes(asOf, count))),
    tickers: async () => ['AAA', 'BBB'],
    range: async () =>
      source.options.days === 0 ? null : { first: dayOf(0), last: dayOf(source.options.days - 1) },
  };
}

const noise = (): void => undefined;

const create = (): Strategy => {
  const spy = new Spy();
  spy.weight = weight;
  spy.fails = fails;
  spies.push(spy);
  return spy;
};

/** Opens all parts of one process with the present store and broker. */
async function open(overStore = store, feedSpeed = 1, restsWhenIdle = false) {
  const writer = await openAccount({
    store: overStore,
    codec: CODEC,
    account: ACCOUNT,
    snapshots: noSnapshots,
    policy: POLICY,
    now: () => new Date(),
    onLost: noise,
  });
  const timer = new ManualClock();
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const actors = new ActorHost({ logger, clock: timer });
  const prices = new Prices();
  const delivery = deliveryTo({ account: ACCOUNT, broker, writer, actors, onFault: noise });
  const reports = takeReports({ broker, writer, cursor: writer.state.cursor });
  const steps = { writer, broker, delivery, reports, prices, policy: POLICY };
  const strategy = runStrategy({
    account: ACCOUNT,
    policy: POLICY,
    writer,
    store: overStore,
    prices,
    predictions: { after: () => Promise.reject(new Error('nobody uses them here')) },
    create,
  });
  const close = async (stepsOver: () => Promise<unknown>): Promise<void> => {
    await delivery.stop();
    await writer.close();
    await reports.rest();
    await stepsOver();
  };
  const feed = startEngine({
    open: async ({ stepsOver }) => ({
      steps,
      market,
      strategy,
      sessions: sessionPages(market),
      close: () => close(stepsOver),
    }),
    restsWhenIdle,
    speed: feedSpeed,
    logger,
    actors,
    account: ACCOUNT,
  });
  let givenUp = 0;
  let release = (): Promise<void> => close(() => Promise.resolve());
  return {
    writer,
    timer,
    feed,
    prices,
    delivery,
    begin: async (active = true) => {
      await writer.submit(
        { type: 'open', account: ACCOUNT, currency: 'USD', cash: 10n ** 21n },
        caller('open'),
      );
      if (active) await writer.submit({ type: 'start' }, caller('start'));
      release = await feed.hold(() => (givenUp += 1));
      await rest();
    },
    /** How often it asked to give the lease back. */
    givenUp: () => givenUp,
    end: () => release(),
  };
}

let weight = 0;
let fails = NEVER;

beforeEach(() => {
  weight = 0;
  fails = NEVER;
});

test('a ticker that did not trade in the last session has no bar in it for a new process either', async () => {
  Object.assign(fake.options, { days: 5, ends: { BBB: 3 } });
  const { begin, end } = await open();
  await begin();
  const { shown } = spies.at(-1)!;
  expect(shown.at(-1)).toBe(`AAA ${fake.close('AAA', 4)}`);
  expect(shown.at(-2)).toContain(`BBB ${fake.close('BBB', 3)}`);
  await end();
});

/** Longer than any timer at speed 0. */
const MINUTES_MS = 600_000;

describe('a strategy that fails', () => {
  test.each([
    ['on its past', 2],
    ['in a session', 5],
  ])('%s halts alone: sessions go on, and whoever holds the account next asks it again', async (_, shown) => {
    weight = 0.5;
    fails = shown;
    const { begin, timer, writer, end } = await open();
    await begin();
    await timer.pass(2_000);
    expect(writer.state).toMatchObject({ closedSession: dayOf(7), engine: 'running' });
    expect(spies.at(-1)!.shown).toHaveLength(shown);
    expect(logged).toEqual(['the strategy has failed: trading goes on without it']);
    await end();
    fails = NEVER;
    const next = await open();
    await next.begin();
    expect(spies.at(-1)!.shown.at(-1)).toContain('!');
    await next.end();
  });
});

describe('the comparison with the broker', () => {
  test('is tried until it works, less and less often while the broker is away', async () => {
    broker.away = true;
    const { begin, timer, feed, end } = await open();
    await begin();
    const tries = () => broker.asked.filter((what) => what.startsWith('reports')).length;
    for (const [n, pause] of [50, 100, 200].entries()) {
      await timer.pass(pause - 1);
      expect(tries()).toBe(n + 1);
      await timer.pass(1);
      expect(tries()).toBe(n + 2);
    }
    expect(new Set(logged)).toEqual(
      new Set(['the account cannot be compared with the broker yet; trying again']),
    );
    expect([feed.has('reconciled'), feed.has('priced')]).toEqual([false, false]);
    broker.away = false;
    await timer.pass(400);
    expect([feed.has('reconciled'), feed.has('priced')]).toEqual([true, true]);
    await end();
  });

  test('gives the account up where no other try mends it', async () => {
    broker.onAsked = (what) =>
      what === 'positions' ? Promise.reject(new TypeError('a mistake')) : undefined;
    const { begin, givenUp, feed, end } = await open();
    await begin();
    expect(givenUp()).toBe(1);
    expect(logged).toEqual(['the account and the broker cannot be compared']);
    await end();
    expect(feed.has('held')).toBe(false);
    expect(feed.account).toBeUndefined();
  });
});

describe('time', () => {
  test('sessions come one at a time, so many a second, and then it waits', async () => {
    const { begin, timer, writer, feed, end } = await open(store, 2);
    await begin();
    await timer.pass(0);
    expect(broker.met).toEqual([dayOf(5)]);
    expect(writer.state.closedSession).toBe(dayOf(5));
    await timer.pass(499);
    expect(broker.met).toHaveLength(1);
    await timer.pass(1);
    expect(broker.met).toEqual([dayOf(5), dayOf(6)]);
    expect(feed.waiting).toBe(false);
    await timer.pass(500);
    expect(feed.waiting).toBe(true);
    fake.options.days += 1;
    await timer.pass(1_000);
    expect(broker.met).toEqual([dayOf(5), dayOf(6), dayOf(7), dayOf(8)]);
    await end();
  });

  test('at speed 0 sessions come one by one, as they are asked for', async () => {
    const { begin, timer, writer, feed, end } = await open(store, 0, true);
    await begin();
    await timer.pass(MINUTES_MS);
    expect(writer.state.closedSession).toBeNull();
    for (const n of [5, 6, 7]) {
      expect(await feed.next()).toBe(dayOf(n));
      // The strategy was asked.
      expect(spies.at(-1)!.shown.at(-1)).toContain(`AAA ${fake.close('AAA', n)}`);
      await timer.pass(MINUTES_MS);
      expect(broker.met).toHaveLength(n - 4);
    }
    await expect(feed.next()).rejects.toMatchObject({ code: 'NO_SESSION' });
    // The step was cancelled: the next session waits until it is requested.
    fake.options.days += 1;
    await timer.pass(MINUTES_MS);
    expect(writer.state.closedSession).toBe(dayOf(7));
    await writer.submit({ type: 'stop' }, caller('stop'));
    expect(await feed.next()).toBe(dayOf(8));
    await expect(feed.next()).rejects.toMatchObject({
      code: 'NO_SESSION',
      detail: 'Time stands still: trading is stopped and no order is open',
    });
    await end();
  });

  test('once the service is being stopped a session that has begun is finished, and whoever waits for another one is told so', async () => {
    const { begin, timer, writer, feed, end } = await open(store, 1, true);
    await begin();
    await timer.pass(0);
    const waiting = feed.next();
    void feed.endSessions();
    await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await writer.submit({ type: 'set-clock', speed: 0 }, caller('by hand'));
    await timer.pass(MINUTES_MS);
    expect(writer.state.closedSession).toBe(dayOf(5));
    await expect(feed.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await end();

    const { feed: other, ...next } = await open(store, 0);
    await next.begin();
    let asked: Promise<string> | undefined;
    broker.onAsked = (what) => {
      if (what.startsWith('advance')) void other.endSessions();
    };
    asked = other.next();
    expect(await asked).toBe(dayOf(6));
    await next.end();
  });

  test('whoever gives the account back in a stop waits for the session that has begun', async () => {
    const { begin, writer, feed, end } = await open(store, 0);
    await begin();
    let over: Promise<void> | undefined;
    broker.onAsked = (what) => {
      if (what.startsWith('advance')) over ??= feed.endSessions().then(end);
    };
    expect(await feed.next()).toBe(dayOf(5));
    await over;
    expect(writer.state.closedSession).toBe(dayOf(5));
  });

  test('whoever asks for a session while one is under way that was asked for is answered with that one', async () => {
    const { begin, timer, feed, end } = await open(store, 0);
    await begin();
    const asked = [feed.next(), feed.next()];
    broker.onAsked = (what) => {
      if (what.startsWith('advance')) asked.push(feed.next());
    };
    await timer.pass(MINUTES_MS);
    expect(await Promise.all(asked)).toEqual([dayOf(5), dayOf(5), dayOf(5)]);
    expect(broker.met).toEqual([dayOf(5)]);
    await end();
  });

  test.each([
    ['a pause', { paused: true }],
    ['speed 0', { speed: 0 }],
  ])(
    'a session that was asked for while the clock ran still comes after %s, and then no other',
    async (_, change) => {
      fake.options.days = 20;
      const { begin, timer, writer, feed, end } = await open(store, 0.001);
      await begin();
      await timer.pass(1);
      expect(writer.state.closedSession).toBe(dayOf(5));
      const asked = feed.next();
      await timer.pass(1_000);
      await writer.submit({ type: 'set-clock', ...change }, caller('hold'));
      await timer.pass(DAY_MS);
      expect(await asked).toBe(dayOf(6));
      expect(writer.state.closedSession).toBe(dayOf(6));
      expect(await feed.next()).toBe(dayOf(7));
      await end();
    },
  );

  test('a clock that is set while a session is asked for does not forget it', async () => {
    fake.options.days = 20;
    const { begin, timer, writer, feed, end } = await open(store, 0);
    const answer = Promise.withResolvers<void>();
    const ready = market;
    market = {
      ...ready,
      sessions: async (after, limit) => {
        await answer.promise;
        return ready.sessions(after, limit);
      },
    };
    await begin();
    const asked = feed.next();
    await writer.submit({ type: 'set-clock', paused: true }, caller('pause'));
    answer.resolve();
    await timer.pass(DAY_MS);
    expect(await asked).toBe(dayOf(5));
    expect(writer.state.closedSession).toBe(dayOf(5));
    await end();
  });

  test('a pause in a session that was asked for while the clock ran brings no other one', async () => {
    fake.options.days = 20;
    const { begin, timer, writer, feed, end } = await open(store, 1);
    let asked: Promise<string> | undefined;
    broker.onAsked = (what) => {
      if (!what.startsWith('advance')) return;
      asked ??= feed.next();
      void writer.submit({ type: 'set-clock', paused: true }, caller('pause'));
    };
    await begin();
    await timer.pass(DAY_MS);
    expect(await asked).toBe(dayOf(5));
    expect(broker.met).toEqual([dayOf(5)]);
    await end();
  });

  test('a pause holds what has not begun, and a session that has begun is finished in it', async () => {
    fake.options.days = 20;
    const { begin, timer, writer, feed, end } = await open(store, 2);
    broker.away = true;
    await begin();
    broker.away = false;
    await writer.submit({ type: 'set-clock', paused: true }, caller('pause'));
    await timer.pass(DAY_MS);
    expect(feed.has('byHand')).toBe(true);
    expect(writer.state.closedSession).toBeNull();
    broker.away = true;
    const next = feed.next();
    await rest();
    broker.away = false;
    await timer.pass(1_000);
    expect(await next).toBe(dayOf(5));
    await writer.submit({ type: 'set-clock', speed: 10 }, caller('speed'));
    await timer.pass(DAY_MS);
    expect(writer.state.closedSession).toBe(dayOf(5));
    await writer.submit({ type: 'set-clock', paused: false }, caller('resume'));
    await timer.pass(100);
    expect(writer.state.closedSession).toBe(dayOf(7));
    await end();
  });

  test('rests while nothing trades, for as long as it likes, and runs until what is being closed is closed', async () => {
    fake.options.days = 60;
    const { begin, timer, writer, feed, end } = await open(store, 1, true);
    await begin(false);
    const day = DAY_MS;
    const trade = (order_id: string): void =>
      broker.say({
        type: 'trade',
        order_id,
        trade_id: order_id,
        quantity: parseQuantity('10'),
        price: parsePrice('100'),
        fee: 0n,
        session: dayOf(9),
      });
    const events = async () => (await Array.fromAsync(store.readAll())).length;
    await timer.pass(1);
    expect(feed.has('resting')).toBe(true);
    const before = await events();
    await timer.pass(day);
    expect(broker.met).toEqual([dayOf(5)]);
    expect(await events()).toBe(before);
    expect(feed.waiting).toBe(false);

    await writer.submit({ type: 'start' }, caller('go on'));
    await timer.pass(2_000);
    expect(feed.has('resting')).toBe(false);
    expect(writer.state.closedSession).toBe(dayOf(8));
    await writer.submit(
      { type: 'submit', order: order('held', { quantity: parseQuantity('10') }) },
      caller('held'),
    );
    trade('held');
    await timer.pass(1_000);
    await writer.submit({ type: 'stop' }, caller('no more'));
    await timer.pass(day);
    const stopped = writer.state.closedSession!;
    expect(feed.has('resting')).toBe(true);
    expect(writer.state.positions.get('AAA')?.quantity).toBe(parseQuantity('10'));

    const closing = { type: 'close' as const, ticker: 'AAA', order_id: 'out', last_price: null };
    await writer.submit(closing, caller('out'));
    await timer.pass(3_000);
    expect(feed.has('resting')).toBe(false);
    trade('out');
    await timer.pass(day);
    expect(writer.state.positions.get('AAA')?.quantity).toBe(0n);
    expect(writer.state.closedSession! > stopped).toBe(true);
    expect(feed.has('resting')).toBe(true);
    await end();
  });

  test('a nudge is looked at at once', async () => {
    const { begin, timer, feed, end } = await open(store, 1_000);
    await begin();
    await timer.pass(5);
    expect(feed.waiting).toBe(true);
    fake.options.days += 1;
    feed.marketUpdated();
    await timer.pass(1);
    expect(broker.met.at(-1)).toBe(dayOf(8));
    await end();
  });

  test('a market that is away is waited for, and said once', async () => {
    let away = true;
    const there = market;
    market = {
      ...there,
      sessions: (...args) =>
        away ? Promise.reject(new BelegError('NO_RESPONDERS')) : there.sessions(...args),
    };
    const { begin, timer, feed, end } = await open();
    await begin();
    await timer.pass(3_000);
    expect(feed.has('priced')).toBe(false);
    expect(feed.waiting).toBe(true);
    expect(logged).toEqual(['the market data feed is waiting']);
    away = false;
    await timer.pass(1_000);
    expect(feed.has('priced')).toBe(true);
    expect(broker.met).toEqual([dayOf(5)]);
    await end();
  });

  test('a market that has nothing yet is waited for, so that the strategy gets its past', async () => {
    const { days, warmUp } = fake.options;
    Object.assign(fake.options, { days: 0, warmUp: 0 });
    const { begin, timer, feed, end } = await open();
    await begin();
    await timer.pass(2_000);
    expect(feed.has('priced')).toBe(false);
    expect(feed.waiting).toBe(true);
    Object.assign(fake.options, { days, warmUp });
    await timer.pass(1_000);
    expect(feed.has('priced')).toBe(true);
    expect(spies.at(-1)!.shown.slice(0, 4)).toEqual([closes(1), closes(2), closes(3), closes(4)]);
    await end();
  });

  test('a market that is loaded anew is waited for, so that prices and the strategy’s past are there', async () => {
    const first = await open(store, 1_000);
    await first.begin();
    await first.end();
    const there = market;
    let loading = true;
    market = { ...there, range: async () => (loading ? null : there.range()) };
    const second = await open(store, 1_000);
    await second.begin();
    expect(second.feed.has('priced')).toBe(false);
    expect(broker.met).toEqual([dayOf(5)]);
    loading = false;
    await second.timer.pass(1_000);
    expect(spies.at(-1)!.shown[0]).toBe(closes(2));
    expect(broker.met.slice(0, 2)).toEqual([dayOf(5), dayOf(6)]);
    await second.end();
  });

  test('an account that holds what its source does not have is told of', async () => {
    const first = await open(store, 1_000);
    await first.begin();
    await first.writer.submit({ type: 'submit', order: order('o1') }, caller('o1'));
    await first.end();
    market = { ...market, tickers: async () => ['BBB'] };
    const second = await open();
    await second.begin();
    expect(logged).toEqual([expect.stringContaining('not in the market data')]);
    await second.end();
  });

  test('an account that is ahead of its source is told of', async () => {
    const first = await open(store, 1_000);
    await first.begin();
    await first.timer.pass(10);
    await first.end();
    fake.options.days = 6;
    const second = await open();
    await second.begin();
    expect(logged).toEqual([expect.stringContaining('not in the market data')]);
    expect(second.feed.waiting).toBe(true);
    await second.end();
  });

  test('a broker that is away holds the session up; it is finished when it is there', async () => {
    const { begin, timer, writer, end } = await open();
    await begin();
    broker.away = true;
    await timer.pass(1_000);
    expect(writer.state.session).toBe(dayOf(6));
    expect(writer.state.closedSession).toBe(dayOf(5));
    await timer.pass(5_000);
    expect(writer.state.session).toBe(dayOf(6));
    broker.away = false;
    await timer.pass(1_000);
    expect(writer.state.closedSession).toBe(dayOf(6));
    await end();
  });
});

const closes = (n: number): string => `AAA ${fake.close('AAA', n)}, BBB ${fake.close('BBB', n)}`;

describe('a session', () => {
  test('splits change the last price once, at its opening', async () => {
    const { begin, timer, prices, end } = await open();
    await begin();
    expect(prices.last('AAA')).toBe(parsePrice(String(fake.close('AAA', 5))));
    broker.away = true;
    await timer.pass(2_000);
    expect(prices.last('AAA')).toBe(parsePrice(String(fake.close('AAA', 5))) / 2n);
    broker.away = false;
    await timer.pass(1_000);
    expect(prices.last('AAA')).toBe(parsePrice(String(fake.close('AAA', 6))));
    await end();
  });

  test('is shown to the strategy once it is closed, after what it warms up on, with its splits', async () => {
    const { begin, timer, end } = await open();
    await begin();
    await timer.pass(1_000);
    expect(spies.at(-1)!.shown).toEqual([
      closes(1),
      closes(2),
      closes(3),
      closes(4),
      `${closes(5)} !`,
      'split AAA 0.5',
      `${closes(6)} !`,
    ]);
    await end();
  });

  test('after a restart the strategy goes on where it was, unless it has not acted since trading was started', async () => {
    const first = await open();
    // The crash comes before the first session.
    await first.begin();
    expect(spies.at(-1)!.resumed).toBe(false);
    await first.end();
    const second = await open();
    await second.begin();
    // Nobody knows whether it was shown that session: it is once more, as it was.
    expect(spies.at(-1)!.resumed).toBe(false);
    await second.timer.pass(1_000);
    await second.end();
    const third = await open();
    await third.begin();
    expect(spies.at(-1)!.resumed).toBe(true);
    await third.writer.submit({ type: 'stop' }, caller('stop'));
    await third.writer.submit({ type: 'start' }, caller('start again'));
    await third.end();
    const fourth = await open();
    await fourth.begin();
    expect(spies.at(-1)!.resumed).toBe(false);
    await fourth.end();
  });

  test('while trading is stopped the strategy sees it, and has no say', async () => {
    weight = 0.5;
    const { begin, writer, end } = await open();
    await begin(false);
    expect(spies.at(-1)!.shown.at(-1)).not.toContain('!');
    expect(writer.state.orders.size).toBe(0);
    await end();
  });

  test('what the strategy wants after it is submitted once, also when it is asked again after a restart', async () => {
    weight = 0.5;
    const first = await open();
    await first.begin();
    const [order] = first.writer.state.orders.keys();
    // Done, so that nothing of it is working any more.
    broker.say({ type: 'rejected', order_id: order!, reason: 'no' });
    await first.end();
    const second = await open();
    await second.begin();
    const wanted = [...second.writer.state.orders.values()].map(({ session, status }) => [session, status]);
    expect(wanted).toEqual([
      [dayOf(5), 'rejected'],
      [dayOf(6), 'submitted'],
    ]);
    await second.end();
  });

  test('an order that comes when it has been opened meets the next one, in shares of after its splits', async () => {
    const { begin, timer, writer, end } = await open();
    await begin();
    let met: string[] = [];
    broker.onAsked = async (what) => {
      if (what === 'submit late') met = [...broker.met];
      if (what !== `advance ${dayOf(6)}`) return;
      // On record before the session is through, and time enough to be delivered.
      await writer.submit({ type: 'submit', order: order('late') }, caller('late'));
      await rest();
    };
    await timer.pass(1_000);
    await timer.pass(0);
    expect(writer.state.orders.get('late')?.session).toBe(dayOf(6));
    expect(met).toEqual([dayOf(5), dayOf(6)]);
    await end();
  });

  test('that was cut off, and that the market no longer has, is finished without bars', async () => {
    const first = await open();
    await first.begin();
    broker.away = true;
    await first.timer.pass(1_000);
    expect(first.writer.state.session).toBe(dayOf(6));
    await first.end();
    broker.away = false;
    const there = market;
    market = {
      ...there,
      sessions: async (after, limit) => {
        const { sessions, warmUp } = await there.sessions(after, limit + 1);
        return { sessions: sessions.filter(({ date }) => date !== dayOf(6)).slice(0, limit), warmUp };
      },
    };
    const second = await open();
    await second.begin();
    expect(second.writer.state.closedSession).toBe(dayOf(6));
    await second.timer.pass(1_000);
    expect(second.writer.state.closedSession).toBe(dayOf(7));
    await second.end();
  });
});

const dead = (): Promise<never> => Promise.reject(new BelegError('STORE_UNAVAILABLE'));

/** A store that fails after this many appends. */
function dyingAfter(appends: number): EventStore {
  let left = appends;
  return {
    append: (...args) => (left-- > 0 ? store.append(...args) : dead()),
    readStream: (...args) => store.readStream(...args),
    readAll: (...args) => store.readAll(...args),
    end: () => store.end(),
    subscribe: (...args) => store.subscribe(...args),
    ping: () => (left > 0 ? store.ping() : dead()),
    close: () => store.close(),
  };
}

test('cut off between any two steps of a session, it is finished, each step once', async () => {
  weight = 0.3;
  const whole = await open(store, 1_000);
  await whole.begin();
  await whole.timer.pass(10);
  await whole.end();
  const steps = await events();
  expect(steps.filter((type) => type === 'SessionClosed')).toHaveLength(3);

  for (let appends = 2; appends < steps.length; appends++) {
    for (const brokerFirst of [false, true]) {
      store = new MemoryStore();
      broker = new FakeBroker();
      const first = await open(dyingAfter(appends), 1_000);
      await first.begin().catch(() => undefined);
      await first.timer.pass(10);
      await first.end();
      // A broker that had the session already when the process died, or not.
      if (brokerFirst && first.writer.state.session !== null) broker.session = first.writer.state.session;
      const second = await open(store, 1_000);
      await second.begin();
      await second.timer.pass(10);
      await second.end();
      expect(sorted(await events()), `cut off after ${appends}`).toEqual(sorted(steps));
      expect(new Set(broker.met).size).toBe(broker.met.length);
    }
  }
});

async function events(): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of store.readStream(`account-${ACCOUNT}`)) types.push(type);
  return types;
}

const sorted = (types: readonly string[]): string[] => types.toSorted();
