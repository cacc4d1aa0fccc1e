import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Empty, ErrorCode, Events, RequestStrategy, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createNatsBus } from '../../events/bus/nats.ts';
import { openNatsLeases } from '../../events/leases/nats.ts';
import { connectNats, inboxPrefixOf } from '../../events/nats/connection.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../events/nats/server.suite.ts';
import { EVENTS_STREAM, openJetStreamOutlet } from '../../events/relay/jetstream.ts';
import type { Position } from '../../events/store/store.ts';
import { openNatsVault } from '../../events/vault/nats.ts';

const root = join(import.meta.dirname, '..', '..');
const USERS = ['gateway', 'knowledge', 'audit', 'market', 'trading', 'models', 'operator'] as const;
type User = (typeof USERS)[number];

const passwords: Record<string, string> = {};
for (const user of USERS) passwords[`NATS_${user.toUpperCase()}_PASSWORD`] = `p${randomUUID()}`;

/** A connection that remembers what the server would not let it do. */
interface Seat {
  connection: NatsConnection;
  refused: string[];
}

const publishing = (subject: string) => (connection: NatsConnection) => connection.publish(subject, Empty);
const subscribing = (subject: string) => (connection: NatsConnection) => {
  connection.subscribe(subject, { callback: () => {} });
};

const busOf = (user: User, { connection }: Seat) =>
  createNatsBus(connection, {
    onHandlerError: () => {},
    version: '1.0.0',
    inboxPrefix: inboxPrefixOf({ user }),
    timing: { beatMs: 5 },
  });

function check(file: string, environment: Record<string, string>) {
  const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;
  const { status, stdout, stderr } = spawnSync('nats-server', ['-t', '-c', file], {
    env: { PATH, ...environment },
    encoding: 'utf8',
  });
  return { ok: status === 0, output: stdout + stderr };
}

describe.skipIf(!hasNatsServer)('nats.conf on a real server', () => {
  let server: NatsServer;
  const seats: Seat[] = [];
  beforeAll(async () => {
    server = await startNatsServer(['-c', join(root, 'nats.conf'), '-m', '-1'], passwords);
  });
  afterAll(() => server.remove());
  afterEach(async () => {
    for (const { connection } of seats.splice(0)) await connection.close();
  });

  async function take(user: User): Promise<Seat> {
    const settings = {
      servers: [server.url],
      user,
      password: passwords[`NATS_${user.toUpperCase()}_PASSWORD`]!,
    };
    const seat: Seat = { connection: await connectNats(settings, { name: user }), refused: [] };
    seats.push(seat);
    void (async () => {
      for await (const status of seat.connection.status()) {
        if (status.type === Events.Error && status.data === ErrorCode.PermissionsViolation) {
          const { operation, subject } = status.permissionContext!;
          seat.refused.push(`${operation} ${subject}`);
        }
      }
    })();
    return seat;
  }

  /** What the server says about sending this; an empty list where it lets it pass. */
  async function refusals(user: User, act: (connection: NatsConnection) => void): Promise<string[]> {
    const { connection, refused } = await take(user);
    act(connection);
    // The answer to a ping comes after everything before it.
    await connection.flush();
    await connection.flush();
    return refused;
  }

  test.each(USERS)('refuses %s with a wrong password, and everyone without one', async (user) => {
    await expect(connect({ servers: server.url, user, pass: 'wrong', reconnect: false })).rejects.toThrow(
      /authorization/i,
    );
    await expect(connect({ servers: server.url, reconnect: false })).rejects.toThrow(/authorization/i);
  });

  test.each([
    ['gateway', 'beleg.v1.evt.knowledge.answer_given.x'],
    ['gateway', '$KV.beleg_keys.x'],
    ['gateway', '$KV.beleg_leases.relay'],
    ['gateway', '$JS.API.STREAM.MSG.GET.KV_beleg_keys'],
    ['gateway', '$JS.API.DIRECT.GET.KV_beleg_keys.x'],
    ['gateway', '$JS.API.CONSUMER.CREATE.KV_beleg_keys'],
    ['gateway', '$JS.API.STREAM.LIST'],
    ['gateway', '_INBOX_operator.x'],
    ['operator', 'beleg.v1.evt.knowledge.answer_given.x'],
    ['operator', '$KV.beleg_keys.x'],
    ['operator', '$JS.API.STREAM.MSG.GET.KV_beleg_keys'],
    ['operator', '$JS.API.CONSUMER.CREATE.KV_beleg_keys'],
    ['operator', '$JS.API.STREAM.DELETE.BELEG_EVENTS'],
    ['operator', '$JS.API.STREAM.UPDATE.KV_beleg_keys'],
    ['knowledge', '$JS.API.STREAM.DELETE.KV_beleg_keys'],
    ['knowledge', '$JS.API.STREAM.CREATE.OTHER'],
    ['audit', '$JS.API.STREAM.DELETE.BELEG_EVENTS'],
  ] as const)('%s may not publish %s', async (user, subject) => {
    expect(await refusals(user, publishing(subject))).toEqual([`publish ${subject}`]);
  });

  test.each([
    ['gateway', 'beleg.v1.cmd.>'],
    ['gateway', 'beleg.v1.qry.knowledge.health'],
    ['gateway', '>'],
    ['gateway', '$KV.beleg_keys.>'],
    ['gateway', '_INBOX.>'],
    ['gateway', '_INBOX_operator.>'],
    ['operator', 'beleg.v1.cmd.>'],
    ['operator', '$KV.beleg_keys.>'],
    ['operator', '_INBOX_gateway.>'],
    ['knowledge', '_INBOX_gateway.>'],
    ['knowledge', '$KV.beleg_keys.>'],
    ['audit', '_INBOX_knowledge.>'],
  ] as const)('%s may not listen to %s', async (user, subject) => {
    expect(await refusals(user, subscribing(subject))).toEqual([`subscription ${subject}`]);
  });

  test('operator may replay, and hear a replay', async () => {
    expect(
      await refusals('operator', (connection) => {
        publishing('beleg.v1.replay.january')(connection);
        subscribing('beleg.v1.replay.>')(connection);
      }),
    ).toEqual([]);
  });

  test('gateway may ask, query and listen to events', async () => {
    expect(
      await refusals('gateway', (connection) => {
        publishing('beleg.v1.cmd.knowledge.ask')(connection);
        publishing('beleg.v1.qry.audit.health')(connection);
        subscribing('beleg.v1.evt.>')(connection);
        subscribing('beleg.v1.progress.*')(connection);
        subscribing('_INBOX_gateway.x.*')(connection);
      }),
    ).toEqual([]);
  });

  test.each([
    ['gateway', 'knowledge'],
    ['gateway', 'audit'],
    ['operator', 'knowledge'],
    ['knowledge', 'knowledge'],
    ['audit', 'knowledge'],
    ['gateway', 'market'],
    ['gateway', 'trading'],
    ['gateway', 'models'],
    ['trading', 'market'],
    ['trading', 'models'],
  ] as const)(
    '%s asks %s over the bus, and gets signs of life before the answer',
    async (asker, answerer) => {
      const [from, to] = [await take(asker), await take(answerer)];
      const answering = busOf(answerer, to);
      const asking = busOf(asker, from);
      const beaten = Promise.withResolvers<void>();
      const beats = to.connection.publish.bind(to.connection);
      to.connection.publish = (subject, data, options) => {
        beats(subject, data, options);
        beaten.resolve();
      };
      answering.subscribe(
        'beleg.v1.cmd.knowledge.try',
        async () => {
          await beaten.promise;
          return { data: Buffer.from('answer') };
        },
        { queue: 'knowledge' },
      );
      // A service is announced a moment later.
      const reply = await vi.waitFor(
        () => asking.request('beleg.v1.cmd.knowledge.try', Empty, { timeoutMs: 5_000 }),
        { interval: 10 },
      );
      expect(Buffer.from(reply.data).toString()).toBe('answer');
      await asking.drain();
      await answering.drain();
      expect([...from.refused, ...to.refused]).toEqual([]);
    },
  );

  test.each(['knowledge', 'audit', 'market', 'trading', 'models'] as const)(
    '%s takes leases, keeps keys and lets the relay publish',
    async (user) => {
      const { connection, refused } = await take(user);
      const leases = await openNatsLeases(connection, { holder: user, onWorkError: () => {} });
      const stop = new AbortController();
      let listed: string[] = [];
      await leases.run(
        `try-${user}`,
        async () => {
          listed = await leases.list('try-');
          stop.abort();
        },
        stop.signal,
      );
      expect(listed).toEqual([`try-${user}`]);

      const vault = await openNatsVault(connection, { owner: user });
      const sealed = await vault.seal(`key-${user}`, 'text', 'context');
      expect(await vault.open(`key-${user}`, sealed, 'context')).toBe('text');
      expect(await vault.erase(`key-${user}`)).toBe(true);
      expect(await vault.sweep(async () => false)).toBe(0);
      await vault.close();

      const outlet = await openJetStreamOutlet(connection);
      await outlet.checkpoint();
      await outlet.publish([
        {
          id: randomUUID(),
          subject: 'beleg.v1.evt.knowledge.answer_given.abc',
          data: Buffer.from('{"type":"AnswerGiven"}'),
          headers: {},
          position: (user === 'knowledge' ? '1' : '2') as Position,
        },
      ]);
      expect(refused).toEqual([]);
    },
  );

  test('operator reads the events and discovers services', async () => {
    const [knowledge, operator] = [await take('knowledge'), await take('operator')];
    const outlet = await openJetStreamOutlet(knowledge.connection);
    await outlet.checkpoint();
    await outlet.publish([
      {
        id: randomUUID(),
        subject: 'beleg.v1.evt.knowledge.answer_given.abc',
        data: Empty,
        headers: {},
        position: '3' as Position,
      },
    ]);
    const consumer = await operator.connection
      .jetstream({ checkAPI: false })
      .consumers.get(EVENTS_STREAM, {});
    expect((await consumer.next({ expires: 2_000 }))?.subject).toBe(
      'beleg.v1.evt.knowledge.answer_given.abc',
    );

    await knowledge.connection.services.add({ name: 'knowledge', version: '1.0.0' });
    await knowledge.connection.flush();
    const found: string[] = [];
    for await (const { name } of await operator.connection.services
      .client({ strategy: RequestStrategy.Count, maxMessages: 1, maxWait: 2_000 })
      .ping())
      found.push(name);
    expect(found).toEqual(['knowledge']);
    expect([...knowledge.refused, ...operator.refused]).toEqual([]);
  });
});

describe.skipIf(!hasNatsServer)('the configuration of NATS', () => {
  test('is whole', () => {
    expect(check(join(root, 'nats.conf'), passwords)).toMatchObject({ ok: true });
  });

  test.each(Object.keys(passwords))('is refused without %s', (name) => {
    const { [name]: _, ...others } = passwords;
    expect(check(join(root, 'nats.conf'), others).output).toContain(`'${name}'`);
  });

  test('for durability is the same and one setting more, which server 2.9 does not know', async () => {
    const { ok, output } = check(join(root, 'nats.durable.conf'), passwords);
    expect(ok || output.includes('unknown field "sync_interval"')).toBe(true);
    // All else of the file holds on this server, too.
    const folder = await mkdtemp(join(tmpdir(), 'beleg-conf-'));
    try {
      await copyFile(join(root, 'nats.conf'), join(folder, 'nats.conf'));
      const file = join(folder, 'nats.durable.conf');
      const durable = await readFile(join(root, 'nats.durable.conf'), 'utf8');
      await writeFile(file, durable.replace('sync_interval: always', 'max_file_store: 1G'));
      expect(check(file, passwords)).toMatchObject({ ok: true });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
