import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBelegError } from '../../errors.ts';
import { collect, newEvent, newEvents } from '../contract.suite.ts';
import {
  NO_STREAM,
  type AppendResult,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
} from '../store.ts';
import { verifyRecord } from '../../proof/verify.ts';
import { HASTY, useServer } from '../../../testing/eventstoredb/server.suite.ts';
import type { Fault } from '../../../testing/eventstoredb/stand-in/faults.ts';

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE' };
const LATE = HASTY.timeoutMs * 1.5;

const ids = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);

/** Repeats the same events, as callers do after an append with an unknown outcome. */
async function persist(
  store: EventStore,
  stream: string,
  at: bigint,
  events: NewEvent[],
): Promise<AppendResult> {
  for (;;) {
    try {
      return await store.append(stream, at, events);
    } catch (error) {
      if (!isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
    }
  }
}

/** The first `count` events of a subscription. */
async function take(store: EventStore, count: number): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const item of store.subscribe()) {
    if (item.kind === 'event' && events.push(item.event) === count) break;
  }
  return events;
}

describe('EventStoreDB and its faults', () => {
  const bench = useServer();

  const writeFaults: Fault[] = [
    { kind: 'hang', when: 'before' },
    { kind: 'hang', when: 'after' },
    { kind: 'delay', ms: LATE, when: 'before' },
    { kind: 'delay', ms: LATE, when: 'after' },
    { kind: 'cut', when: 'before' },
    { kind: 'cut', when: 'after' },
    { kind: 'end', when: 'before' },
    { kind: 'end', when: 'after' },
    { kind: 'unavailable' },
  ];
  it.each(writeFaults)('writes once through %o, and goes on', async (fault) => {
    const { store, server } = bench;
    await store.append('ask-1', NO_STREAM, newEvents(1));
    server.faults.inject('batchAppend', fault, 2);
    const events = newEvents(2);
    const one = await store.append('ask-1', 0n, events);
    const two = await store.append('ask-1', 2n, newEvents(1));
    expect([one.revision, two.revision]).toEqual([2n, 3n]);
    expect(await store.append('ask-1', 0n, events)).toEqual(one);
    expect(await verifyRecord(store)).toMatchObject({ streams: 1, events: 4, findings: [] });
  });

  const BREAKS: Fault[] = [
    { kind: 'cut', when: 'after' },
    { kind: 'end', when: 'before' },
    { kind: 'hang', when: 'before' },
  ];
  it.each(BREAKS)(
    'repeats all that were in flight where the call broke by %o, each written once',
    async (fault) => {
      const { store, server } = bench;
      const others: Fault = { kind: 'delay', ms: 30, when: 'after' };
      server.faults.inject('batchAppend', others, 40);
      server.faults.inject('batchAppend', fault);
      server.faults.inject('batchAppend', others, 23);
      const batches = Array.from({ length: 64 }, () => newEvents(2));
      const written = await Promise.all(
        batches.map((events, n) => store.append(`ask-${n}`, NO_STREAM, events)),
      );
      expect(new Set(written.map(({ revision }) => revision))).toEqual(new Set([1n]));
      const places = new Map<string, string>();
      for await (const { id, position } of store.readAll()) places.set(id, position);
      expect(written.map(({ position }) => position)).toEqual(
        batches.map((events) => places.get(events[1]!.id)),
      );
      expect(await verifyRecord(store)).toMatchObject({ streams: 64, events: 128, findings: [] });
    },
  );

  it('settles every append before it has closed, also those that nobody answers', async () => {
    const store = await bench.open({ giveUpMs: 400 });
    await store.append('ask-0', NO_STREAM, newEvents(1));
    bench.server.faults.inject('batchAppend', { kind: 'hang' }, 99);
    let settled = 0;
    const appends = Array.from({ length: 20 }, (_, n) =>
      store.append(`ask-${n % 10}`, NO_STREAM, newEvents(1)).catch(() => void settled++),
    );
    await store.close();
    expect(settled).toBe(20);
    await Promise.all(appends);
  });

  it.each([10, 20, 30, 50])(
    'writes all or nothing where an append breaks off after %i ms',
    async (timeoutMs) => {
      const store = await bench.open({ timeoutMs, giveUpMs: timeoutMs });
      const events = newEvents(600);
      await store.append('ask-1', NO_STREAM, events).catch(() => undefined);
      const there = await collect(bench.store.readStream('ask-1'));
      expect([0, 600]).toContain(there.length);
      await persist(bench.store, 'ask-1', NO_STREAM, events);
      expect(ids(await collect(bench.store.readStream('ask-1')))).toEqual(ids(events));
    },
  );

  it('goes to the leader that a node names, and back when that one is gone', async () => {
    const leader = await bench.start();
    const fault: Fault = { kind: 'notLeader', host: '127.0.0.1', port: leader.port };
    bench.server.faults.inject('batchAppend', fault);
    await bench.store.append('ask-1', NO_STREAM, newEvents(1));
    const there = await bench.open({ url: leader.url });
    expect(await collect(there.readStream('ask-1'))).toHaveLength(1);
    await leader.close();
    await bench.store.append('ask-2', NO_STREAM, newEvents(1));
    expect(await collect((await bench.open()).readAll())).toMatchObject([{ stream: 'ask-2' }]);
    // Closed twice is closed.
    leader.close = async () => undefined;
  });

  it.each(['before', 'after'] as const)(
    'gives up in time where every answer hangs %s the write',
    async (when) => {
      const store = await bench.open({ giveUpMs: 600 });
      bench.server.faults.inject('batchAppend', { kind: 'hang', when }, 100);
      const events = newEvents(1);
      const calls = Promise.allSettled([
        store.append('ask-1', NO_STREAM, events),
        store.append('ask-1', NO_STREAM, events),
        store.append('ask-2', NO_STREAM, newEvents(1)),
        store.ping(),
      ]);
      // The second one waited for the first one's turn: not twice as long. Timers of one process are late together.
      const outcomes = await Promise.race([calls, sleep(1200, [])]);
      expect(outcomes).toHaveLength(4);
      expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(3);
      for (const outcome of [outcomes[0], ...outcomes.slice(2)]) {
        expect(outcome).toMatchObject({ reason: UNAVAILABLE });
      }
      bench.server.faults.clear();
      const patient = bench.store;
      const again = await patient.append('ask-1', NO_STREAM, events);
      expect(again).toMatchObject({ revision: 0n });
      expect(await patient.append('ask-1', 0n, newEvents(1))).toMatchObject({ revision: 1n });
      await patient.ping();
      expect(await verifyRecord(patient)).toMatchObject({ findings: [] });
    },
  );

  it('fails fast where nobody listens, and works at once when somebody does again', async () => {
    const { store } = bench;
    const events = newEvents(1);
    await store.append('ask-1', NO_STREAM, events);
    await bench.stop();
    const begin = performance.now();
    for (const use of [
      () => store.append('ask-1', 0n, newEvents(1)),
      () => collect(store.readAll()),
      () => collect(store.readStream('ask-1')),
      () => store.ping(),
    ]) {
      await expect(use()).rejects.toMatchObject({ ...UNAVAILABLE, detail: 'nothing answers at its address' });
    }
    // All four together took less time than a single one may take.
    expect(performance.now() - begin).toBeLessThan(HASTY.giveUpMs);
    await bench.restart();
    await store.ping();
    expect(await store.append('ask-1', NO_STREAM, events)).toMatchObject({ revision: 0n });
    expect(await store.append('ask-1', 0n, newEvents(1))).toMatchObject({ revision: 1n });
  });

  it('tells refusals apart, and tries none of them again', async () => {
    const { store, server } = bench;
    server.faults.inject('batchAppend', { kind: 'accessDenied' });
    const denied = store.append('ask-1', NO_STREAM, newEvents(1));
    await expect(denied).rejects.toMatchObject({ ...UNAVAILABLE, cause: new Error('access-denied') });
    server.faults.inject('batchAppend', { kind: 'wrongExpectedVersion' });
    const conflict = store.append('ask-1', NO_STREAM, newEvents(1));
    await expect(conflict).rejects.toMatchObject({ code: 'WRONG_EXPECTED_REVISION' });
    await store.append('ask-1', NO_STREAM, newEvents(1));
    const client = EventStoreDBClient.connectionString(server.url);
    await client.tombstoneStream('ask-1');
    await client.dispose();
    const corrupt = { code: 'STREAM_CORRUPT' };
    await expect(store.append('ask-1', 0n, newEvents(1))).rejects.toMatchObject(corrupt);
    await expect(collect(store.readStream('ask-1'))).rejects.toMatchObject(corrupt);
    expect(ids(await collect(store.readAll()))).toHaveLength(1);
  });

  const readFaults: Fault[] = [
    { kind: 'hang', afterEvents: 5 },
    { kind: 'cut', afterEvents: 5 },
    { kind: 'unavailable' },
    { kind: 'delay', ms: LATE },
  ];
  it.each(readFaults)('reads on where a read met %o', async (fault) => {
    const { store, server } = bench;
    const events = newEvents(40);
    await store.append('ask-1', NO_STREAM, events);
    server.faults.inject('read', fault, 2);
    expect(ids(await collect(store.readStream('ask-1')))).toEqual(ids(events));
    server.faults.inject('read', fault, 2);
    expect(ids(await collect(store.readStream('ask-1', { direction: 'backwards' })))).toEqual(
      ids(events.toReversed()),
    );
    server.faults.inject('read', fault, 3);
    expect(ids(await collect(store.readAll()))).toEqual(ids(events));
  });

  it('notices that a read of $all ended too early', async () => {
    const events = newEvents(40);
    await bench.store.append('ask-1', NO_STREAM, events);
    bench.server.faults.inject('read', { kind: 'hang', afterEvents: 99 });
    bench.server.faults.inject('read', { kind: 'end', afterEvents: 12 });
    expect(ids(await collect(bench.store.readAll()))).toEqual(ids(events));
  });

  const subscribeFaults: Fault[] = [
    { kind: 'hang' },
    { kind: 'hang', afterEvents: 7 },
    { kind: 'cut', afterEvents: 7 },
    { kind: 'end', afterEvents: 7 },
    { kind: 'unavailable' },
    { kind: 'delay', ms: LATE },
  ];
  it.each(subscribeFaults)('resumes a subscription that met %o', async (fault) => {
    const { store, server } = bench;
    const events = newEvents(20);
    server.faults.inject('subscribe', fault, 2);
    const taking = take(store, 20);
    await store.append('ask-1', NO_STREAM, events.slice(0, 10));
    await store.append('ask-2', NO_STREAM, events.slice(10));
    expect(ids(await taking)).toEqual(ids(events));
  });

  it.each(['cutConnections', 'endSubscriptions', 'stallSubscriptions'] as const)(
    'delivers live again after %s, once and in order',
    async (action) => {
      const { store, server } = bench;
      const events = newEvents(30);
      const seen: string[] = [];
      let caughtUp = 0;
      for await (const item of store.subscribe()) {
        if (item.kind === 'event') seen.push(item.event.id);
        if (item.kind === 'caughtUp' && ++caughtUp <= 3) {
          server.faults.now(action);
          const at = BigInt(10 * (caughtUp - 1)) - 1n;
          await store.append('ask-1', at, events.slice(Number(at + 1n), Number(at + 11n)));
        }
        if (seen.length === 30) break;
      }
      expect(seen).toEqual(ids(events));
    },
  );

  it('keeps appends and a subscription going over restarts of the server', async () => {
    const { store } = bench;
    const batches = Array.from({ length: 30 }, () => newEvents(2));
    const taking = take(store, 60);
    let written = 0;
    const restarts = [8, 16, 24];
    for (const batch of batches) {
      if (restarts.includes(++written)) {
        const stopped = bench.stop();
        const writing = persist(store, 'ask-1', BigInt(2 * written) - 3n, batch);
        await stopped;
        await bench.restart();
        await writing;
      } else await persist(store, 'ask-1', BigInt(2 * written) - 3n, batch);
    }
    const wanted = ids(batches.flat());
    expect(ids(await taking)).toEqual(wanted);
    expect(ids(await collect(store.readStream('ask-1')))).toEqual(wanted);
    expect(await verifyRecord(store)).toMatchObject({ streams: 1, events: 60, findings: [] });
  });

  it('loses nothing, doubles nothing and keeps every chain whole under any faults', async () => {
    const when = fc.constantFrom('before' as const, 'after' as const);
    const fault: fc.Arbitrary<Fault> = fc.oneof(
      fc.record({ kind: fc.constant('hang' as const), when }),
      fc.record({ kind: fc.constant('delay' as const), ms: fc.constantFrom(5, LATE), when }),
      fc.record({ kind: fc.constant('cut' as const), when }),
      fc.record({ kind: fc.constant('unavailable' as const) }),
    );
    const method = fc.constantFrom('append' as const, 'read' as const, 'subscribe' as const);
    const plan = fc.array(fc.record({ method, fault }), { minLength: 4, maxLength: 10 });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(plan, async (faults) => {
        const { server } = bench;
        const store = await bench.open({ timeoutMs: 100, giveUpMs: 300 });
        const type = `Round${round}`;
        const prefix = `round-${round++}-`;
        for (const { method, fault } of faults) server.faults.inject(method, fault);
        const written = new Map<string, string[]>();
        const write = async (name: string): Promise<void> => {
          const acknowledged: string[] = [];
          written.set(name, acknowledged);
          for (let n = 0; n < 6; n++) {
            const events = [newEvent(n, type), newEvent(n, type)];
            const { revision } = await persist(store, name, BigInt(acknowledged.length) - 1n, events);
            acknowledged.push(...ids(events));
            expect(revision).toBe(BigInt(acknowledged.length) - 1n);
          }
        };
        const subscription = store.subscribe({ types: [type] });
        const taking = (async () => {
          const taken: RecordedEvent[] = [];
          for await (const item of subscription) {
            if (item.kind === 'event' && taken.push(item.event) === 36) break;
          }
          return taken;
        })();
        await Promise.all(['a', 'b', 'c'].map((name) => write(prefix + name)));
        const taken = await taking;
        server.faults.clear();
        // The following has no time limit, because the machine may be busy.
        const patient = await bench.open({ timeoutMs: 30_000, giveUpMs: 60_000 });
        for (const [name, wanted] of written) {
          expect(ids(await collect(patient.readStream(name)))).toEqual(wanted);
          expect(ids(taken.filter(({ stream }) => stream === name))).toEqual(wanted);
        }
        expect(await verifyRecord(patient)).toMatchObject({ events: 36 * round, findings: [] });
        await patient.close();
        await store.close();
      }),
      { numRuns: 5, seed: 3 },
    );
  });
});
