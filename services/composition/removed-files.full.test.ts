import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PATIENT } from '../../events/patient.suite.ts';
import { Client, QUESTION, Workspace } from '../../testing/processes/application.suite.ts';
import { BelegProcess } from '../../testing/processes/process.suite.ts';
import { openRecord } from './runtime.ts';
import { openKnowledge } from '../knowledge/index-in-use.ts';
import { readSettings } from './settings.ts';

let workspace: Workspace;
let served: BelegProcess;
let client: Client;
let log: string;
let written: number;

beforeEach(async () => {
  workspace = await Workspace.create();
  log = join(workspace.folder, 'log');
  written = openSync(log, 'w');
  served = new BelegProcess(['serve'], workspace.environment({ LOG_LEVEL: 'error' }), { log: written });
  client = new Client(await served.listening);
  expect((await client.ask(QUESTION, 'before')).status).toBe(200);
});
afterEach(async () => {
  await served.kill();
  closeSync(written);
  await workspace.remove();
});

const logged = (words: string) =>
  vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain(words), PATIENT);

/** The types of an ask's events on disk, and its question as it can be decrypted. */
async function onDisk(request: string): Promise<{ types: string[]; questions: unknown[] }> {
  await using record = await openRecord(readSettings(workspace.environment()));
  const types: string[] = [];
  const questions: unknown[] = [];
  for await (const recorded of record.store.readStream(`ask-${request}`)) {
    types.push(recorded.type);
    const event = await record.codec.decode(recorded);
    if (event !== undefined && 'question' in (event.data as object)) {
      questions.push((event.data as { question: unknown }).question);
    }
  }
  return { types, questions };
}

test.each([
  ['the log of the record', ['events.db-wal']],
  ['the record', ['events.db']],
  ['the keys', ['keys.db']],
  ['the log of the keys', ['keys.db-wal']],
  ['all of them', ['events.db', 'events.db-wal', 'keys.db', 'keys.db-wal']],
])('%s is removed: after a kill every answer is there, and opens', async (_, files) => {
  for (const file of files) rmSync(join(workspace.data, file), { force: true });
  await logged('has been written back');
  expect((await client.ask(QUESTION, 'after')).status).toBe(200);
  expect((await client.health()).body.audit.spooled).toBe(0);
  await served.kill();
  for (const request of ['before', 'after']) {
    const { types, questions } = await onDisk(request);
    expect(types).toContain('AnswerGiven');
    expect(questions).toContain(QUESTION);
  }
});

test('another file in the place of the record: health names it, and answers wait in the spool', async () => {
  renameSync(join(workspace.data, 'events.db'), join(workspace.data, 'moved.db'));
  await vi.waitFor(() => expect(existsSync(join(workspace.data, 'events.db'))).toBe(true), PATIENT);
  await logged('has been written back');
  renameSync(join(workspace.data, 'moved.db'), join(workspace.data, 'events.db'));
  await logged('another file is in its place');
  const { status, audit } = (await client.get<{ status: string; audit: object }>('/v1/health')).body;
  expect({ status, audit }).toMatchObject({ status: 'degraded', audit: { files_missing: ['events.db'] } });
  const ready = await client.get<{ degraded: string[] }>('/ready');
  expect(ready.body.degraded).toContain('events.db');
  expect((await client.ask(QUESTION, 'spooled')).status).toBe(200);
  expect((await client.health()).body.audit.spooled).toBeGreaterThan(0);
});

test('the folder of the index is removed: the snapshot is made again, and questions are answered meanwhile', async () => {
  const index = join(workspace.data, 'index');
  const snapshots = (): string[] =>
    existsSync(index)
      ? readdirSync(index, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.snapshot'))
      : [];
  const before = snapshots();
  expect(before).toHaveLength(1);
  rmSync(index, { recursive: true });
  expect((await client.ask(QUESTION, 'meanwhile')).status).toBe(200);
  await vi.waitFor(() => expect(snapshots()).toEqual(before), PATIENT);
});

const passage = (id: string, text: string) => ({ id, title: 'Nachtrag', section: '§ 1', text });

test('text leaves the files: it leaves the index on disk with the next start', async () => {
  const index = join(workspace.data, 'index');
  const isOnDisk = (words: string): boolean =>
    readdirSync(index, { recursive: true, withFileTypes: true }).some(
      (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(words),
    );
  // given
  await served.kill();
  await workspace.writePassage(passage('ALT-1', 'Das Altgeheimnis.'));
  await workspace.writePassage(passage('ALT-2', 'Das Zweitgeheimnis.'));
  const knowledge = await openKnowledge(readSettings(workspace.environment()));
  await knowledge.merge();
  await knowledge.close();
  await workspace.writePassage(passage('ALT-1', 'Nichts mehr.'));
  expect([isOnDisk('Altgeheimnis'), isOnDisk('Zweitgeheimnis')]).toEqual([true, true]);
  // when
  served = new BelegProcess(['serve'], workspace.environment({ PV_KB_WATCH: 'true' }), { log: written });
  await served.listening;
  // then
  await vi.waitFor(() => expect(isOnDisk('Altgeheimnis')).toBe(false), PATIENT);
  expect(isOnDisk('Zweitgeheimnis')).toBe(true);
});
