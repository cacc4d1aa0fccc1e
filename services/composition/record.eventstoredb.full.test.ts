import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { CommentRecorded, COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { createCodec, SEALED_TEXT } from '../../events/define.ts';
import { connectNats } from '../../events/nats/connection.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { openEventStoreDb } from '../../events/store/eventstoredb/eventstoredb.ts';
import { startEventStore } from '../../testing/eventstoredb/served.suite.ts';
import { NO_STREAM, type EventStore } from '../../events/store/store.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { openNatsVault } from '../../events/vault/nats.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { Workspace } from '../../testing/processes/application.suite.ts';
import { readSettings } from './settings.ts';
import type { Environment } from '../foundation/settings-error.ts';
import { makeDataDir } from '../foundation/data-dir.ts';
import type { OpenRecord } from '../foundation/record.ts';
import { openRecord } from './runtime.ts';

let workspace: Workspace;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await workspace.remove();
});

async function open(more: Environment = {}): Promise<OpenRecord> {
  const record = await openRecord(readSettings(workspace.environment(more)));
  closing.push(async () => record[Symbol.asyncDispose]());
  return record;
}

/** Records comments of two requests, as a service does. */
async function recordComments(store: EventStore, vault: Vault): Promise<void> {
  const codec = createCodec(CATALOG, vault);
  for (const [n, key] of ['r-1', 'r-2'].entries()) {
    const event = CommentRecorded.create(
      { request_id: key, comment: `Kommentar zu ${key}` },
      {
        stream: COMMENTS_STREAM,
        at: '2026-01-01T08:00:00.000Z',
        correlationId: key,
        causationId: randomUUID(),
        key,
      },
    );
    await store.append(COMMENTS_STREAM, n === 0 ? NO_STREAM : BigInt(n - 1), [await codec.encode(event)]);
  }
}

async function commentsIn({ store, codec }: OpenRecord): Promise<unknown[]> {
  const comments: unknown[] = [];
  for await (const event of store.readAll()) {
    comments.push(((await codec.decode(event))!.data as { comment: unknown }).comment);
  }
  return comments;
}

describe('The record below DATA_DIR for those who only look', () => {
  it('is read with its text while a process writes to it, and after that has ended', async () => {
    await makeDataDir(readSettings(workspace.environment()));
    const store = await openEmbeddedStore({ file: join(workspace.data, 'events.db') });
    const vault = await openSqliteVault({ file: join(workspace.data, 'keys.db') });
    await recordComments(store, vault);
    const record = await open();
    expect(await commentsIn(record)).toEqual(['Kommentar zu r-1', 'Kommentar zu r-2']);
    await vault.erase('r-1');
    expect(await commentsIn(record)).toEqual([null, 'Kommentar zu r-2']);
    await store.close();
    await vault.close();
    expect(await commentsIn(record)).toEqual([null, 'Kommentar zu r-2']);
    expect(await record.since!('2026-01-02')).toBe('0000000000000002');
  });

  it('has to be there', async () => {
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});

describe.skipIf(!hasNatsServer)('The shared record for those who only look', () => {
  const USERS = ['gateway', 'knowledge', 'audit', 'market', 'trading', 'models', 'operator'];
  let nats: NatsServer;
  let eventStore: Awaited<ReturnType<typeof startEventStore>>;

  beforeAll(async () => {
    const conf = join(import.meta.dirname, '..', '..', 'nats.conf');
    const passwords = USERS.map((user) => [`NATS_${user.toUpperCase()}_PASSWORD`, user]);
    nats = await startNatsServer(['-c', conf, '-m', '-1'], Object.fromEntries(passwords));
  });
  afterAll(() => nats.remove());

  beforeEach(async () => {
    eventStore = await startEventStore({ file: join(workspace.folder, 'server.db') });
    closing.push(() => eventStore.close());
    const connection: NatsConnection = await connectNats(
      { servers: [nats.url], user: 'audit', password: 'audit' },
      { name: 'audit' },
    );
    const vault = await openNatsVault(connection, { owner: 'a' });
    const store = await openEventStoreDb({ url: eventStore.url });
    await recordComments(store, vault);
    await store.close();
    await vault.close();
    await connection.close();
  });

  const as = (user: string): Environment => ({
    NATS_URL: nats.url,
    NATS_USER: user,
    NATS_PASSWORD: user,
    EVENTSTORE_URL: eventStore.url,
  });

  it('is read with its text by a user who may read the keys, and sealed by one who may not', async () => {
    expect(await commentsIn(await open(as('audit')))).toEqual(['Kommentar zu r-1', 'Kommentar zu r-2']);
    expect(await commentsIn(await open(as('operator')))).toEqual([SEALED_TEXT, SEALED_TEXT]);
  });

  it('is read without its text while NATS lets nobody in, which who wants the text is told', async () => {
    const record = await open({ ...as('operator'), NATS_PASSWORD: 'another' });
    const types: string[] = [];
    for await (const { type } of record.store.readAll()) types.push(type);
    expect(types).toEqual(['CommentRecorded', 'CommentRecorded']);
    await expect(commentsIn(record)).rejects.toThrow('rejected the credentials');
  });
});
