import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { InProcessBus } from '../../../events/bus/in-process.ts';
import { CHECKPOINTS_STREAM, ERASURES_STREAM, RecordCheckpointed } from '../../../events/catalog/audit.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { createCodec } from '../../../events/define.ts';
import type { Json } from '../../../events/json.ts';
import { InProcessLeases } from '../../../events/leases/in-process.ts';
import type { Leases } from '../../../events/leases/leases.ts';
import { MakeCheckpoint, RecordStatus } from '../../../events/messages/audit.ts';
import { call, type RequestDefinition } from '../../../events/messages/define.ts';
import { parseCheckpointLine } from '../../../events/proof/checkpoint-line.ts';
import { eventLeaf, readCheckpoint } from '../../../events/proof/checkpoint.ts';
import { createSigningKey, type SigningKey } from '../../../events/proof/keys.ts';
import { MerkleTree } from '../../../events/proof/merkle-proofs.ts';
import { isSignedBy, parseNote } from '../../../events/proof/signed-note.ts';
import { parseTreeHead } from '../../../events/proof/tree-head.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { openEventStoreDb } from '../../../events/store/eventstoredb/eventstoredb.ts';
import { startEventStore } from '../../../testing/eventstoredb/served.suite.ts';
import { MemoryStore } from '../../../events/store/memory-store.suite.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../../events/store/store.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { appendAtEnd } from '../../foundation/streams/append-at-end.suite.ts';
import type { Watch } from '../../foundation/watch-followers.ts';
import { FaultyStore } from '../../../testing/faults/faulty-store.suite.ts';
import { fillDisk } from '../../../testing/faults/full-disk.suite.ts';
import { LosableLeases } from '../../../testing/processes/processes.suite.ts';
import { checkpointFile } from './checkpoint-file.ts';
import { DUE_AFTER_MS } from './make-checkpoints.ts';
import { serveCheckpoints, type Checkpoints, type CheckpointStatus } from './serve-checkpoints.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

const EVERY = 10;
const ours = createSigningKey();

/** A clock that only moves when a test advances it. */
class Clock {
  #now = Date.parse('2022-03-01T00:00:00.000Z');
  #timers = new Set<{ at: number; callback: () => void }>();
  #repeated = new Set<{ every: number; callback: () => void }>();

  now = (): Date => new Date(this.#now);

  after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  every = (ms: number, callback: () => void): (() => void) => {
    const timer = { every: ms, callback };
    this.#repeated.add(timer);
    return () => void this.#repeated.delete(timer);
  };

  /** The milliseconds until each timer. */
  get set(): number[] {
    return [...this.#timers].map(({ at }) => at - this.#now);
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
    for (const { every, callback } of this.#repeated) if (ms >= every) callback();
  }
}

let folder: string;
let store: FaultyStore;
let broker: InProcessBus;
let leases: Leases;
let clock: Clock;
let file: string;
let logged: string[];
let started: Checkpoints[];

beforeEach(async () => {
  folder = temporaryFolder();
  store = new FaultyStore(new MemoryStore());
  broker = new InProcessBus();
  leases = new InProcessLeases(() => undefined, { retryMs: 5 });
  clock = new Clock();
  file = join(folder, 'outside', 'checkpoints.jsonl');
  logged = [];
  started = [];
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const { part } of started) await part.end();
});

interface Running {
  readonly leases: LosableLeases;
  readonly begun: Promise<void>;
  readonly stop: () => Promise<void>;
  readonly status: () => CheckpointStatus | null;
  readonly make: () => Promise<z.output<typeof MakeCheckpoint.reply>>;
  readonly recordStatus: () => Promise<z.output<typeof RecordStatus.reply>>;
}

/** Starts a further process. Where it has leases of its own, nobody but itself hears its requests either. */
function launch(
  options: { key?: SigningKey | null; leases?: Leases; watch?: Pick<Watch, 'add'> } = {},
): Running {
  const bus = (options.leases === undefined ? broker : new InProcessBus()).connect(() => undefined);
  const own = new LosableLeases(options.leases ?? leases);
  const service = serveCheckpoints({
    bus,
    store,
    codec: createCodec(CATALOG, {} as Vault),
    logger: pino(
      { level: 'warn' },
      { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) },
    ),
    key: ours.key,
    settings: { checkpointFile: file, checkpointEvery: EVERY },
    now: clock.now,
    clock,
    ...options,
    leases: own,
  });
  started.push(service);
  const ask = <Req extends z.ZodType, Rep extends z.ZodType>(definition: RequestDefinition<Req, Rep>) =>
    call(bus, definition, {} as z.input<Req>, { correlationId: 'c', callId: randomUUID() });
  return {
    leases: own,
    begun: service.part.begun,
    stop: async () => {
      await service.part.end();
      await bus.drain();
    },
    status: () => service.status(),
    make: () => ask(MakeCheckpoint),
    recordStatus: () => ask(RecordStatus),
  };
}

async function start(options: Parameters<typeof launch>[0] = {}): Promise<Running> {
  const running = launch(options);
  await running.begun;
  return running;
}

function newEvent(type: string, data: Json): NewEvent {
  const at = clock.now().toISOString();
  return { id: randomUUID(), type, data, metadata: { at, version: 1, $correlationId: '', $causationId: '' } };
}

/** Appends this many events to one stream at once. */
async function happen(count: number, stream = 's-1'): Promise<void> {
  await appendAtEnd(
    store,
    stream,
    Array.from({ length: count }, () => newEvent('Happened', {})),
  );
}

/** What all open files have their methods from. */
async function fileHandles(): Promise<FileHandle> {
  await using handle = await open(import.meta.filename);
  return Object.getPrototypeOf(handle) as FileHandle;
}

const noteErasure = (type: string) =>
  appendAtEnd(store, ERASURES_STREAM, [newEvent(type, { request_id: randomUUID() })]);

/** Waits until the record has so many checkpoints. */
async function checkpoints(count: number): Promise<void> {
  let seen = 0;
  for await (const item of store.subscribe({ types: [RecordCheckpointed.type] })) {
    if (item.kind === 'event' && ++seen === count) return;
  }
}

/** Every checkpoint is true, covers all events since the previous one, and is in the file. */
async function prove(key: SigningKey = ours.key): Promise<number[]> {
  const all: RecordedEvent[] = await Array.fromAsync(store.readAll());
  const tree = new MerkleTree(Buffer.concat(all.map(eventLeaf)));
  const made = all.filter(({ stream }) => stream === CHECKPOINTS_STREAM).map(readCheckpoint);
  let before = 0;
  for (const { size, root, note, position, heads } of made) {
    const grown = new Map(all.slice(before, size).map((event) => [event.stream, event]));
    expect(heads).toEqual(
      [...grown.keys()].sort().map((stream) => ({
        stream,
        revision: Number(grown.get(stream)!.revision),
        hash: grown.get(stream)!.metadata.hash,
      })),
    );
    expect({ root, position }).toEqual({
      root: tree.root(size).toString('hex'),
      position: all[size - 1]!.position,
    });
    expect(isSignedBy(parseNote(note), key)).toBe(true);
    before = size;
  }
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1).map(parseCheckpointLine);
  expect(lines).toEqual(made.map(({ note, heads }) => ({ note, heads })));
  return made.map(({ size }) => size);
}

describe('checkpoints', () => {
  test('are made after so many events, in the record and outside it', async () => {
    const { make } = await start();
    await happen(EVERY - 1);
    await happen(2, 's-2');
    await checkpoints(1);
    await happen(EVERY, 's-3');
    await checkpoints(2);
    await make();
    const sizes = await prove();
    expect(sizes[0]).toBe(EVERY);
    // Its own event, the one that was left, and nine more.
    expect(sizes[1]).toBe(2 * EVERY + 1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('are made on demand, and again only once something has happened', async () => {
    const { make, status } = await start();
    await happen(3);
    const first = await make();
    expect(first).toMatchObject({ size: 3, repeated: false });
    expect(parseTreeHead(parseNote(first.note).text)).toMatchObject({ size: 3 });
    expect(await make()).toEqual({ ...first, repeated: true });
    await happen(1);
    expect(await make()).toMatchObject({ size: 5, repeated: false });
    expect(await prove()).toEqual([3, 5]);
    expect(status()).toEqual({ live: true, size: 5, uncovered: 0, fileWritten: true });
  });

  test('of an empty record there are none', async () => {
    const { make, recordStatus } = await start();
    expect(await make()).toMatchObject({ size: 0, note: '', repeated: true });
    expect(await recordStatus()).toEqual({ checkpoint: null, erased: 0 });
    expect(await Array.fromAsync(store.readAll())).toEqual([]);
  });

  test('are made five minutes after the first event that waits, and not because of their own', async () => {
    const { status, stop } = await start();
    await vi.waitFor(() => expect(status()!.live).toBe(true), PATIENT);
    await happen(1);
    await vi.waitFor(() => expect(clock.set).toEqual([DUE_AFTER_MS]), PATIENT);
    clock.pass(DUE_AFTER_MS - 1);
    await happen(1);
    await vi.waitFor(() => expect(status()!.uncovered).toBe(2), PATIENT);
    expect(clock.set).toEqual([1]);
    clock.pass(1);
    await checkpoints(1);
    await happen(1);
    await vi.waitFor(() => expect(clock.set).toEqual([DUE_AFTER_MS]), PATIENT);
    // A stop completes the present write.
    await stop();
    expect(await prove()).toEqual([2]);
  });

  test('are due after a restart when they would have been without', async () => {
    await happen(2);
    clock.pass(DUE_AFTER_MS - 1_000);
    await start();
    await vi.waitFor(() => expect(clock.set).toEqual([1_000]), PATIENT);
    clock.pass(1_000);
    await checkpoints(1);
  });

  test('of a record that was there before cover so many events each', async () => {
    for (let n = 0; n < 4; n++) await happen(EVERY - 2, `s-${n}`);
    const { make } = await start();
    await make();
    const sizes = await prove();
    expect(sizes.slice(0, 3)).toEqual([EVERY, 2 * EVERY, 3 * EVERY]);
    expect(sizes).toHaveLength(4);
  });

  test('are signed by the key of the time; without one they are not signed', async () => {
    const { stop, make, recordStatus } = await start({ key: null });
    await happen(1);
    expect(parseNote((await make()).note).signatures).toEqual([]);
    expect((await recordStatus()).checkpoint).toMatchObject({ size: 1, key: null });
    await stop();
    const signing = await start();
    await happen(1);
    const { note, root } = await signing.make();
    expect(isSignedBy(parseNote(note), ours.key)).toBe(true);
    expect((await signing.recordStatus()).checkpoint).toEqual({
      size: 3,
      root,
      at: clock.now().toISOString(),
      key: ours.key.line,
    });
  });

  test('tell of an earlier key by its name and id', async () => {
    const { stop, make } = await start();
    await happen(1);
    await make();
    await stop();
    const { recordStatus } = await start({ key: createSigningKey().key });
    expect((await recordStatus()).checkpoint?.key).toBe(`beleg+${ours.key.keyId}`);
  });

  test('the status counts the texts that were erased', async () => {
    const { recordStatus } = await start();
    await noteErasure('ErasureRequested');
    expect(await recordStatus()).toMatchObject({ erased: 0 });
    await noteErasure('TextErased');
    await noteErasure('ErasureRequested');
    await noteErasure('TextErased');
    expect(await Promise.all([recordStatus(), recordStatus()])).toMatchObject([{ erased: 2 }, { erased: 2 }]);
    expect(await recordStatus()).toMatchObject({ erased: 2 });
  });
});

/** The stores that records are kept in, each with what closes it. */
const STORES: Record<string, () => Promise<{ store: EventStore; close: () => Promise<void> }>> = {
  'the embedded store': async () => {
    const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
    return { store, close: () => store.close() };
  },
  EventStoreDB: async () => {
    const server = await startEventStore({ file: join(folder, 'server.db') });
    const store = await openEventStoreDb({ url: server.url });
    const close = async (): Promise<void> => {
      await store.close();
      await server.close();
    };
    return { store, close };
  },
};

describe.each(Object.keys(STORES))('over %s', (name) => {
  test('a record that was there is caught up with, gone on with, and taken up again', async () => {
    const kept = await STORES[name]!();
    store = new FaultyStore(kept.store);
    try {
      for (let n = 0; n < 4; n++) await happen(EVERY - 2, `s-${n}`);
      const first = await start();
      expect(await first.make()).toMatchObject({ repeated: false });
      await happen(EVERY);
      await first.make();
      await first.stop();
      await happen(3);
      const second = await start();
      expect(await second.make()).toMatchObject({ repeated: false });
      expect(await second.make()).toMatchObject({ repeated: true });
      await second.stop();
      const sizes = await prove();
      expect(sizes.slice(0, 3)).toEqual([EVERY, 2 * EVERY, 3 * EVERY]);
      expect(sizes).toHaveLength(6);
    } finally {
      await kept.close();
    }
  });
});

/** Leases that know nothing of those of others. */
const another = (): Leases => new InProcessLeases(() => undefined, { retryMs: 5 });

describe('the checkpointer', () => {
  test('goes on where another stopped', async () => {
    const first = await start();
    await happen(3);
    await first.make();
    await first.stop();
    await happen(EVERY);
    const second = await start();
    await second.make();
    expect(first.status()).toBeNull();
    const sizes = await prove();
    expect(sizes[0]).toBe(3);
    expect(sizes.at(-1)).toBeGreaterThanOrEqual(3 + EVERY);
  });

  test.each(['down', 'mute'] as const)('goes on after an append while the store is %s', async (mode) => {
    const { make, recordStatus } = await start();
    await happen(3);
    await make();
    await happen(2);
    store.mode = mode;
    await expect(make()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    store.mode = 'up';
    await vi.waitFor(() => make(), PATIENT);
    expect(await prove()).toEqual([3, 6]);
    expect((await recordStatus()).checkpoint?.size).toBe(6);
    expect(logged.includes('no checkpoint can be made right now; trying again')).toBe(mode === 'mute');
  });

  test('that two processes believe to be theirs makes one log', async () => {
    const running = [await start({ leases: another() }), await start({ leases: another() })];
    for (let n = 0; n < 30; n++) await happen(4, `s-${n % 3}`);
    await vi.waitFor(
      async () => expect((await running[0]!.make()).size).toBeGreaterThanOrEqual(120),
      PATIENT,
    );
    // Each process may have a line to write.
    for (const { stop } of running) await stop();
    const sizes = await prove();
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes.length).toBeGreaterThanOrEqual(12);
  });

  test('that another has followed gives its lease up before it writes again', async () => {
    const first = await start({ leases: another() });
    await happen(3);
    await first.make();
    const second = await start({ leases: another() });
    await happen(2);
    await second.make();
    await happen(1);
    await expect(first.make()).rejects.toMatchObject({ code: 'RESPONDER_LOST' });
    expect(logged).toContain('no checkpoint can be made right now; trying again');
    expect(await prove()).toEqual([3, 6]);
  });

  test('that meets a fault of the store tries for its lease again, which it may have lost without hearing of it', async () => {
    const taken = Promise.withResolvers<void>();
    let holds = 0;
    const elsewhere = another();
    const first = await start({
      leases: {
        ...elsewhere,
        list: (prefix) => elsewhere.list(prefix),
        held: () => elsewhere.held(),
        run: (name, work, signal) =>
          elsewhere.run(name, async (held) => ((holds += 1) === 1 ? work(held) : taken.promise), signal),
      },
    });
    await happen(3);
    await first.make();
    store.mode = 'mute';
    await happen(2).catch(() => undefined);
    await expect(first.make()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    store.mode = 'up';
    await vi.waitFor(() => expect(holds).toBe(2), PATIENT);
    expect(first.status()).toBeNull();
    taken.resolve();
    await first.stop();
  });

  test('hands over: where one loses its lease, another goes on', async () => {
    const holder = await start();
    await happen(3);
    await holder.make();
    const standby = launch();
    expect(standby.status()).toBeNull();
    holder.leases.lose('checkpoints');
    await standby.begun;
    await happen(1);
    await vi.waitFor(() => holder.make(), PATIENT);
    expect(await prove()).toEqual([3, 5]);
  });

  test('makes nothing of a record whose last checkpoint does not add up, and says so', async () => {
    await happen(1);
    await appendAtEnd(store, CHECKPOINTS_STREAM, [newEvent(RecordCheckpointed.type, { size: 1 })]);
    const add = vi.fn<Watch['add']>(() => async () => undefined);
    const { make } = await start({ watch: { add } });
    await expect(make()).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
    await vi.waitFor(() => expect(add.mock.calls[0]![1].fault!()).toBe('record_damaged'), PATIENT);
    expect(logged).toContain('no new checkpoints can be made: the record or its last checkpoint is damaged');
  });
});

/** Three checkpoints, and what the file holds then. */
async function three(): Promise<Buffer> {
  const { stop, make } = await start();
  for (let n = 0; n < 3; n++) {
    await happen(2, `s-${n}`);
    await make();
  }
  await stop();
  return readFile(file);
}

/** The last line as it would be of a later checkpoint. */
function ahead(whole: Buffer): Buffer {
  const last = whole.toString().trimEnd().split('\n').at(-1)!;
  return Buffer.from(`${last.replace(/(beleg\/[0-9a-f]{16}\\n)\d+/, '$199')}\n`);
}

describe('the file outside the record', () => {
  test('is brought up to the record wherever writing it broke off', async () => {
    const whole = await three();
    const lines = [0, ...[...whole.keys()].filter((at) => whole[at] === 0x0a).map((at) => at + 1)];
    const cuts = lines
      .flatMap((at) => [at, at + 1, at + 40, at - 1])
      .filter((at) => at >= 0 && at <= whole.length);
    for (const cut of cuts) {
      for (const rest of [0, 10, 700]) {
        await writeFile(file, Buffer.concat([whole.subarray(0, cut), Buffer.alloc(rest)]));
        const { stop, make } = await start();
        await make();
        await stop();
        expect(await readFile(file, 'utf8')).toBe(whole.toString());
      }
    }
  });

  test('is mended where blocks of its last line were never written', async () => {
    const whole = await three();
    const lost = Buffer.from(whole);
    lost.fill(0, whole.length - 100, whole.length - 20);
    await writeFile(file, lost);
    await (await start()).make();
    expect(await readFile(file, 'utf8')).toBe(whole.toString());
  });

  test('is mended where a line was never written and the one after it was', async () => {
    // given
    const whole = await three();
    const lost = Buffer.from(whole);
    const [first, second] = [...whole.keys()].filter((at) => whole[at] === 0x0a);
    lost.fill(0, first! + 1, second! + 1);
    await writeFile(file, lost);
    // when
    await (await start()).make();
    // then
    expect(await readFile(file, 'utf8')).toBe(whole.toString());
  });

  test('is written anew where it is gone, and gets what was recorded meanwhile', async () => {
    const whole = await three();
    await rm(file);
    const { make, status } = await start();
    await make();
    expect(await readFile(file, 'utf8')).toBe(whole.toString());
    await rm(file);
    await happen(1);
    await make();
    expect(await prove()).toHaveLength(4);
    expect(status()).toMatchObject({ fileWritten: true });
  });

  test.each<[string, (whole: Buffer) => Promise<unknown>]>([
    ['removed', () => rm(file)],
    ['removed with its folder', () => rm(join(folder, 'outside'), { recursive: true })],
    ['cut', (whole) => truncate(file, whole.length - 200)],
    ['emptied', () => truncate(file, 0)],
    ['put back as it was earlier', (whole) => writeFile(file, whole.subarray(0, whole.indexOf('\n') + 1))],
  ])('that is %s while the process runs is written again within seconds', async (_, change) => {
    const whole = await three();
    const { make, status } = await start();
    await make();
    await change(whole);
    clock.pass(2_000);
    await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toBe(whole.toString()), PATIENT);
    expect(status()).toMatchObject({ fileWritten: true });
    expect(logged.filter((line) => line.startsWith('AUDIT_CHECKPOINT_FILE was removed'))).toHaveLength(1);
  });

  test('that is still being written is not taken for one that somebody else changed', async () => {
    const { make } = await start();
    await happen(1);
    await make();
    const handles = await fileHandles();
    const written = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    vi.spyOn(handles, 'datasync').mockImplementationOnce(() => {
      written.resolve();
      return slow.promise;
    });
    await happen(1);
    const made = make();
    await written.promise;
    clock.pass(2_000);
    slow.resolve();
    await made;
    clock.pass(2_000);
    await make();
    expect(logged).toEqual([]);
  });

  test('that the next holder has written meanwhile is not taken for one that somebody else changed', async () => {
    const whole = await three();
    const { make, leases: own, status } = await start();
    await make();
    // It stood still until now, and has not noticed yet that its lease is over.
    vi.spyOn(own, 'held').mockReturnValue([]);
    await writeFile(file, `${whole.toString()}a line of the next holder\n`);
    clock.pass(2_000);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(status()).toMatchObject({ fileWritten: true });
    expect(logged).toEqual([]);
  });

  test('that somebody writes something else to is named within seconds, and once', async () => {
    const whole = await three();
    const { make, status } = await start();
    await make();
    await writeFile(file, `${whole.toString()}notes of a user\n`);
    clock.pass(2_000);
    await vi.waitFor(() => expect(status()).toMatchObject({ fileWritten: false }), PATIENT);
    clock.pass(2_000);
    expect(logged.filter((line) => line.startsWith('AUDIT_CHECKPOINT_FILE'))).toHaveLength(2);
  });

  test('is whole where one that writes it is overtaken by another', async () => {
    const whole = await three();
    await rm(file);
    const copy = checkpointFile(file);
    const reached = Promise.withResolvers<void>();
    const overtaken = Promise.withResolvers<void>();
    const slow = copy.bringUp({
      async *readStream(stream, options) {
        for await (const event of store.readStream(stream, options)) {
          yield event;
          reached.resolve();
          await overtaken.promise;
        }
      },
    });
    await reached.promise;
    await copy.bringUp(store);
    overtaken.resolve();
    await slow;
    expect(await readFile(file, 'utf8')).toBe(whole.toString());
  });

  test('that cannot be written holds up no checkpoint, and is brought up once it can', async () => {
    await writeFile(join(folder, 'outside'), '');
    const { make, status } = await start();
    await happen(1);
    expect(await make()).toMatchObject({ size: 1 });
    expect(status()).toMatchObject({ fileWritten: false, size: 1 });
    const told = logged.filter((line) => line.startsWith('AUDIT_CHECKPOINT_FILE cannot be written'));
    expect(told).toHaveLength(1);
    await rm(join(folder, 'outside'));
    expect(await make()).toMatchObject({ size: 1, repeated: true });
    expect(status()).toMatchObject({ fileWritten: true });
    expect(await prove()).toEqual([1]);
  });

  test('is not taken for written where the disk had room for half a line, and is brought up once there is more', async () => {
    const whole = await three();
    await rm(file);
    await fillDisk(whole.length - 100);
    const copy = checkpointFile(file);
    await expect(copy.bringUp(store)).rejects.toMatchObject({ code: 'ENOSPC' });
    vi.restoreAllMocks();
    await copy.bringUp(store);
    expect(await readFile(file, 'utf8')).toBe(whole.toString());
  });

  test('gets no line behind one that the disk could not keep, until it can', async () => {
    // given
    const whole = await three();
    const handles = await fileHandles();
    await rm(file);
    vi.spyOn(handles, 'datasync').mockResolvedValueOnce(undefined).mockRejectedValue(new Error('EIO'));
    const copy = checkpointFile(file);
    // when
    for (let round = 0; round < 3; round++) await expect(copy.bringUp(store)).rejects.toThrow('EIO');
    // then
    const first = whole.subarray(0, whole.indexOf('\n') + 1);
    expect(await readFile(file, 'utf8')).toBe(first.toString());
    vi.restoreAllMocks();
    await copy.bringUp(store);
    expect(await readFile(file, 'utf8')).toBe(whole.toString());
  });

  const foreign: [string, (whole: Buffer) => Buffer | string][] = [
    ['further than the record', (whole) => Buffer.concat([whole, ahead(whole)])],
    [
      'further than the record by a line that is cut off',
      (whole) => Buffer.concat([whole, Buffer.from('{"other')]),
    ],
    [
      'of another record',
      (whole) =>
        whole
          .toString()
          .replaceAll('beleg/', 'beleg/0')
          .replaceAll(/(beleg\/.{16})./g, '$1'),
    ],
    [
      'changed in its last line',
      (whole) => whole.toString().replace(/"revision":1(?=[^\n]*\n$)/, '"revision":9'),
    ],
    ['of something else', () => 'notes of a user\n'],
    ['of something else, without a newline', () => 'notes of a user'],
    ['of something long, without a newline', () => 'x'.repeat(1_200_000)],
    ['of JSON that is no checkpoint', () => '{"note":"","heads":[]}\n'],
  ];

  test.each(foreign)('%s is left as it is, and said so; events go on', async (_, change) => {
    const given = Buffer.from(change(await three()));
    await writeFile(file, given);
    const { make, status } = await start();
    await happen(1);
    expect(await make()).toMatchObject({ repeated: false });
    expect(status()).toMatchObject({ fileWritten: false });
    expect(given.equals(await readFile(file))).toBe(true);
    expect(logged).toContainEqual(expect.stringMatching(/^AUDIT_CHECKPOINT_FILE cannot be written/));
  });
});
