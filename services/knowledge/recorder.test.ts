import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { answerData } from '../../events/catalog/answer-given.suite.ts';
import {
  AnswerGiven,
  AskFailed,
  askStream,
  PassagesRetrieved,
  QuestionAsked,
} from '../../events/catalog/knowledge.ts';
import { createCodec, type Codec, type DomainEvent } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { NO_STREAM } from '../../events/store/store.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { createAuditLines } from '../foundation/audit-lines.ts';
import { askWriters } from '../foundation/streams/ask-writers.ts';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import { recorderOf, type Recorder } from './recorder.ts';
import { openSpool } from '../foundation/spool.ts';

const QUESTION = 'Wie hoch ist die Geheimzulage?';

let folder: string;
let store: FaultyStore;
let vault: Vault;
let codec: Codec;
let lines: Record<string, unknown>[];
let recorder: Recorder;

/** The recorder of a new process. Its timer is off, so that tests decide when it delivers. */
async function start(
  maxBytes = 1_000_000,
  place = join(folder, 'spool'),
  logger = pino({ level: 'silent' }),
): Promise<Recorder> {
  const spool = await openSpool(place, { maxBytes });
  return recorderOf({
    instance: 'test',
    store,
    codec,
    spool,
    asks: askWriters({ store, codec, now: () => new Date() }),
    lines: createAuditLines((line) => lines.push(JSON.parse(line.slice('AUDIT '.length)))),
    logger,
    retryMs: 1_000_000,
  });
}

beforeEach(async () => {
  folder = temporaryFolder();
  store = new FaultyStore(await openEmbeddedStore({ file: join(folder, 'events.db') }));
  vault = await openSqliteVault({ file: join(folder, 'keys.db') });
  codec = createCodec(CATALOG, vault);
  lines = [];
  recorder = await start();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await recorder.close();
  await Promise.all([store.close(), vault.close()]);
});

const cause = (callId: string, requestId = 'r') => ({
  stream: askStream(requestId),
  at: '2026-01-01T00:00:00.000Z',
  correlationId: requestId,
  causationId: callId,
  key: requestId,
});

function asked(requestId: string, callId: string, redact = false) {
  return QuestionAsked.create(
    { request_id: requestId, question: QUESTION, language: 'de', mode: 'knowledge', top_k: 8, context: null },
    cause(callId, requestId),
    { redact },
  );
}

const record = (requestId: string, callId: string) =>
  recorder.record(askStream(requestId), [asked(requestId, callId)]);

async function calls(requestId: string): Promise<string[]> {
  store.mode = 'up';
  const found: string[] = [];
  for await (const event of store.readStream(askStream(requestId))) found.push(event.metadata.$causationId);
  return found;
}

const decoded = async () => {
  const events = await Array.fromAsync(store.readStream('ask-r'));
  return Promise.all(events.map(async (event) => (await codec.decode(event))?.data));
};

const answered = (callId: string, answer: string) =>
  [
    asked('r', callId),
    PassagesRetrieved.create(
      { queries: [], hits: [], coverage: 0, covered: false, index: 'i' },
      cause(callId),
    ),
    AnswerGiven.create(answerData('r', { answer }), cause(callId)),
  ] as DomainEvent<string, unknown>[];
const types = async () => (await Array.fromAsync(store.readStream('ask-r'))).map(({ type }) => type);

describe('Recorder', () => {
  test('makes the key ahead of the record; one that is never used is swept', async () => {
    const seal = vi.spyOn(vault, 'seal');
    recorder.prepare([asked('r', 'call-1')]);
    await seal.mock.results[0]!.value;
    expect(await vault.sweep(async () => false)).toBe(1);
    expect(await record('r', 'call-1')).toBe('stored');
  });

  test('puts no text of an erased request anywhere, and what has none on record', async () => {
    await record('r', 'call-1');
    await vault.erase('r');
    for (const mode of ['up', 'down'] as const) {
      store.mode = mode;
      recorder.prepare([asked('r', 'call-2')]);
      expect(await record('r', 'call-2')).toBe('erased');
    }
    store.mode = 'up';
    expect(recorder.status()).toMatchObject({ spooled: 0, lost: 0 });
    const withoutText = asked('r', 'call-3', true);
    expect(await recorder.record(askStream('r'), [withoutText])).toBe('stored');
    expect(await calls('r')).toEqual(['call-1', 'call-3']);
    expect(lines).toHaveLength(2);
  });

  test('delivers text that was spooled before its erasure: it reads as null', async () => {
    store.mode = 'down';
    expect(await record('r', 'call-1')).toBe('spooled');
    await vault.erase('r');
    store.mode = 'up';
    await recorder.deliver();
    const [event] = await Array.fromAsync(store.readStream(askStream('r')));
    expect((await codec.decode(event!))?.data).toMatchObject({ request_id: 'r', question: null });
    expect(recorder.status()).toMatchObject({ spooled: 0, lost: 0 });
  });

  test('stores events at the end of their stream, and says so in a line', async () => {
    expect(await record('r', 'call-1')).toBe('stored');
    expect(await record('r', 'call-2')).toBe('stored');
    expect(await calls('r')).toEqual(['call-1', 'call-2']);
    expect(lines).toMatchObject([
      { event: 'QuestionAsked', request_id: 'r', stream: 'ask-r', revision: 0, data: { question: QUESTION } },
      { revision: 1 },
    ]);
  });

  test('gets through when several write to one stream at once', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((call) => record('r', call)));
    expect(all).toEqual(Array.from({ length: 5 }, () => 'stored'));
    expect((await calls('r')).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('spools while the store is away, then delivers in order', async () => {
    store.mode = 'down';
    expect(await record('r', '1')).toBe('spooled');
    expect(await record('r', '2')).toBe('spooled');
    store.mode = 'up';
    // The event waits behind those in the spool, although the store is back.
    expect(await record('r', '3')).toBe('spooled');
    expect(recorder.status()).toMatchObject({ spooled: 3, lost: 0 });
    expect(lines.map((line) => line['revision'])).toEqual([null, null, null]);
    await recorder.deliver();
    expect(await calls('r')).toEqual(['1', '2', '3']);
    expect(recorder.status()).toMatchObject({ spooled: 0, lost: 0 });
    expect(await record('r', '4')).toBe('stored');
  });

  test('holds no text in the open in the spool', async () => {
    store.mode = 'down';
    await record('r', '1');
    expect(await readFile(join(folder, 'spool', 'events.jsonl'), 'utf8')).not.toContain('Geheimzulage');
  });

  test('delivers after a kill what an earlier process spooled', async () => {
    store.mode = 'down';
    await record('r', '1');
    const next = await start();
    store.mode = 'up';
    await next.deliver();
    expect(await calls('r')).toEqual(['1']);
    await next.close();
    // The first process still takes its entry for undelivered; to deliver it again changes nothing.
    await recorder.deliver();
    expect(await calls('r')).toEqual(['1']);
  });

  test('delivers what stands around a damaged line, and names the line and where its bytes are kept', async () => {
    store.mode = 'down';
    for (const id of ['1', '2', '3']) await record('r', id);
    await recorder.close();
    const file = join(folder, 'spool', 'events.jsonl');
    const [first, second, ...others] = (await readFile(file, 'utf8')).split('\n');
    const damaged = second!.slice(0, -9);
    await writeFile(file, [first, damaged, ...others].join('\n'));
    store.mode = 'up';
    const logged: Record<string, unknown>[] = [];
    const write = (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>);
    recorder = await start(undefined, undefined, pino({ level: 'error' }, { write }));
    await recorder.deliver();
    expect(await calls('r')).toEqual(['1', '3']);
    const reason = 'its checksum does not match its content';
    const kept = `${file}.damaged`;
    expect(logged).toMatchObject([{ level: 50, file, damaged: 1, lines: [{ line: 2, reason }], kept }]);
    expect(await readFile(kept, 'utf8')).toBe(`${damaged}\n`);
    expect(recorder.status()).toMatchObject({ spooled: 0, lost: 1 });
  });

  test('stores once what was written although the reply was lost', async () => {
    store.mode = 'mute';
    expect(await record('r', '1')).toBe('spooled');
    store.mode = 'up';
    await recorder.deliver();
    expect(await calls('r')).toEqual(['1']);
  });

  test('keeps what it could not deliver', async () => {
    store.mode = 'down';
    await record('r', '1');
    await recorder.deliver();
    expect(recorder.status()).toMatchObject({ spooled: 1, lost: 0 });
  });

  test('says once for all streams that nothing can be stored', async () => {
    store.mode = 'down';
    for (const id of ['r1', 'r2', 'r3']) await record(id, '1');
    await recorder.close();
    const logged: Record<string, unknown>[] = [];
    const write = (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>);
    recorder = await start(undefined, undefined, pino({ level: 'warn' }, { write }));
    await recorder.deliver();
    expect(logged).toMatchObject([{ level: 40, msg: 'events still cannot be stored', waiting: 3 }]);
  });

  test('says each reason why nothing can be stored', async () => {
    store.mode = 'down';
    for (const id of ['r1', 'r2', 'r3']) await record(id, '1');
    await recorder.close();
    const reasons: unknown[] = [];
    const write = (line: string) =>
      void reasons.push((JSON.parse(line) as { err: { message: string } }).err.message);
    recorder = await start(undefined, undefined, pino({ level: 'warn' }, { write }));
    store.mode = 'up';
    vi.spyOn(store, 'append').mockImplementation((stream) =>
      Promise.reject(new Error(stream === 'ask-r2' ? 'full' : 'away')),
    );
    await recorder.deliver();
    expect(reasons).toEqual(['away', 'full']);
  });

  test('does not wait for the store again while it is away, not even where nothing can be kept', async () => {
    await recorder.close();
    recorder = await start(10);
    const tried = vi.spyOn(store, 'append');
    store.mode = 'down';
    expect([await record('r', '1'), await record('r', '2')]).toEqual(['lost', 'lost']);
    await recorder.deliver();
    expect(await record('r', '3')).toBe('lost');
    expect(new Set(tried.mock.calls.map(([, , events]) => events[0]!.id)).size).toBe(1);
    store.mode = 'up';
    await recorder.deliver();
    expect(await record('r', '4')).toBe('stored');
  });

  test('stores once what was taken for lost and lands while it is delivered', async () => {
    store.mode = 'down';
    await record('r', '1');
    store.mode = 'up';
    // The first attempt was still on its way and arrives just before the delivery.
    const event = await codec.encode(asked('r', '1'));
    const append = store.append.bind(store);
    vi.spyOn(store, 'append').mockImplementationOnce(async (...request) => {
      await append('ask-r', NO_STREAM, [event]);
      return append(...request);
    });
    await recorder.deliver();
    expect(recorder.status()).toMatchObject({ spooled: 0, lost: 0 });
    expect(await calls('r')).toEqual(['1']);
  });

  test('counts what finds the spool full', async () => {
    await recorder.close();
    recorder = await start(10);
    store.mode = 'down';
    expect(await record('r', '1')).toBe('lost');
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: true });
  });

  test('counts what finds the spool not writable', async () => {
    await rm(join(folder, 'spool'), { recursive: true });
    await writeFile(join(folder, 'spool'), 'a file where the folder should be');
    store.mode = 'down';
    expect(await record('r', '1')).toBe('lost');
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: true });
    await rm(join(folder, 'spool'));
    expect(await record('r', '2')).toBe('spooled');
    // The number of lost events stays, but no more are being lost.
    expect(recorder.status()).toEqual({ spooled: 1, lost: 1, losing: false });
  });

  test('loses nothing any more once the store is back, though nobody asks', async () => {
    await recorder.close();
    recorder = await start(10);
    store.mode = 'down';
    await record('r', '1');
    await recorder.deliver();
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: true });
    store.mode = 'up';
    await recorder.deliver();
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: false });
    expect(await record('r', '2')).toBe('stored');
  });

  test('loses nothing any more once the spool has room, though nobody asks', async () => {
    await rm(join(folder, 'spool'), { recursive: true });
    await writeFile(join(folder, 'spool'), 'a file where the folder should be');
    store.mode = 'down';
    await record('r', '1');
    await recorder.deliver();
    expect(recorder.status().losing).toBe(true);
    await rm(join(folder, 'spool'));
    await recorder.deliver();
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: false });
  });

  describe('where the key of a text cannot be had', () => {
    let sealing: MockInstance<Vault['seal']>;
    beforeEach(() => {
      sealing = vi.spyOn(vault, 'seal').mockRejectedValue(new BelegError('STORE_UNAVAILABLE'));
    });

    test('keeps it on disk under a key of its own, for its owner alone, and never in the open', async () => {
      expect(await record('r', '1')).toBe('spooled');
      expect(await record('r', '2')).toBe('spooled');
      expect(recorder.status()).toEqual({ spooled: 2, lost: 0, losing: false });
      const file = join(folder, 'spool', 'events.jsonl');
      expect(await readFile(file, 'utf8')).not.toContain('Geheimzulage');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      // After one failed wait the next callers do not wait.
      expect(sealing).toHaveBeenCalledTimes(1);
    });

    test('delivers it under the key of its request, also after a kill, and also where somebody made that meanwhile', async () => {
      await record('r', '1');
      const next = await start();
      await next.deliver();
      expect(await calls('r')).toEqual([]);
      vi.restoreAllMocks();
      await vault.seal('r', 'text of another process', 'c');
      await next.deliver();
      expect(await decoded()).toMatchObject([{ question: QUESTION }]);
      expect(next.status()).toEqual({ spooled: 0, lost: 0, losing: false });
      expect(await next.record('ask-r', [asked('r', '2')])).toBe('stored');
      await next.close();
    });

    test('stores it once where its append had landed although the reply was lost', async () => {
      await record('r', '1');
      vi.restoreAllMocks();
      store.mode = 'mute';
      await recorder.deliver();
      const next = await start();
      store.mode = 'up';
      await next.deliver();
      await recorder.deliver();
      expect(await calls('r')).toEqual(['1']);
      await next.close();
    });

    test('delivers it without its text where that was erased meanwhile', async () => {
      await record('r', '1');
      vi.restoreAllMocks();
      await vault.erase('r');
      await recorder.deliver();
      expect(await decoded()).toMatchObject([{ request_id: 'r', question: null }]);
      const [event] = await Array.fromAsync(store.readStream('ask-r'));
      expect(event!.metadata).not.toHaveProperty('key');
    });
  });

  test('counts over all restarts what was lost, until an operator has taken note', async () => {
    await recorder.close();
    recorder = await start(10);
    store.mode = 'down';
    await record('r', '1');
    await recorder.close();
    recorder = await start();
    store.mode = 'up';
    expect(await record('r', '2')).toBe('stored');
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: false });
    await rm(join(folder, 'spool', 'lost.json'));
    await recorder.deliver();
    expect(recorder.status()).toEqual({ spooled: 0, lost: 0, losing: false });
  });

  test('delivers many streams at once, each in its order', async () => {
    store.mode = 'down';
    for (let n = 0; n < 200; n++) await record(`r-${n % 100}`, `call-${n}`);
    store.mode = 'up';
    let running = 0;
    let most = 0;
    const append = store.append.bind(store);
    vi.spyOn(store, 'append').mockImplementation(async (...request) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return append(...request).finally(() => (running -= 1));
    });
    await recorder.deliver();
    expect(most).toBeGreaterThanOrEqual(32);
    expect(recorder.status()).toMatchObject({ spooled: 0, lost: 0 });
    for (let n = 0; n < 100; n++) expect(await calls(`r-${n}`)).toEqual([`call-${n}`, `call-${n + 100}`]);
  });

  describe('an attempt of a call that is made once more', () => {
    const WHOLE = ['QuestionAsked', 'PassagesRetrieved', 'AnswerGiven'];

    test('has no part in the story of the one that has ended on record, which its caller is told', async () => {
      const other = await start();
      expect(await other.record('ask-r', answered('call', 'first'))).toBe('stored');
      expect(await recorder.record('ask-r', answered('call', 'second'))).toBe('repeated');
      expect(await types()).toEqual(WHOLE);
      expect(await recorder.conclusionOf('ask-r', 'call')).toMatchObject({ data: { answer: 'first' } });
      expect(lines).toHaveLength(3);
      // Another call under the same request id has its own answer.
      expect(await recorder.record('ask-r', answered('call-2', 'second'))).toBe('stored');
      expect(await types()).toEqual([...WHOLE, ...WHOLE]);
      await other.close();
    });

    test('goes on where the other one has only begun, and neither does when that one ends after all', async () => {
      const other = await start();
      expect(await other.record('ask-r', [asked('r', 'call')])).toBe('stored');
      const [first, ...rest] = answered('call', 'second');
      expect(await recorder.record('ask-r', [first!])).toBe('stored');
      expect(await recorder.record('ask-r', rest)).toBe('stored');
      expect(await other.record('ask-r', answered('call', 'first').slice(1))).toBe('repeated');
      const failed = AskFailed.create({ request_id: 'r', code: 'MODEL_UNAVAILABLE' }, cause('call'));
      expect(await other.record('ask-r', [failed])).toBe('repeated');
      expect(await types()).toEqual(WHOLE);
      await other.close();
    });

    test('brings one answer where both wait in spools', async () => {
      store.mode = 'down';
      await recorder.record('ask-r', answered('call', 'first'));
      const folderOfOther = join(folder, 'other');
      const other = await start(1_000_000, folderOfOther);
      await other.record('ask-r', answered('call', 'second'));
      store.mode = 'up';
      await Promise.all([recorder.deliver(), other.deliver()]);
      expect(await types()).toEqual(WHOLE);
      expect([recorder.status(), other.status()]).toMatchObject([
        { spooled: 0, lost: 0 },
        { spooled: 0, lost: 0 },
      ]);
      await other.close();
    });
  });

  test('needs no key for what is redacted', async () => {
    await vault.close();
    expect(await recorder.record('ask-r', [asked('r', '1', true)])).toBe('stored');
    expect(lines).toMatchObject([{ data: { question: null, top_k: 8 } }]);
  });
});
