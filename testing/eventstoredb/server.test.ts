import { expect, test } from 'vitest';
import { openEventStoreDb } from '../../events/store/eventstoredb/eventstoredb.ts';
import { EVENTSTORE_BINARY, startServer } from './server-process.suite.ts';

// The suites run against the real server in a project of their own: see `vitest.config.ts`.
test.skipIf(EVENTSTORE_BINARY === undefined)(
  'EventStoreDB itself is there, as EVENTSTORE_BINARY or eventstored on the PATH, and takes our writes',
  async () => {
    const server = await startServer(['--mem-db']);
    try {
      const store = await openEventStoreDb({ url: server.url });
      await store.ping();
      expect(await store.end()).toMatch(/^\d{20}-\d{20}$/);
      await store.close();
    } finally {
      await server.remove();
    }
  },
);
