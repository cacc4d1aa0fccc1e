import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parsePrice, parseQuantity } from '../../events/decimal.ts';
import { openAccount, type AccountWriter } from './account/account.ts';
import { POLICY } from '../../actors/trading/account.suite.ts';
import { ACCOUNT, caller, noSnapshots, order } from './account/account.suite.ts';
import { ActorHost } from '../foundation/actor-host.ts';
import { pino } from 'pino';
import { deliveryTo, type Delivery } from './delivery.ts';
import { FakeBroker } from './fake-broker.suite.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { CODEC } from './paper-broker/paper-broker.suite.ts';
import { takeReports, type ReportIntake } from './take-reports.ts';
import { PATIENT } from '../../events/patient.suite.ts';

let store: MemoryStore;
let broker: FakeBroker;
let writer: AccountWriter;
let delivery: Delivery;
let reports: ReportIntake;
let faults: unknown[];

beforeEach(async () => {
  store = new MemoryStore();
  broker = new FakeBroker();
  faults = [];
  await begin();
  await writer.submit({ type: 'open', account: ACCOUNT, currency: 'USD', cash: 10n ** 24n }, caller('open'));
  await writer.submit({ type: 'start' }, caller('start'));
});

afterEach(end);

const actors = new ActorHost({ logger: pino({ enabled: false }) });
const onFault = (error: unknown): void => void faults.push(error);

async function begin(): Promise<void> {
  writer = await openAccount({
    store,
    codec: CODEC,
    account: ACCOUNT,
    snapshots: noSnapshots,
    policy: POLICY,
    now: () => new Date(),
    onLost: onFault,
  });
  delivery = deliveryTo({ account: ACCOUNT, broker, writer, actors, onFault });
  reports = takeReports({ broker, writer, cursor: writer.state.cursor });
  delivery.start();
}

async function end(): Promise<void> {
  await delivery.stop();
  await writer.close();
  await reports.rest();
}

const submit = (id: string) => writer.submit({ type: 'submit', order: order(id) }, caller(id));
const cancel = (id: string) => writer.submit({ type: 'cancel', order_id: id }, caller(`cancel-${id}`));
const statusOf = (id: string) => writer.state.orders.get(id)?.status;
const idle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
};

describe('delivery', () => {
  test('nothing goes out before it is released', async () => {
    await submit('a');
    await idle();
    expect(broker.asked).toEqual([]);
    delivery.release();
    await delivery.flush();
    expect(broker.asked).toEqual(['submit a']);
    expect([...broker.has.keys()]).toEqual(['a']);
  });

  test('once it is stopped nobody waits for what is not delivered', async () => {
    await submit('a');
    await delivery.stop();
    const stopped = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as Error;
    await expect(delivery.flush()).rejects.toEqual(stopped);
    await expect(delivery.hold()).rejects.toEqual(stopped);
  });

  test('a broker that says nothing but has the order is asked, not told again', async () => {
    delivery.release();
    broker.takings.push('mute');
    await submit('a');
    await delivery.flush();
    expect(broker.asked).toEqual(['submit a', 'find a']);
    expect(statusOf('a')).toBe('unknown');
  });

  test('a broker that confirms never to have had it gets the same id again', async () => {
    delivery.release();
    broker.takings.push('lost', 'lost');
    await submit('a');
    await delivery.flush();
    expect(broker.asked).toEqual(['submit a', 'find a', 'submit a', 'find a', 'submit a']);
    expect(broker.has.size).toBe(1);
  });

  test('a broker that is away is asked until it is there', async () => {
    delivery.release();
    broker.away = true;
    await submit('a');
    await vi.waitFor(() => expect(broker.asked).toContain('find a'), PATIENT);
    expect(statusOf('a')).toBe('unknown');
    broker.away = false;
    await delivery.flush();
    expect([...broker.has.keys()]).toEqual(['a']);
    expect(faults).toEqual([]);
  });

  test('after a restart each order that was not confirmed is asked about first', async () => {
    await submit('a');
    await submit('b');
    await end();
    broker.has.set('a', order('a'));
    await begin();
    delivery.release();
    await delivery.flush();
    expect(broker.asked).toEqual(['find a', 'find b', 'submit b']);
  });

  test('an accepted order is not asked about, and a cancellation is told again', async () => {
    delivery.release();
    await submit('a');
    await delivery.flush();
    broker.say({ type: 'accepted', order_id: 'a' });
    await reports.drain();
    await delivery.hold();
    await cancel('a');
    await end();
    await begin();
    delivery.release();
    await delivery.flush();
    expect(broker.asked.filter((what) => !what.startsWith('reports'))).toEqual([
      'submit a',
      'find a',
      'cancel a',
    ]);
    expect([...broker.cancelled]).toEqual(['a']);
  });

  test('a change that was granted before the broker could be asked about the order holds nobody up', async () => {
    await submit('a');
    await writer.submit(
      {
        type: 'amend',
        order_id: 'a',
        quantity: parseQuantity('4'),
        price: null,
        stop_price: null,
        last_price: null,
      },
      caller('amend'),
    );
    const { amending } = writer.state.orders.get('a')!;
    await end();
    broker.has.set('a', order('a'));
    await begin();
    broker.say({ type: 'amended', order_id: 'a', reason: 'requested', amendment: 1, ...amending! });
    await reports.drain();
    delivery.release();
    await delivery.flush();
    expect(broker.asked).not.toContain('amend a 1');
  });

  test('an order that is cancelled before it went out never does', async () => {
    await submit('a');
    await cancel('a');
    await end();
    await begin();
    delivery.release();
    await delivery.flush();
    expect(broker.asked).toEqual(['find a', 'cancel a']);
    expect(statusOf('a')).toBe('pending_cancel');
    broker.say({ type: 'cancelled', order_id: 'a', reason: 'requested' });
    await reports.drain();
    expect(statusOf('a')).toBe('cancelled');
    expect(broker.has.size).toBe(0);
    expect(delivery.orders).toBe(0);
  });

  test('while it is held, what was recorded before goes on and what comes waits', async () => {
    delivery.release();
    broker.takings.push('lost');
    await submit('before');
    const held = delivery.hold();
    await submit('after');
    await held;
    await cancel('before');
    await idle();
    expect(broker.asked).toEqual(['submit before', 'find before', 'submit before']);
    delivery.release();
    await delivery.flush();
    expect(broker.asked.slice(3).toSorted()).toEqual(['cancel before', 'submit after']);
  });

  test('who waits for it hears when it stops', async () => {
    delivery.release();
    broker.away = true;
    await submit('a');
    const waiting = Promise.allSettled([delivery.hold(), delivery.flush()]);
    await delivery.stop();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const { length } = broker.asked;
    await idle();
    expect(broker.asked).toHaveLength(length);
  });

  test('an order that is done is let go', async () => {
    delivery.release();
    await submit('a');
    await delivery.flush();
    expect(delivery.orders).toBe(1);
    broker.say({ type: 'accepted', order_id: 'a' }, { type: 'expired', order_id: 'a' });
    await reports.drain();
    expect(statusOf('a')).toBe('expired');
    expect(delivery.orders).toBe(0);
  });
});

const trade = (tradeId: string, quantity: string) => ({
  type: 'trade' as const,
  order_id: 'a',
  trade_id: tradeId,
  quantity: parseQuantity(quantity),
  price: parsePrice('100'),
  fee: 0n,
  session: '2024-01-02',
});

describe('reports', () => {
  beforeEach(async () => {
    delivery.release();
    await submit('a');
    await delivery.flush();
  });

  test('are recorded in their order when the broker has some', async () => {
    reports.listen(onFault);
    broker.say({ type: 'accepted', order_id: 'a' }, trade('t1', '4'), trade('t2', '6'));
    await vi.waitFor(() => expect(statusOf('a')).toBe('filled'), PATIENT);
    expect(writer.state.positions.get('AAA')?.quantity).toBe(parseQuantity('10'));
    expect(writer.state.cursor).toBe('0003');
  });

  test('a trade that is told twice is booked once', async () => {
    broker.say(trade('t1', '4'), trade('t1', '4'), trade('t2', '6'), trade('t1', '4'));
    await reports.drain();
    expect(writer.state.positions.get('AAA')?.quantity).toBe(parseQuantity('10'));
    expect(writer.state.discrepancies).toEqual([]);
  });

  test('after a restart they go on where the record ends', async () => {
    broker.say({ type: 'accepted', order_id: 'a' }, trade('t1', '4'), trade('t2', '1'));
    await reports.drain();
    await end();
    await begin();
    broker.asked.length = 0;
    broker.say(trade('t3', '5'));
    await reports.drain();
    expect(broker.asked).toEqual(['reports 0003', 'reports 0004']);
    expect(statusOf('a')).toBe('filled');
  });

  test('a fill that comes after the cancellation is booked', async () => {
    await cancel('a');
    broker.say(trade('t1', '4'), { type: 'cancelled', order_id: 'a', reason: 'requested' }, trade('t2', '2'));
    await reports.drain();
    expect(writer.state.positions.get('AAA')?.quantity).toBe(parseQuantity('6'));
  });

  test('what the account has no room for is a discrepancy, and trading halts', async () => {
    broker.say(trade('t1', '11'));
    await reports.drain();
    expect(writer.state.discrepancies).toMatchObject([{ kind: 'overfill' }]);
    expect(writer.state.engine).toBe('halted');
  });

  test('what they could not be taken for is told', async () => {
    broker.away = true;
    const unlisten = reports.listen(onFault);
    await vi.waitFor(() => expect(faults).toMatchObject([{ code: 'BROKER_UNAVAILABLE' }]), PATIENT);
    await expect(reports.drain()).rejects.toMatchObject({ code: 'BROKER_UNAVAILABLE' });
    unlisten();
    broker.away = false;
    broker.say({ type: 'accepted', order_id: 'a' });
    await reports.rest();
    expect(statusOf('a')).toBe('submitted');
  });

  test('whoever drains while a pull runs gets what was said since', async () => {
    broker.say({ type: 'accepted', order_id: 'a' });
    const first = reports.drain();
    broker.onAsked = () => {
      broker.onAsked = () => undefined;
      broker.say(trade('t1', '10'));
    };
    const second = reports.drain();
    await Promise.all([first, second]);
    expect(statusOf('a')).toBe('filled');
  });
});
