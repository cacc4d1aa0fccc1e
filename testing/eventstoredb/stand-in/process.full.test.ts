import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { binaryTestEvents, collect, newStream, take, testEvents } from './client.suite.ts';
import { spawnStandIn, type StandInProcess } from './process.suite.ts';

const folder = sharedFolder();
let standIn: StandInProcess;
let client: EventStoreDBClient;

beforeAll(async () => {
  standIn = await spawnStandIn({ file: join(folder, 'stand-in.db') });
  client = EventStoreDBClient.connectionString(standIn.url);
});
afterAll(async () => {
  await client.dispose();
  await standIn.remove();
});

/** The client only notices a lost connection by a failed call. */
async function reconnect(): Promise<void> {
  await collect(client.readAll({ maxCount: 1 })).catch(() => undefined);
}

it('killed and started again on the same port: all that was acknowledged is there, and nothing else', async () => {
  const [stream, gone, ended] = [newStream(), newStream(), newStream()];
  const events = [
    ...testEvents(3),
    ...binaryTestEvents(3),
    jsonEvent({ type: 'm', data: {}, metadata: { a: 1 } }),
  ];
  const first = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
  await client.appendToStream(gone, testEvents(2));
  await client.deleteStream(gone);
  await client.appendToStream(ended, testEvents(2));
  await client.tombstoneStream(ended);
  const before = await collect(client.readAll());

  const acknowledged = new Set<string>();
  const flood = Array.from({ length: 200 }, async () => {
    const name = newStream('flood');
    await client.appendToStream(name, testEvents(3), { expectedRevision: NO_STREAM });
    acknowledged.add(name);
    // Killed at the first reply, which would be wrong if it came before the disk write.
    if (acknowledged.size === 1) await standIn.kill();
  });
  await Promise.allSettled(flood);
  expect(acknowledged.size).toBeGreaterThan(0);
  await standIn.restart();
  await reconnect();

  const after = await collect(client.readAll());
  expect(after.slice(0, before.length)).toEqual(before);
  const counts = new Map<string, number>();
  for (const { event } of after) counts.set(event!.streamId, (counts.get(event!.streamId) ?? 0) + 1);
  for (const name of acknowledged) expect(counts.get(name)).toBe(3);
  // An append is written completely or not at all.
  const floods = [...counts].filter(([name]) => name.startsWith('flood'));
  expect(new Set(floods.map(([, count]) => count))).toEqual(new Set([3]));

  expect(await client.appendToStream(stream, events, { expectedRevision: NO_STREAM })).toEqual(first);
  await expect(collect(client.readStream(gone))).rejects.toMatchObject({ type: 'stream-not-found' });
  await expect(collect(client.readStream(ended))).rejects.toMatchObject({ type: 'stream-deleted' });
  expect((await client.appendToStream(gone, testEvents(1))).nextExpectedRevision).toBe(2n);
});

it('with ANY the ids are forgotten at a restart, as in the server: the events stand twice', async () => {
  const stream = newStream();
  const events = testEvents(2);
  await client.appendToStream(stream, events);
  await client.appendToStream(stream, events);
  expect(await collect(client.readStream(stream))).toHaveLength(2);
  await standIn.kill();
  await standIn.restart();
  await reconnect();
  await client.appendToStream(stream, events);
  expect(await collect(client.readStream(stream))).toHaveLength(4);
});

it('takes faults over its input', async () => {
  const stream = newStream();
  await standIn.faults.inject('batchAppend', { kind: 'wrongExpectedVersion' }, 3);
  await expect(client.appendToStream(stream, testEvents(1))).rejects.toMatchObject({
    type: 'wrong-expected-version',
  });
  await standIn.faults.clear();
  await client.appendToStream(stream, testEvents(1));
  const subscription = client.subscribeToStream(stream);
  await new Promise((resolve) => subscription.once('caughtUp', resolve).resume());
  const ended = new Promise((resolve) => subscription.once('end', resolve));
  await standIn.faults.now('endSubscriptions');
  await ended;
});

it('paused it is silent, resumed it answers', async () => {
  const stream = newStream();
  await client.appendToStream(stream, testEvents(1));
  standIn.pause();
  let answered = false;
  const appending = client.appendToStream(stream, testEvents(1)).finally(() => (answered = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toBe(false);
  standIn.resume();
  await appending;
  expect(await take(client.subscribeToStream(stream), 2)).toHaveLength(2);
});
