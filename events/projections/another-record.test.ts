import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startStandIn, type StandIn } from '../../testing/eventstoredb/stand-in/server.ts';
import type { Codec } from '../define.ts';
import { PATIENT } from '../patient.suite.ts';
import { noted, Noted } from '../relay/contract.suite.ts';
import { openEventStoreDb } from '../store/eventstoredb/eventstoredb.ts';
import { Followers } from '../store/followers-behind.ts';
import { NO_STREAM } from '../store/store.ts';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import type { Projection } from './projection.ts';
import { startProjection } from './runner.ts';

const codec = { decode: async (event: unknown) => event } as unknown as Codec;

const counting: Projection = {
  name: 'counting',
  version: 1,
  tables: 'CREATE TABLE seen (position TEXT) STRICT',
  types: [Noted.type],
  apply: (rows, _event, { position }) => rows.run('INSERT INTO seen VALUES (?)', position),
};

test('a server that comes back with another record, and then with its own, is followed each time', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tables.db');
  let server: StandIn = await startStandIn({ file: join(folder, 'ours.db') });
  const { port } = server;
  const comeBackWith = async (record: string): Promise<void> => {
    await server.close();
    server = await startStandIn({ file: join(folder, record), port });
  };
  const store = await openEventStoreDb({ url: server.url });
  const append = (stream: string, count: number) =>
    store.append(
      stream,
      NO_STREAM,
      Array.from({ length: count }, (_, n) => noted(n)),
    );
  const seen = (): number => {
    using db = new DatabaseSync(file, { readOnly: true });
    return db.prepare('SELECT count(*) AS n FROM seen').get()!['n'] as number;
  };
  const runner = startProjection({ store, codec, projection: counting, file, retryAfterMs: 5 });
  const followers = new Followers({ store, clock: () => performance.now(), now: Date.now });
  followers.add(runner.follower());
  const come = async (count: number): Promise<void> => {
    await expect
      .poll(async () => {
        await followers.look();
        return seen();
      }, PATIENT)
      .toBe(count);
  };

  await append('ours', 3);
  await come(3);
  await comeBackWith('theirs.db');
  await expect.poll(() => append('theirs', 8).catch(() => null), PATIENT).not.toBeNull();
  await come(8);
  await comeBackWith('ours.db');
  await come(3);
  await append('more', 2);
  await come(5);

  await runner.stop();
  await store.close();
  await server.close();
});
