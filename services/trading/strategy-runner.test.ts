import { beforeEach, describe, expect, test } from 'vitest';
import { crossover } from '../../actors/strategy/crossover.ts';
import { modelStrategy } from '../../actors/strategy/model.ts';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import { parseQuantity, quantityText, type Quantity } from '../../events/decimal.ts';
import { POLICY } from '../../actors/trading/account.suite.ts';
import { ACCOUNT, caller, noSnapshots } from './account/account.suite.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { openAccount } from './account/account.ts';
import { dayOf, FakeMarket } from './market.suite.ts';
import { CODEC } from './paper-broker/paper-broker.suite.ts';
import { Prices } from './prices.ts';
import { closeSession } from './session-steps.ts';
import type { Predicted } from './ask-model.ts';
import { runStrategy } from './strategy-runner.ts';
import type { StrategyDay, StrategyMissed } from '../../actors/trading/strategy-machine.ts';

const quiet = async (): Promise<void> => undefined;

const MARKET = new FakeMarket({ days: 40, warmUp: 10 });
/** Both tickers rise; one has no bar on two days, so that it waits. */
const risingBar = (ticker: string, n: number) => {
  if (ticker === 'BBB' && (n === 40 || n === 41)) return null;
  const price = 50 + n;
  return { open: price, high: price, low: price, close: price, volume: 1_000_000 };
};

const UP = 0.01;
const DOWN = -0.01;

let store: MemoryStore;
/** By session, in the order of the market's tickers; a missing session has no predictions. */
let expected: Record<string, readonly [number, number]>;
let asked: string[];

beforeEach(() => {
  store = new MemoryStore();
  expected = {};
  asked = [];
  for (let n = 0; n < 40; n++) expected[dayOf(n)] = [UP, DOWN];
});

async function predictionsAfter(session: string): Promise<Predicted | null> {
  asked.push(session);
  const returns = expected[session];
  if (returns === undefined) return null;
  const forecasts = new Map([
    ['AAA', { return: returns[0], volatility: 0.01 }],
    ['BBB', { return: returns[1], volatility: 0.01 }],
  ]);
  return { weights: 'w-1', forecasts };
}

/** A process over the store: its account, and what trades it. */
async function open(create: () => Strategy = modelStrategy, market = MARKET) {
  const writer = await openAccount({
    store,
    codec: CODEC,
    account: ACCOUNT,
    snapshots: noSnapshots,
    policy: POLICY,
    now: () => new Date(),
    onLost: () => undefined,
  });
  await writer.submit({ type: 'open', account: ACCOUNT, currency: 'USD', cash: 10n ** 21n }, caller('open'));
  const prices = new Prices();
  const predictions = { after: predictionsAfter };
  const runner = runStrategy({
    account: ACCOUNT,
    policy: POLICY,
    writer,
    store,
    prices,
    predictions,
    create,
  });
  const { signal } = new AbortController();
  let missed: StrategyMissed | null = null;
  /** The session fills so much of what is open; the rest expires in it. */
  async function expire(filled: Quantity): Promise<void> {
    for (const { order_id, ticker } of writer.state.open.values()) {
      const session = writer.state.session!;
      const trade = { trade_id: order_id, quantity: filled, price: prices.last(ticker)!, fee: 0n };
      const fill = { type: 'trade' as const, order_id, cursor: `${order_id}-1`, session, ...trade };
      const end = { type: 'expired' as const, order_id, cursor: `${order_id}-2` };
      for (const report of [fill, end])
        await writer.submit({ type: 'report', report }, caller(`report ${report.cursor}`));
    }
  }
  /** Like its actor: missed sessions come first. */
  const turn = async (day: StrategyDay): Promise<void> => {
    if (missed !== null) missed = await runner.resume(missed, signal);
    await runner.submit(await runner.decide({ day, isBehind: missed !== null }, signal));
  };
  return {
    writer,
    runner,
    /** With the feed's data after a closed session. */
    begin: async (n: number) => {
      const closes = new Map(Object.entries(market.closes(dayOf(n), runner.warmUp + 1)));
      prices.begin(dayOf(n), closes);
      const sessions = Array.from({ length: 6 }, (_, back) => market.session(n - 5 + back));
      const traded = new Set(Object.keys(market.session(n).bars));
      const closed = writer.state.session === writer.state.closedSession;
      const again = await runner.begin({ date: dayOf(n), closed, closes, traded, sessions });
      missed = again.missed;
      if (again.day !== null) await turn(again.day);
    },
    /** A session is opened, and meets the orders with little volume. It is not closed. */
    thinSession: async (n: number) => {
      await writer.submit({ type: 'open-session', session: market.session(n) }, caller(`open ${n}`));
      await expire(parseQuantity('10'));
    },
    /** A session up to its close, before it is the strategy's turn. */
    session: async (n: number) => {
      const session = market.session(n);
      await writer.submit({ type: 'open-session', session }, caller(`open ${n}`));
      const delivery = { hold: quiet, release: () => undefined, flush: quiet };
      await closeSession(session, { writer, prices, delivery, reports: { drain: quiet } });
    },
    decide: (n: number) => turn(market.session(n)),
    start: () => writer.submit({ type: 'start' }, caller(`start ${writer.state.sessionsRun}`)),
    stop: () => writer.submit({ type: 'stop' }, caller('stop')),
    /** The orders of each session. */
    orders: () =>
      [...writer.state.orders.values()].map(
        ({ session, ticker, action, quantity }) => `${session} ${action} ${ticker} ${quantityText(quantity)}`,
      ),
    /** The broker fills what is open, at its last price. */
    fill: async () => {
      for (const { order_id, ticker, quantity } of writer.state.open.values()) {
        const trade = { trade_id: order_id, quantity, price: prices.last(ticker)!, fee: 0n };
        const session = writer.state.session!;
        const report = { type: 'trade' as const, order_id, cursor: order_id, session, ...trade };
        await writer.submit({ type: 'report', report }, caller(`fill ${order_id}`));
      }
    },
    closeByHand: (ticker: string) =>
      writer.submit(
        { type: 'close', ticker, order_id: `by-hand-${ticker}`, last_price: prices.last(ticker) },
        caller(`by hand ${ticker}`),
      ),
    close: () => writer.close(),
  };
}

type Process = Awaited<ReturnType<typeof open>>;

async function play({ session, decide, fill }: Process, ...days: number[]): Promise<void> {
  for (const n of days) {
    await session(n);
    await fill();
    await decide(n);
  }
}

/** A process that began before the first session, with trading active. */
async function begun(): Promise<Process> {
  const process = await open();
  await process.begin(9);
  await process.start();
  return process;
}

describe('a strategy that uses predictions', () => {
  test('gets those of the session that it decides on', async () => {
    const process = await begun();
    await play(process, 10);
    expect(asked).toEqual([dayOf(10)]);
    expect(process.orders()).toEqual([expect.stringMatching(`^${dayOf(10)} buy AAA `)]);
    const events = [];
    for await (const { type, data } of store.readAll()) if (type === 'OrderSubmitted') events.push(data);
    expect(events).toEqual([expect.objectContaining({ origin: 'strategy', weights: 'w-1' })]);
    await process.close();
  });

  test('needs none while trading is not active', async () => {
    const process = await open();
    await process.begin(9);
    await play(process, 10);
    expect(asked).toEqual([]);
    await process.start();
    await play(process, 11);
    await process.stop();
    await play(process, 12);
    expect(asked).toEqual([dayOf(11)]);
    await process.close();
  });

  test('changes nothing in a session without any, and goes on with the next ones', async () => {
    delete expected[dayOf(10)];
    delete expected[dayOf(12)];
    expected[dayOf(13)] = [DOWN, DOWN];
    const process = await begun();
    await play(process, 10);
    expect(process.orders()).toEqual([]);
    await play(process, 11, 12);
    expect(process.orders()).toHaveLength(1);
    await play(process, 13);
    expect(process.orders().at(-1)).toMatch(`${dayOf(13)} sell AAA`);
    await process.close();
  });
});

describe('a new process', () => {
  test('that is asked about the same session again orders the same, once', async () => {
    expected[dayOf(11)] = [DOWN, UP];
    const undisturbed = await begun();
    await play(undisturbed, 10, 11);
    const orders = undisturbed.orders();
    expect(orders).toHaveLength(2);
    await undisturbed.close();

    store = new MemoryStore();
    const first = await begun();
    await play(first, 10);
    await first.session(11);
    await first.fill();
    await first.close();
    asked = [];
    for (let times = 0; times < 2; times++) {
      const next = await open();
      await next.begin(11);
      expect(next.orders()).toEqual(orders);
      await next.close();
    }
    const seen = [6, 7, 8, 9, 10, 11].map(dayOf);
    expect(asked).toEqual([...seen, ...seen]);
  });

  test.each([
    ['in the session', async () => undefined],
    ['after its close', (first: Process) => first.session(11)],
  ])('orders again what an order lacked that expired in the session, cut off %s', async (_, cut) => {
    // given
    const undisturbed = await begun();
    await play(undisturbed, 10);
    await undisturbed.thinSession(11);
    await undisturbed.session(11);
    await undisturbed.decide(11);
    const orders = undisturbed.orders();
    expect(orders).toHaveLength(2);
    await undisturbed.close();
    store = new MemoryStore();
    const first = await begun();
    await play(first, 10);
    await first.thinSession(11);
    await cut(first);
    await first.close();
    // when
    const second = await open();
    const { session, closedSession } = second.writer.state;
    await second.begin(session === closedSession ? 11 : 10);
    if (session !== closedSession) {
      await second.session(11);
      await second.decide(11);
    }
    // then
    expect(second.orders()).toEqual(orders);
    await second.close();
  });

  test('buys what the crossover has wanted since before it, and not what was closed by hand', async () => {
    // given
    const rising = new FakeMarket({ days: 50, warmUp: 40, bar: risingBar });
    const first = await open(crossover, rising);
    await first.begin(39);
    await first.start();
    await play(first, 40);
    await first.session(41);
    await first.fill();
    await first.decide(41);
    expect(first.orders()).toEqual([expect.stringMatching(`^${dayOf(40)} buy AAA`)]);
    await first.closeByHand('AAA');
    await first.close();
    // when
    const second = await open(crossover, rising);
    await second.begin(41);
    await play(second, 42, 43);
    // then
    expect(second.orders().slice(1)).toEqual([
      expect.stringMatching(`^${dayOf(41)} sell AAA`),
      expect.stringMatching(`^${dayOf(42)} buy BBB`),
    ]);
    await second.close();
  });

  test('does not trade because it is new: what was closed by hand stays closed', async () => {
    const first = await begun();
    await play(first, 10, 11);
    await first.closeByHand('AAA');
    await play(first, 12);
    const orders = first.orders();
    expect(orders).toHaveLength(2);
    await first.close();

    const second = await open();
    await second.begin(12);
    await play(second, 13, 14);
    expect(second.orders()).toEqual(orders);
    await second.close();
  });

  test('goes on where the last one was as soon as somebody can say what that has known', async () => {
    const first = await begun();
    await play(first, 10, 11);
    await first.close();

    const known = expected;
    expected = {};
    const second = await open();
    await second.begin(11);
    await play(second, 12);
    // First for some of the sessions, then for all.
    expected = { [dayOf(6)]: [UP, DOWN] };
    await play(second, 13);
    expect(second.orders()).toHaveLength(1);
    asked = [];
    expected = { ...known, [dayOf(14)]: [DOWN, DOWN] };
    await play(second, 14);
    expect(asked).toEqual([7, 8, 9, 10, 14].map(dayOf));
    expect(second.orders().slice(1)).toEqual([expect.stringMatching(`^${dayOf(14)} sell AAA`)]);
    await second.close();
  });

  test('takes up what is there where trading was stopped before it could go on', async () => {
    const first = await begun();
    await play(first, 10, 11);
    await first.closeByHand('AAA');
    await first.close();

    const known = expected;
    expected = {};
    const second = await open();
    await second.begin(11);
    await second.stop();
    await play(second, 12);
    expected = known;
    await second.start();
    asked = [];
    await play(second, 13);
    expect(asked).toEqual([dayOf(13)]);
    expect(second.orders().at(-1)).toMatch(`${dayOf(13)} buy AAA`);
    await second.close();
  });
});
