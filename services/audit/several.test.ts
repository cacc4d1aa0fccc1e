import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MessageBus } from '../../events/bus/bus.ts';
import { answerData, askedBefore } from '../../events/catalog/answer-given.suite.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { AnswerGiven, askStream } from '../../events/catalog/knowledge.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { ListInteractions } from '../../events/messages/audit.ts';
import { call } from '../../events/messages/define.ts';
import { AuditHealth, Comment, Rate } from '../../events/messages/feedback.ts';
import { NO_STREAM } from '../../events/store/store.ts';
import { Processes, type TestProcess } from '../../testing/processes/processes.suite.ts';
import { startRelay } from '../composition/relay.ts';
import { serveAudit, type AuditService, type AuditServiceOptions } from './serve-audit.ts';
import { auditProjection } from './projection.ts';
import { dropWhileStandingBy } from './erasure/standby-tables.ts';
import { readSettings } from '../composition/settings.ts';
import { PATIENT } from '../../events/patient.suite.ts';

interface Running {
  readonly process: TestProcess;
  readonly service: AuditService;
  readonly endRelay: () => Promise<void>;
}

let processes: Processes;
let client: MessageBus;
let started: Running[];

beforeEach(async () => {
  processes = await Processes.create();
  client = processes.connect();
  started = [];
});

afterEach(async () => {
  for (const running of started) await stop(running);
  await processes.close();
});

const file = () => join(processes.folder, 'audit.db');

function settingsOf(enabled: boolean, dbPath = file()): AuditServiceOptions['settings'] {
  return { ...readSettings({ DATA_DIR: processes.folder }).audit, enabled, dbPath };
}

async function start(enabled = true, dbPath = file()): Promise<Running> {
  const process = await processes.open();
  const settings = settingsOf(enabled, dbPath);
  const running = { process, service: serveAudit({ ...process, settings }), endRelay: startRelay(process) };
  started.push(running);
  return running;
}

async function stop({ process, service, endRelay }: Running): Promise<void> {
  await service.leave();
  await endRelay();
  await process.bus.drain();
}

/** A holder of everything, and a standby. */
async function startTwo(): Promise<[Running, Running]> {
  const holder = await start();
  await holder.service.allHeld;
  return [holder, await start()];
}

async function answer(requestId: string): Promise<void> {
  const stream = askStream(requestId);
  const cause = {
    stream,
    // An older one would have a checkpoint due at each start.
    at: new Date().toISOString(),
    correlationId: requestId,
    causationId: randomUUID(),
    key: requestId,
  };
  const { codec } = (started[0] as Running).process;
  const events = [...askedBefore(requestId, cause), AnswerGiven.create(answerData(requestId), cause)];
  await processes.store.append(
    stream,
    NO_STREAM,
    await Promise.all(events.map((event) => codec.encode(event))),
  );
}

/** Repeats the call under the same id until it is accepted. */
async function comment(text: string): Promise<number> {
  const context = { correlationId: text, callId: randomUUID() };
  for (;;) {
    try {
      return (await call(client, Comment, { request_id: 'r', comment: text }, context)).comment_id;
    } catch (error) {
      if (!isBelegError(error, 'NO_RESPONDERS', 'SERVICE_UNAVAILABLE')) throw error;
    }
  }
}

const range = (to: number) => Array.from({ length: to }, (_, n) => n + 1);
const list = async () => {
  const context = { correlationId: '', callId: randomUUID() };
  return (await call(client, ListInteractions, { limit: 10 }, context)).interactions;
};
const health = () => call(client, AuditHealth, {}, { correlationId: '', callId: randomUUID() });

describe('several audit processes', () => {
  test.each([
    ['loses its lease', async ({ process }: Running) => process.leases.lose('comments')],
    ['stops', stop],
  ])('number comments without a gap or a double where the writer %s under load', async (_, end) => {
    const [holder, standby] = await startTwo();
    await answer('r');
    const ids: number[] = [];
    const first = Promise.withResolvers<void>();
    const commenting = range(8).map(async (client) => {
      for (const n of range(15)) {
        ids.push(await comment(`${client}-${n}`));
        first.resolve();
      }
    });
    await first.promise;
    await end(holder);
    await Promise.all(commenting);
    expect(ids.toSorted((a, b) => a - b)).toEqual(range(120));
    expect(await processes.types(COMMENTS_STREAM)).toHaveLength(120);
    expect(standby.process.leases.held()).toContain('comments');
    expect(standby.service.status().comments).toEqual({ waiting: 0 });
  });

  test('take ratings all of them', async () => {
    const [holder, standby] = await startTwo();
    await answer('r');
    const before = [holder, standby].map(({ process }) => vi.spyOn(process.asks, 'of'));
    for (const rating of ['up', 'down'] as const) {
      await call(client, Rate, { request_id: 'r', rating }, { correlationId: 'r', callId: randomUUID() });
    }
    for (const spy of before) expect(spy).toHaveBeenCalledOnce();
  });

  test.each([
    ['loses its lease', async ({ process }: Running) => process.leases.lose('audit-projection')],
    ['stops', stop],
  ])('write the tables one at a time: another goes on where the one that did %s', async (_, end) => {
    const [holder, standby] = await startTwo();
    await answer('before');
    expect(await health()).toMatchObject({ enabled: true, ready: true });
    expect(standby.service.status()).toEqual({
      enabled: true,
      projection: null,
      comments: null,
      checkpoints: null,
    });
    await end(holder);
    await vi.waitFor(() => expect(holder.service.projection).toBeNull(), PATIENT);
    await vi.waitFor(() => expect(standby.service.projection).not.toBeNull(), PATIENT);
    await answer('after');
    // Checkpoints are skipped, because the tables ignore them.
    const newest = { direction: 'backwards', limit: 1, types: auditProjection.types } as const;
    const last = await Array.fromAsync(processes.store.readAll(newest));
    await standby.service.projection!.waitFor(last[0]!.position, PATIENT);
    const db = new DatabaseSync(file(), { readOnly: true });
    const rows = db.prepare('SELECT request_id FROM interactions ORDER BY request_id').all();
    db.close();
    expect(rows.map((row) => row['request_id'])).toEqual(['after', 'before']);
    expect(await health()).toMatchObject({ ready: true, checkpoint: last[0]!.position });
    expect(standby.service.status().projection).toEqual({ state: 'live', position: last[0]!.position });
  });

  test('keep no tables while they stand by: an erasure would not reach them', async () => {
    const [ownFile, othersFile] = [join(processes.folder, 'a.db'), join(processes.folder, 'b.db')];
    const holder = await start(true, ownFile);
    await holder.service.allHeld;
    const standby = await start(true, othersFile);
    await answer('before');
    holder.process.leases.lose('audit-projection');
    await vi.waitFor(() => expect(standby.service.projection).not.toBeNull(), PATIENT);
    await vi.waitFor(() => expect(existsSync(ownFile)).toBe(false), PATIENT);
    expect(existsSync(othersFile)).toBe(true);
    // A host that was down with tables on its disk.
    await stop(holder);
    started.shift();
    await writeFile(ownFile, '');
    const returned = await start(true, ownFile);
    await vi.waitFor(() => expect(existsSync(ownFile)).toBe(false), PATIENT);
    expect(returned.service.projection).toBeNull();
  });

  test('make their tables again where the file vanishes under them', async () => {
    const holder = await start();
    await holder.service.allHeld;
    await answer('r-1');
    await vi.waitFor(async () => expect((await list()).length).toBe(1), PATIENT);
    for (const suffix of ['', '-wal', '-shm']) await rm(`${file()}${suffix}`, { force: true });
    await vi.waitFor(() => expect(existsSync(file())).toBe(true), PATIENT);
    await vi.waitFor(async () => expect((await list()).length).toBe(1), PATIENT);
    expect(processes.logged).toContain(
      'the file of the audit tables, its log or one of its tables was removed or replaced, so they are built anew',
    );
  });

  test('leave the tables alone that they share with the holder', async () => {
    const [holder, standby] = await startTwo();
    const marked = await health();
    expect(marked.tables).not.toBeNull();
    const asked = Promise.withResolvers<void>();
    const endOwn = dropWhileStandingBy({
      bus: standby.process.bus,
      file: file(),
      isHolder: () => (asked.resolve(), false),
      logger: standby.process.logger,
      everyMs: 1,
    });
    await asked.promise;
    await endOwn();
    expect(existsSync(file())).toBe(true);
    expect(holder.service.projection).not.toBeNull();
  });

  test('publish what is on record, once, also where the one that did loses its lease', async () => {
    const [holder, standby] = await startTwo();
    const published: string[] = [];
    client.subscribe('beleg.v1.evt.knowledge.answer-given.*', ({ data }) => {
      published.push((JSON.parse(new TextDecoder().decode(data)) as { stream: string }).stream);
    });
    await answer('before');
    await vi.waitFor(() => expect(published).toEqual(['ask-before']), PATIENT);
    holder.process.leases.lose('relay');
    await answer('meanwhile');
    await vi.waitFor(() => expect(standby.process.leases.held()).toContain('relay'), PATIENT);
    await answer('after');
    await vi.waitFor(() => expect(published).toEqual(['ask-before', 'ask-meanwhile', 'ask-after']), PATIENT);
  });

  test('keep nothing but checkpoints where audit is disabled, and each says so', async () => {
    const { process, service } = await start(false);
    await service.allHeld;
    expect(process.leases.held()).toEqual(['checkpoints', 'relay']);
    expect(await health()).toMatchObject({ enabled: false, ready: false, checkpoint: null, tables: null });
    expect(service.status()).toMatchObject({ enabled: false, projection: null });
    await expect(comment('x')).rejects.toMatchObject({ code: 'AUDIT_DISABLED' });
  });

  test('tell at the start when the tables cannot be written', async () => {
    const process = await processes.open();
    const settings = settingsOf(true, processes.folder);
    const service = serveAudit({ ...process, settings });
    started.push({ process, service, endRelay: startRelay(process) });
    await expect(service.allHeld).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: 'the file named in PV_AUDIT_DB_PATH cannot be used',
    });
  });

  test('leave nothing of the tables behind where they could not begin, so that the next try can', async () => {
    const process = await processes.open();
    const subscribe = process.bus.subscribe.bind(process.bus);
    let refusals = 1;
    vi.spyOn(process.bus, 'subscribe').mockImplementation((...given) => {
      if (given[0] === ListInteractions.subject && refusals-- > 0) throw new BelegError('INTERNAL');
      return subscribe(...given);
    });
    const service = serveAudit({ ...process, settings: settingsOf(true) });
    started.push({ process, service, endRelay: startRelay(process) });
    await expect(service.allHeld).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(service.projection).toBeNull();
    await vi.waitFor(() => expect(process.leases.held()).toContain('audit-projection'), PATIENT);
    await vi.waitFor(async () => expect(await health()).toMatchObject({ ready: true }), PATIENT);
  });
});
