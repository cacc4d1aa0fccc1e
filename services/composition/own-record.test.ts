import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startStandIn, type StandIn } from '../../testing/eventstoredb/stand-in/server.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { QUESTION, Workspace } from '../../testing/processes/application.suite.ts';
import { MakeCheckpoint } from '../../events/messages/audit.ts';
import { call, newCall } from '../../events/messages/define.ts';
import { BelegError } from '../../events/errors.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { openEventStoreDb } from '../../events/store/eventstoredb/eventstoredb.ts';
import { MarketUpdateStarted, marketStream } from '../../events/catalog/market.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { NO_STREAM } from '../../events/store/store.ts';
import { examine } from '../operator/doctor/doctor.ts';
import { openBeside, originOf } from './live-tables.ts';
import { heedOwnRecord } from './own-record.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import type { ServiceName } from './service-names.ts';
import { readSettings } from './settings.ts';

const CAUSE = {
  stream: marketStream('u-1'),
  at: '2026-01-01T08:00:00.000Z',
  correlationId: 'c',
  causationId: 'c',
  key: 'u-1',
};

async function eventsIn({ url }: { url: string }): Promise<number> {
  const store = await openEventStoreDb({ url });
  const events = await Array.fromAsync(store.readAll());
  await store.close();
  return events.length;
}

function isNoted(file: string): boolean {
  using db = openBeside(file);
  return originOf(db, 'audit') !== null;
}

describe.skipIf(!hasNatsServer)('a start on a shared store, on a host with files of a record', () => {
  let workspace: Workspace;
  let nats: NatsServer;
  const servers: StandIn[] = [];

  beforeEach(async () => {
    [workspace, nats] = await Promise.all([Workspace.create(), startNatsServer()]);
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    await nats.remove();
    await workspace.remove();
  });

  async function serve(record: string, port = 0): Promise<StandIn> {
    const server = await startStandIn({ file: join(workspace.folder, record), port });
    servers.push(server);
    return server;
  }

  const sharing = ({ url }: { url: string }) => ({ NATS_URL: nats.url, EVENTSTORE_URL: url });
  const audit = () => join(workspace.data, 'audit.db');
  const checkpoints = () => join(workspace.data, 'checkpoints.jsonl');
  const origin = () => join(workspace.data, 'record-origin');

  /** Records an answer and a checkpoint in this record, with tables and a checkpoint file below `DATA_DIR`. */
  async function answerOne(record: StandIn): Promise<void> {
    const { application, client } = await workspace.start(sharing(record));
    await expect.poll(async () => (await client.ask(QUESTION, 'r-1')).status, PATIENT).toBe(200);
    await expect
      .poll(
        () =>
          call(application.runtime.bus, MakeCheckpoint, {}, newCall()).then(
            () => true,
            () => false,
          ),
        PATIENT,
      )
      .toBe(true);
    await expect.poll(() => existsSync(checkpoints()), PATIENT).toBe(true);
    await expect
      .poll(
        async () => (await client.get<{ interactions: unknown[] }>('/v1/audit/interactions')).body,
        PATIENT,
      )
      .toMatchObject({ interactions: [{}] });
    // It is noted with a look at the followers.
    await expect.poll(() => isNoted(audit()), PATIENT).toBe(true);
    await application.close();
  }

  const open = (
    at: { url: string },
    logged: string[] = [],
    services?: readonly ServiceName[],
  ): Promise<Runtime> =>
    openRuntime(
      readSettings(workspace.environment(sharing(at))),
      pino({}, { write: (line: string) => logged.push(line) }),
      services,
    );

  const startFaultOf = (at: { url: string }, services?: readonly ServiceName[]): Promise<unknown> =>
    open(at, [], services).then(
      async (runtime) => {
        await runtime.close();
        return null;
      },
      (error: unknown) => error,
    );

  function moveAway(...files: string[]): void {
    const folder = join(workspace.folder, 'moved');
    mkdirSync(folder, { recursive: true });
    for (const file of files.flatMap((name) => [name, `${name}-wal`, `${name}-shm`])) {
      if (existsSync(file)) renameSync(file, join(folder, file.slice(workspace.data.length + 1)));
    }
  }

  test('is refused where the store is empty, until the address is right or the files are moved', async () => {
    const ours = await serve('ours.db');
    await answerOne(ours);
    const empty = await serve('empty.db');
    expect(await startFaultOf(empty)).toMatchObject({
      code: 'RECORD_MISSING',
      found: `the record at EVENTSTORE_URL is empty, but files of a record are on this host: ${audit()}, ${checkpoints()}, ${origin()}`,
      advice: expect.stringMatching(/^set EVENTSTORE_URL to .* move these files/u),
    });
    await expect(workspace.start(sharing(empty))).rejects.toMatchObject({ code: 'RECORD_MISSING' });
    expect(await eventsIn(empty)).toBe(0);
    expect(
      (await examine(workspace.environment(sharing(empty)))).filter(({ what }) => what === 'record'),
    ).toMatchObject([{ state: 'fault', found: expect.stringContaining('is empty, but files') }]);
    // One of the files is enough.
    moveAway(audit(), origin());
    expect(await startFaultOf(empty)).toMatchObject({
      found: expect.stringMatching(/: \S+checkpoints\.jsonl$/u),
    });
    expect(await startFaultOf(ours)).toBeNull();
    await expect.poll(() => existsSync(origin()), PATIENT).toBe(true);
    moveAway(checkpoints(), origin());
    expect(await startFaultOf(empty)).toBeNull();
  });

  test('is refused where the store has another record', async () => {
    const theirs = await serve('theirs.db');
    await answerOne(theirs);
    moveAway(audit(), checkpoints(), origin());
    const ours = await serve('ours.db');
    await answerOne(ours);
    const before = await eventsIn(theirs);
    moveAway(checkpoints(), origin());
    expect(await startFaultOf(theirs)).toMatchObject({
      code: 'RECORD_MISSING',
      found: `the record at EVENTSTORE_URL is another one than that of the files on this host: ${audit()}`,
    });
    expect(await eventsIn(theirs)).toBe(before);
    expect(await startFaultOf(ours)).toBeNull();
  });

  test('goes on while the store is away, and does nothing with the empty one that comes', async () => {
    const ours = await serve('ours.db');
    await answerOne(ours);
    await ours.close();
    const logged: string[] = [];
    const runtime = await open(ours, logged);
    const { store } = runtime;
    const away = { code: 'STORE_UNAVAILABLE' };
    const refused = { ...away, cause: { code: 'RECORD_MISSING' } };
    await expect(store.ping()).rejects.toMatchObject(away);
    const empty = await serve('empty.db', ours.port);
    await expect.poll(() => store.ping().catch((error: unknown) => error), PATIENT).toMatchObject(refused);
    await expect(store.append('stream', -1n, [])).rejects.toMatchObject(refused);
    await expect(Array.fromAsync(store.readAll())).rejects.toMatchObject(refused);
    await expect(Array.fromAsync(store.readStream('stream'))).rejects.toMatchObject(refused);
    await expect(store.end()).rejects.toMatchObject(refused);
    expect(logged.filter((line) => line.includes('RECORD_MISSING'))).toHaveLength(1);
    await empty.close();
    await serve('ours.db', ours.port);
    await expect
      .poll(
        () =>
          store.ping().then(
            () => 'right',
            () => 'away',
          ),
        PATIENT,
      )
      .toBe('right');
    expect((await Array.fromAsync(store.readAll({ limit: 1 }))).length).toBe(1);
    await runtime.close();
  });

  test.each([['knowledge'], ['market'], ['models']] as const)(
    'is refused on a host of %s alone, which has neither tables nor checkpoints',
    async (service) => {
      const ours = await serve('ours.db');
      const first = await open(ours, [], [service]);
      // An empty record is known by nothing.
      expect(existsSync(origin())).toBe(false);
      const event = MarketUpdateStarted.create({ update_id: 'u-1', source: 's', tickers: [] }, CAUSE);
      await first.store.append(CAUSE.stream, NO_STREAM, [await first.codec.encode(event)]);
      await expect.poll(() => existsSync(origin()), PATIENT).toBe(true);
      await first.close();

      const empty = await serve('empty.db');
      expect(await startFaultOf(empty, [service])).toMatchObject({
        code: 'RECORD_MISSING',
        found: `the record at EVENTSTORE_URL is empty, but files of a record are on this host: ${origin()}`,
      });
      expect(await startFaultOf(ours, [service])).toBeNull();
      moveAway(origin());
      expect(await startFaultOf(empty, [service])).toBeNull();
      // A record that has events is known from the start on.
      expect(await startFaultOf(ours, [service])).toBeNull();
      await expect.poll(() => existsSync(origin()), PATIENT).toBe(true);
    },
  );

  test('is noted anew where other files of the host are of the record at the address', async () => {
    const ours = await serve('ours.db');
    await answerOne(ours);
    const noted = readFileSync(origin(), 'utf8');
    writeFileSync(origin(), 'another\n');
    expect(await startFaultOf(ours)).toBeNull();
    await expect.poll(() => readFileSync(origin(), 'utf8'), PATIENT).toBe(noted);
  });

  test('is a first start where there are no such files', async () => {
    expect(await startFaultOf(await serve('empty.db'))).toBeNull();
  });
});

test('a start whose store does not answer says so, with its address and without its password', async () => {
  await using folder = await Workspace.create().then((workspace) => ({
    data: workspace.data,
    [Symbol.asyncDispose]: () => workspace.remove(),
  }));
  const settings = readSettings({
    DATA_DIR: folder.data,
    NATS_URL: 'nats://127.0.0.1:1',
    EVENTSTORE_URL: 'esdb://user:secret@127.0.0.1:1?tls=false',
  });
  const lines: string[] = [];
  const said = Promise.withResolvers<void>();
  const write = (line: string): void => {
    lines.push(line);
    said.resolve();
  };
  const logger = pino({}, { write });
  const store = await openEventStoreDb({ url: settings.distributed!.eventStoreUrl });
  await heedOwnRecord(store, settings, logger, ['127.0.0.1:1']);
  await said.promise;
  await store.close();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 40, servers: ['127.0.0.1:1'], msg: 'the event store cannot be reached yet' },
  ]);
});

test('a store that is closed before that is noted is not told: the start has failed for another reason', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const closed = new BelegError('STORE_UNAVAILABLE');
  const store = Object.assign(new MemoryStore(), {
    readAll: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(closed) }) }),
  });
  await heedOwnRecord(store, readSettings({ DATA_DIR: temporaryFolder() }), logger);
  await new Promise(setImmediate);
  expect(lines).toEqual([]);
});

test('by what a host knows its record is noted again where somebody has removed it', async () => {
  const data = temporaryFolder();
  const settings = readSettings({ DATA_DIR: data });
  const store = new MemoryStore();
  const metadata = { at: CAUSE.at, version: 1, $correlationId: 'c', $causationId: 'c' };
  await store.append('s-1', NO_STREAM, [{ id: randomUUID(), type: 'Happened', data: {}, metadata }]);
  const heeding = await heedOwnRecord(store, settings, pino({ level: 'silent' }));
  const note = join(data, 'record-origin');
  const look = async (): Promise<boolean> => {
    await Array.fromAsync(heeding.readAll({ direction: 'backwards', limit: 1 }));
    return existsSync(note);
  };
  await vi.waitUntil(look, PATIENT);
  rmSync(note);
  vi.useFakeTimers({ toFake: ['performance'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(1e12);
  await vi.waitUntil(look, PATIENT);
});
