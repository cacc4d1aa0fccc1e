import { afterEach, beforeEach, expect, test } from 'vitest';
import { parsePrice, parseQuantity } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { opening, POLICY } from '../../actors/trading/account.suite.ts';
import { ACCOUNT, caller, noSnapshots, order } from './account/account.suite.ts';
import { openAccount, type AccountWriter } from './account/account.ts';
import { ActorHost } from '../foundation/actor-host.ts';
import { pino } from 'pino';
import { deliveryTo, type Delivery } from './delivery.ts';
import { FakeBroker } from './fake-broker.suite.ts';
import { dayOf, FakeMarket } from './market.suite.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { CODEC } from './paper-broker/paper-broker.suite.ts';
import { Prices } from './prices.ts';
import { finishSession, reconcile } from './reconcile.ts';
import { takeReports, type ReportIntake } from './take-reports.ts';

let broker: FakeBroker;
let writer: AccountWriter;
let delivery: Delivery;
let reports: ReportIntake;
const market = new FakeMarket({ days: 3, warmUp: 0, splits: { 1: { AAA: '2/1' } } });

const actors = new ActorHost({ logger: pino({ enabled: false }) });

const noise = (): void => undefined;

beforeEach(async () => {
  broker = new FakeBroker();
  writer = await openAccount({
    store: new MemoryStore(),
    codec: CODEC,
    account: ACCOUNT,
    snapshots: noSnapshots,
    policy: POLICY,
    now: () => new Date(),
    onLost: noise,
  });
  delivery = deliveryTo({ account: ACCOUNT, broker, writer, actors, onFault: noise });
  reports = takeReports({ broker, writer, cursor: null });
  await writer.submit({ type: 'open', account: ACCOUNT, currency: 'USD', cash: 10n ** 22n }, caller('open'));
  await writer.submit({ type: 'start' }, caller('start'));
});

afterEach(async () => {
  await delivery.stop();
  await writer.close();
});

const submit = (id: string, changes = {}) =>
  writer.submit({ type: 'submit', order: order(id, changes) }, caller(id));

const sessions = async (after: string | null, limit: number) => ({
  sessions: market.sessions(after, limit).sessions,
  warmUp: null,
});

async function run(): Promise<void> {
  const steps = { writer, broker, delivery, reports, prices: new Prices(), policy: POLICY };
  delivery.start();
  await finishSession({ sessions }, steps);
  await reconcile(steps);
}

test('reports come first, then orders that are not confirmed, then positions', async () => {
  await submit('a');
  broker.say({ type: 'accepted', order_id: 'a' });
  await submit('b');
  await run();
  expect(broker.asked).toEqual([
    'reports null',
    'reports 0001',
    'find a',
    'find b',
    'submit a',
    'submit b',
    'reports 0001',
    'positions',
    'reports 0001',
  ]);
});

test('a session that the broker has not met goes before the orders that were not delivered', async () => {
  await submit('a', { type: 'limit', price: parsePrice('80'), time_in_force: 'gtc' });
  await writer.submit(opening(dayOf(1), { splits: { AAA: '2/1' } }), caller('session'));
  broker.session = dayOf(0);
  await run();
  expect(broker.asked.filter((what) => /^(advance|find|submit)/.test(what))).toEqual([
    `advance ${dayOf(1)}`,
    'find a',
    'submit a',
  ]);
  // The quantity is in shares after the split.
  expect(broker.has.get('a')).toMatchObject({ quantity: parseQuantity('20'), price: parsePrice('40') });
});

const has = (...listed: SessionData[]) => ({
  sessions: async (from: string | null) => ({
    sessions: listed.filter(({ date }) => from === null || date > from),
    warmUp: null,
  }),
});

test('a session that the market has not got to yet is waited for, and one that it goes on without is empty', async () => {
  await submit('a', { time_in_force: 'gtc' });
  await writer.submit(opening(dayOf(1)), caller('session'));
  broker.session = dayOf(0);
  const [before, , after] = [0, 1, 2].map((n) => market.session(n));
  const steps = { writer, broker, delivery, reports, prices: new Prices(), policy: POLICY };
  delivery.start();
  for (const behind of [has(), has(before!)]) {
    const waiting = finishSession(behind, steps);
    await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  }
  expect(broker.asked).toEqual([]);
  await finishSession(has(before!, after!), steps);
  await reconcile(steps);
  expect(broker.met).toEqual([dayOf(1)]);
  expect(writer.state.discrepancies).toEqual([]);
});

test('a session that is closed is over, whatever the broker says', async () => {
  const session = dayOf(1);
  await writer.submit(opening(session), caller('open-session'));
  await writer.submit({ type: 'close-session', session, closes: new Map() }, caller('close-session'));
  await submit('a');
  await run();
  expect(broker.met).toEqual([]);
  expect([...broker.has.keys()]).toEqual(['a']);
});

test('positions that differ are a discrepancy, and halt trading; when they agree again it is settled', async () => {
  broker.held = new Map([['AAA', parseQuantity('3')]]);
  await run();
  expect(writer.state.discrepancies).toMatchObject([
    { kind: 'position', ticker: 'AAA', detail: '0 here, 3 at the broker' },
  ]);
  expect(writer.state.engine).toBe('halted');
  broker.held = new Map();
  await run();
  expect(writer.state.discrepancies).toEqual([]);
  expect(writer.state.engine).toBe('halted');
});

test('a broker that is away leaves it unfinished, and it can be run again', async () => {
  await submit('a');
  broker.away = true;
  await expect(run()).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
  expect(broker.has.size).toBe(0);
  broker.away = false;
  const steps = { writer, broker, delivery, reports, prices: new Prices(), policy: POLICY };
  await reconcile(steps);
  expect([...broker.has.keys()]).toEqual(['a']);
});
