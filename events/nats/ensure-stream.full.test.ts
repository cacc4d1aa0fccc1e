import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBucket } from './bucket.ts';
import { ensureStream } from './ensure-stream.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';

describe.skipIf(!hasNatsServer)('ensureStream', () => {
  let server: NatsServer;
  let connections: NatsConnection[];

  beforeAll(async () => {
    server = await startNatsServer();
    connections = await Promise.all(Array.from({ length: 12 }, () => connect({ servers: server.url })));
  });

  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await server.remove();
  });

  // All processes of a new cluster open the same buckets; without the second look about one opening in 2,000 failed.
  test('creates a bucket once, for all who open it at the same moment', async () => {
    for (let round = 0; round < 100; round++) {
      await Promise.all(
        connections.map((connection) =>
          openBucket(connection, { name: `at-once-${round}`, history: 1, ttlMs: 3000, timeoutMs: 2000 }),
        ),
      );
    }
  });

  test('waits for a stream whose subjects are taken before it can be found', async () => {
    const manager = await connections[0]!.jetstreamManager();
    await manager.streams.add({ name: 'TAKER', subjects: ['taken.>'] });
    const ensured = ensureStream(manager, { name: 'WANTED', subjects: ['taken.>'] });
    await manager.streams.delete('TAKER');
    expect((await ensured).config.name).toBe('WANTED');
  });

  test('says that its subjects belong to another stream', async () => {
    const manager = await connections[0]!.jetstreamManager();
    await manager.streams.add({ name: 'OWNER', subjects: ['owned.>'] });
    await expect(ensureStream(manager, { name: 'OTHER', subjects: ['owned.>'] })).rejects.toThrow(
      'the stream OWNER already takes owned.>, which the stream OTHER is made for',
    );
  });

  test('leaves a stream alone that is as wanted', async () => {
    const manager = await connections[0]!.jetstreamManager();
    const wanted = { name: 'SAME', subjects: ['same.>'], allow_direct: false, max_msgs: 5 };
    await ensureStream(manager, wanted);
    const changes: string[] = [];
    const { promise: toldOfAfter, resolve } = Promise.withResolvers<void>();
    connections[0]!.subscribe('$JS.EVENT.ADVISORY.STREAM.>', {
      callback: (_, { subject }) => {
        changes.push(subject);
        if (subject.endsWith('.AFTER')) resolve();
      },
    });
    await ensureStream(manager, wanted);
    // Advisories come in order, so after this one an earlier one cannot come.
    await manager.streams.add({ name: 'AFTER', subjects: ['after.>'] });
    await toldOfAfter;
    expect(changes).toEqual(['$JS.EVENT.ADVISORY.STREAM.CREATED.AFTER']);
  });

  test('changes what is wanted otherwise, and leaves what an operator has set', async () => {
    const manager = await connections[0]!.jetstreamManager();
    const wanted = { name: 'KEPT', subjects: ['kept.>'] };
    await ensureStream(manager, wanted, { max_msgs: 5 });
    await manager.streams.update('KEPT', { max_msgs: 7 });
    const { config } = await ensureStream(manager, { ...wanted, max_bytes: 10_000 }, { max_msgs: 5 });
    expect(config).toMatchObject({ max_msgs: 7, max_bytes: 10_000 });
  });
});
