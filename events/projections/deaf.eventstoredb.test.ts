import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Codec } from '../define.ts';
import { noted, Noted } from '../relay/contract.suite.ts';
import type { Outlet } from '../relay/outlet.ts';
import { runRelay } from '../relay/relay.ts';
import { openEmbeddedStore } from '../store/embedded/embedded.ts';
import { openEventStoreDb } from '../store/eventstoredb/eventstoredb.ts';
import { startEventStore } from '../../testing/eventstoredb/served.suite.ts';
import { Followers, type Follower } from '../store/followers-behind.ts';
import { BEHIND_MS } from '../messages/follower-lag.ts';
import { NO_STREAM, type EventStore, type Position } from '../store/store.ts';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import type { Projection } from './projection.ts';
import { startProjection } from './runner.ts';

const STORES: Record<string, (file: string) => Promise<{ store: EventStore; close: () => Promise<void> }>> = {
  embedded: async (file) => {
    const store = await openEmbeddedStore({ file });
    return { store, close: () => store.close() };
  },
  EventStoreDB: async (file) => {
    const server = await startEventStore({ file });
    const store = await openEventStoreDb({ url: server.url });
    return { store, close: async () => (await store.close(), server.close()) };
  },
};

const codec = { decode: async (event: unknown) => event } as unknown as Codec;

const counting: Projection = {
  name: 'counting',
  version: 1,
  tables: 'CREATE TABLE seen (n INTEGER) STRICT',
  types: [Noted.type],
  apply: (rows) => rows.run('INSERT INTO seen VALUES (1)'),
};

/** The same object with some methods replaced. */
const replace = (store: EventStore, methods: Partial<EventStore>): EventStore =>
  new Proxy(store, {
    get: (target, key) => {
      const own = (methods as Record<PropertyKey, unknown>)[key];
      const value: unknown = own ?? Reflect.get(target, key);
      return typeof value === 'function' && own === undefined ? value.bind(target) : value;
    },
  });

describe.each(Object.keys(STORES))('made deaf over %s', (name) => {
  let folder: string;
  let store: EventStore;
  let close: () => Promise<void>;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    folder = temporaryFolder();
    ({ store, close } = await STORES[name]!(join(folder, 'events.db')));
    stop = async () => undefined;
  });

  afterEach(async () => {
    await stop();
    await close();
  });

  const file = () => join(folder, 'tables.db');

  /** A projection over a store that is not what it should be. */
  function project(methods: Partial<EventStore>, projection = counting): Follower {
    const runner = startProjection({ store: replace(store, methods), codec, projection, file: file() });
    stop = () => runner.stop();
    return runner.follower();
  }

  const happen = (count: number) =>
    store.append(
      'notes',
      NO_STREAM,
      Array.from({ length: count }, (_, n) => noted(n)),
    );

  /** Ten seconds pass, by the clock of the followers. */
  async function lagOf(follower: Follower) {
    let clock = 0;
    const followers = new Followers({ store, clock: () => clock, now: Date.now });
    followers.add(follower);
    await followers.look();
    clock += BEHIND_MS;
    await followers.look();
    return followers.lag(follower.name);
  }

  it('by a place that is too high', async () => {
    const { position } = await happen(2);
    project({});
    await stop();
    const tables = new DatabaseSync(file());
    tables.prepare('UPDATE projections SET position = ?').run(position.replace(/^0/, '1'));
    tables.close();
    // Nobody notices at the start.
    const follower = project({ end: async () => position.replace(/^0/, '2') as Position });
    expect(await lagOf(follower)).toMatchObject({ events: 2, behind: true });
  });

  it('by a filter that matches nothing', async () => {
    const follower = project({ subscribe: () => store.subscribe({ types: ['Nothing'] }) });
    await happen(3);
    expect(await lagOf(follower)).toMatchObject({ events: 3, behind: true });
  });

  it('by a subscription that never delivers', async () => {
    const over = Promise.withResolvers<void>();
    const follower = project({
      subscribe: () => ({
        close: async () => over.resolve(),
        async *[Symbol.asyncIterator]() {
          yield { kind: 'caughtUp' } as const;
          await over.promise;
        },
      }),
    });
    await happen(1);
    expect(await lagOf(follower)).toMatchObject({ events: 1, behind: true });
  });

  it('by a table that cannot be written', async () => {
    const failed = Promise.withResolvers<void>();
    const broken: Projection = {
      ...counting,
      apply: () => {
        failed.resolve();
        throw new Error('no such table');
      },
    };
    const follower = project({}, broken);
    await happen(2);
    await failed.promise;
    expect(await lagOf(follower)).toMatchObject({ events: 2, behind: true });
  });

  it('by a relay that has stopped', async () => {
    const publishing = Promise.withResolvers<void>();
    const outlet: Outlet = {
      begin: async () => undefined,
      publish: () => (publishing.resolve(), new Promise(() => {})),
      isWhole: async () => true,
      published: {},
      advance: async () => {},
    };
    let delivered = '';
    const stopping = new AbortController();
    const relay = runRelay(
      { store, outlet, definitions: [Noted], onDelivered: (place = '' as Position) => (delivered = place) },
      stopping.signal,
    );
    stop = async () => {
      stopping.abort();
      await relay.catch(() => undefined);
    };
    await happen(4);
    await publishing.promise;
    const follower = { name: 'relay', types: [Noted.type], delivered: () => delivered };
    expect(await lagOf(follower)).toMatchObject({ events: 4, behind: true });
  });
});
