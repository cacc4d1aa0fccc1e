import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, Empty, ErrorCode, Events, RequestStrategy, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openNatsBus } from '../../../events/bus/nats.ts';
import { openNatsLeases } from '../../../events/leases/nats.ts';
import { connectNats, inboxPrefixOf } from '../../../events/nats/connection.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../../testing/nats/server.suite.ts';
import { openJetStreamOutlet } from '../../../events/relay/jetstream-outlet.ts';
import { EVENTS_STREAM } from '../../../events/relay/outlet.ts';
import type { Position } from '../../../events/store/store.ts';
import { PATIENT } from '../../../events/patient.suite.ts';
import { lookAtNats } from '../../operator/doctor/servers.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const USERS = ['gateway', 'knowledge', 'audit', 'market', 'trading', 'models', 'operator'] as const;
type User = (typeof USERS)[number];

const passwords: Record<string, string> = {};
for (const user of USERS) passwords[`NATS_${user.toUpperCase()}_PASSWORD`] = `p${randomUUID()}`;

/** A connection that collects the server's permission errors. */
interface Seat {
  connection: NatsConnection;
  refused: string[];
}

type Permitted = readonly [subject: string, users: readonly User[]];

const CALLERS: readonly User[] = ['gateway', 'operator'];
const SERVING: readonly User[] = ['knowledge', 'audit', 'market', 'trading', 'models'];
/** The users that may access the keys of free text and create buckets. */
const KEEPERS: readonly User[] = ['knowledge', 'audit'];
const LEASES: Readonly<Record<string, User>> = {
  relay: 'audit',
  comments: 'audit',
  'audit-projection': 'audit',
  checkpoints: 'audit',
  'knowledge-index': 'knowledge',
  'knowledge-instance.i1': 'knowledge',
  'market-update': 'market',
  trading: 'trading',
  training: 'models',
};

/** Who may call JetStream's API on a stream. */
const apiOf = (stream: string, rights: Readonly<Record<string, readonly User[]>>): Permitted[] =>
  ['INFO', 'CREATE', 'UPDATE', 'DELETE', 'PURGE', 'SNAPSHOT', 'MSG.GET', 'MSG.DELETE']
    .map((verb) => `STREAM.${verb}`)
    .concat('CONSUMER.CREATE', 'CONSUMER.NAMES', 'DIRECT.GET')
    .map((call) => [`$JS.API.${call}.${stream}`, rights[call] ?? []]);

/** Every kind of subject, with the users that may publish to it. */
const PUBLISHED: readonly Permitted[] = [
  ['beleg.v1.cmd.knowledge.ask', CALLERS],
  ['beleg.v1.cmd.knowledge.ask.left', [...CALLERS, 'knowledge']],
  ['beleg.v1.cmd.knowledge.swap.i1', ['knowledge']],
  ['beleg.v1.qry.knowledge.health', [...CALLERS, 'audit']],
  ['beleg.v1.qry.knowledge.instance.i1', ['knowledge']],
  ['beleg.v1.qry.actors.list', CALLERS],
  ['beleg.v1.cmd.feedback.rate', CALLERS],
  ['beleg.v1.cmd.audit.erase', [...CALLERS, 'audit']],
  ['beleg.v1.qry.audit.interactions', [...CALLERS, 'audit']],
  ['beleg.v1.cmd.market.update', CALLERS],
  ['beleg.v1.qry.market.prices', [...CALLERS, 'trading', 'models']],
  ['beleg.v1.cmd.trading.submit', CALLERS],
  ['beleg.v1.cmd.trading.rebuild', [...CALLERS, 'trading']],
  ['beleg.v1.qry.trading.orders', CALLERS],
  ['beleg.v1.qry.trading.status', [...CALLERS, 'models']],
  ['beleg.v1.cmd.models.train', CALLERS],
  ['beleg.v1.qry.models.status', CALLERS],
  ['beleg.v1.qry.models.predictions', [...CALLERS, 'trading']],
  ...['knowledge', 'feedback', 'audit', 'market', 'trading', 'models'].map((context): Permitted => [
    `beleg.v1.evt.${context}.something.x`,
    ['audit'],
  ]),
  ['beleg.v1.progress.x', ['knowledge']],
  ['beleg.v1.replay.x', ['audit', 'operator']],
  ['beleg.v1.vault.erased', KEEPERS],
  ['beleg.v1.other', []],
  ['other', []],
  ['$SRV.PING', ['operator']],
  ['_INBOX.x', [...SERVING, 'gateway']],
  ['_INBOX_gateway.x', [...SERVING, 'gateway']],
  ['_INBOX_operator.x', [...SERVING, 'gateway']],
  ['_INBOX_knowledge.x', ['knowledge']],
  // Audit asks these whether answers wait to be recorded.
  ['_INBOX_audit.x', ['audit', 'knowledge']],
  ['_INBOX_market.x', []],
  ['_INBOX_trading.x', ['market', 'trading', 'models']],
  ['_INBOX_models.x', ['market', 'trading']],
  ...Object.entries(LEASES).map(([name, user]): Permitted => [`$KV.beleg_leases.${name}`, [user]]),
  ['$KV.beleg_leases.other', []],
  ['$KV.beleg_keys.key.x', KEEPERS],
  ['$KV.beleg_keys.pending.owner.x', KEEPERS],
  ['$KV.BELEG_RELAY.checkpoint', ['audit']],
  ['$JS.API.STREAM.LIST', ['operator']],
  ...apiOf('KV_beleg_leases', {
    'STREAM.INFO': [...SERVING, 'operator'],
    'STREAM.MSG.GET': [...SERVING, 'operator'],
    'STREAM.CREATE': KEEPERS,
    'STREAM.UPDATE': KEEPERS,
    'STREAM.PURGE': KEEPERS,
  }),
  ...apiOf('KV_beleg_keys', {
    'STREAM.INFO': [...KEEPERS, 'operator'],
    'STREAM.MSG.GET': KEEPERS,
    'STREAM.MSG.DELETE': KEEPERS,
    'STREAM.CREATE': KEEPERS,
    'STREAM.UPDATE': KEEPERS,
    'STREAM.PURGE': KEEPERS,
  }),
  ...apiOf('KV_BELEG_RELAY', {
    'STREAM.INFO': ['audit', 'operator'],
    'STREAM.MSG.GET': ['audit'],
    'STREAM.CREATE': ['audit'],
    'STREAM.UPDATE': ['audit'],
  }),
  ...apiOf('BELEG_EVENTS', {
    'STREAM.INFO': ['audit', 'operator'],
    'STREAM.MSG.GET': ['audit', 'operator'],
    'STREAM.CREATE': ['audit'],
    'STREAM.UPDATE': ['audit'],
    'STREAM.DELETE': ['audit'],
    'CONSUMER.CREATE': ['operator'],
    'CONSUMER.NAMES': ['operator'],
  }),
  ...apiOf('OTHER', { 'STREAM.INFO': ['operator'] }),
];

/** Every kind of subject, with the users that may subscribe to it. */
const HEARD: readonly Permitted[] = [
  ['beleg.v1.qry.actors.list', [...SERVING, 'gateway']],
  ['>', []],
  ['beleg.v1.>', []],
  ['beleg.v1.cmd.>', []],
  ['beleg.v1.qry.>', []],
  ...SERVING.map((user): Permitted => [`beleg.v1.cmd.${user}.x`, [user]]),
  ...SERVING.map((user): Permitted => [`beleg.v1.qry.${user}.x`, [user]]),
  ['beleg.v1.cmd.knowledge.swap.i1', ['knowledge']],
  ['beleg.v1.cmd.feedback.rate', ['audit']],
  ['beleg.v1.evt.>', ['operator']],
  ...['knowledge', 'feedback', 'audit'].map((context): Permitted => [
    `beleg.v1.evt.${context}.*.*`,
    ['operator'],
  ]),
  ...['trading', 'models'].map((context): Permitted => [
    `beleg.v1.evt.${context}.*.*`,
    ['gateway', 'operator'],
  ]),
  ['beleg.v1.evt.market.*.*', ['gateway', 'trading', 'operator']],
  ['beleg.v1.progress.*', ['gateway']],
  ['beleg.v1.replay.>', ['operator']],
  ['beleg.v1.vault.erased', KEEPERS],
  ['_INBOX.>', ['operator']],
  ...USERS.map((user): Permitted => [`_INBOX_${user}.>`, [user]]),
  ['$SRV.>', []],
  ['$SRV.PING', SERVING],
  ...SERVING.map((user): Permitted => [`$SRV.PING.${user}.x`, [user]]),
  ...Object.entries(LEASES).map(([name, user]): Permitted => [`$KV.beleg_leases.${name}`, [user]]),
  ['$KV.beleg_leases.>', []],
  ['$KV.beleg_keys.>', []],
  ['$KV.BELEG_RELAY.>', []],
  ['$JS.API.>', []],
];

const busOf = (user: User, { connection }: Seat) =>
  openNatsBus(connection, {
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

  /** The server's permission errors for an action; an empty list if it is allowed. */
  async function refusals(user: User, act: (connection: NatsConnection) => void): Promise<string[]> {
    const { connection, refused } = await take(user);
    act(connection);
    // The reply to a ping comes after everything before it.
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

  test.each(USERS)('%s may publish what it needs, and nothing else', async (user) => {
    const refused = await refusals(user, (connection) => {
      for (const [subject] of PUBLISHED) connection.publish(subject, Empty);
    });
    expect(refused).toEqual(
      PUBLISHED.filter(([, users]) => !users.includes(user)).map(([subject]) => `publish ${subject}`),
    );
  });

  test.each(USERS)('%s may listen to what it needs, and nothing else', async (user) => {
    const refused = await refusals(user, (connection) => {
      for (const [subject] of HEARD) connection.subscribe(subject, { callback: () => {} });
    });
    expect(refused).toEqual(
      HEARD.filter(([, users]) => !users.includes(user)).map(([subject]) => `subscription ${subject}`),
    );
  });

  test.each([
    ['gateway', 'knowledge', 'beleg.v1.cmd.knowledge.try'],
    ['gateway', 'audit', 'beleg.v1.cmd.feedback.try'],
    ['operator', 'audit', 'beleg.v1.cmd.audit.try'],
    ['audit', 'audit', 'beleg.v1.cmd.audit.try'],
    ['knowledge', 'knowledge', 'beleg.v1.cmd.knowledge.try.instance'],
    ['gateway', 'market', 'beleg.v1.qry.market.try'],
    ['gateway', 'trading', 'beleg.v1.qry.trading.try'],
    ['gateway', 'models', 'beleg.v1.qry.models.try'],
    ['trading', 'market', 'beleg.v1.qry.market.try'],
    ['trading', 'models', 'beleg.v1.qry.models.predictions'],
    ['models', 'market', 'beleg.v1.qry.market.try'],
    ['models', 'trading', 'beleg.v1.qry.trading.status'],
  ] as const)(
    '%s asks %s over the bus, and gets signs of life before the answer',
    async (asker, answerer, subject) => {
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
        subject,
        async () => {
          await beaten.promise;
          return { data: Buffer.from('answer') };
        },
        { queue: answerer },
      );
      // The service is announced with a delay.
      const reply = await vi.waitFor(() => asking.request(subject, Empty, { timeoutMs: 5_000 }), PATIENT);
      expect(Buffer.from(reply.data).toString()).toBe('answer');
      await asking.drain();
      await answering.drain();
      expect([...from.refused, ...to.refused]).toEqual([]);
    },
  );

  test('whoever may not create the leases waits until somebody has', async () => {
    const [trading, audit] = [await take('trading'), await take('audit')];
    const opening = openNatsLeases(trading.connection, { holder: 'trading', onWorkError: () => {} });
    await vi.waitFor(() => expect(trading.refused).toHaveLength(1), PATIENT);
    await openNatsLeases(audit.connection, { holder: 'audit', onWorkError: () => {} });
    const leases = await opening;
    const stop = new AbortController();
    await leases.run('trading', async () => stop.abort(), stop.signal);
    expect(trading.refused).toEqual(['publish $JS.API.STREAM.CREATE.KV_beleg_leases']);
    expect(audit.refused).toEqual([]);
  });

  test.each(USERS)('beleg doctor finds nothing wrong with what %s may do', async (user) => {
    const settings = {
      servers: [server.url],
      user,
      password: passwords[`NATS_${user.toUpperCase()}_PASSWORD`]!,
    };
    expect(await lookAtNats(settings)).toMatchObject({ what: 'NATS', state: 'ok' });
  });

  test('operator reads the events and discovers services', async () => {
    const [knowledge, audit, operator] = [
      await take('knowledge'),
      await take('audit'),
      await take('operator'),
    ];
    const outlet = await openJetStreamOutlet(audit.connection);
    await outlet.begin();
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
    expect((await consumer.next({ expires: PATIENT.timeoutMs }))?.subject).toBe(
      'beleg.v1.evt.knowledge.answer_given.abc',
    );

    await knowledge.connection.services.add({ name: 'knowledge', version: '1.0.0' });
    await knowledge.connection.flush();
    const found: string[] = [];
    for await (const { name } of await operator.connection.services
      .client({ strategy: RequestStrategy.Count, maxMessages: 1, maxWait: PATIENT.timeoutMs })
      .ping())
      found.push(name);
    expect(found).toEqual(['knowledge']);
    expect([...knowledge.refused, ...audit.refused, ...operator.refused]).toEqual([]);
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
    // The rest of the file also applies on this server.
    const folder = temporaryFolder();
    await copyFile(join(root, 'nats.conf'), join(folder, 'nats.conf'));
    const file = join(folder, 'nats.durable.conf');
    const durable = await readFile(join(root, 'nats.durable.conf'), 'utf8');
    await writeFile(file, durable.replace('sync_interval: always', 'max_file_store: 1G'));
    expect(check(file, passwords)).toMatchObject({ ok: true });
  });
});
