import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { QUESTION, Workspace, type Started } from '../../testing/processes/application.suite.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { Erase } from '../../events/messages/audit.ts';
import { call, newCall } from '../../events/messages/define.ts';
import { judge } from '../operator/audit/verify.ts';
import { examine } from '../operator/doctor/doctor.ts';
import { openRuntime } from './runtime.ts';
import { readSettings } from './settings.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(() => workspace.remove());

/** Records one answer and stops everything. */
async function answerOne(): Promise<void> {
  const { application, client } = await workspace.start();
  expect((await client.ask(QUESTION, 'r-1')).status).toBe(200);
  await application.close();
}

const findingsOf = async (what: string) =>
  (await examine(workspace.environment())).filter((finding) => finding.what === what);

function write(name: string): void {
  const path = join(workspace.data, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, 'x');
}

async function startFaultOf(environment = {}): Promise<unknown> {
  return openRuntime(readSettings(workspace.environment(environment)), pino({ level: 'silent' })).then(
    async (runtime) => {
      await runtime.close();
      return null;
    },
    (error: unknown) => error,
  );
}

test.each([
  'keys.db',
  'audit.db',
  'trading.db',
  'checkpoints.jsonl',
  'spool/events.jsonl',
  'slots/3/spool/events.jsonl',
  'events.db-wal',
  'account-main.snapshot',
])('a start makes no new record beside %s', async (name) => {
  write(name);
  expect(await startFaultOf()).toMatchObject({
    code: 'RECORD_MISSING',
    message: `events.db is missing in ${workspace.data}, but what belongs to a record is there: ${name}; put events.db back from a backup; or, to begin with an empty record, move the others to another folder`,
  });
  expect(readdirSync(workspace.data)).toEqual([name.split('/')[0]]);
  expect(await findingsOf('record')).toMatchObject([
    {
      state: 'fault',
      found: expect.stringContaining(name),
      advice: expect.stringContaining('put events.db back'),
    },
  ]);
});

test('a copy of the record is named as the way out', async () => {
  write('events.db.saved-17');
  expect(await startFaultOf()).toMatchObject({
    code: 'RECORD_MISSING',
    message: expect.stringContaining('rename events.db.saved-17 to events.db'),
  });
});

test.each([
  ['an older record', async (file: string) => (await openEmbeddedStore({ file })).close()],
  ['no record', async (file: string) => writeFileSync(file, 'x'.repeat(10_000))],
])('a start does not go on with %s that was put in the place of a running one', async (_, put) => {
  await answerOne();
  const file = join(workspace.data, 'events.db');
  renameSync(file, `${file}.saved-17`);
  await put(file);
  const named = expect.stringMatching(/all that was in it until then is in events\.db\.saved-17/u);
  expect(await startFaultOf()).toMatchObject({ code: 'RECORD_MISSING', message: named });
  expect(await findingsOf('record')).toMatchObject([
    {
      state: 'fault',
      found: named,
      advice: expect.stringContaining('rename events.db.saved-17 to events.db'),
    },
  ]);
});

test('a copy whose events are all in the record stops no start', async () => {
  await answerOne();
  copyFileSync(join(workspace.data, 'events.db'), join(workspace.data, 'events.db.saved-17'));
  await answerOne();
  expect(await startFaultOf()).toBeNull();
});

test('keys that were replaced under a running service are named', async () => {
  await answerOne();
  write('keys.db.saved-17');
  expect(await startFaultOf()).toMatchObject({
    message: expect.stringContaining('rename keys.db.saved-17 to keys.db'),
  });
});

test('checkpoints on another disk are a sign of a record too', async () => {
  const file = join(workspace.folder, 'elsewhere.jsonl');
  writeFileSync(file, 'x');
  expect(await startFaultOf({ AUDIT_CHECKPOINT_FILE: file })).toMatchObject({
    message: expect.stringContaining(file),
  });
});

test('a record that was cut to nothing is missing, and a start changes nothing', async () => {
  await answerOne();
  truncateSync(join(workspace.data, 'events.db'));
  const before = readdirSync(workspace.data);
  expect(await startFaultOf()).toMatchObject({ code: 'RECORD_MISSING' });
  expect(readdirSync(workspace.data)).toEqual(before);
});

/** Leaves what a process leaves that is killed now, without the log of its record. */
async function killAndLoseLog(running: Started): Promise<void> {
  const left = join(workspace.folder, 'left');
  cpSync(workspace.data, left, { recursive: true });
  await running.application.close();
  rmSync(workspace.data, { recursive: true });
  renameSync(left, workspace.data);
  for (const suffix of ['-wal', '-shm']) rmSync(join(workspace.data, `events.db${suffix}`));
}

test('a record whose log was lost before anything was moved from it into the file is missing', async () => {
  const running = await workspace.start();
  await running.client.ask(QUESTION, 'r-1');
  await killAndLoseLog(running);
  const before = readdirSync(workspace.data);
  expect(await startFaultOf()).toMatchObject({
    code: 'RECORD_MISSING',
    message: expect.stringContaining('put events.db-wal back'),
  });
  expect(readdirSync(workspace.data)).toEqual(before);
  expect(await findingsOf('record')).toMatchObject([
    { state: 'fault', found: expect.stringContaining('events.db-wal, which is gone') },
  ]);
  await expect(judge({}, workspace.environment())).rejects.toMatchObject({ code: 'RECORD_MISSING' });
});

test('a record that has lost its end with its log is told by doctor and verify before a start', async () => {
  await answerOne();
  expect(await findingsOf('record')).toMatchObject([{ state: 'ok' }]);
  const running = await workspace.start();
  await running.client.ask(QUESTION, 'r-2');
  await expect.poll(() => listed(running), { timeout: 20_000 }).toMatchObject([{}, {}]);
  await killAndLoseLog(running);
  expect(await findingsOf('record')).toMatchObject([
    { state: 'ok' },
    { state: 'fault', found: expect.stringMatching(/^the audit tables .* does not have/u) },
  ]);
  const { findings } = await judge({}, workspace.environment());
  expect(findings).toMatchObject([{ kind: 'tables-ahead', tables: 'audit' }]);
});

test.each(['index/x', 'models/weights', 'market-demo.db', 'listening.json', 'spool/lost.json'])(
  'a first start may find %s, which no record needs',
  async (name) => {
    write(name);
    expect(await startFaultOf()).toBeNull();
  },
);

test.each([
  ['removed', (file: string) => rmSync(file)],
  ['cut to nothing', (file: string) => truncateSync(file)],
])('keys that were %s are told by doctor, verify, the start and health', async (_, take) => {
  await answerOne();
  take(join(workspace.data, 'keys.db'));
  expect(await findingsOf('text keys')).toMatchObject([
    { state: 'fault', found: 'missing or replaced, and not erased, for 1 request: r-1' },
  ]);
  expect(await judge({}, workspace.environment())).toMatchObject({ findings: [], keys: { missing: 1 } });

  const logged: string[] = [];
  const settings = readSettings(workspace.environment());
  const runtime = await openRuntime(settings, pino({}, { write: (line: string) => logged.push(line) }));
  await runtime.close();
  expect(logged.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ level: 50, file: 'keys.db', newest: 'r-1' }),
  );
  const { application, client } = await workspace.start();
  await expect
    .poll(async () => (await client.health()).body, { timeout: 20_000 })
    .toMatchObject({ status: 'degraded', audit: { keys_missing: 1 } });
  await application.close();
});

test('keys that are missing where all text is erased are no loss', async () => {
  const { application, client } = await workspace.start();
  await client.ask(QUESTION, 'r-1');
  const erasing = { request_id: 'r-1', reason: 'asked for' };
  await call(application.runtime.bus, Erase, erasing, newCall());
  await application.close();
  rmSync(join(workspace.data, 'keys.db'));
  expect(await findingsOf('text keys')).toMatchObject([{ state: 'ok' }]);
  const logged: string[] = [];
  const settings = readSettings(workspace.environment());
  const runtime = await openRuntime(settings, pino({}, { write: (line: string) => logged.push(line) }));
  await runtime.close();
  expect(logged.filter((line) => line.includes('keys.db'))).toEqual([]);
});

const listed = async ({ client }: Started) =>
  (await client.get<{ interactions: { request_id: string }[] }>('/v1/audit/interactions')).body.interactions;

test('tables that are newer than a restored record are made again, and no key is called missing', async () => {
  await answerOne();
  const backup = join(workspace.folder, 'backup');
  cpSync(workspace.data, backup, { recursive: true });
  const running = await workspace.start();
  await running.client.ask(QUESTION, 'r-2');
  await expect.poll(() => listed(running), { timeout: 20_000 }).toMatchObject([{}, {}]);
  await running.application.close();
  for (const name of ['events.db', 'keys.db']) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(workspace.data, name + suffix), { force: true });
    copyFileSync(join(backup, name), join(workspace.data, name));
  }

  const restored = await workspace.start();
  const counted = async () => (await restored.client.health()).body.audit.keys_missing;
  await expect.poll(counted, { timeout: 20_000 }).not.toBeNull();
  expect(await counted()).toBe(0);
  expect((await restored.client.health()).body).toMatchObject({ status: 'ok' });
  expect(await listed(restored)).toMatchObject([{ request_id: 'r-1' }]);
  await restored.application.close();
});
