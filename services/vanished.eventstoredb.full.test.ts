import { existsSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NatsConnection } from 'nats';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CATALOG } from '../events/catalog/catalog.ts';
import { hasNatsServer } from '../testing/nats/server.suite.ts';
import { PATIENT } from '../events/patient.suite.ts';
import { EVENTS_STREAM } from '../events/relay/outlet.ts';
import { openEventStoreDb } from '../events/store/eventstoredb/eventstoredb.ts';
import { QUESTION, Workspace } from '../testing/processes/application.suite.ts';
import { Cluster } from '../testing/processes/cluster.suite.ts';

const PUBLISHED = new Set(CATALOG.map(({ type }) => type));

describe.skipIf(!hasNatsServer)('what vanishes under running services', () => {
  let workspace: Workspace;
  let cluster: Cluster;
  let operator: NatsConnection;

  beforeAll(async () => {
    workspace = await Workspace.create();
    cluster = await Cluster.start(workspace.folder, workspace.environment({ LOG_LEVEL: 'fatal' }), {
      knowledge: 1,
    });
    operator = await cluster.connect('operator');
  });
  afterAll(async () => {
    await operator?.close();
    await cluster?.stop();
    await workspace.remove();
  });

  async function onRecord(): Promise<number> {
    const store = await openEventStoreDb({ url: cluster.store.url });
    try {
      let events = 0;
      for await (const { type } of store.readAll()) if (PUBLISHED.has(type)) events += 1;
      return events;
    } finally {
      await store.close();
    }
  }

  /** Messages in NATS; 0 where it does not answer, or has no stream. */
  async function published(): Promise<number> {
    try {
      const manager = await operator.jetstreamManager({ timeout: 1_000 });
      return (await manager.streams.info(EVENTS_STREAM)).state.messages;
    } catch {
      return 0;
    }
  }

  const allPublished = () =>
    vi.waitFor(async () => expect(await published()).toBe(await onRecord()), PATIENT);

  /** There are no requests meanwhile, because the loss must be noticed without them. */
  test('NATS with an older store: what was published since is published again', async () => {
    await cluster.client.ask(QUESTION, 'before');
    await allPublished();
    await cluster.nats.stop();
    const older = join(workspace.folder, 'older');
    await cp(cluster.nats.store, older, { recursive: true });
    await cluster.nats.restart();
    await vi.waitFor(
      async () => expect((await cluster.client.ask(QUESTION, 'since')).status).toBe(200),
      PATIENT,
    );
    await allPublished();
    const all = await published();
    await cluster.nats.stop();
    await rm(cluster.nats.store, { recursive: true });
    await cp(older, cluster.nats.store, { recursive: true });
    await cluster.nats.restart();
    await vi.waitFor(async () => expect(await published()).toBeGreaterThanOrEqual(all), PATIENT);
    await allPublished();
  });

  test('NATS with an empty store: stream, buckets and leases are there again', async () => {
    await cluster.nats.stop();
    await rm(cluster.nats.store, { recursive: true });
    await cluster.nats.restart();
    await allPublished();
    const manager = await operator.jetstreamManager();
    for (const stream of [EVENTS_STREAM, 'KV_BELEG_RELAY', 'KV_beleg_leases']) {
      expect((await manager.streams.info(stream)).config.name).toBe(stream);
    }
  });

  test('the tables of the audit: they are built anew, with the text whose keys a process put back into the empty store', async () => {
    const tables = (await readdir(workspace.data, { recursive: true })).filter((name) =>
      /audit\.db/u.test(name),
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const name of tables) await rm(join(workspace.data, name), { force: true });
    const file = join(
      workspace.data,
      tables.find((name) => name.endsWith('audit.db'))!,
    );
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), PATIENT);
    await vi.waitFor(async () => {
      const { audit, followers } = (await cluster.client.health()).body;
      expect(audit).toMatchObject({ ready: true, keys_missing: 0 });
      expect(followers.find(({ name }) => name === 'audit')).toMatchObject({ events: 0 });
    }, PATIENT);
  });
});
