import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { openEventStoreDb } from '../../../events/store/eventstoredb/eventstoredb.ts';
import { startEventStore } from '../../../testing/eventstoredb/served.suite.ts';
import type { EventStore } from '../../../events/store/store.ts';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { brokerContract } from './broker.suite.ts';
import { paperBrokerHarness } from './paper-broker.suite.ts';

const folder = sharedFolder();
let store: EventStore;
/** Each test has an account of its own. */
let accounts = 0;

const create = () => paperBrokerHarness(store, `account-${(accounts += 1)}`);

describe('over the embedded store', () => {
  beforeAll(async () => {
    store = await openEmbeddedStore({ file: join(folder, 'events.db') });
  });

  afterAll(() => store.close());

  brokerContract('paper broker', create);
});

describe('over EventStoreDB', () => {
  let server: Awaited<ReturnType<typeof startEventStore>>;

  beforeAll(async () => {
    server = await startEventStore({ file: join(folder, 'server.db') });
    store = await openEventStoreDb({ url: server.url });
  });

  afterAll(async () => {
    await store.close();
    await server.close();
  });

  brokerContract('paper broker', create);
});
