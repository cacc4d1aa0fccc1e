import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import type { AllStreamSubscription } from '@eventstore/db-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collect, newEvent, newEvents } from '../contract.suite.ts';
import { NO_STREAM, type NewEvent, type Position } from '../store.ts';
import { verifyRecord } from '../../proof/verify.ts';
import { parseAddress } from './address.ts';
import { serverFilter } from './filter.ts';
import { fromPosition, toPosition } from './positions.ts';
import { useServer } from '../../../testing/eventstoredb/server.suite.ts';

/** Appends of many events take a busy machine longer than the others may take, and it is quiet in between. */
const AT_LEISURE = { timeoutMs: 20_000, quietMs: 20_000 };

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE' };

afterEach(() => {
  vi.restoreAllMocks();
});

describe('EventStoreDB connection string', () => {
  it('gives one node, a list of seeds, or a name to discover, with its credentials', () => {
    expect(parseAddress('esdb://node:2114?tls=false')).toMatchObject({
      server: { endpoint: { address: 'node', port: 2114 } },
      channel: { insecure: true },
      credentials: undefined,
    });
    expect(parseAddress('esdb://user:p%40ss:w@one,two:2115')).toMatchObject({
      server: { endpoints: [{ address: 'one' }, { address: 'two', port: 2115 }] },
      credentials: { username: 'user', password: 'p@ss:w' },
    });
    expect(parseAddress('esdb+discover://cluster?nodePreference=leader')).toMatchObject({
      server: { discover: { address: 'cluster', port: 2113 }, nodePreference: 'leader' },
    });
  });

  it('is TLS unless it says otherwise', () => {
    expect(parseAddress('esdb://node').channel).toEqual({});
    expect(parseAddress('esdb://node?tls=true').channel).toEqual({});
  });

  it.each([
    'esdb://user:geheim@node?throwOnAppendFailure=false',
    'esdb://user:geheim@node?tlsVerifyCert=false',
    'esdb://user:geheim@node?defaultDeadline=100',
    'esdb://user:geheim@node?keepAliveInterval=10',
    'esdb://user:geheim@node?keepAliveTimeout=10',
    'esdb://user:geheim@node?geheim=1',
    'esdb://user:geheim@node?tls=geheim',
    'esdb://user:geheim@node:geheim',
    'esdb://user:geheim@',
    'esdb://user:geheim%@node',
    'esdb://:geheim@node',
    'esdb://user:geh@geheim@node',
    'esdb://user:geheim@node?tlsCAFile=/nowhere',
    'esdb://user:geheim@node?userKeyFile=/nowhere',
    'tcp://user:geheim@node',
    'kurrentdb://user:geheim@node',
    'user:geheim@node',
  ])('is refused, and kept secret: %s', (url) => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let refusal: unknown;
    try {
      parseAddress(url);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(TypeError);
    expect(inspect(refusal, { depth: 9 })).not.toContain('geheim@');
    expect((refusal as Error).message).not.toContain('geheim');
    expect(warnings).not.toHaveBeenCalled();
  });
});

const at = (commit: bigint, prepare: bigint): Position => toPosition({ commit, prepare });

describe('EventStoreDB positions', () => {
  it('keep commit and prepare, and their order as text', () => {
    const places = [at(0n, 0n), at(9n, 9n), at(10n, 2n), at(10n, 10n), at(2n ** 63n, 5n)];
    expect(places.toSorted()).toEqual(places);
    for (const place of places) expect(toPosition(fromPosition(place))).toBe(place);
    expect(fromPosition(at(12n, 7n))).toEqual({ commit: 12n, prepare: 7n });
  });

  it.each(['0000000000000001' as Position, at(7n, 8n)])('of another store are refused: %s', (place) => {
    expect(() => fromPosition(place)).toThrow(expect.objectContaining({ code: 'POSITION_UNKNOWN' }));
  });
});

describe('EventStoreDB client', () => {
  const bench = useServer();

  it('never waits for what hangs in another append, nor asks for features', async () => {
    bench.server.faults.inject('serverFeatures', { kind: 'hang' }, 100);
    const patient = await bench.open({ timeoutMs: 20_000, giveUpMs: 20_000 });
    bench.server.faults.inject('batchAppend', { kind: 'hang', when: 'after' });
    let answered = false;
    const slow = patient.append('ask-slow', NO_STREAM, newEvents(1)).finally(() => (answered = true));
    await expect.poll(() => collect(patient.readStream('ask-slow'))).toHaveLength(1);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => patient.append(`ask-${n}`, NO_STREAM, newEvents(2))),
    );
    expect(answered).toBe(false);
    bench.server.faults.now('cutConnections');
    expect(await slow).toMatchObject({ revision: 0n });
  });

  it('of one store leaves the pending appends of another alone when its connection breaks', async () => {
    const other = await bench.start();
    const store = await bench.open({ url: other.url, timeoutMs: 5000 });
    other.faults.inject('batchAppend', { kind: 'delay', ms: 200, when: 'after' }, 20);
    const pending = Array.from({ length: 20 }, (_, n) => store.append(`ask-${n}`, NO_STREAM, newEvents(1)));
    // Three megabytes at once take a busy machine longer than the others may take.
    const cut = await bench.open({ timeoutMs: 1000, giveUpMs: 20_000 });
    const broken = Array.from({ length: 60 }, (_, n) =>
      cut.append(`big-${n}`, NO_STREAM, [newEvent({ text: 'x'.repeat(50_000) })]),
    );
    bench.server.faults.inject('batchAppend', { kind: 'cut' }, 3);
    await Promise.all([...pending, ...broken]);
    // An answer that nobody waits for, or a write into what broke, would be an unhandled error of the process.
    expect(await verifyRecord(store)).toMatchObject({ events: 20, findings: [] });
    expect(await verifyRecord(cut)).toMatchObject({ events: 60, findings: [] });
  });

  it('does not hang with a cluster whose gossip hangs', async () => {
    bench.server.faults.inject('gossip', { kind: 'hang' }, 100);
    const url = bench.server.url.replace('esdb:', 'esdb+discover:');
    const store = await bench.open({ url, giveUpMs: 400 });
    await expect(store.append('ask-1', NO_STREAM, newEvents(1))).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(collect(store.readAll())).rejects.toMatchObject(UNAVAILABLE);
    bench.server.faults.clear();
    await expect.poll(() => store.ping().then(() => 'pong')).toBe('pong');
  });

  it('survives that a cluster goes away while it is looked for, and finds it again', async () => {
    const url = bench.server.url.replace('esdb:', 'esdb+discover:');
    const store = await bench.open({ url: `${url}&maxDiscoverAttempts=1`, timeoutMs: 600, giveUpMs: 600 });
    await store.append('ask-0', NO_STREAM, newEvents(1));
    const { faults } = bench.server;
    faults.inject('batchAppend', { kind: 'hang' }, 5);
    faults.inject('batchAppend', { kind: 'unavailable' });
    faults.inject('gossip', { kind: 'hang' }, 9);
    const take = vi.spyOn(faults, 'take');
    const calls = Array.from({ length: 6 }, (_, n) => store.append(`ask-${n + 1}`, NO_STREAM, newEvents(1)));
    const settled = Promise.allSettled(calls);
    // All are used up: five calls hang, and the sixth has begun to look for another node.
    await expect.poll(() => take.mock.calls.flat()).toContain('gossip');
    await bench.stop();
    for (const outcome of await settled) expect(outcome).toMatchObject({ status: 'rejected' });
    await bench.restart();
    await expect.poll(() => store.ping().then(() => 'pong')).toBe('pong');
  });

  it('does not stay with a connection that has gone dead, though the subscription on it looks well', async () => {
    const sockets: Socket[] = [];
    const proxy = createServer((socket) => {
      const upstream = connect(bench.server.port, '127.0.0.1');
      sockets.push(socket, upstream);
      for (const end of [socket, upstream]) end.on('error', () => undefined);
      socket.pipe(upstream).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as { port: number };
    const url = `esdb://127.0.0.1:${port}?tls=false`;
    const store = await bench.open({ url });
    // It keeps the socket open that both share.
    const idle = await bench.open({ url });
    await idle.ping();
    const seen: string[] = [];
    for await (const item of store.subscribe()) {
      if (item.kind === 'event') seen.push(item.event.stream);
      if (seen.length === 2) break;
      if (item.kind !== 'caughtUp' || seen.length > 0) continue;
      await store.append('ask-1', NO_STREAM, newEvents(1));
      for (const socket of sockets) socket.unpipe().pause();
      await store.append('ask-2', NO_STREAM, newEvents(1));
    }
    expect(seen).toEqual(['ask-1', 'ask-2']);
    await Promise.all([store.close(), idle.close()]);
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });

  it('does not hang with a listener that never says a word', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    const store = await bench.open({ url: `esdb://127.0.0.1:${port}?tls=false`, giveUpMs: 400 });
    await expect(store.append('ask-1', NO_STREAM, newEvents(1))).rejects.toMatchObject(UNAVAILABLE);
    await expect(collect(store.readStream('ask-1'))).rejects.toMatchObject(UNAVAILABLE);
    const subscription = store.subscribe();
    const reading = collect(subscription);
    await subscription.close();
    expect(await reading).toEqual([]);
    await store.close();
    mute.close();
  });

  it('says why it cannot speak TLS with a server that has none', async () => {
    const url = bench.server.url.replace('?tls=false', '').replace('esdb://', 'esdb://user:geheim@');
    const store = await bench.open({ url });
    const error: unknown = await store.ping().catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ ...UNAVAILABLE, detail: expect.stringContaining('tls=false') });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('geheim');
  });

  it('keeps its credentials to itself when it is refused', async () => {
    const url = bench.server.url.replace('esdb://', 'esdb://user:geheim@');
    const store = await bench.open({ url });
    bench.server.faults.inject('batchAppend', { kind: 'accessDenied' });
    bench.server.faults.inject('read', { kind: 'accessDenied' }, 9);
    for (const use of [() => store.ping(), () => collect(store.readAll())]) {
      const error: unknown = await use().catch((refusal: unknown) => refusal);
      expect(error).toMatchObject(UNAVAILABLE);
      expect(inspect([error, store], { depth: 9, showHidden: true })).not.toMatch(/geheim|Z2VoZWlt/);
    }
  });

  it('leaves a throw at a checkpoint to the subscription', async () => {
    const source = new PassThrough();
    const failed = once(source, 'error');
    const filter = serverFilter(undefined, () => {
      throw new Error('no checkpoint');
    });
    await filter.checkpointReached!(source as unknown as AllStreamSubscription, { commit: 1n, prepare: 1n });
    expect(await failed).toEqual([new Error('no checkpoint')]);
  });

  it('gives a consumer that fails at a checkpoint its own error back', async () => {
    const store = await bench.open(AT_LEISURE);
    await store.append('noise', NO_STREAM, newEvents(600));
    const reading = (async () => {
      for await (const item of store.subscribe({ types: ['Wanted'] })) {
        if (item.kind === 'checkpoint') throw new Error('consumer');
      }
    })();
    await expect(reading).rejects.toThrow('consumer');
  });

  it('passes checkpoints on in their place', async () => {
    const store = await bench.open(AT_LEISURE);
    await store.append('ask-1', NO_STREAM, newEvents(700, 'Wanted'));
    await store.append('noise', NO_STREAM, newEvents(700));
    const places: Position[] = [];
    const streams = new Set<string>();
    for await (const item of store.subscribe({ types: ['Wanted'] })) {
      if (item.kind === 'caughtUp') break;
      if (item.kind === 'event') streams.add(item.event.stream);
      places.push(item.kind === 'event' ? item.event.position : item.position);
    }
    expect(places.toSorted()).toEqual(places);
    expect([...streams]).toEqual(['ask-1']);
    expect(places.length).toBeGreaterThanOrEqual(702);
    const [last] = await collect(store.readStream('ask-1', { direction: 'backwards', limit: 1 }));
    expect(places.at(-1)! > last!.position).toBe(true);
  });

  it('knows a repeated append by its exact revision, also when the server has forgotten its recent ids', async () => {
    const { store } = bench;
    const [first, later] = [newEvents(2), newEvents(2)];
    const one = await store.append('ask-1', NO_STREAM, first);
    bench.server.faults.inject('batchAppend', { kind: 'hang', when: 'after' });
    const patient = await bench.open({ timeoutMs: 3000 });
    // If the server is away too long, the caller must repeat the call; the same holds for that.
    const appending = Promise.allSettled([patient.append('ask-1', 1n, later)]);
    await expect.poll(async () => (await collect(store.readStream('ask-1'))).length).toBe(4);
    await bench.stop();
    await bench.restart();
    await appending;
    expect(await store.append('ask-1', NO_STREAM, first)).toEqual(one);
    expect(await store.append('ask-1', 1n, later)).toMatchObject({ revision: 3n });
    expect(await collect(store.readAll())).toHaveLength(4);
  });

  it('never builds a chain on what another process has overtaken', async () => {
    const other = await bench.open();
    await bench.store.append('ask-1', NO_STREAM, newEvents(1));
    await other.append('ask-1', 0n, newEvents(2));
    await expect(bench.store.append('ask-1', 0n, newEvents(1))).rejects.toMatchObject({
      code: 'WRONG_EXPECTED_REVISION',
    });
    await bench.store.append('ask-1', 2n, newEvents(1));
    await other.append('ask-1', 3n, newEvents(1));
    expect(await verifyRecord(other)).toMatchObject({ streams: 1, events: 5, findings: [] });
  });

  it('reads back from a checkpoint, which has no prepare position, without a gap', async () => {
    const events = newEvents(3);
    await bench.store.append('ask-1', NO_STREAM, events);
    const [, , last] = await collect(bench.store.readStream('ask-1'));
    const after = at(fromPosition(last!.position).commit, 0n);
    const before = await collect(bench.store.readAll({ direction: 'backwards', after, limit: 1 }));
    expect(before).toMatchObject([{ id: events[1]!.id }]);
  });

  it('refuses what another process has decided at another moment, whose ids are the same', async () => {
    const other = await bench.open();
    await bench.store.append('ask-1', NO_STREAM, newEvents(1));
    await collect(other.readStream('ask-1'));
    const [step] = newEvents(1) as [NewEvent];
    await bench.store.append('ask-1', 0n, [step]);
    const late = { ...step, metadata: { ...step.metadata, at: '2022-03-01T08:00:01Z' } };
    const conflict = { code: 'WRONG_EXPECTED_REVISION' };
    await expect(other.append('ask-1', 0n, [late])).rejects.toMatchObject(conflict);
    expect(await other.append('ask-1', 0n, [step])).toMatchObject({ revision: 1n });
    await other.append('ask-1', 1n, newEvents(1));
    expect(await verifyRecord(other)).toMatchObject({ streams: 1, events: 3, findings: [] });
  });

  it('builds no chain on what it knew of a record that was put back to an older one', async () => {
    const subscription = bench.store.subscribe();
    const reading = collect(subscription);
    await bench.store.append('ask-1', NO_STREAM, newEvents(1));
    await bench.stop();
    await bench.restart('older.db');
    const other = await bench.open();
    await other.append('ask-1', NO_STREAM, newEvents(1));
    await bench.store.append('ask-1', 0n, newEvents(1));
    expect(await verifyRecord(other)).toMatchObject({ streams: 1, events: 2, findings: [] });
    await subscription.close();
    await reading;
  });

  it('needs no read to begin a stream, nor between consecutive appends', async () => {
    const store = await bench.open({ timeoutMs: 20_000 });
    bench.server.faults.inject('read', { kind: 'accessDenied' }, 9);
    await store.append('ask-1', NO_STREAM, newEvents(2));
    for (let n = 1n; n < 9n; n += 2n) await store.append('ask-1', n, newEvents(2));
    bench.server.faults.clear();
    expect(await verifyRecord(store)).toMatchObject({ streams: 1, events: 10, findings: [] });
  });

  it('writes nothing with a ping', async () => {
    await bench.store.ping();
    await bench.store.ping();
    expect(await collect(bench.store.readAll())).toEqual([]);
    bench.server.faults.inject('batchAppend', { kind: 'accessDenied' });
    await expect(bench.store.ping()).rejects.toMatchObject(UNAVAILABLE);
  });
});
