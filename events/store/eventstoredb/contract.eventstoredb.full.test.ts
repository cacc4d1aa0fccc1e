import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract } from '../contract.suite.ts';
import { openEventStoreDb } from './eventstoredb.ts';
import { startEventStore } from '../../../testing/eventstoredb/served.suite.ts';

storeContract('EventStoreDB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'eventstoredb-'));
  const server = await startEventStore({ file: join(folder, 'events.db') });
  return {
    open: () => openEventStoreDb({ url: server.url }),
    dispose: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
});
