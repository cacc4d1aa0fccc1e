import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { QuestionAsked, askStream } from '../../events/catalog/knowledge.ts';
import { createCodec, type Codec } from '../../events/define.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { NO_STREAM } from '../../events/store/store.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { createAuditLines } from '../audit/stdout-lines.ts';
import { askWriters } from '../ask-writers.ts';
import { FaultyStore } from '../faulty-store.suite.ts';
import { recorderOf, type Recorder } from './recorder.ts';
import { openSpool } from './spool.ts';

const QUESTION = 'Wie hoch ist die Geheimzulage?';

let folder: string;
let store: FaultyStore;
let vault: Vault;
let codec: Codec;
let lines: Record<string, unknown>[];
let recorder: Recorder;

/** A recorder as a start makes it. The timer is off: tests say when it delivers. */
async function start(maxBytes = 1_000_000): Promise<Recorder> {
  const spool = await openSpool(join(folder, 'spool'), { maxBytes });
  return recorderOf({
    store,
    codec,
    spool,
    asks: askWriters({ store, codec, now: () => new Date() }),
    lines: createAuditLines((line) => lines.push(JSON.parse(line.slice('AUDIT '.length)))),
    logger: pino({ level: 'silent' }),
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
  await recorder.close();
  await Promise.all([store.close(), vault.close()]);
});

function asked(requestId: string, callId: string, redact = false) {
  return QuestionAsked.create(
    { request_id: requestId, question: QUESTION, language: 'de', mode: 'knowledge', top_k: 8, context: null },
    {
      stream: askStream(requestId),
      at: '2026-01-01T00:00:00.000Z',
      correlationId: requestId,
      causationId: callId,
      key: requestId,
    },
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
    // Behind what waits, even though the store is back.
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
    // The first one still believes that its entry waits: delivering it again changes nothing.
    await recorder.deliver();
    expect(await calls('r')).toEqual(['1']);
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
    // The first attempt was on its way all the time: it arrives just before the delivery.
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
    await writeFile(join(folder, 'spool'), 'a file where the folder should be');
    store.mode = 'down';
    expect(await record('r', '1')).toBe('lost');
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: true });
    await rm(join(folder, 'spool'));
    expect(await record('r', '2')).toBe('spooled');
    // The loss stays told, and it is over.
    expect(recorder.status()).toEqual({ spooled: 1, lost: 1, losing: false });
  });

  test('loses nothing any more once something is stored again', async () => {
    await recorder.close();
    recorder = await start(10);
    store.mode = 'down';
    await record('r', '1');
    store.mode = 'up';
    await recorder.deliver();
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: true });
    expect(await record('r', '2')).toBe('stored');
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: false });
  });

  test('loses text rather than keep it in the open when there is no key for it', async () => {
    await vault.close();
    expect(await record('r', '1')).toBe('lost');
    expect(recorder.status()).toEqual({ spooled: 0, lost: 1, losing: true });
    expect(await readdir(folder)).not.toContain('spool');
  });

  test('needs no key for what is redacted', async () => {
    await vault.close();
    expect(await recorder.record('ask-r', [asked('r', '1', true)])).toBe('stored');
    expect(lines).toMatchObject([{ data: { question: null, top_k: 8 } }]);
  });
});
