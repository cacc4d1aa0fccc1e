import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stateHash } from '../../../actors/trading/snapshot.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { AccountRecord, caller, order } from './account.suite.ts';
import type { AccountWriter } from './account.ts';
import { snapshotFile, takeSnapshots, type Snapshots } from './snapshots.ts';

let folder: string;
let file: string;
let record: AccountRecord;
let writer: AccountWriter;
let snapshots: Snapshots;
let faults: unknown[];

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'account.snapshot');
  record = new AccountRecord();
  faults = [];
  snapshots = snapshotFile(file, (error) => faults.push(error));
  writer = await record.writer('100000000');
});

afterEach(async () => {
  await writer.close();
});

const submit = (id: string) => writer.submit({ type: 'submit', order: order(id) }, caller(id));

/** A snapshot after these orders, and then another order. */
async function snapshotAfter(...ids: string[]): Promise<void> {
  const end = takeSnapshots(snapshots, writer);
  for (const id of ids) await submit(id);
  await end();
  await submit('later');
}

test('a snapshot and what came after it give what the whole record gives', async () => {
  await snapshotAfter('a', 'b');
  const snapshot = await snapshots.read();
  expect(snapshot?.revision).toBe(3n);
  expect(snapshot?.state.orders.size).toBe(2);
  const loaded = await record.load(snapshots);
  expect(loaded.revision).toBe(4n);
  expect(stateHash(loaded.state)).toBe(stateHash(writer.state));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('one is taken when there is much to fold', async () => {
  const end = takeSnapshots(snapshots, writer);
  for (let n = 0; n < 20; n++) {
    await Promise.all(Array.from({ length: 256 }, (_, i) => submit(`${n}-${i}`)));
  }
  await end();
  expect((await snapshots.read())!.revision).toBeGreaterThan(5_000n);
});

test.each([
  ['another version', (text: string) => text.replace(/"version":\d+/, '"version":999')],
  ['another content', (text: string) => text.replace('"currency":"USD"', '"currency":"EUR"')],
  ['a part', (text: string) => text.slice(0, -100)],
  ['nothing', () => ''],
])('%s is no snapshot', async (_, change) => {
  await snapshotAfter('a');
  const text = await readFile(file, 'utf8');
  await writeFile(file, change(text));
  expect(change(text)).not.toBe(text);
  expect(await snapshots.read()).toBeUndefined();
  const loaded = await record.load(snapshots);
  expect(stateHash(loaded.state)).toBe(stateHash(writer.state));
});

test('one of another record is none', async () => {
  await snapshotAfter('a', 'b');
  const other = new AccountRecord();
  const otherWriter = await other.writer('5');
  const loaded = await other.load(snapshots);
  expect(stateHash(loaded.state)).toBe(stateHash(otherWriter.state));
  await otherWriter.close();
});

test('a writer that has lost the account leaves none', async () => {
  const end = takeSnapshots(snapshots, writer);
  await submit('a');
  record.store.mode = 'mute';
  const telling = submit('b').catch(() => undefined);
  record.store.mode = 'down';
  await writer.close();
  await telling;
  await end();
  expect(await snapshots.read()).toBeUndefined();
});

test('where it cannot be written, that is told and nothing else', async () => {
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await snapshotAfter('a');
  expect(faults).toHaveLength(1);
  await rm(folder);
  folder = temporaryFolder();
});
