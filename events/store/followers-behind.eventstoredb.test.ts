import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BelegError } from '../errors.ts';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import { newEvent } from './contract.suite.ts';
import { openEmbeddedStore } from './embedded/embedded.ts';
import { openEventStoreDb } from './eventstoredb/eventstoredb.ts';
import { startEventStore } from '../../testing/eventstoredb/served.suite.ts';
import { PATIENT } from '../patient.suite.ts';
import { Followers } from './followers-behind.ts';
import { BEHIND_MS, MOST_COUNTED } from '../messages/follower-lag.ts';
import type { EventStore, Position } from './store.ts';

const STORES: Record<string, (file: string) => Promise<{ store: EventStore; close: () => Promise<void> }>> = {
  embedded: async (file) => {
    const store = await openEmbeddedStore({ file });
    return { store, close: () => store.close() };
  },
  EventStoreDB: async (file) => {
    const server = await startEventStore({ file });
    const store = await openEventStoreDb({ url: server.url, timeoutMs: PATIENT.timeoutMs });
    return { store, close: async () => (await store.close(), server.close()) };
  },
};

/** The time that `newEvent` stamps. */
const AT = Date.parse('2022-03-01T08:00:00Z');

describe.each(Object.keys(STORES))('followers over %s', (name) => {
  let folder: string;
  let store: EventStore;
  let close: () => Promise<void>;
  let away: boolean;
  /** Called once the end of the record has been read. */
  let meanwhile: () => Promise<void>;
  let clock: number;
  let followers: Followers;
  let delivered: string;
  let revision: bigint;

  beforeEach(async () => {
    folder = temporaryFolder();
    ({ store, close } = await STORES[name]!(join(folder, 'events.db')));
    [away, clock, delivered, revision] = [false, 0, '', -1n];
    meanwhile = async () => {};
    const watched: Pick<EventStore, 'end' | 'readAll' | 'readStream'> = {
      end: async () => {
        if (away) throw new BelegError('STORE_UNAVAILABLE');
        const end = await store.end();
        await meanwhile();
        return end;
      },
      readAll: (options) => store.readAll(options),
      readStream: (stream, options) => store.readStream(stream, options),
    };
    followers = new Followers({ store: watched, clock: () => clock, now: () => AT + clock });
    followers.add({ name: 'it', types: ['Wanted'], delivered: () => delivered });
  });

  afterEach(async () => {
    await close();
  });

  async function happen(count: number, type = 'Wanted'): Promise<Position> {
    const events = Array.from({ length: count }, () => newEvent({}, type));
    const appended = await store.append('ask-1', revision, events);
    revision = appended.revision;
    return appended.position;
  }

  async function after(ms: number) {
    clock += ms;
    await followers.look();
    return followers.lag('it');
  }

  it('is not behind an empty record, what it does not want, and what it has taken', async () => {
    expect(await after(0)).toEqual({ name: 'it', seconds: 0, events: 0, behind: false });
    await happen(3, 'Other');
    expect(await after(BEHIND_MS)).toMatchObject({ events: 0, behind: false });
    delivered = await happen(2);
    expect(await after(BEHIND_MS)).toMatchObject({ events: 0, behind: false });
  });

  it('tells how many wait and for how long, and is behind after ten seconds', async () => {
    delivered = await happen(1);
    await happen(2);
    await happen(3, 'Other');
    expect(await after(1_000)).toEqual({ name: 'it', seconds: 1, events: 2, behind: false });
    expect(await after(BEHIND_MS - 1)).toMatchObject({ events: 2, behind: false });
    expect(await after(1)).toEqual({ name: 'it', seconds: 11, events: 2, behind: true });
    delivered = await happen(1);
    expect(await after(0)).toEqual({ name: 'it', seconds: 0, events: 0, behind: false });
  });

  it('tells since when what it hands on is kept, and nothing where that is as long as promised', async () => {
    let published = {};
    const remove = followers.add({ name: 'relay', delivered: () => '', published: () => published });
    await followers.look();
    expect(followers.lag('relay')).not.toHaveProperty('kept_since');
    published = { kept_since: '2026-01-31T08:00:00.000Z', foreign: 2 };
    await followers.look();
    expect(followers.lag('relay')).toMatchObject(published);
    remove();
  });

  it('is behind what stood there before it began', async () => {
    await happen(2);
    expect((await after(0)).events).toBe(2);
    expect((await after(BEHIND_MS)).behind).toBe(true);
  });

  it('is not behind while it keeps up with much that happens', async () => {
    let taken = await happen(1);
    for (let n = 0; n < 12; n++) {
      delivered = taken;
      taken = await happen(5);
      expect((await after(2_000)).behind).toBe(false);
    }
  });

  it('is not behind where it takes what happens while it is looked at', async () => {
    delivered = await happen(3);
    meanwhile = async () => void (delivered = await happen(1));
    expect(await after(0)).toEqual({ name: 'it', seconds: 0, events: 0, behind: false });
    expect(await after(BEHIND_MS)).toEqual({ name: 'it', seconds: 0, events: 0, behind: false });
  });

  it('is behind where it goes on, but too slowly', async () => {
    const places: Position[] = [];
    for (let n = 0; n < 10; n++) places.push(await happen(1));
    expect((await after(0)).events).toBe(10);
    for (const place of places.slice(0, 5)) {
      delivered = place;
      await after(2_000);
    }
    expect(followers.lag('it')).toMatchObject({ events: 5, behind: true });
  });

  it('has no place that the record does not have', async () => {
    delivered = (await happen(2)).replace(/^0/, '1');
    expect((await after(0)).events).toBe(2);
    expect((await after(BEHIND_MS)).behind).toBe(true);
  });

  it('tells its own fault while the record cannot be read', async () => {
    followers.add({ name: 'it', delivered: () => delivered, fault: () => 'record_damaged' });
    away = true;
    expect((await after(0)).fault).toBe('record_damaged');
  });

  it('is not called behind for the time that the record was away', async () => {
    await happen(1);
    await after(0);
    away = true;
    expect((await after(BEHIND_MS)).behind).toBe(false);
    expect(followers.reached).toBe(false);
    away = false;
    expect((await after(1)).behind).toBe(false);
    expect((await after(BEHIND_MS)).behind).toBe(true);
  });

  it('stays behind though it begins anew again and again, and is not told of while it is gone', async () => {
    await happen(1);
    for (let n = 0; n < 6; n++) {
      const remove = followers.add({ name: 'it', types: ['Wanted'], delivered: () => delivered });
      await after(2_000);
      if (n < 5) remove();
    }
    expect(followers.lag('it').behind).toBe(true);
  });

  it('is told when its place is none of this record, as where an older one was put back', async () => {
    const end = await happen(2);
    let told = 0;
    delivered = end.replace(/.$/u, 'z');
    followers.add({
      name: 'it',
      types: ['Wanted'],
      delivered: () => delivered,
      onLostPlace: () => void (told += 1),
    });
    expect(await after(0)).toMatchObject({ fault: 'ahead_of_record' });
    expect(told).toBe(1);
    delivered = end;
    expect(await after(0)).toEqual({ name: 'it', seconds: 0, events: 0, behind: false });
    expect(told).toBe(1);
  });

  it('is told of what the record is known by, which stays the same as it grows', async () => {
    const told = new Set<string>();
    followers.add({ name: 'it', delivered: () => '', onOrigin: (origin) => told.add(origin) });
    await after(0);
    expect(told.size).toBe(0);
    await happen(2);
    await after(0);
    await happen(1);
    await after(0);
    const [first] = await Array.fromAsync(store.readAll({ limit: 1 }));
    expect([...told]).toEqual([first!.metadata.hash]);
  });

  it('counts no further than anybody need know', async () => {
    await happen(MOST_COUNTED + 1);
    expect(await after(0)).toMatchObject({ events: MOST_COUNTED, at_least: true });
    delivered = (await store.end())!;
    expect(await after(0)).not.toHaveProperty('at_least');
  });
});
