import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson, type Json } from '../json.ts';
import { openEmbeddedStore } from '../store/embedded/embedded.ts';
import { openEmbeddedReader } from '../store/embedded/read-only.ts';
import { writeEmbeddedFile } from '../store/embedded/rewrite.suite.ts';
import { openEventStoreDb } from '../store/eventstoredb/eventstoredb.ts';
import { writeStandInFile } from '../store/eventstoredb/stand-in/rewrite.suite.ts';
import { startStandIn } from '../store/eventstoredb/stand-in/server.ts';
import { tamperSuite, type TamperHarness } from './tamper.suite.ts';

/** What a harness has to close, last first. */
function closing(): { add(close: () => Promise<void>): void; all(): Promise<void> } {
  const opened: (() => Promise<void>)[] = [];
  return {
    add: (close) => void opened.push(close),
    async all() {
      for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close();
    },
  };
}

tamperSuite('embedded', async (): Promise<TamperHarness> => {
  const folder = mkdtempSync(join(tmpdir(), 'tamper-'));
  const opened = closing();
  return {
    hasDensePositions: true,
    async open() {
      const store = await openEmbeddedStore({ file: join(folder, 'untouched.db') });
      opened.add(() => store.close());
      return store;
    },
    async openOver(rows) {
      const file = join(folder, 'events.db');
      writeEmbeddedFile(file, rows);
      const reader = openEmbeddedReader({ file });
      opened.add(() => reader.close());
      return reader;
    },
    close: () => opened.all(),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});

tamperSuite('EventStoreDB', async (): Promise<TamperHarness> => {
  const folder = mkdtempSync(join(tmpdir(), 'tamper-'));
  const opened = closing();
  const start = async (file: string) => {
    const server = await startStandIn({ file });
    opened.add(() => server.close());
    const store = await openEventStoreDb({ url: server.url });
    opened.add(() => store.close());
    return store;
  };
  return {
    hasDensePositions: false,
    open: () => start(join(folder, 'untouched.db')),
    async openOver(rows) {
      const file = join(folder, 'events.db');
      const events = rows.map(({ stream, revision, id, type, data, metadata, hash }) => {
        const known = JSON.parse(metadata) as Record<string, Json>;
        const stored = canonicalJson({ ...known, hash });
        return { stream, revision: BigInt(revision), id, type, data, metadata: stored };
      });
      await writeStandInFile(file, events);
      return start(file);
    },
    close: () => opened.all(),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});
