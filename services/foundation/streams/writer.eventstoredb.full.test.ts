import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openEventStoreDb } from '../../../events/store/eventstoredb/eventstoredb.ts';
import { startEventStore } from '../../../testing/eventstoredb/served.suite.ts';
import { writerContract } from './writer.suite.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

writerContract('EventStoreDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beleg-writer-'));
  const server = await startEventStore({ file: join(folder, 'events.db') });
  closers.push(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  return openEventStoreDb({ url: server.url });
});
