import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { newEvent } from '../../../events/store/contract.suite.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { NO_STREAM } from '../../../events/store/store.ts';
import { Log } from './log.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'log.db');
});

async function replayed(): Promise<unknown[]> {
  const entries: unknown[] = [];
  const log = await Log.open<unknown>(file, (entry) => entries.push(entry));
  await log.close();
  return entries;
}

it('gives back every entry in order, also those of many parts', async () => {
  const entries = [1n, { bytes: new Uint8Array(randomBytes(3_000_000)) }, 'x', { n: 2n ** 63n - 1n }];
  const log = await Log.open<unknown>(file, () => undefined);
  await Promise.all(entries.slice(0, 3).map((entry) => log.write(entry)));
  await log.write(entries[3]);
  await log.close();
  expect(await replayed()).toEqual(entries);
});

it('drops the parts of a batch that a crash cut short, and goes on after them', async () => {
  const store = await openEmbeddedStore({ file });
  const base64 = serialize(['torn']).toString('base64').slice(0, 8);
  await store.append('log', NO_STREAM, [newEvent({ index: 0, last: false, base64 })]);
  await store.close();
  const log = await Log.open<unknown>(file, () => undefined);
  await log.write('whole');
  await log.close();
  expect(await replayed()).toEqual(['whole']);
});
