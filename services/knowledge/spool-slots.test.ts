import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerData, askedBefore } from '../../events/catalog/answer-given.suite.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { AnswerGiven, askStream } from '../../events/catalog/knowledge.ts';
import { createCodec } from '../../events/define.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { noAuditLines } from '../foundation/audit-lines.ts';
import { askWriters } from '../foundation/streams/ask-writers.ts';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import { claimSlot, type Slot } from '../foundation/process-slot.ts';
import { recorderOf, type Recorder } from './recorder.ts';
import { openSpool } from '../foundation/spool.ts';
import { isFreeOfEvents, mergeFigures, spoolOf, spoolsBeside } from './spool-slots.ts';

let dataDir: string;
let store: FaultyStore;
let vault: Vault;
let running: { recorder: Recorder; slot: Slot }[];

/** A recording process with a shared `DATA_DIR`. Without a timer, so that tests decide when it delivers. */
async function start() {
  const slot = await claimSlot(dataDir);
  const codec = createCodec(CATALOG, vault);
  const recorder = recorderOf({
    instance: slot.folder,
    store,
    codec,
    spool: await openSpool(spoolOf(slot.folder)),
    others: spoolsBeside(dataDir, slot),
    asks: askWriters({ store, codec, now: () => new Date() }),
    lines: noAuditLines,
    logger: pino({ level: 'silent' }),
    retryMs: 1_000_000,
  });
  const process = { recorder, slot };
  running.push(process);
  return process;
}

/** The lock ends with the process; nothing else is cleaned up. */
async function die(process: { recorder: Recorder; slot: Slot }): Promise<void> {
  running.splice(running.indexOf(process), 1);
  await process.recorder.close();
  await process.slot.release();
}

async function answer({ recorder }: { recorder: Recorder }, id: string) {
  const stream = askStream(id);
  const cause = { stream, at: new Date(0).toISOString(), correlationId: id, causationId: id, key: id };
  return recorder.record(stream, [...askedBefore(id, cause), AnswerGiven.create(answerData(id), cause)]);
}

const onRecord = async (id: string): Promise<number> => {
  store.mode = 'up';
  return (await Array.fromAsync(store.readStream(askStream(id)))).length;
};

beforeEach(async () => {
  dataDir = temporaryFolder();
  store = new FaultyStore(await openEmbeddedStore({ file: join(dataDir, 'events.db') }));
  vault = await openSqliteVault({ file: join(dataDir, 'keys.db') });
  running = [];
});
afterEach(async () => {
  for (const process of running.slice()) await die(process);
  await Promise.all([store.close(), vault.close()]);
});

describe('what a process has left in its spool', () => {
  test('is delivered by one that records, in whatever slot it lies and whoever started first', async () => {
    const beside = await claimSlot(dataDir);
    const dead = await start();
    store.mode = 'down';
    expect(await answer(dead, 'r-1')).toBe('spooled');
    await die(dead);
    await beside.release();
    // All processes restart: first one that records nothing, then one that records.
    const silent = await claimSlot(dataDir, isFreeOfEvents);
    const next = await start();
    store.mode = 'up';
    await next.recorder.deliver();
    expect(await onRecord('r-1')).toBe(3);
    expect(mergeFigures(next.recorder.spools())).toEqual({ waiting: 0, lost: 0 });
    await silent.release();
  });

  test('is delivered too where it died while the other one was running, and counted until then', async () => {
    const [a, b, c] = [await start(), await start(), await start()];
    store.mode = 'down';
    for (const [process, id] of [
      [b, 'r-b'],
      [c, 'r-c'],
    ] as const)
      await answer(process, id);
    await a.recorder.deliver();
    // The spools of living processes are not taken, but their entries count.
    expect(a.recorder.status().spooled).toBe(0);
    expect(mergeFigures(a.recorder.spools()).waiting).toBe(6);
    await die(b);
    await die(c);
    expect(mergeFigures(a.recorder.spools()).waiting).toBe(6);
    await a.recorder.deliver();
    expect(a.recorder.status().spooled).toBe(6);
    expect(mergeFigures(a.recorder.spools()).waiting).toBe(6);
    expect([await onRecord('r-b'), await onRecord('r-c')]).toEqual([0, 0]);
    await a.recorder.deliver();
    expect([await onRecord('r-b'), await onRecord('r-c')]).toEqual([3, 3]);
    expect(mergeFigures(a.recorder.spools())).toEqual({ waiting: 0, lost: 0 });
    // The slot can be claimed again.
    expect((await start()).slot.folder).toBe(b.slot.folder);
  });

  test('is never taken by a process that records nothing', async () => {
    const dead = await start();
    store.mode = 'down';
    await answer(dead, 'r-1');
    await die(dead);
    const silent = await claimSlot(dataDir, isFreeOfEvents);
    expect(silent.folder).not.toBe(dead.slot.folder);
    await silent.release();
    expect((await claimSlot(dataDir)).folder).toBe(dead.slot.folder);
  });

  test('keeps its count of what was lost, whoever looks', async () => {
    const [a, b] = [await start(), await start()];
    await rm(spoolOf(b.slot.folder), { recursive: true });
    await writeFile(spoolOf(b.slot.folder), 'a file where the folder should be');
    store.mode = 'down';
    expect(await answer(b, 'r-1')).toBe('lost');
    await rm(spoolOf(b.slot.folder));
    // The loss is recorded as soon as the spool has space.
    await b.recorder.deliver();
    await die(b);
    await a.recorder.deliver();
    expect(mergeFigures(a.recorder.spools())).toEqual({ waiting: 0, lost: 3 });
  });
});

test('one whose slot was removed holds it again before another process can take it', async () => {
  const { recorder, slot } = await start();
  await rm(slot.folder, { recursive: true });
  await recorder.deliver();
  expect(await readFile(join(slot.folder, 'owner'), 'utf8')).toBe(slot.owner);
  const next = await start();
  expect(next.slot.folder).not.toBe(slot.folder);
});

test('processes that see the same spools count them once', () => {
  const seen = { owner: 'a', waiting: 3, lost: 1 };
  expect(mergeFigures([seen, { ...seen, waiting: 2 }, { owner: 'b', waiting: 1, lost: 0 }])).toEqual({
    waiting: 4,
    lost: 1,
  });
});
