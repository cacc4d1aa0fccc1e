import { ActorHost } from '../foundation/actor-host.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import { createCodec } from '../../events/define.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { BelegError } from '../../events/errors.ts';
import { NO_VAULT } from '../../events/vault/vault.ts';
import { KnowledgeBaseInvalid } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import type { Instances } from './instances.ts';
import type { ChangedAtStart, Knowledge } from './index-in-use.ts';
import { openIndexWriter, reindexerOf } from './reindex.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const LEFT_OUT = [{ file: 'a.md', line: 3, message: 'is wrong' }];
const index = {
  hash: 'new',
  passageCount: 1,
  sources: [],
  builtAt: '2022-03-01T00:00:00.000Z',
  files: { read: 0, leftOut: LEFT_OUT },
};

/** The only process that holds the lease. */
async function holder(store: FaultyStore, changedAtStart: ChangedAtStart | null = null) {
  const build = vi.fn(async () => index as unknown as KnowledgeIndex);
  const swap = vi.fn();
  const onLost = vi.fn();
  const codec = createCodec(CATALOG, NO_VAULT);
  const writer = await openIndexWriter({ store, codec, now: () => new Date(), onLost });
  const reindexer = reindexerOf({
    knowledge: { index, build, swap, changedAtStart } as unknown as Knowledge,
    instances: {
      others: async () => [],
      prepare: async () => [],
      swap: async () => undefined,
    } as unknown as Instances,
    writer,
    logger: pino({ level: 'silent' }),
    actors: new ActorHost({ logger: pino({ level: 'silent' }) }),
  });
  return { reindexer, build, swap, onLost };
}

async function recorded(store: FaultyStore): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of store.readStream(INDEX_STREAM)) types.push(type);
  return types;
}

async function dataOn(store: FaultyStore): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { data } of store.readStream(INDEX_STREAM)) all.push(data);
  return all;
}

const request = (callId: string) => ({ correlationId: 'r', callId });

test('a reindex swaps the new index in, and says what changed', async () => {
  // given
  const store = new FaultyStore(new MemoryStore());
  const { reindexer, swap } = await holder(store);
  // when
  const built = await reindexer.reindex(request('first'));
  // then
  expect(built).toMatchObject({
    built: { index: 'new', passages: 1, sources: 0, added: 0, changed: 0, removed: 0 },
    leftOut: LEFT_OUT,
  });
  expect(swap).toHaveBeenCalledExactlyOnceWith(index);
  expect(await recorded(store)).toEqual(['ReindexStarted', 'IndexBuilt']);
});

const CHANGED: ChangedAtStart = {
  index: 'new',
  files: { added: 1, changed: 2, removed: 3 },
  sources: { added: 4, changed: 5, removed: 6 },
};

test('what a start has found changed is put on record as a reindex, without a build', async () => {
  // given
  const store = new FaultyStore(new MemoryStore());
  const { reindexer, build } = await holder(store, CHANGED);
  // when
  await reindexer.recordStart(request('start'));
  // then
  expect(build).not.toHaveBeenCalled();
  expect(await dataOn(store)).toMatchObject([
    { request_id: 'r', files: CHANGED.files },
    { index: 'new', ...CHANGED.sources },
  ]);
});

test.each([
  ['the start found nothing changed', null],
  ['another index has come into service since', { ...CHANGED, index: 'of the start' }],
])('a start puts nothing on record where %s', async (_, changed) => {
  const store = new FaultyStore(new MemoryStore());
  const { reindexer } = await holder(store, changed);
  await reindexer.recordStart(request('start'));
  expect(await recorded(store)).toEqual([]);
});

test('a start puts nothing on record that is there already', async () => {
  const store = new FaultyStore(new MemoryStore());
  const { reindexer } = await holder(store, CHANGED);
  await reindexer.reindex(request('first'));
  await reindexer.recordStart(request('start'));
  expect(await recorded(store)).toEqual(['ReindexStarted', 'IndexBuilt']);
});

test('a knowledge base with faults leaves the old index in service, and the next reindex can try again', async () => {
  // given
  const store = new FaultyStore(new MemoryStore());
  const { reindexer, build, swap } = await holder(store);
  const fault = { file: 'a.md', line: 1, message: 'is wrong' };
  build.mockRejectedValueOnce(new KnowledgeBaseInvalid([fault, fault, fault]));
  // when
  await expect(reindexer.reindex(request('first'))).rejects.toMatchObject({
    code: 'KB_INVALID',
    detail: 'The knowledge base has 3 faults',
  });
  expect(swap).not.toHaveBeenCalled();
  expect(await reindexer.reindex(request('second'))).toMatchObject({ built: { index: 'new' } });
  // then
  expect(await recorded(store)).toEqual(['ReindexStarted', 'ReindexFailed', 'ReindexStarted', 'IndexBuilt']);
});

test.each(['build', 'swap'] as const)('a fault of %s is told and put on record', async (where) => {
  // given
  const store = new FaultyStore(new MemoryStore());
  const { reindexer, ...knowledge } = await holder(store);
  knowledge[where].mockImplementation(() => {
    throw new BelegError('INDEX_NOT_READY');
  });
  // when
  await expect(reindexer.reindex(request('first'))).rejects.toMatchObject({ code: 'INDEX_NOT_READY' });
  // then
  expect(await recorded(store)).toEqual(['ReindexStarted', 'ReindexFailed']);
});

test('a build that ends after the reindexer has closed is left behind', async () => {
  // given
  const store = new FaultyStore(new MemoryStore());
  const { reindexer, build, swap } = await holder(store);
  const [begun, built] = [Promise.withResolvers<void>(), Promise.withResolvers<KnowledgeIndex>()];
  const discarded = Promise.withResolvers<void>();
  build.mockImplementationOnce(() => {
    begun.resolve();
    return built.promise;
  });
  // when
  const reindexing = reindexer.reindex(request('first')).catch((error: unknown) => error);
  await begun.promise;
  await reindexer.close();
  expect(await reindexing).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  built.resolve({ ...index, close: async () => discarded.resolve() } as unknown as KnowledgeIndex);
  await discarded.promise;
  // then
  expect(swap).not.toHaveBeenCalled();
  expect(await recorded(store)).toEqual(['ReindexStarted']);
});

test('a reindex whose start nobody knows to be on record builds nothing, and is closed where it has landed', async () => {
  // given
  const store = new FaultyStore(new MemoryStore());
  const { reindexer, build } = await holder(store);
  store.mode = 'mute';
  // when
  const refused = reindexer.reindex(request('first')).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await refused).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  store.mode = 'up';
  const again = reindexer.reindex(request('second'));
  await vi.advanceTimersByTimeAsync(2_000);
  // then
  expect(await again).toMatchObject({ built: { index: 'new' } });
  expect(build).toHaveBeenCalledTimes(1);
  expect(await recorded(store)).toEqual(['ReindexStarted', 'ReindexFailed', 'ReindexStarted', 'IndexBuilt']);
});

test('a holder whose successor has written puts no step on record behind it', async () => {
  // given
  const store = new FaultyStore(new MemoryStore());
  const earlier = await holder(store);
  const later = await holder(store);
  expect(await later.reindexer.reindex(request('later'))).toMatchObject({ built: { index: 'new' } });
  // when
  await expect(earlier.reindexer.reindex(request('earlier'))).rejects.toMatchObject({
    code: 'WRONG_EXPECTED_REVISION',
  });
  // then
  expect(earlier.build).not.toHaveBeenCalled();
  expect(earlier.onLost).toHaveBeenCalledTimes(1);
  expect(await recorded(store)).toEqual(['ReindexStarted', 'IndexBuilt']);
});
