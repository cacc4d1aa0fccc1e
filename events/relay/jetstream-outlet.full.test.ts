import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import {
  connect,
  Events,
  headers as createHeaders,
  nanos,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type NatsConnection,
} from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isBelegError } from '../errors.ts';
import { damageFile, filesBelow } from '../../testing/crash/process/chaos/files.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { openEmbeddedStore } from '../store/embedded/embedded.ts';
import { NO_STREAM, type EventStore, type Position } from '../store/store.ts';
import { PATIENT } from '../patient.suite.ts';
import { sharedFolder, temporaryFolder } from '../temporary-folder.suite.ts';
import {
  noted,
  notes,
  numbers,
  outgoing,
  outletContract,
  Relays,
  replace,
  type Received,
} from './contract.suite.ts';
import { openJetStreamOutlet } from './jetstream-outlet.ts';
import { foreignIn } from './relay-note.ts';
import { EVENTS_STREAM, type Outlet } from './outlet.ts';
import type { PublishedEvent } from './event-message.ts';

const CONFLICT = { code: 'WRONG_EXPECTED_REVISION' };
const AWAY = { code: 'SERVICE_UNAVAILABLE' };

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Clients that come back by themselves, as services have them. */
const connectTo = (url: string): Promise<NatsConnection> =>
  connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 20, reconnectJitter: 0 });

function toReceived(message: JsMsg): Received {
  const headers = Object.fromEntries(
    message.headers!.keys().map((name) => [name, message.headers!.get(name)]),
  );
  return { subject: message.subject, headers, event: message.json<PublishedEvent>() };
}

/** The first `n` messages that the stream holds; waits for those that are still to come. */
async function received(connection: NatsConnection, n: number): Promise<Received[]> {
  if (n === 0) return [];
  const consumer = await connection.jetstream().consumers.get(EVENTS_STREAM, {});
  const messages = await consumer.consume({ max_messages: 1000 });
  const got: Received[] = [];
  for await (const message of messages) {
    got.push(toReceived(message));
    if (got.length === n) messages.stop();
  }
  await consumer.delete();
  return got;
}

/** What a subscriber that comes now gets at once. */
async function held(connection: NatsConnection): Promise<number[]> {
  const consumer = await connection.jetstream().consumers.get(EVENTS_STREAM, {});
  const messages = await consumer.fetch({ max_messages: 1000, expires: 1000 });
  const got: Received[] = [];
  for await (const message of messages) got.push(toReceived(message));
  await consumer.delete();
  return numbers(got);
}

async function all(connection: NatsConnection, manager: JetStreamManager): Promise<Received[]> {
  const { state } = await manager.streams.info(EVENTS_STREAM);
  return received(connection, state.messages);
}

describe.skipIf(!hasNatsServer)('JetStream', () => {
  let server: NatsServer;
  let connection: NatsConnection;
  let manager: JetStreamManager;

  beforeAll(async () => {
    server = await startNatsServer();
    connection = await connectTo(server.url);
    manager = await connection.jetstreamManager();
  });
  afterAll(async () => {
    await connection.close();
    await server.remove();
  });

  const clear = async (): Promise<void> => {
    for await (const name of manager.streams.names()) await manager.streams.delete(name);
  };
  const last = async () => {
    const message = await manager.streams.getMessage(EVENTS_STREAM, { last_by_subj: 'beleg.v1.evt.>' });
    return { sequence: message.seq, header: message.header };
  };

  const reopened = async () => (await openJetStreamOutlet(connection)).begin();
  const noteBucket = () => connection.jetstream().views.kv('BELEG_RELAY');

  outletContract('JetStream', async () => ({
    open: () => openJetStreamOutlet(connection),
    received: (n) => received(connection, n),
    all: () => all(connection, manager),
    close: clear,
  }));

  describe('stream', () => {
    afterEach(clear);

    it('is made again where it is gone, or is an older one, and the relay is told to begin again', async () => {
      const outlet = await openJetStreamOutlet(connection);
      await outlet.begin();
      await outlet.publish([outgoing(1), outgoing(2)]);
      expect(await outlet.isWhole()).toBe(true);
      await clear();
      expect(await outlet.isWhole()).toBe(false);
      expect(await outlet.begin()).toBeUndefined();
      expect(await outlet.isWhole()).toBe(true);
      await outlet.publish([outgoing(1)]);
      // Restored from a backup: one message, although two were published since.
      await outlet.publish([outgoing(2)]);
      await clear();
      const older = await openJetStreamOutlet(connection);
      await older.begin();
      await older.publish([outgoing(1)]);
      expect(await outlet.isWhole()).toBe(false);
    });

    it('is whole no more where the note of the relay is gone', async () => {
      const outlet = await openJetStreamOutlet(connection);
      await outlet.begin();
      await outlet.publish([outgoing(1)]);
      await manager.streams.delete('KV_BELEG_RELAY');
      expect(await outlet.isWhole()).toBe(false);
      expect(await outlet.begin()).toBe(outgoing(1).position);
      expect(await outlet.isWhole()).toBe(true);
    });

    it('has the bound that it is given, also where it is there already, and goes on when the first messages go', async () => {
      await openJetStreamOutlet(connection);
      const maxBytes = 1024 * 1024;
      const outlet = await openJetStreamOutlet(connection, { maxBytes });
      expect((await manager.streams.info(EVENTS_STREAM)).config).toMatchObject({
        max_bytes: maxBytes,
        discard: 'old',
      });
      await outlet.begin();
      const large = { data: Buffer.alloc(200 * 1024) };
      for (let n = 1; n <= 10; n++) await outlet.publish([{ ...outgoing(n), ...large }]);
      const { state } = await manager.streams.info(EVENTS_STREAM);
      expect(state.first_seq).toBeGreaterThan(1);
      expect(state.last_seq).toBe(10);
      expect(outlet.published).toEqual({});
      expect(await outlet.isWhole()).toBe(true);
      expect(outlet.published).toEqual({ kept_since: new Date(state.first_ts).toISOString() });
      const next = await openJetStreamOutlet(connection, { maxBytes });
      expect(await next.begin()).toBe(outgoing(10).position);
    });

    it('takes as much as the server has room for', async () => {
      const conf = join(temporaryFolder(), 'small.conf');
      writeFileSync(conf, 'jetstream { max_file_store: 300000000 }');
      const small = await startNatsServer(['-c', conf]);
      const link = await connect({ servers: small.url });
      await openJetStreamOutlet(link, { maxBytes: 1024 ** 3 });
      const info = await (await link.jetstreamManager()).streams.info(EVENTS_STREAM);
      expect(info.config.max_bytes).toBe(256 * 1024 ** 2);
      await link.close();
      await small.remove();
    });

    it('keeps messages on disk for seven days, and knows an event again by its id', async () => {
      const outlet = await openJetStreamOutlet(connection);
      const { config } = await manager.streams.info(EVENTS_STREAM);
      expect(config).toMatchObject({
        subjects: ['beleg.v1.evt.>'],
        storage: 'file',
        retention: 'limits',
        max_age: nanos(7 * 24 * 3600 * 1000),
        num_replicas: 1,
      });
      await outlet.begin();
      const event = outgoing(1);
      await outlet.publish([event]);
      const { header } = await last();
      expect(header.get('Nats-Msg-Id')).toBe(event.id);
    });

    it('takes what is set here, and leaves alone what an operator has set', async () => {
      await openJetStreamOutlet(connection);
      await manager.streams.update(EVENTS_STREAM, { max_age: nanos(3600_000), max_bytes: 1e9 });
      await openJetStreamOutlet(connection);
      expect((await manager.streams.info(EVENTS_STREAM)).config.max_age).toBe(nanos(3600_000));
      await manager.streams.update(EVENTS_STREAM, { subjects: ['beleg.v1.evt.other.>'] });
      await openJetStreamOutlet(connection);
      expect((await manager.streams.info(EVENTS_STREAM)).config).toMatchObject({
        subjects: ['beleg.v1.evt.>'],
        max_age: nanos(3600_000),
        max_bytes: 1e9,
      });
    });

    it('says that it cannot begin', async () => {
      await expect(openJetStreamOutlet(connection, { replicas: 3 })).rejects.toMatchObject(AWAY);
    });
  });

  describe('begin', () => {
    let outlet: Outlet;
    beforeEach(async () => {
      outlet = await openJetStreamOutlet(connection);
      await outlet.begin();
    });
    afterEach(clear);

    it('is in the last message, where a crash came before the note', async () => {
      const [first, second] = [outgoing(1), outgoing(2)];
      await outlet.publish([first]);
      const before = (await (await noteBucket()).get('checkpoint'))!.value;
      await outlet.publish([second]);
      await (await noteBucket()).put('checkpoint', before);
      expect(await reopened()).toBe(second.position);
    });

    it('is in the note, where the messages have expired', async () => {
      const event = outgoing(1);
      await outlet.publish([event]);
      await manager.streams.purge(EVENTS_STREAM);
      expect(await reopened()).toBe(event.position);
      const next = await openJetStreamOutlet(connection);
      await next.begin();
      await next.publish([outgoing(2)]);
      expect(numbers(await all(connection, manager))).toEqual([2]);
    });

    it('is in the last message, where the note is none', async () => {
      await outlet.publish([outgoing(1)]);
      for (const other of ['', '{', 'null', '{"position":7}']) {
        await (await noteBucket()).put('checkpoint', other);
        expect(await reopened()).toBe(outgoing(1).position);
      }
    });

    it('is in the note, where somebody else has published the last message', async () => {
      await outlet.publish([outgoing(1)]);
      await connection.jetstream().publish('beleg.v1.evt.other.thing.x', 'no event');
      const next = await openJetStreamOutlet(connection);
      expect(await next.begin()).toBe(outgoing(1).position);
      await next.publish([outgoing(2)]);
      expect(await reopened()).toBe(outgoing(2).position);
    });

    it('is that of the messages, where the stream has lost some that the note tells of', async () => {
      await outlet.publish([outgoing(1), outgoing(2)]);
      await manager.streams.delete(EVENTS_STREAM);
      expect(await reopened()).toBeUndefined();
      const refilling = await openJetStreamOutlet(connection);
      await refilling.begin();
      await refilling.publish([outgoing(1)]);
      expect(await reopened()).toBe(outgoing(1).position);
    });

    it('is written once only where two relays note at once', async () => {
      const other = await openJetStreamOutlet(connection);
      await other.begin();
      await outlet.advance(outgoing(2).position);
      await expect(other.advance(outgoing(1).position)).rejects.toMatchObject(CONFLICT);
      expect(await reopened()).toBe(outgoing(2).position);
    });
  });

  it('writes over a note that the server has and cannot read, and goes on', async () => {
    const before = await openJetStreamOutlet(connection);
    await before.begin();
    await before.publish([outgoing(1)]);
    const bucket = await noteBucket();
    const unreadable = vi
      .spyOn(Object.getPrototypeOf(bucket) as typeof bucket, 'get')
      .mockResolvedValue(null);
    const outlet = await openJetStreamOutlet(connection);
    expect(await outlet.begin()).toBe(outgoing(1).position);
    await outlet.publish([outgoing(2)]);
    unreadable.mockRestore();
    await outlet.publish([outgoing(3)]);
    expect((await bucket.get('checkpoint'))!.json()).toMatchObject({ position: outgoing(3).position });
    await clear();
  });

  describe('fence', () => {
    let one: Outlet;
    let other: Outlet;
    beforeEach(async () => {
      one = await openJetStreamOutlet(connection);
      other = await openJetStreamOutlet(connection);
      await one.begin();
      await other.begin();
    });
    afterEach(clear);

    it('refuses a relay that has been overtaken', async () => {
      await one.publish([outgoing(1), outgoing(2)]);
      await expect(other.publish([outgoing(3)])).rejects.toMatchObject(CONFLICT);
      expect(await other.begin()).toBe(outgoing(2).position);
      await other.publish([outgoing(3)]);
      expect(numbers(await all(connection, manager))).toEqual([1, 2, 3]);
    });

    it('recognises what another relay has published in the same place', async () => {
      const events = [outgoing(1), outgoing(2), outgoing(3)];
      await one.publish(events.slice(0, 2));
      // The events are in their place, and the third follows; the note shows another relay.
      await expect(other.publish(events)).rejects.toMatchObject(CONFLICT);
      expect(await other.begin()).toBe(events[2]!.position);
      expect(numbers(await all(connection, manager))).toEqual([1, 2, 3]);
    });

    it('lets nothing in behind a message that another relay has put in its place', async () => {
      const [first, second, third] = [outgoing(1), outgoing(2), outgoing(3)];
      await one.publish([third]);
      // The sequence fits the second event: without the previous message's id it would follow the third.
      await expect(other.publish([first, second])).rejects.toMatchObject(CONFLICT);
      expect(numbers(await all(connection, manager))).toEqual([3]);
    });

    it('refuses what stands elsewhere in the stream already', async () => {
      const event = outgoing(1);
      await one.publish([event, outgoing(2)]);
      await other.begin();
      await expect(other.publish([event])).rejects.toMatchObject(CONFLICT);
    });

    it('keeps order and count whatever two relays publish at once', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 8 }),
          async (turns) => {
            await clear();
            const record = upTo(12).map(outgoing);
            const relays = [await openJetStreamOutlet(connection), await openJetStreamOutlet(connection)];
            const next = await Promise.all(
              relays.map(async (relay) => placeAfter(record, await relay.begin())),
            );
            // Like a relay: publishes batches, and begins at its place after a conflict; two at the same time.
            const step = async (which: number, count: number): Promise<void> => {
              const batch = record.slice(next[which], next[which]! + count);
              if (batch.length === 0) return;
              try {
                await relays[which]!.publish(batch);
                next[which]! += batch.length;
              } catch (error) {
                if (!isBelegError(error, 'WRONG_EXPECTED_REVISION')) throw error;
                next[which] = placeAfter(record, await relays[which]!.begin());
              }
            };
            for (const [both, count] of turns) {
              await Promise.all([step(0, count), ...(both ? [step(1, 6 - count)] : [])]);
            }
            const published = numbers(await all(connection, manager));
            expect(published).toEqual(upTo(published.length));
            expect(published.length).toBeGreaterThan(0);
          },
        ),
        { numRuns: 15 },
      );
    });
  });

  describe('relay', () => {
    let folder: string;
    let store: EventStore;
    let relays: Relays;
    beforeEach(async () => {
      folder = temporaryFolder();
      store = await openEmbeddedStore({ file: join(folder, 'events.db') });
      relays = new Relays();
    });
    afterEach(async () => {
      await relays.end();
      await clear();
      await store.close();
    });

    it('begins at the first event of the record', async () => {
      await store.append('notes', NO_STREAM, notes(0, 600));
      relays.start({ store, outlet: await openJetStreamOutlet(connection) });
      expect(numbers(await received(connection, 600))).toEqual(upTo(600));
    });

    it.each(['18446744073709551615-18446744073709551615', '1000000000000000'])(
      'publishes the record where %s was noted as its place, which it does not have',
      async (place) => {
        await store.append('notes', NO_STREAM, notes(0, 3));
        const noting = await openJetStreamOutlet(connection);
        await noting.begin();
        await noting.advance(place as Position);
        const lost: Position[] = [];
        const outlet = await openJetStreamOutlet(connection);
        relays.start({ store, outlet, onLostPlace: (at) => lost.push(at) });
        expect(numbers(await received(connection, 3))).toEqual(upTo(3));
        await relays.end();
        expect(lost).toEqual([place]);
        const { position } = (await store.readAll({ direction: 'backwards' })[Symbol.asyncIterator]().next())
          .value!;
        expect(await reopened()).toBe(position);
      },
    );

    it('passes over messages of others in the middle, names each that it meets, and loses nothing', async () => {
      const met: string[] = [];
      const onForeign = ({ subject }: { subject: string }) => void met.push(subject);
      relays.start({ store, outlet: await openJetStreamOutlet(connection, { onForeign }) });
      await store.append('notes', NO_STREAM, notes(0, 3));
      await received(connection, 3);
      const place = createHeaders();
      place.set('beleg-position', 'zzz');
      const foreign: Parameters<JetStreamClient['publish']>[] = [
        ['beleg.v1.evt.notes.noted.a', 'no JSON \u0000'],
        ['beleg.v1.evt.notes.unknown-kind.b', JSON.stringify({ type: 'UnknownKind', data: {} })],
        ['beleg.v1.evt.notes.noted.c', JSON.stringify({ type: 'Noted', metadata: { version: 99 } })],
        ['beleg.v1.evt.notes.noted.d', '', { headers: place }],
      ];
      for (const [at, message] of foreign.entries()) {
        await connection.jetstream().publish(...message);
        await store.append('notes', BigInt(2 + at), [noted(3 + at)]);
        await vi.waitFor(
          async () => expect((await manager.streams.info(EVENTS_STREAM)).state.messages).toBe(5 + 2 * at),
          PATIENT,
        );
      }
      await relays.end();
      const messages = await Promise.all(
        Array.from({ length: 11 }, (_, i) => manager.streams.getMessage(EVENTS_STREAM, { seq: i + 1 })),
      );
      const own = messages.filter(({ subject }) => !subject.startsWith('beleg.v1.evt.notes.'));
      expect(own.map((message) => message.json<PublishedEvent>().data)).toEqual(upTo(7).map((n) => ({ n })));
      expect(met).toEqual(expect.arrayContaining(foreign.slice(0, 3).map(([subject]) => subject)));
      // The last one has a header as the relay's own messages have it.
      expect(await foreignIn(manager)).toBe(3);
    });

    it('doubles nothing where two run at once', async () => {
      for (let i = 0; i < 3; i++) relays.start({ store, outlet: await openJetStreamOutlet(connection) });
      for (let n = 0; n < 2000; n += 40) await store.append('notes', BigInt(n - 1), notes(n, 40));
      expect(numbers(await received(connection, 2000))).toEqual(upTo(2000));
      await relays.end();
      expect(await all(connection, manager)).toHaveLength(2000);
    });

    it('doubles nothing where it was ended in the middle of a batch, and another one takes over', async () => {
      await store.append('notes', NO_STREAM, notes(0, 1000));
      for (let i = 0; i < 8; i++) {
        const published = Promise.withResolvers<void>();
        const outlet = await openJetStreamOutlet(connection);
        const stop = relays.start({
          store,
          // Messages leave, and nobody waits for their acknowledgement.
          outlet: replace(outlet, {
            publish: (events) => (published.resolve(), outlet.publish(events)),
          }),
        });
        await published.promise;
        await stop();
        await store.append('notes', BigInt(999 + i), [noted(1000 + i)]);
      }
      relays.start({ store, outlet: await openJetStreamOutlet(connection) });
      expect(numbers(await received(connection, 1008))).toEqual(upTo(1008));
      await relays.end();
      expect(await all(connection, manager)).toHaveLength(1008);
    });

    it('publishes again, unseen by subscribers, where the acknowledgement was lost', async () => {
      const outlet = await openJetStreamOutlet(connection);
      let lost = 0;
      const errors: unknown[] = [];
      relays.start({
        store,
        outlet: replace(outlet, {
          // The first time it began before those messages were there: it does not know of them.
          async publish(events) {
            if (lost++ > 0) return outlet.publish(events);
            const twin = await openJetStreamOutlet(connection);
            await twin.begin();
            await twin.publish(events);
            return outlet.publish(events);
          },
        }),
        onError: (error) => errors.push(error),
      });
      await store.append('notes', NO_STREAM, notes(0, 5));
      await store.append('notes', 4n, notes(5, 5));
      expect(numbers(await received(connection, 10))).toEqual(upTo(10));
      expect(await all(connection, manager)).toHaveLength(10);
      expect(lost).toBeGreaterThan(0);
    });

    it('fills a stream again that was removed while it ran', async () => {
      relays.start({ store, outlet: await openJetStreamOutlet(connection) });
      await store.append('notes', NO_STREAM, notes(0, 3));
      await received(connection, 3);
      await manager.streams.delete(EVENTS_STREAM);
      const refilled = firstMessage(connection);
      await store.append('notes', 2n, [noted(3)]);
      await refilled;
      expect(numbers(await received(connection, 4))).toEqual(upTo(4));
    });
  });
});

/** Resolves once a stream is there again and has taken a message. */
async function firstMessage(connection: NatsConnection): Promise<void> {
  const subscription = connection.subscribe('$JS.EVENT.ADVISORY.STREAM.CREATED.BELEG_EVENTS', { max: 1 });
  for await (const _ of subscription);
}

const placeAfter = (record: readonly { position: string }[], position: string | undefined): number =>
  position === undefined ? 0 : record.findIndex((event) => event.position === position) + 1;

describe.skipIf(!hasNatsServer)('JetStream that goes away', () => {
  let server: NatsServer;
  let connection: NatsConnection;
  let folder: string;
  let store: EventStore;
  let relays: Relays;

  beforeEach(async () => {
    server = await startNatsServer();
    connection = await connectTo(server.url);
    folder = temporaryFolder();
    store = await openEmbeddedStore({ file: join(folder, 'events.db') });
    relays = new Relays();
  });
  afterEach(async () => {
    await relays.end();
    await connection.close();
    await server.remove();
    await store.close();
  });

  it('gets every event once, in order, when NATS is killed and started again', async () => {
    const outlet = await openJetStreamOutlet(connection);
    let kills = 0;
    let restarting: Promise<void> | undefined;
    const restart = async (): Promise<void> => {
      kills++;
      await server.kill();
      await server.restart();
      restarting = undefined;
    };
    relays.start({
      store,
      outlet: replace(outlet, {
        // In the middle of a batch: some messages are taken, some are on their way, some wait in the client.
        publish(events) {
          const publishing = outlet.publish(events);
          if (kills < 3 && events.length > 1) restarting ??= restart();
          return publishing;
        },
      }),
    });
    for (let n = 0; n < 3000; n += 300) {
      await store.append('notes', BigInt(n - 1), notes(n, 300));
      await restarting;
    }
    // The last kill may come after the last append, and then a connection has nothing to wait for.
    await expect.poll(() => ({ kills, over: restarting === undefined })).toEqual({ kills: 3, over: true });
    const subscriber = await connectTo(server.url);
    expect(numbers(await received(subscriber, 3000))).toEqual(upTo(3000));
    expect(await all(subscriber, await subscriber.jetstreamManager())).toHaveLength(3000);
    await subscriber.close();
  });

  it.each([0.02, 0.1, 0.5, 0.9, 0.99])(
    'gives every event where the file of the stream came back damaged at %f',
    async (where) => {
      // given
      const outlet = await openJetStreamOutlet(connection);
      await store.append('notes', NO_STREAM, notes(0, 200));
      const pause = relays.start({ store, outlet });
      await received(connection, 200);
      await pause();
      // when
      await server.kill();
      const file = (await filesBelow(server.store)).find((path) => /BELEG_EVENTS.*\.blk$/u.test(path));
      await damageFile(file!, () => where);
      const back = reconnected(connection);
      await server.restart();
      await back;
      // then: the outlet is looked at as a process looks at it, since the server may find the damage only after a while
      let stop = relays.start({ store, outlet });
      await store.append('notes', 199n, notes(200, 10));
      const look = async (): Promise<number[]> => {
        if (!(await outlet.isWhole())) {
          await stop();
          stop = relays.start({ store, outlet });
        }
        return held(connection);
      };
      await expect.poll(look, PATIENT).toEqual(upTo(210));
    },
  );

  it('ends while NATS is away', async () => {
    const stop = relays.start({ store, outlet: await openJetStreamOutlet(connection) });
    await store.append('notes', NO_STREAM, [noted(0)]);
    await received(connection, 1);
    await server.kill();
    await store.append('notes', 0n, [noted(1)]);
    await stop();
  });
});

async function reconnected(connection: NatsConnection): Promise<void> {
  for await (const { type } of connection.status()) if (type === Events.Reconnect) return;
}

describe.skipIf(!hasNatsServer)('JetStream with permissions', () => {
  const folder = sharedFolder();
  let server: NatsServer;
  let relay: NatsConnection;
  let reader: NatsConnection;

  beforeAll(async () => {
    const file = join(folder, 'nats.conf');
    writeFileSync(file, PERMISSIONS);
    server = await startNatsServer(['-c', file]);
    relay = await connect({ servers: server.url, user: 'relay', pass: 'r' });
    reader = await connect({ servers: server.url, user: 'reader', pass: 'r', inboxPrefix: '_INBOX_reader' });
  });
  afterAll(async () => {
    await relay.close();
    await reader.close();
    await server.remove();
  });

  it('needs no more than these', async () => {
    const outlet = await openJetStreamOutlet(relay);
    await outlet.begin();
    await outlet.publish([outgoing(1)]);
    const manager = await relay.jetstreamManager({ checkAPI: false });
    await manager.streams.update(EVENTS_STREAM, { subjects: ['beleg.v1.evt.other.>'] });
    await openJetStreamOutlet(relay);
    expect((await manager.streams.info(EVENTS_STREAM)).config.subjects).toEqual(['beleg.v1.evt.>']);
    expect(numbers(await received(reader, 1))).toEqual([1]);
  });

  it('is fenced off from a reader', async () => {
    const outlet = await openJetStreamOutlet(reader);
    await expect(outlet.begin()).rejects.toMatchObject(AWAY);
    await expect(reader.jetstream().publish('beleg.v1.evt.test.noted.x')).rejects.toMatchObject({
      code: 'PERMISSIONS_VIOLATION',
    });
  });
});

/** The permissions of the relay's user and of a subscriber in docs/deployment.md and the Compose file. */
const PERMISSIONS = `
authorization {
  users: [
    {
      user: relay, password: r
      permissions: {
        publish: [
          "beleg.v1.evt.>", "$KV.BELEG_RELAY.>"
          "$JS.API.STREAM.INFO.BELEG_EVENTS", "$JS.API.STREAM.CREATE.BELEG_EVENTS"
          "$JS.API.STREAM.UPDATE.BELEG_EVENTS", "$JS.API.STREAM.MSG.GET.BELEG_EVENTS"
          "$JS.API.STREAM.DELETE.BELEG_EVENTS"
          "$JS.API.STREAM.INFO.KV_BELEG_RELAY", "$JS.API.STREAM.CREATE.KV_BELEG_RELAY"
          "$JS.API.STREAM.MSG.GET.KV_BELEG_RELAY"
        ]
        subscribe: ["_INBOX.>"]
      }
    }
    {
      user: reader, password: r
      permissions: {
        publish: [
          "$JS.API.STREAM.INFO.BELEG_EVENTS", "$JS.API.CONSUMER.CREATE.BELEG_EVENTS.>"
          "$JS.API.CONSUMER.INFO.BELEG_EVENTS.>", "$JS.API.CONSUMER.DELETE.BELEG_EVENTS.>"
          "$JS.API.CONSUMER.MSG.NEXT.BELEG_EVENTS.>"
        ]
        subscribe: ["_INBOX_reader.>"]
      }
    }
  ]
}
`;

describe.skipIf(!hasNatsServer)('example subscriber', async () => {
  const example = new URL('./example-subscriber.mjs', import.meta.url);
  const page = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8');
  let server: NatsServer;

  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.remove());

  it('stands in the documentation as it is tested here', async () => {
    expect(page).toContain(await readFile(example, 'utf8'));
  });

  it('reads from the start, then live, over a restart of NATS, and ends at Ctrl-C', async () => {
    const connection = await connectTo(server.url);
    const outlet = await openJetStreamOutlet(connection);
    await outlet.begin();
    await outlet.publish([outgoing(0), outgoing(1)]);
    const subscriber = spawn(process.execPath, [example.pathname], {
      env: { NATS_URL: server.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(subscriber, 'exit');
    const lines = createInterface({ input: subscriber.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> =>
      (JSON.parse((await lines.next()).value as string) as PublishedEvent).data;
    expect([await next(), await next()]).toEqual([{ n: 0 }, { n: 1 }]);
    await outlet.publish([outgoing(2)]);
    expect(await next()).toEqual({ n: 2 });
    const back = reconnected(connection);
    await server.kill();
    await server.restart();
    await back;
    await outlet.begin();
    await outlet.publish([outgoing(3)]);
    expect(await next()).toEqual({ n: 3 });
    subscriber.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    await connection.close();
  });
});

it.skipIf(!hasNatsServer)('goes on where the files of the bucket of its note came back damaged', async () => {
  const server = await startNatsServer();
  const before = await connectTo(server.url);
  const outlet = await openJetStreamOutlet(before);
  await outlet.begin();
  for (let n = 1; n <= 20; n++) await outlet.publish([outgoing(n)]);
  await before.close();
  await server.kill();
  const [block] = (await filesBelow(server.store)).filter((file) => /KV_BELEG_RELAY.*\.blk$/u.test(file));
  await damageFile(block!, () => 0.5);
  await server.restart();
  const after = await connectTo(server.url);
  const next = await openJetStreamOutlet(after);
  expect(await next.begin()).toBe(outgoing(20).position);
  for (let n = 21; n <= 24; n++) await next.publish([outgoing(n)]);
  expect(await (await openJetStreamOutlet(after)).begin()).toBe(outgoing(24).position);
  await after.close();
  await server.remove();
});
