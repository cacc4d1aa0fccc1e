import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { writerContract } from './writer.suite.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

writerContract('the embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beleg-writer-'));
  folders.push(folder);
  return openEmbeddedStore({ file: join(folder, 'events.db') });
});
