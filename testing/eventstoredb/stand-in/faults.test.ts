import { once } from 'node:events';
import {
  END,
  EventStoreDBClient,
  StreamNotFoundError,
  streamNameFilter,
  UnavailableError,
  type ErrorType,
} from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collect, newStream, take, testEvents, useStandIn } from './client.suite.ts';
import type { Fault } from './faults.ts';

const bench = useStandIn();
let client: EventStoreDBClient;
beforeEach(async () => {
  client = EventStoreDBClient.connectionString(bench.standIn.url);
  // The first append opens the batch stream; without it the second of two appends could be sent first.
  await client.appendToStream(newStream(), testEvents(1));
});
afterEach(async () => {
  bench.standIn.faults.clear();
  await client.dispose();
});

const CREDENTIALS = { credentials: { username: 'admin', password: 'changeit' } };
const METHODS = [
  ['batchAppend', {}],
  ['append', CREDENTIALS],
] as const;

/** A cut affects all connections, and a client only notices it by a failed call. */
async function connected<T>(call: () => Promise<T>, tries = 5): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (tries === 1 || !(error instanceof UnavailableError)) throw error;
    return connected(call, tries - 1);
  }
}

/** Read by another client, which has no fault. */
function countOf(stream: string): Promise<number> {
  return connected(async () => {
    try {
      return (await collect(bench.client.readStream(stream))).length;
    } catch (error) {
      if (error instanceof StreamNotFoundError) return 0;
      throw error;
    }
  });
}

/** Resolves when a stream has this many readable events. */
const written = (stream: string, count: number): Promise<unknown> =>
  connected(() => take(bench.client.subscribeToStream(stream), count));

describe.each(METHODS)('%s', (method, options) => {
  const append = (stream: string) => client.appendToStream(stream, testEvents(1), options);

  it.each(['before', 'after'] as const)(
    'hangs %s writing: no answer; the next one is answered',
    async (when) => {
      const [stream, next] = [newStream(), newStream()];
      bench.standIn.faults.inject(method, { kind: 'hang', when });
      let answered = false;
      const hanging = append(stream).finally(() => (answered = true));
      await append(next);
      if (when === 'after') await written(stream, 1);
      expect(answered).toBe(false);
      expect(await countOf(stream)).toBe(when === 'after' ? 1 : 0);
      bench.standIn.faults.now('cutConnections');
      await expect(hanging).rejects.toMatchObject({ type: 'unavailable' });
      expect(await countOf(stream)).toBe(when === 'after' ? 1 : 0);
    },
  );

  it.each([
    ['before', 100],
    // Long enough for another client to see the write.
    ['after', 500],
  ] as const)('answers late, waiting %s writing', async (when, ms) => {
    const stream = newStream();
    bench.standIn.faults.inject(method, { kind: 'delay', ms, when });
    const begun = performance.now();
    let answered = false;
    const appending = append(stream).finally(() => (answered = true));
    if (when === 'after') await written(stream, 1);
    expect(answered).toBe(false);
    await appending;
    expect(performance.now() - begun).toBeGreaterThan(ms - 5);
    expect(await countOf(stream)).toBe(1);
  });

  it.each(['before', 'after'] as const)(
    'cuts the connection %s writing; the client connects again',
    async (when) => {
      const stream = newStream();
      bench.standIn.faults.inject(method, { kind: 'cut', when });
      await expect(append(stream)).rejects.toMatchObject({ type: 'unavailable' });
      expect(await countOf(stream)).toBe(when === 'after' ? 1 : 0);
      expect((await connected(() => append(newStream()))).success).toBe(true);
    },
  );

  it.each<[Fault, string]>([
    // Within a batch the client has no class for this error.
    [{ kind: 'unavailable' }, method === 'append' ? 'unavailable' : 'unknown'],
    [{ kind: 'accessDenied' }, 'access-denied'],
    [{ kind: 'wrongExpectedVersion' }, 'wrong-expected-version'],
  ])('refuses %j, nothing written; as often as it is told', async (fault, type) => {
    const stream = newStream();
    bench.standIn.faults.inject(method, fault, 2);
    await expect(append(stream)).rejects.toMatchObject({ type: type as ErrorType });
    await expect(append(stream)).rejects.toMatchObject({ type: type as ErrorType });
    expect(await countOf(stream)).toBe(0);
    expect((await append(stream)).nextExpectedRevision).toBe(0n);
  });

  it('is not the leader: names who is, and the client goes there', async () => {
    const leader = { host: '127.0.0.1', port: bench.standIn.port };
    bench.standIn.faults.inject(method, { kind: 'notLeader', ...leader });
    await expect(append(newStream())).rejects.toMatchObject({
      type: 'not-leader',
      leader: { address: leader.host, port: leader.port },
    });
    expect((await connected(() => append(newStream()))).success).toBe(true);
  });
});

describe('batchAppend', () => {
  it('closes the batch stream cleanly: the client hears of neither this append nor any later one', async () => {
    // It is not disposed of, because that would wait for the half-closed stream without an end.
    const client = bench.connect({ disposable: false });
    const [first, second] = [newStream(), newStream()];
    await client.appendToStream(newStream(), testEvents(1));
    bench.standIn.faults.inject('batchAppend', { kind: 'end', when: 'after' });
    const answered: string[] = [];
    void client.appendToStream(first, testEvents(1)).then(
      () => answered.push(first),
      () => answered.push(first),
    );
    await written(first, 1);
    void client.appendToStream(second, testEvents(1)).then(
      () => answered.push(second),
      () => answered.push(second),
    );
    await client.appendToStream(newStream(), testEvents(1), CREDENTIALS);
    expect(answered).toEqual([]);
    // Another client still works.
    expect((await bench.client.appendToStream(newStream(), testEvents(1))).success).toBe(true);
  });
});

describe('reads', () => {
  it('cut in the middle', async () => {
    const stream = newStream();
    await client.appendToStream(stream, testEvents(50));
    bench.standIn.faults.inject('read', { kind: 'cut', afterEvents: 20 });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const event of client.readStream(stream)) seen.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ type: 'unavailable' });
    expect(seen.length).toBeLessThanOrEqual(20);
    expect(await connected(() => collect(client.readStream(stream)))).toHaveLength(50);
  });

  it('end early, or hang', async () => {
    const stream = newStream();
    await client.appendToStream(stream, testEvents(5));
    bench.standIn.faults.inject('read', { kind: 'end', afterEvents: 2 });
    expect(await collect(client.readStream(stream))).toHaveLength(2);
    bench.standIn.faults.inject('read', { kind: 'hang', afterEvents: 2 });
    const hanging = client.readStream(stream);
    expect(await take(hanging, 2)).toHaveLength(2);
    let ended = false;
    bench.standIn.faults.inject('read', { kind: 'hang' });
    const silent = collect(client.readStream(stream)).finally(() => (ended = true));
    expect(await collect(client.readStream(stream))).toHaveLength(5);
    expect(ended).toBe(false);
    bench.standIn.faults.now('cutConnections');
    await expect(silent).rejects.toMatchObject({ type: 'unavailable' });
  });

  it('refused', async () => {
    bench.standIn.faults.inject('read', { kind: 'accessDenied' });
    await expect(collect(client.readAll())).rejects.toMatchObject({ type: 'access-denied' });
    bench.standIn.faults.inject('serverFeatures', { kind: 'unavailable' });
    await expect(bench.connect().appendToStream('x', testEvents(1))).rejects.toThrow('Server Is Not Ready');
  });
});

async function subscribed() {
  const stream = newStream();
  const filter = streamNameFilter({ prefixes: [stream] });
  const subscription = client.subscribeToAll({ fromPosition: END, filter });
  const seen: unknown[] = [];
  subscription.on('data', (event) => seen.push(event));
  await once(subscription, 'caughtUp');
  return { stream, subscription, seen };
}

describe('subscriptions', () => {
  it('end cleanly on demand', async () => {
    const { subscription } = await subscribed();
    bench.standIn.faults.now('endSubscriptions');
    await once(subscription, 'end');
  });

  it('stop sending on demand, connection open', async () => {
    const { stream, subscription, seen } = await subscribed();
    bench.standIn.faults.now('stallSubscriptions');
    await client.appendToStream(stream, testEvents(1));
    await written(stream, 1);
    expect(seen).toEqual([]);
    await subscription.unsubscribe();
  });

  it('are cut with the connection', async () => {
    const { subscription } = await subscribed();
    const failed = once(subscription, 'error');
    bench.standIn.faults.now('cutConnections');
    expect((await failed)[0]).toMatchObject({ type: 'unavailable' });
  });

  it('end or are refused as the next one is told', async () => {
    const stream = newStream();
    await client.appendToStream(stream, testEvents(4));
    bench.standIn.faults.inject('subscribe', { kind: 'end', afterEvents: 3 });
    expect(await collect(client.subscribeToStream(stream))).toHaveLength(3);
    bench.standIn.faults.inject('subscribe', { kind: 'unavailable' });
    await expect(collect(client.subscribeToStream(stream))).rejects.toMatchObject({ type: 'unavailable' });
  });
});
