import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson, type Json } from '../json.ts';
import { openEmbeddedStore } from '../store/embedded/embedded.ts';
import { openEmbeddedReader } from '../store/embedded/read-only.ts';
import { writeEmbeddedFile } from '../store/embedded/rewrite.suite.ts';
import { openEventStoreDb } from '../store/eventstoredb/eventstoredb.ts';
import { JSON_CONTENT } from '../../testing/eventstoredb/stand-in/database.ts';
import { startStandIn } from '../../testing/eventstoredb/stand-in/server.ts';
import { tamperSuite, type TamperHarness } from './tamper.suite.ts';

const nothing = (): Promise<void> => Promise.resolve();

tamperSuite('embedded', async (): Promise<TamperHarness> => {
  const folder = mkdtempSync(join(tmpdir(), 'tamper-'));
  let close = nothing;
  return {
    hasDensePositions: true,
    async open() {
      const store = await openEmbeddedStore({ file: join(folder, 'untouched.db') });
      close = () => store.close();
      return store;
    },
    async openOver(rows) {
      const file = join(folder, 'events.db');
      writeEmbeddedFile(file, rows);
      const reader = openEmbeddedReader({ file });
      close = () => reader.close();
      return reader;
    },
    close: () => close(),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});

tamperSuite('EventStoreDB', async (): Promise<TamperHarness> => {
  const folder = mkdtempSync(join(tmpdir(), 'tamper-'));
  const server = await startStandIn({ file: join(folder, 'events.db') });
  const store = await openEventStoreDb({ url: server.url });
  return {
    hasDensePositions: false,
    open: async () => store,
    async openOver(rows) {
      server.overwrite(
        rows.map(({ stream, revision, id, type, data, metadata, hash }) => {
          const known = JSON.parse(metadata) as Record<string, Json>;
          return {
            stream,
            revision: BigInt(revision),
            id,
            type,
            contentType: JSON_CONTENT,
            created: 0,
            data: Buffer.from(data),
            metadata: Buffer.from(canonicalJson({ ...known, hash })),
          };
        }),
      );
      return store;
    },
    close: nothing,
    async dispose() {
      await store.close();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
});
