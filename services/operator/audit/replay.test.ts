import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { connect, type Msg, type NatsConnection } from 'nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { createDecoder } from '../../../events/define.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../../testing/nats/server.suite.ts';
import { MemoryStore } from '../../../events/store/memory-store.suite.ts';
import type { Selection } from '../../../events/store/selection.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import { NO_KEYS } from '../../../events/vault/vault.ts';
import { runReplay, type ReplayOptions, assertReplaySubject, openSubjectSink } from './replay.ts';
import { createLineSink, type Sink } from './replay/sink.ts';
import type { ShownEvent } from './shown-event.ts';

const codec = createDecoder(CATALOG, NO_KEYS);
const START = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number): string => new Date(START + ms).toISOString();

interface Happening {
  readonly stream: string;
  readonly type: string;
  /** Milliseconds after the start. */
  readonly ms: number;
}

async function recordOf(happenings: readonly Happening[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  const revisions = new Map<string, bigint>();
  for (const { stream, type, ms } of happenings) {
    const revision = revisions.get(stream) ?? -1n;
    const metadata = { at: at(ms), version: 1, $correlationId: 'r', $causationId: 'c' };
    await store.append(stream, revision, [{ id: randomUUID(), type, data: { ms }, metadata }]);
    revisions.set(stream, revision + 1n);
  }
  return store;
}

/** A clock whose time passes only during sleeps. */
function fakeClock() {
  let time = 0;
  const slept: number[] = [];
  return {
    slept,
    clock: {
      now: () => time,
      sleep: async (ms: number) => {
        slept.push(ms);
        time += ms;
      },
    },
  };
}

const FAST: ReplayOptions = { speed: 1, asFast: true };

async function run(store: MemoryStore, options: ReplayOptions, sink: Sink, { clock } = fakeClock()) {
  return runReplay({ store, codec }, options, sink, { clock, onSent: () => undefined });
}

async function linesOf(
  store: MemoryStore,
  options: ReplayOptions,
): Promise<(ShownEvent & { replay: true })[]> {
  let written = '';
  await run(
    store,
    options,
    createLineSink(async (text) => {
      written += text;
    }),
  );
  return written
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ShownEvent & { replay: true });
}

describe('A replay', () => {
  const HAPPENINGS = fc.array(
    fc.record({
      stream: fc.constantFrom('ask-1', 'ask-10', 'account-main', 'comments'),
      type: fc.constantFrom('A', 'B', 'C'),
      ms: fc.integer({ min: 0, max: 20 }),
    }),
    { maxLength: 40 },
  );
  const SELECTION = fc.record(
    {
      stream: fc.constantFrom('ask-1', 'comments', 'none'),
      category: fc.constantFrom('ask-', 'account-'),
      type: fc.subarray(['A', 'B'], { minLength: 1 }),
      from: fc.integer({ min: -1, max: 21 }).map(at),
      to: fc.integer({ min: -1, max: 21 }).map(at),
    },
    { requiredKeys: [] },
  );

  it('holds all that is selected, each once, in the order of the record, marked as a replay', async () => {
    await fc.assert(
      fc.asyncProperty(HAPPENINGS, SELECTION, async (happenings, selection: Selection) => {
        const expected = happenings.filter(
          ({ stream, type, ms }) =>
            (selection.stream ?? stream) === stream &&
            stream.startsWith(selection.category ?? '') &&
            (selection.type ?? [type]).includes(type) &&
            at(ms) >= (selection.from ?? '') &&
            at(ms) < (selection.to ?? '9'),
        );
        const lines = await linesOf(await recordOf(happenings), { ...FAST, ...selection });
        expect(
          lines.map(({ stream, type, data }) => ({ stream, type, ...(data as { ms: number }) })),
        ).toEqual(expected);
        expect(lines.map(({ position }) => position)).toEqual(lines.map(({ position }) => position).sort());
        expect(lines.every(({ replay }) => replay)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('waits as long as it took then, divided by the speed, and never for what is on record late', async () => {
    const store = await recordOf([0, 1_000, 1_000, 400, 3_000].map((ms) => ({ stream: 's', type: 'A', ms })));
    const slow = fakeClock();
    await run(
      store,
      { speed: 1 },
      createLineSink(async () => undefined),
      slow,
    );
    expect(slow.slept).toEqual([1_000, 2_000]);
    const quick = fakeClock();
    await run(
      store,
      { speed: 10 },
      createLineSink(async () => undefined),
      quick,
    );
    expect(quick.slept).toEqual([100, 200]);
    const atOnce = fakeClock();
    await run(
      store,
      FAST,
      createLineSink(async () => undefined),
      atOnce,
    );
    expect(atOnce.slept).toEqual([]);
  });

  it('makes up for the time that sending takes', async () => {
    const store = await recordOf([0, 1_000, 2_000].map((ms) => ({ stream: 's', type: 'A', ms })));
    const { slept, clock } = fakeClock();
    const took = [300, 5_000, 0];
    const sink: Sink = { send: () => clock.sleep(took.shift()!), flush: async () => undefined };
    await run(store, { speed: 1 }, sink, { slept, clock });
    expect(slept).toEqual([300, 700, 5_000, 0]);
  });

  it('lets out what it has before it waits', async () => {
    const store = await recordOf([0, 1_000].map((ms) => ({ stream: 's', type: 'A', ms })));
    const written: number[] = [];
    const { clock } = fakeClock();
    const sink = createLineSink(async (text) => {
      written.push(text.length);
    });
    const writtenBeforeSleep: number[] = [];
    const sleep = async () => {
      writtenBeforeSleep.push(written.length);
    };
    await run(store, { speed: 1 }, sink, { slept: [], clock: { ...clock, sleep } });
    expect(writtenBeforeSleep).toEqual([1]);
    expect(written).toHaveLength(2);
  });

  it('reads on only when there is room for what it has read', async () => {
    const store = await recordOf(
      Array.from({ length: 2_000 }, (_, n) => ({ stream: `s-${n}`, type: 'A', ms: n })),
    );
    const room = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let sent = 0;
    const replaying = runReplay(
      { store, codec },
      FAST,
      createLineSink(() => {
        reached.resolve();
        return room.promise;
      }),
      { clock: fakeClock().clock, onSent: () => sent++ },
    );
    await reached.promise;
    expect(sent).toBeLessThan(400);
    room.resolve();
    expect(await replaying).toBe(2_000);
  });
});

describe('A subject to replay to', () => {
  it.each(['replay.x', 'beleg.v1.replay.march', 'beleg.v2.x', 'beleg.v1x.y'])('may be %s', (subject) => {
    expect(() => assertReplaySubject(subject)).not.toThrow();
  });

  it.each([
    ['beleg.v1.evt.knowledge.answer-given.x', 'would look like live events'],
    ['beleg.v1.cmd.audit.erase', 'would look like live events'],
    ['beleg.v1.replay', 'would look like live events'],
    ['beleg.v1.replay.', 'is not a subject'],
    ['a.>', 'is not a subject'],
    ['a.*.b', 'is not a subject'],
    ['a b', 'is not a subject'],
    ['a\u0000b', 'is not a subject'],
    ['', 'is not a subject'],
    ['$JS.API.STREAM.DELETE.X', 'is reserved for NATS'],
    ['_INBOX.x', 'is reserved for NATS'],
  ])('may not be %j', (subject, fault) => {
    expect(() => assertReplaySubject(subject)).toThrow(fault);
  });
});

describe.skipIf(!hasNatsServer)('A replay to a subject', () => {
  const USERS = ['gateway', 'knowledge', 'audit', 'market', 'trading', 'models', 'operator'];
  let server: NatsServer;
  let subscriber: NatsConnection;
  const operator = () => ({ servers: [server.url], user: 'operator', password: 'operator' });

  beforeAll(async () => {
    const conf = join(import.meta.dirname, '..', '..', '..', 'nats.conf');
    const passwords = USERS.map((user) => [`NATS_${user.toUpperCase()}_PASSWORD`, user]);
    server = await startNatsServer(['-c', conf, '-m', '-1'], Object.fromEntries(passwords));
    subscriber = await connect({
      servers: server.url,
      user: 'operator',
      pass: 'operator',
      inboxPrefix: '_INBOX_operator',
    });
  });
  afterAll(async () => {
    await subscriber.close();
    await server.remove();
  });

  it('publishes what the relay would, marked, in order, and all of it', async () => {
    const count = 700;
    const store = await recordOf(
      Array.from({ length: count }, (_, n) => ({ stream: `s-${n % 7}`, type: 'A', ms: n })),
    );
    const received: Msg[] = [];
    const all = Promise.withResolvers<void>();
    const subscription = subscriber.subscribe('beleg.v1.replay.march', {
      callback: (_, message) => {
        received.push(message);
        if (received.length === count) all.resolve();
      },
    });
    await subscriber.flush();
    const sink = await openSubjectSink(operator(), 'beleg.v1.replay.march');
    expect(await run(store, FAST, sink)).toBe(count);
    await sink[Symbol.asyncDispose]();
    await all.promise;
    subscription.unsubscribe();
    const events: RecordedEvent[] = [];
    for await (const event of store.readAll()) events.push(event);
    expect(received.map((message) => message.json<{ id: string }>().id)).toEqual(events.map(({ id }) => id));
    const [first] = received;
    expect(first!.headers?.get('Beleg-Replay')).toBe('true');
    expect(first!.headers?.get('beleg-position')).toBe(events[0]!.position);
    expect(first!.headers?.get('event-type')).toBe('A');
    expect(first!.headers?.get('Nats-Msg-Id')).toBe('');
  });

  it('says that it may not publish there', async () => {
    const store = await recordOf([{ stream: 's', type: 'A', ms: 0 }]);
    const sink = await openSubjectSink(operator(), 'elsewhere.x');
    await expect(run(store, FAST, sink)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: 'NATS does not allow this user to publish to elsewhere.x',
    });
    await sink[Symbol.asyncDispose]();
  });

  it('says that events may be missing where the connection breaks', async () => {
    const store = await recordOf([0, 1].map((ms) => ({ stream: 's', type: 'A', ms })));
    const sink = await openSubjectSink(operator(), 'beleg.v1.replay.march');
    const broken = runReplay({ store, codec }, { speed: 1 }, sink, {
      clock: { now: () => 0, sleep: () => server.kill() },
      onSent: () => undefined,
    });
    await expect(broken).rejects.toMatchObject({ detail: expect.stringContaining('may be missing') });
    await sink[Symbol.asyncDispose]();
  });
});
