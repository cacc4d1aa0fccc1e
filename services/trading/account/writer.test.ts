import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AccountEvent } from '../../../events/catalog/catalog.ts';
import { accountStream, TradingStopped } from '../../../events/catalog/trading.ts';
import { parsePrice, parseQuantity } from '../../../events/decimal.ts';
import { stateHash } from '../../../actors/trading/snapshot.ts';
import { ACCOUNT, AccountRecord, caller, order } from './account.suite.ts';
import type { AccountWriter } from './account.ts';
import { PATIENT } from '../../../events/patient.suite.ts';
import { ScriptedStore } from '../../foundation/streams/scripted-store.suite.ts';

/** A caller that waits no longer than this still sees its append begin, on a busy machine too. */
const SOON_MS = 200;

let record: AccountRecord;
let store: ScriptedStore;
let writer: AccountWriter;
let heard: AccountEvent[];
/** The types of events that were reported together. */
let together: string[][];

beforeEach(async () => {
  record = new AccountRecord();
  store = new ScriptedStore(record.store, accountStream(ACCOUNT));
  writer = await record.writer('1000000', store);
  heard = [];
  together = [];
  writer.follow((events) => {
    heard.push(...events);
    together.push(events.map(({ type }) => type));
  });
});

afterEach(async () => {
  await writer.close();
});

const submit = (id: string, changes = {}, timeMs?: number) =>
  writer.submit({ type: 'submit', order: order(id, changes) }, caller(`call-${id}`, timeMs));

const orders = (events: readonly AccountEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'OrderSubmitted' ? [event.data.order_id] : []));

/** The state in memory is the fold of what is on record. */
async function expectRecorded(): Promise<void> {
  const { state, revision } = await record.load();
  expect(stateHash(writer.state)).toBe(stateHash(state));
  expect(writer.revision).toBe(revision);
}

describe('writing', () => {
  test('what comes together goes into one append, and everybody hears of its own', async () => {
    const sizes: number[] = [];
    store.onAppend = (events) => sizes.push(events.length);
    const outcomes = await Promise.all([submit('a'), submit('b'), submit('c')]);
    expect(sizes).toEqual([3]);
    expect(outcomes.map(orders)).toEqual([['a'], ['b'], ['c']]);
    expect(orders(heard)).toEqual(['a', 'b', 'c']);
    await expectRecorded();
  });

  test('a command that is refused fails alone', async () => {
    const [a, tooDear, b] = await Promise.allSettled([
      submit('a'),
      submit('x', { quantity: parseQuantity('1000000') }),
      submit('b'),
    ]);
    expect(a.status).toBe('fulfilled');
    expect(tooDear).toMatchObject({ status: 'rejected', reason: { code: 'INSUFFICIENT_FUNDS' } });
    expect(b.status).toBe('fulfilled');
    expect(orders(heard)).toEqual(['a', 'b']);
  });

  test('each command meets what the ones before it left', async () => {
    const half = { quantity: parseQuantity('6000') };
    const [first, second] = await Promise.allSettled([submit('a', half), submit('b', half)]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { code: 'INSUFFICIENT_FUNDS' } });
  });

  test('the same call again changes nothing', async () => {
    await submit('a');
    expect(await submit('a')).toEqual([]);
    expect(await record.types()).toEqual(['AccountOpened', 'TradingStarted', 'OrderSubmitted']);
  });

  test('a decision is on record wholly or not at all, however much goes together', async () => {
    const sizes: number[] = [];
    store.onAppend = ({ length }) => sizes.push(length);
    const name = 'n'.repeat(5_000);
    await Promise.all(
      Array.from({ length: 256 }, (_, i) =>
        submit(`${i}`, { client_timestamp: name, client_order_id: `${i}` }),
      ),
    );
    expect(sizes.length).toBeGreaterThan(1);
    await expectRecorded();
  });

  test('a decision larger than an append is cut, and stays in its order', async () => {
    const price = parsePrice('1');
    for (let k = 0; k < 14; k++) {
      await Promise.all(
        Array.from({ length: 256 }, (_, i) =>
          submit(`${k}-${i}`, { type: 'limit', price, quantity: parseQuantity('1') }),
        ),
      );
    }
    const sizes: number[] = [];
    store.onAppend = ({ length }) => sizes.push(length);
    store.fates.push('written', 'refused');
    const events = await writer.submit({ type: 'stop' }, caller('s'.repeat(100)));
    // First the whole append, which is too large; then a half, the same again, and the rest.
    expect(sizes).toHaveLength(4);
    expect(events).toHaveLength(1 + 14 * 256);
    await expectRecorded();
  });

  test('beyond what may wait there is no queue', async () => {
    const first = Promise.all(
      Array.from({ length: 10_000 }, (_, i) => submit(`${i}`, { quantity: 0n }).catch(() => undefined)),
    );
    await expect(submit('x')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
    await first;
    await submit('y');
  });

  test('what it says of its state is on record', async () => {
    const submitting = submit('a');
    await new Promise((resolve) => (store.onAppend = resolve));
    expect(writer.state.orders.size).toBe(1);
    const seen = await writer.read((state) => [state.orders.size, writer.revision]);
    expect(seen).toEqual([1, 2n]);
    await submitting;
    expect(await writer.read((state) => state.orders.size)).toBe(1);
  });
});

describe('an append of unknown outcome', () => {
  test('that landed is answered as if nothing had been', async () => {
    store.fates.push('muted');
    expect(orders(await submit('a'))).toEqual(['a']);
    expect(orders(heard)).toEqual(['a']);
    await expectRecorded();
  });

  test('that did not land is repeated', async () => {
    store.fates.push('refused', 'refused');
    const outcomes = await Promise.all([submit('a'), submit('b')]);
    expect(outcomes.map(orders)).toEqual([['a'], ['b']]);
    expect(orders(heard)).toEqual(['a', 'b']);
    await expectRecorded();
  });

  test('that lands after the next attempt has begun is recognised as ours', async () => {
    store.fates.push('late');
    store.onAppend = () => {
      // The second attempt: the first one lands just before it.
      store.onAppend = () => void store.late[0]!();
    };
    const outcomes = await Promise.all([submit('a'), submit('b')]);
    expect(outcomes.map(orders)).toEqual([['a'], ['b']]);
    expect(record.lost).toEqual([]);
    await expectRecorded();
  });

  test('that lands after its caller was told is withdrawn before anybody hears of it', async () => {
    store.fates.push('late');
    const told = submit('a', {}, SOON_MS);
    // While nothing can be read, nobody knows.
    store.onAppend = () => (store.mode = 'down');
    await expect(told).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    store.onAppend = () => undefined;
    store.mode = 'up';
    await store.late[0]!();
    const later = submit('b');
    expect(orders(await later)).toEqual(['b']);
    expect(await record.types()).toEqual([
      'AccountOpened',
      'TradingStarted',
      'OrderSubmitted',
      'OrderWithdrawn',
      'OrderSubmitted',
    ]);
    expect([...writer.state.orders.keys()]).toEqual(['b']);
    expect(together[0]?.slice(0, 2)).toEqual(['OrderSubmitted', 'OrderWithdrawn']);
    await expectRecorded();
  });

  test('a caller is told by its deadline; its order, found on record, is withdrawn', async () => {
    store.fates.push('cut');
    const told = submit('a', {}, SOON_MS);
    const other = submit('b');
    await expect(told).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfter: 1 });
    expect(heard).toEqual([]);
    store.mode = 'up';
    expect(orders(await other)).toEqual(['b']);
    await vi.waitFor(
      () =>
        expect(heard.map(({ type }) => type)).toEqual(['OrderSubmitted', 'OrderSubmitted', 'OrderWithdrawn']),
      PATIENT,
    );
    expect([...writer.state.orders.keys()]).toEqual(['b']);
    await expectRecorded();
  });

  test('whoever asks for the same order in that append is not told of one that is taken back', async () => {
    const same = { client_order_id: 'mine' };
    store.fates.push('cut');
    const told = submit('a', same, SOON_MS);
    const again = submit('b', same);
    const seen = writer.read(({ clientOrders }) => clientOrders.get('mine')?.order_id);
    await expect(told).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    store.mode = 'up';
    expect(orders(await again)).toEqual(['b']);
    expect(await seen).toBe('b');
    expect((await record.types()).slice(2)).toEqual(['OrderSubmitted', 'OrderWithdrawn', 'OrderSubmitted']);
    await expectRecorded();
  });

  test('the same call again, once what it had asked for is taken back, is told so', async () => {
    store.fates.push('cut');
    await expect(submit('a', {}, SOON_MS)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const again = submit('a');
    store.mode = 'up';
    await expect(again).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(submit('a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(writer.state.orders.size).toBe(0);
    await expectRecorded();
  });

  test('a start whose caller was told otherwise is taken back', async () => {
    await writer.submit({ type: 'stop' }, caller('stop'));
    store.fates.push('late');
    store.onAppend = () => (store.mode = 'down');
    await expect(writer.submit({ type: 'start' }, caller('again', SOON_MS))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    store.onAppend = () => undefined;
    store.mode = 'up';
    await store.late[0]!();
    await expect(submit('a')).rejects.toMatchObject({ code: 'TRADING_INACTIVE' });
    expect((await record.types()).slice(-2)).toEqual(['TradingStarted', 'TradingStopped']);
  });

  test('what has to be recorded waits for as long as the store is away', async () => {
    store.mode = 'down';
    const recording = writer.submit({ type: 'stop' }, caller('stop'));
    await expect(submit('a', {}, SOON_MS)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    store.mode = 'up';
    expect((await recording).map(({ type }) => type)).toEqual(['TradingStopped']);
    expect(await record.types()).not.toContain('OrderSubmitted');
  });

  test('a writer that closes tries once more to find out, and no longer', async () => {
    store.fates.push('muted');
    const landed = submit('a');
    await writer.close();
    expect(orders(await landed)).toEqual(['a']);
    writer = await record.writer('1000000', store);
    store.fates.push('refused', 'refused', 'refused');
    const refused = submit('b');
    const closing = writer.close();
    await expect(refused).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await closing;
    expect(store.fates).toHaveLength(1);
  });

  test('a writer that closes meanwhile does not wait', async () => {
    store.mode = 'down';
    const recording = writer.submit({ type: 'stop' }, caller('stop'));
    const closing = writer.close();
    await expect(recording).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await closing;
    store.mode = 'up';
    await expect(submit('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(record.lost).toEqual([]);
  });
});

/** Another holder's event at this position. */
async function stopsBehind(revision: bigint): Promise<void> {
  const stopped = TradingStopped.create(
    {},
    {
      stream: accountStream(ACCOUNT),
      at: new Date().toISOString(),
      correlationId: 'x',
      causationId: 'x',
      key: 'x',
    },
  );
  await record.store.append(accountStream(ACCOUNT), revision, [await record.codec.encode(stopped)]);
}

describe('another holder', () => {
  test('whose events stand in the way of a withdrawal ends the writer, and nobody is left to hear of it', async () => {
    store.fates.push('cut');
    await expect(submit('a', {}, SOON_MS)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await stopsBehind((await record.load()).revision);
    const unheard: unknown[] = [];
    const onUnheard = (error: unknown): void => void unheard.push(error);
    process.on('unhandledRejection', onUnheard);
    store.mode = 'up';
    await vi.waitFor(() => expect(record.lost).toHaveLength(1), PATIENT);
    process.off('unhandledRejection', onUnheard);
    expect(unheard).toEqual([]);
  });

  test('whose events stand in the way ends the writer; nothing of it is written', async () => {
    await stopsBehind(writer.revision);
    await expect(submit('a')).rejects.toMatchObject({ code: 'WRONG_EXPECTED_REVISION' });
    expect(record.lost).toHaveLength(1);
    expect(heard).toEqual([]);
    await expect(submit('b')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await record.types()).not.toContain('OrderSubmitted');
  });
});
