import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import {
  Erase,
  ListInteractions,
  MakeCheckpoint,
  RebuildAuditTables,
  RebuildTradingTables,
  RecordStatus,
} from '../../events/messages/audit.ts';
import { call, serve } from '../../events/messages/define.ts';
import { AuditHealth } from '../../events/messages/feedback.ts';
import { hasNatsServer, startNatsServer } from '../../testing/nats/server.suite.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import type { EventStore } from '../../events/store/store.ts';
import { Workspace } from '../../testing/processes/application.suite.ts';
import { readSettings } from '../composition/settings.ts';
import type { Environment } from '../foundation/settings-error.ts';
import { makeDataDir } from '../foundation/data-dir.ts';
import { problemOf, PROBLEM_TYPE } from '../gateway/http/problem.ts';
import { noteListening, readListening } from '../foundation/listening.ts';
import { openBusRuntime } from '../composition/runtime.ts';
import { createActor } from 'xstate';
import { machineOf } from '../../actors/lifecycle.ts';
import { INDEX_LIFECYCLE } from '../../actors/reindex/reindex.ts';
import { ListActors } from '../../events/messages/actors.ts';
import { ActorHost } from '../foundation/actor-host.ts';
import { Responder } from '../foundation/responder.ts';
import { openLink } from './link.ts';
import type { OperatorLink } from './link/operator-link.ts';

let workspace: Workspace;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await workspace.remove();
});

const settings = (more: Environment = {}) => readSettings(workspace.environment(more));

async function open(more: Environment = {}, waitMs = 0): Promise<OperatorLink> {
  const link = await openLink(settings(more), { waitMs });
  closing.push(async () => link[Symbol.asyncDispose]());
  return link;
}

/** Opens the record as a process does that writes to it. */
async function holdRecord(): Promise<EventStore> {
  await makeDataDir(settings());
  const store = await openEmbeddedStore({ file: join(workspace.data, 'events.db') });
  closing.push(() => store.close());
  return store;
}

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly body: string;
}

/** A service that gives the same answer to everything and keeps the requests. */
async function answering(status: number, body: unknown, type = 'application/json') {
  const seen: Seen[] = [];
  const server: Server = createServer((request: IncomingMessage, response) => {
    const { method, url, headers } = request;
    void (async () => {
      seen.push({ method, url, key: headers.authorization, body: await text(request) });
      response.writeHead(status, { 'content-type': type, 'retry-after': '7' }).end(JSON.stringify(body));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  closing.push(async () => server.listening && (await close()));
  return { seen, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const KEY = { PV_ADMIN_API_KEY: 'an-admin-key-of-some-length' };

describe('A link while a service has the record', () => {
  const CHECKPOINT = { size: 3, root: 'r', note: 'n', repeated: false };

  it('asks it over HTTP where it noted that it listens, with the admin key', async () => {
    await holdRecord();
    const { seen, url } = await answering(200, CHECKPOINT);
    await noteListening(workspace.data, url);
    const link = await open({ ...KEY, PV_PORT: '1' });
    expect(await link.call(MakeCheckpoint, {})).toEqual(CHECKPOINT);
    expect(seen).toEqual([
      { method: 'POST', url: '/v1/audit/checkpoints', key: 'Bearer an-admin-key-of-some-length', body: '' },
    ]);
  });

  it('has a route for each request that operators make', async () => {
    await holdRecord();
    const { seen, url } = await answering(200, {});
    await noteListening(workspace.data, url);
    const link = await open();
    const asked = [
      link.call(ListInteractions, {}),
      link.call(ListInteractions, { text: 'Urlaub & Ä', rating: 'down', limit: 5 }),
      link.call(RecordStatus, {}),
      link.call(Erase, { request_id: 'demo-1', reason: 'asked for' }),
      link.call(RebuildAuditTables, {}),
      link.call(RebuildTradingTables, {}),
    ];
    // An answer that does not come from this service.
    for (const outcome of await Promise.allSettled(asked)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'INTERNAL' } });
    }
    expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`).sort()).toEqual([
      'GET /v1/audit/interactions?limit=5&rating=down&text=Urlaub+%26+%C3%84 ',
      'GET /v1/audit/interactions?limit=50 ',
      'GET /v1/audit/record ',
      'POST /v1/audit/erasures {"request_id":"demo-1","reason":"asked for"}',
      'POST /v1/audit/projections/audit/rebuild ',
      'POST /v1/audit/projections/trading/rebuild ',
    ]);
    expect(seen.every(({ key }) => key === undefined)).toBe(true);
  });

  it('rejects with the error that the service answered with', async () => {
    await holdRecord();
    const error = new BelegError('OVERLOADED', { detail: 'later', errors: [{ path: 'a', message: 'b' }] });
    const { url } = await answering(503, problemOf(error, 'r'), PROBLEM_TYPE);
    await noteListening(workspace.data, url);
    const link = await open();
    await expect(link.call(RecordStatus, {})).rejects.toMatchObject({
      code: 'OVERLOADED',
      detail: 'later',
      errors: [{ path: 'a', message: 'b' }],
      retryAfter: 7,
    });
  });

  it('says which setting is missing where the key is refused, without the key', async () => {
    await holdRecord();
    const { url } = await answering(401, problemOf(new BelegError('UNAUTHORIZED'), 'r'), PROBLEM_TYPE);
    await noteListening(workspace.data, url);
    const link = await open({ PV_ADMIN_API_KEY: 'not-the-right-one-at-all' });
    const error = await link.call(RecordStatus, {}).catch((error: unknown) => error as BelegError);
    expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(String((error as BelegError).detail)).toContain('PV_ADMIN_API_KEY');
    expect(JSON.stringify([error, (error as Error).stack])).not.toContain('not-the-right-one');
  });

  it('refuses a request that the definition does not allow before anything is sent', async () => {
    await holdRecord();
    const { seen, url } = await answering(200, CHECKPOINT);
    await noteListening(workspace.data, url);
    const link = await open();
    await expect(link.call(Erase, { request_id: 'demo-1', reason: ' ' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect(seen).toEqual([]);
  });

  it('names the service that has stopped meanwhile', async () => {
    await holdRecord();
    const { close, url } = await answering(200, CHECKPOINT);
    await noteListening(workspace.data, url);
    const link = await open();
    await close();
    await expect(link.call(RecordStatus, {})).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: expect.stringMatching(`${workspace.data} at ${url} cannot be reached \\(ECONNREFUSED\\)`),
    });
  });

  it('waits for one that is about to listen, and says so of one that does not', async () => {
    await holdRecord();
    await expect(open()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: expect.stringContaining('try again when it has finished'),
    });
    const { url } = await answering(200, CHECKPOINT);
    const opening = open({}, 20_000);
    await noteListening(workspace.data, url);
    expect(await (await opening).call(MakeCheckpoint, {})).toEqual(CHECKPOINT);
  });

  it('takes no note of an earlier process for that of the present one', async () => {
    const { application } = await workspace.start(KEY);
    expect(await readListening(workspace.data)).toBe(application.url);
    // The path is one of the gateway's routes.
    const link = await open(KEY);
    expect(await link.call(RecordStatus, {})).toMatchObject({ erased: 0 });
    expect(await link.call(ListInteractions, { text: 'nichts' })).toMatchObject({ interactions: [] });
    const erasing = link.call(Erase, { request_id: 'unheard-of', reason: 'asked for' });
    await expect(erasing).rejects.toMatchObject({ code: 'UNKNOWN_REQUEST_ID' });
    await application.close();
    expect(await readListening(workspace.data)).toBeNull();

    // A killed process leaves its note behind; then another program listens there, and a command has the record.
    const { seen, url } = await answering(200, CHECKPOINT);
    await noteListening(workspace.data, url);
    const command = await open(KEY);
    await command.call(AuditHealth, {});
    await expect(open(KEY)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(seen).toEqual([]);
  });
});

describe('A link while nobody has the record', () => {
  it('asks services in this process, also where recording is switched off, and gives the record back', async () => {
    await (await workspace.start()).application.close();
    const link = await open({ PV_AUDIT_ENABLED: 'false', PV_AUDIT_STDOUT: 'true' });
    expect(await link.call(AuditHealth, {})).toMatchObject({ enabled: true, ready: true });
    expect(await link.call(AuditHealth, {})).toMatchObject({ enabled: true });
    await link[Symbol.asyncDispose]();
    await (await workspace.start()).application.close();
  });

  it('makes no record where there is none', async () => {
    await expect(open()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: expect.stringContaining(join(workspace.data, 'events.db')),
    });
    expect(existsSync(workspace.data)).toBe(false);
  });

  it('says so where a service has started in between, and does nothing', async () => {
    await (await holdRecord()).close();
    const link = await open();
    await holdRecord();
    await expect(link.call(AuditHealth, {})).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: expect.stringContaining('another process started using'),
    });
    expect(readdirSync(workspace.data)).not.toContain('audit.db');
  });
});

describe.skipIf(!hasNatsServer)('A link where services share a bus', () => {
  it('asks every process for its actors', async () => {
    const server = await startNatsServer();
    closing.push(() => server.remove());
    const shared = { NATS_URL: server.url, EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
    const machine = machineOf(INDEX_LIFECYCLE);
    // Two processes of one kind, and one in which no actor lives.
    for (const lives of [true, true, false]) {
      const logger = pino({ level: 'silent' });
      const runtime = await openBusRuntime(settings(shared), logger);
      closing.push(() => runtime.close());
      const actors = new ActorHost({ logger, process: runtime.instance });
      if (lives) actors.host(createActor(machine), { kind: 'reindex', id: 'knowledge-index' }).start();
      new Responder({ ...runtime, logger }, 'actors').answer(ListActors, async () => actors.list());
    }
    const link = await open(shared);
    await vi.waitFor(async () => {
      const { processes, counts, actors } = await link.call(ListActors, {});
      expect(processes).toBe(3);
      expect(counts).toEqual([{ kind: 'reindex', state: 'idle', count: 2 }]);
      expect(new Set(actors.map(({ process }) => process)).size).toBe(2);
    }, PATIENT);
  });

  it('asks whoever answers there, and says where nobody does', async () => {
    const server = await startNatsServer();
    closing.push(() => server.remove());
    const shared = { NATS_URL: server.url, EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
    const runtime = await openBusRuntime(settings(shared), pino({ level: 'silent' }));
    closing.push(() => runtime.close());
    serve(
      runtime.bus,
      RecordStatus,
      'audit',
      async () => ({ checkpoint: null, erased: 3 }),
      () => undefined,
    );
    // Waits until the server has the responder.
    await vi.waitFor(() => call(runtime.bus, RecordStatus, {}, { correlationId: 'r', callId: 'c' }), PATIENT);
    const link = await open(shared);
    expect(await link.call(RecordStatus, {})).toEqual({ checkpoint: null, erased: 3 });
    await expect(link.call(MakeCheckpoint, {})).rejects.toMatchObject({ code: 'NO_RESPONDERS' });

    // The same as when the process has died and another takes over.
    const patient = await open(shared, 20_000);
    const asked = patient.call(MakeCheckpoint, {});
    const reply = { size: 3, root: 'r', note: 'n', repeated: false };
    serve(
      runtime.bus,
      MakeCheckpoint,
      'audit',
      async () => reply,
      () => undefined,
    );
    expect(await asked).toEqual(reply);
  });
});
