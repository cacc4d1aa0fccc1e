import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { openEventStoreDb } from '../../events/store/eventstoredb/eventstoredb.ts';
import { startStandIn } from '../../events/store/eventstoredb/stand-in/server.ts';
import { brokerContract } from './broker.suite.ts';
import { paperBrokerHarness } from './paper-broker.suite.ts';

brokerContract('paper broker, embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beleg-broker-'));
  const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  return paperBrokerHarness(store, async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
});

brokerContract('paper broker, EventStoreDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beleg-broker-'));
  const server = await startStandIn({ file: join(folder, 'events.db') });
  const store = await openEventStoreDb({ url: server.url });
  return paperBrokerHarness(store, async () => {
    await store.close();
    await server.close();
    await rm(folder, { recursive: true });
  });
});
