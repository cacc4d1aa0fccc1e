import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { headers, type NatsConnection, type ServiceInfo, type ServiceStats } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { BelegError } from '../errors.ts';
import { connectNats, type NatsSettings } from '../nats/connection.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { sharedFolder } from '../temporary-folder.suite.ts';
import type { Message, MessageBus } from './bus.ts';
import { busContract } from './contract.suite.ts';
import { openNatsBus, type NatsBusOptions } from './nats.ts';
import { PATIENT } from '../patient.suite.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = ({ data }: Pick<Message, 'data'>): string => new TextDecoder().decode(data);

/** Waits are as in production, only twenty times as short. */
const TIMING = { beatMs: 50, beatsMissed: 5, beatsMissedAfterBreak: 2, reconnectMs: 200 };

interface Peer {
  bus: MessageBus;
  connection: NatsConnection;
  handlerErrors: unknown[];
}

/** A bus on a connection of its own, closed when the test ends. */
async function connectPeer(
  settings: string | NatsSettings,
  options: Partial<NatsBusOptions> = {},
): Promise<Peer> {
  const connection = await connectNats(typeof settings === 'string' ? { servers: [settings] } : settings, {
    name: 'test',
  });
  onTestFinished(() => connection.close());
  const handlerErrors: unknown[] = [];
  const bus = openNatsBus(connection, {
    onHandlerError: (error) => handlerErrors.push(error),
    version: '1.2.3',
    timing: TIMING,
    ...options,
  });
  return { bus, connection, handlerErrors };
}

/** Resolves when all subscriptions and messages of these connections have taken effect. */
async function settle(...peers: Pick<Peer, 'connection'>[]): Promise<void> {
  // The second round trip comes after the messages that the first one caused.
  for (const { connection } of [...peers, ...peers]) await connection.flush();
}

/** The description of the services named `house` by `$SRV`. */
async function discover({ connection }: Peer): Promise<{ info: ServiceInfo[]; stats: ServiceStats[] }> {
  const client = connection.services.client();
  const info: ServiceInfo[] = [];
  for await (const one of await client.info('house')) info.push(one);
  const stats: ServiceStats[] = [];
  for await (const one of await client.stats('house')) stats.push(one);
  return { info, stats };
}

/** `seen` resolves when as many beats have been sent, to whomever. */
async function countBeats(url: string, count: number): Promise<{ seen: Promise<void> }> {
  const observer = await connectPeer(url);
  const { promise, resolve } = Promise.withResolvers<void>();
  let beats = 0;
  observer.connection.subscribe('_INBOX.>', {
    callback: (_error, { headers }) => {
      if (headers?.code === 102 && ++beats === count) resolve();
    },
  });
  await settle(observer);
  return { seen: promise };
}

async function away({ bus }: Peer): Promise<void> {
  await expect.poll(() => bus.status().state, { interval: 5 }).toBe('reconnecting');
}

/** A caller's error when the server refuses; its cause, for the log, names the subject. */
const refused = (subject: string) => ({
  code: 'SERVICE_UNAVAILABLE',
  cause: { message: expect.stringContaining(subject) as string },
});

async function back({ bus }: Peer): Promise<void> {
  await expect.poll(() => bus.status().state).toBe('connected');
}

describe.skipIf(!hasNatsServer)('against a server that stays', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.remove());

  busContract('NATS', async () => {
    const connections: NatsConnection[] = [];
    const handlerErrors: unknown[] = [];
    const connect = async (name: string) => {
      const connection = await connectNats({ servers: [server.url] }, { name });
      connections.push(connection);
      return openNatsBus(connection, {
        onHandlerError: (error) => handlerErrors.push(error),
        version: '1.0.0',
      });
    };
    return {
      a: await connect('a'),
      b: await connect('b'),
      handlerErrors,
      settle: () => settle(...connections.map((connection) => ({ connection }))),
      close: async () => {
        for (const connection of connections) await connection.close();
      },
    };
  });

  describe('the services API', () => {
    test('shows each queue group as a service, its subjects as endpoints, with requests, errors and time', async () => {
      const a = await connectPeer(server.url);
      const b = await connectPeer(server.url);
      const held = Promise.withResolvers<void>();
      for (const { bus } of [a, b]) {
        bus.subscribe('house.answer', () => held.promise.then(() => ({ data: bytes('') })), {
          queue: 'house',
        });
      }
      b.bus.subscribe('house.fail', () => Promise.reject(new Error('secret')), { queue: 'house' });
      b.bus.subscribe('house.plain', () => {});
      await settle(a, b);
      const answers = Array.from({ length: 10 }, () => a.bus.request('house.answer', bytes(''), PATIENT));
      const failures = Array.from({ length: 3 }, () => a.bus.request('house.fail', bytes(''), PATIENT));
      await Promise.all(failures);
      held.resolve();
      await Promise.all(answers);

      const { info, stats } = await discover(a);
      expect(info.map(({ name, version }) => `${name} ${version}`)).toEqual(['house 1.2.3', 'house 1.2.3']);
      expect(info.flatMap(({ endpoints }) => endpoints).toSorted(bySubject)).toMatchObject([
        { subject: 'house.answer', name: 'house-answer', queue_group: 'house' },
        { subject: 'house.answer', name: 'house-answer', queue_group: 'house' },
        { subject: 'house.fail', name: 'house-fail', queue_group: 'house' },
      ]);
      const endpoints = stats.flatMap(({ endpoints = [] }) => endpoints).toSorted(bySubject);
      expect(endpoints[0]!.num_requests + endpoints[1]!.num_requests).toBe(10);
      expect(endpoints.map(({ num_errors }) => num_errors)).toEqual([0, 0, 3]);
      expect(endpoints[2]!).toMatchObject({ num_requests: 3, last_error: 'INTERNAL' });
      // The whole of a handler counts, not only what it does before its first wait.
      for (const { num_requests, average_processing_time } of endpoints) {
        expect(average_processing_time > 0).toBe(num_requests > 0);
      }
    });

    test('ends one endpoint and keeps the others, in service and in the statistics', async () => {
      const a = await connectPeer(server.url);
      const b = await connectPeer(server.url);
      const answer = () => ({ data: bytes('here') });
      const gone = b.bus.subscribe('house.one', answer, { queue: 'house' });
      b.bus.subscribe('house.two', answer, { queue: 'house' });
      await settle(b);
      await a.bus.request('house.two', bytes(''), PATIENT);
      await gone.unsubscribe();
      await expect(a.bus.request('house.one', bytes(''), PATIENT)).rejects.toMatchObject({
        code: 'NO_RESPONDERS',
      });
      expect(text(await a.bus.request('house.two', bytes(''), PATIENT))).toBe('here');
      const { info, stats } = await discover(a);
      expect(info).toHaveLength(1);
      expect(info[0]!.endpoints.map(({ subject }) => subject)).toEqual(['house.two']);
      expect(stats[0]!.endpoints?.map(({ num_requests }) => num_requests)).toEqual([2]);
      expect(b.handlerErrors).toEqual([]);
    });

    test('is gone once drained', async () => {
      const a = await connectPeer(server.url);
      const b = await connectPeer(server.url);
      b.bus.subscribe('house.one', () => {}, { queue: 'house' });
      await settle(b);
      await b.bus.drain();
      await expect(discover(a)).rejects.toMatchObject({ code: '503' });
      expect(b.connection.isClosed()).toBe(false);
    });
  });

  describe('signs of life', () => {
    test('keep a request alive as long as its handler runs, and are no replies, to no client', async () => {
      const a = await connectPeer(server.url);
      const b = await connectPeer(server.url);
      const long = await countBeats(server.url, 2 * TIMING.beatsMissed);
      b.bus.subscribe('long', async () => {
        await long.seen;
        return { data: bytes('done') };
      });
      await settle(a, b);
      const ours = a.bus.request('long', bytes(''), PATIENT);
      const theirs = a.connection.request('long', bytes(''), { timeout: PATIENT.timeoutMs });
      expect(text(await ours)).toBe('done');
      expect(text(await theirs)).toBe('done');
    });

    test('are not sent for requests that are answered at once', async () => {
      const a = await connectPeer(server.url);
      const b = await connectPeer(server.url);
      const beats = new Set<string>();
      let replies = 0;
      b.bus.subscribe('quick', ({ data }) => ({ data }));
      b.bus.subscribe('long', async () => {
        await some.seen;
        return { data: bytes('done') };
      });
      const some = await countBeats(server.url, 3);
      const observer = await connectPeer(server.url);
      observer.connection.subscribe('_INBOX.>', {
        callback: (_error, message) => {
          if (message.headers?.code === 102) beats.add(message.subject);
          else replies += 1;
        },
      });
      await settle(observer, b);
      const long = a.bus.request('long', bytes(''), PATIENT);
      for (let i = 0; i < 20; i++) await a.bus.request('quick', bytes(''), PATIENT);
      await long;
      await settle(a, b, observer);
      expect(replies).toBe(21);
      // All beats go to the inbox of the one long request.
      expect(beats.size).toBe(1);
    });

    test('a request that is taken by somebody who says nothing is RESPONDER_LOST, long before its deadline', async () => {
      const a = await connectPeer(server.url);
      const mute = await connectPeer(server.url);
      mute.connection.subscribe('q', { queue: 'q', callback: () => {} });
      await settle(mute);
      await expect(a.bus.request('q', bytes(''), PATIENT)).rejects.toMatchObject({ code: 'RESPONDER_LOST' });
    });

    describe('of another process', () => {
      let responder: ChildProcess;
      beforeEach(async () => {
        responder = spawn(
          process.execPath,
          [join(import.meta.dirname, 'nats-responder.fixture.ts'), server.url, String(TIMING.beatMs)],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        );
        await once(responder.stdout!, 'data');
      });
      afterEach(() => {
        responder.kill('SIGKILL');
      });

      test('end when it is killed: RESPONDER_LOST for what it took, NO_RESPONDERS for what comes after', async () => {
        const a = await connectPeer(server.url);
        const beating = await countBeats(server.url, 2);
        const lost = a.bus.request('hang', bytes(''), PATIENT);
        await beating.seen;
        responder.kill('SIGKILL');
        await expect(lost).rejects.toMatchObject({ code: 'RESPONDER_LOST' });
        await expect(a.bus.request('echo', bytes(''), PATIENT)).rejects.toMatchObject({
          code: 'NO_RESPONDERS',
        });
      });

      test('are not missed while the caller itself stalls', async () => {
        const a = await connectPeer(server.url);
        const reply = a.bus.request('slow', bytes('900'), PATIENT);
        await settle(a);
        // This thread stands still for twice as long as a responder may be silent.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * TIMING.beatMs * TIMING.beatsMissed);
        expect(text(await reply)).toBe('900');
      });
    });
  });

  test('takes messages of other clients: any case of names, several values, bytes', async () => {
    const a = await connectPeer(server.url);
    const got = Promise.withResolvers<Message>();
    a.bus.subscribe('x', got.resolve);
    await settle(a);
    const foreign = headers();
    foreign.append('Request-Id', 'one');
    foreign.append('Request-Id', 'two');
    a.connection.publish('x', new Uint8Array([0, 255]), { headers: foreign });
    expect(await got.promise).toEqual({
      subject: 'x',
      data: new Uint8Array([0, 255]),
      headers: { 'request-id': 'one' },
    });
  });

  test('a connection that is closed under it: waiting requests and new uses are SERVICE_UNAVAILABLE', async () => {
    const { bus, connection, handlerErrors } = await connectPeer(server.url);
    bus.subscribe('served', () => {}, { queue: 'q' });
    const other = await connectPeer(server.url);
    other.bus.subscribe('q', () => new Promise(() => {}));
    await settle(other);
    const waiting = bus.request('q', bytes(''), PATIENT);
    await connection.flush();
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
      connection.close(),
    ]);
    expect(bus.status().state).toBe('closed');
    expect(() => bus.publish('x', bytes(''))).toThrow(BelegError);
    await bus.drain();
    expect(handlerErrors).toEqual([]);
  });
});

describe.skipIf(!hasNatsServer)('against a server that permits little', () => {
  const folder = sharedFolder();
  let server: NatsServer;
  beforeAll(async () => {
    const file = join(folder, 'server.conf');
    await writeFile(
      file,
      `authorization { users: [
        { user: caller, password: p, permissions: { publish: "ok.>", subscribe: "_INBOX_caller.>" } }
        { user: server, password: p, permissions: { publish: ">", subscribe: ["ok.>", "$SRV.>"] } }
        { user: hidden, password: p, permissions: { publish: ">", subscribe: "ok.>" } }
      ] }`,
    );
    server = await startNatsServer(['-c', file]);
  });
  afterAll(async () => {
    await server.remove();
  });

  const as = (user: string, inboxPrefix = `_INBOX_${user}`) =>
    connectPeer({ servers: [server.url], user, password: 'p' }, { inboxPrefix, timing: {} });
  test('what is permitted works, under the inbox of the user', async () => {
    const caller = await as('caller');
    const other = await as('server');
    other.bus.subscribe('ok.q', ({ data }) => ({ data }), { queue: 'q' });
    await settle(other);
    expect(text(await caller.bus.request('ok.q', bytes('1'), PATIENT))).toBe('1');
  });

  test('a request that may not be sent fails at once, and others go on', async () => {
    const caller = await as('caller');
    const other = await as('server');
    other.bus.subscribe('ok.q', ({ data }) => ({ data }));
    await settle(other);
    const wrong = caller.bus.request('not.ok', bytes(''), PATIENT);
    const right = caller.bus.request('ok.q', bytes('1'), PATIENT);
    await expect(wrong).rejects.toMatchObject(refused('not.ok'));
    expect(text(await right)).toBe('1');
  });

  test('a request whose reply may not be heard fails at once', async () => {
    const caller = await as('caller', '_INBOX');
    const other = await as('server');
    other.bus.subscribe('ok.q', () => new Promise(() => {}));
    await settle(other);
    await expect(caller.bus.request('ok.q', bytes(''), PATIENT)).rejects.toMatchObject(refused('_INBOX'));
  });

  test('a queue member whose announcement is refused serves all the same', async () => {
    const caller = await as('caller');
    const hidden = await as('hidden');
    hidden.bus.subscribe('ok.q', ({ data }) => ({ data }), { queue: 'q' });
    await settle(hidden);
    expect(text(await caller.bus.request('ok.q', bytes('1'), PATIENT))).toBe('1');
  });

  test.each([
    ['plain', {}],
    ['queue', { queue: 'q' }],
  ])('a subscription that is refused is told to the error hook: %s', async (_, options) => {
    const errors: unknown[] = [];
    const told = Promise.withResolvers<void>();
    const connection = await connectNats(
      { servers: [server.url], user: 'server', password: 'p' },
      { name: 'test' },
    );
    onTestFinished(() => connection.close());
    const bus = openNatsBus(connection, {
      onHandlerError: (error) => {
        errors.push(error);
        told.resolve();
      },
      version: '1.0.0',
    });
    bus.subscribe('not.ok', () => {}, options);
    await told.promise;
    expect(String(errors[0])).toMatch(/Permissions Violation/i);
  });
});

describe.skipIf(!hasNatsServer)('against a server that is killed and comes back', () => {
  let server: NatsServer;
  beforeEach(async () => {
    server = await startNatsServer();
  });
  afterEach(() => server.remove());

  test('what is published meanwhile arrives afterwards, in order: the client alone would lose it', async () => {
    const a = await connectPeer(server.url);
    const got: string[] = [];
    const all = Promise.withResolvers<void>();
    a.bus.subscribe('x', (message) => {
      if (got.push(`${message.headers['n']} ${text(message)}`) === 4) all.resolve();
    });
    await settle(a);
    await server.kill();
    await away(a);
    for (const n of ['1', '2', '3']) a.bus.publish('x', bytes('held'), { n });
    await server.restart();
    await back(a);
    a.bus.publish('x', bytes('sent'), { n: '4' });
    await all.promise;
    expect(got).toEqual(['1 held', '2 held', '3 held', '4 sent']);
  });

  test('plain and queue subscriptions serve again, and requests wait for the connection', async () => {
    const a = await connectPeer(server.url, { timing: { ...TIMING, reconnectMs: 20_000 } });
    const b = await connectPeer(server.url);
    b.bus.subscribe('plain', ({ data }) => ({ data }));
    b.bus.subscribe('queue', ({ data }) => ({ data }), { queue: 'q' });
    await settle(a, b);
    await server.kill();
    await away(a);
    await away(b);
    const early = a.bus.request('nobody', bytes(''), PATIENT);
    await server.restart();
    await expect(early).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
    await back(b);
    await settle(a, b);
    expect(text(await a.bus.request('plain', bytes('1'), PATIENT))).toBe('1');
    expect(text(await a.bus.request('queue', bytes('2'), PATIENT))).toBe('2');
  });

  test('a request that waits too long for the connection is SERVICE_UNAVAILABLE', async () => {
    const a = await connectPeer(server.url);
    await server.kill();
    await away(a);
    await expect(a.bus.request('q', bytes(''), PATIENT)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await expect(a.bus.request('q', bytes(''), { timeoutMs: 5 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    });
  });

  test('requests on their way are RESPONDER_LOST when the server stays away', async () => {
    const a = await connectPeer(server.url);
    a.bus.subscribe('q', () => new Promise(() => {}));
    await settle(a);
    const request = a.bus.request('q', bytes(''), PATIENT);
    await settle(a);
    await Promise.all([expect(request).rejects.toMatchObject({ code: 'RESPONDER_LOST' }), server.kill()]);
  });

  test('a handler that outlasts a short break still answers', async () => {
    const a = await connectPeer(server.url, {
      timing: { ...TIMING, beatsMissed: 200, beatsMissedAfterBreak: 200 },
    });
    const received = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    a.bus.subscribe('q', async () => {
      received.resolve();
      await held.promise;
      return { data: bytes('done') };
    });
    const request = a.bus.request('q', bytes(''), PATIENT);
    await received.promise;
    await server.kill();
    await away(a);
    // The reply is ready while the server is away: it is held, and leaves when it is back.
    held.resolve();
    await server.restart();
    expect(text(await request)).toBe('done');
  });

  test('holds so much and no more', async () => {
    const a = await connectPeer(server.url);
    await server.kill();
    await away(a);
    const full = new Uint8Array(1024 * 1024);
    for (let i = 0; i < 8; i++) a.bus.publish('x', full);
    expect(() => a.bus.publish('x', full)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  });

  test('drains while the server is away', async () => {
    const a = await connectPeer(server.url);
    a.bus.subscribe('x', () => {});
    a.bus.subscribe('y', () => {}, { queue: 'q' });
    await settle(a);
    await server.kill();
    await away(a);
    await a.bus.drain();
    expect(a.bus.status()).toEqual({ state: 'closed', inFlight: 0 });
  });
});

const bySubject = (a: { subject: string }, b: { subject: string }) => a.subject.localeCompare(b.subject);
