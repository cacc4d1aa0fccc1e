import { request } from 'node:http';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Position } from '../../../events/store/store.ts';
import { Client, QUESTION, Workspace } from '../../../testing/processes/application.suite.ts';
import { startApplication } from '../application.ts';
import type { Application } from '../running.ts';
import type { AuditStatus } from '../../audit/serve-audit.ts';
import { readSettings } from '../settings.ts';
import type { Environment } from '../../foundation/settings-error.ts';
import type { KnowledgeService } from '../../knowledge/serve-knowledge.ts';
import type { TradingService } from '../../trading/serve-trading.ts';
import {
  startOperations,
  startServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
} from './service-process.ts';
import { readStatus, type Observed, type ProcessStatus } from './process-status.ts';

const ADMIN = 'admin-key';
const logger = pino({ level: 'silent' });

let workspace: Workspace;
const running: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
  await workspace.remove();
});

interface Started {
  url: string;
  process: ServiceProcess;
}

async function start(
  service: 'knowledge' | 'audit',
  more: Environment = {},
  options: Pick<ServiceProcessOptions, 'start'> = {},
): Promise<Started> {
  let url = '';
  const process = await startServiceProcess(service, readSettings(workspace.environment(more)), logger, {
    onOperations: (at) => (url = at),
    ...options,
  });
  running.push(process);
  return { url, process };
}

async function ready(url: string): Promise<{ status: number; body: ProcessStatus }> {
  const response = await fetch(`${url}/ready`);
  return { status: response.status, body: (await response.json()) as ProcessStatus };
}

async function metrics(url: string, key?: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/metrics`, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  return { status: response.status, text: await response.text() };
}

type KnowledgeStatus = ReturnType<KnowledgeService['status']>;

const KNOWLEDGE: KnowledgeStatus = {
  index: { hash: 'abc', passages: 4, builtAt: '2022-01-01T00:00:00.000Z' },
  asks: { running: 4, queued: 1, atModel: 0 },
  model: null,
  spooled: 2,
  lost: 0,
  losing: false,
  spools: { waiting: 2, lost: 0 },
};

const TRADING: ReturnType<TradingService['status']> = {
  held: true,
  losing: false,
  reconciling: false,
  feed_waiting: false,
  waiting: 0,
  open_orders: 0,
  discrepancies: 0,
  tables_live: true,
};

function audit(state: 'live' | 'failed'): AuditStatus {
  return {
    enabled: true,
    projection: { state, position: 'p' as Position },
    comments: { waiting: 6 },
    checkpoints: { live: true, size: 70, uncovered: 7, fileWritten: false },
  };
}

/** The status of a process with these parts. */
function observed(
  more: {
    state?: 'connected' | 'reconnecting' | 'closed';
    leases?: string[];
    knowledge?: KnowledgeStatus;
    audit?: AuditStatus;
  } = {},
): Observed {
  return {
    runtime: {
      instance: 'i1',
      bus: { status: () => ({ state: more.state ?? 'connected', inFlight: 3 }) },
      leases: { held: () => more.leases ?? [] },
    },
    knowledge: more.knowledge === undefined ? null : { status: () => more.knowledge! },
    audit: more.audit === undefined ? null : { status: () => more.audit! },
    market: null,
    models: null,
    trading: null,
  };
}

async function serveStatus(read: () => ProcessStatus, more: Environment = {}): Promise<string> {
  const operations = await startOperations(readSettings(workspace.environment(more)), logger, read);
  running.push(operations);
  return operations.url;
}

describe('a service process', () => {
  test('is live and ready once its service runs', async () => {
    const { url, process } = await start('knowledge');
    expect((await fetch(`${url}/live`)).status).toBe(200);
    expect(await ready(url)).toMatchObject({
      status: 200,
      body: {
        ready: true,
        phase: 'running',
        service: 'knowledge',
        instance: process.application.runtime.instance,
        bus: { state: 'connected', in_flight: 0 },
      },
    });
  });

  test('answers before its service has started: live, not ready', async () => {
    const seen: { live?: number; status?: number; body?: ProcessStatus } = {};
    let url = '';
    const process = await startServiceProcess('knowledge', readSettings(workspace.environment()), logger, {
      onOperations: (at) => (url = at),
      start: async (...args) => {
        seen.live = (await fetch(`${url}/live`)).status;
        Object.assign(seen, await ready(url));
        return startApplication(...args);
      },
    });
    running.push(process);
    expect(seen).toMatchObject({
      live: 200,
      status: 503,
      body: { ready: false, phase: 'starting', instance: null, bus: null },
    });
  });

  test('is not ready from the stop on, and live until its service has finished', async () => {
    const finish = Promise.withResolvers<void>();
    const closing = Promise.withResolvers<void>();
    const { url, process } = await start(
      'knowledge',
      {},
      {
        start: async (...args): Promise<Application> => {
          const application = await startApplication(...args);
          return {
            ...application,
            async close() {
              closing.resolve();
              await finish.promise;
              await application.close();
            },
          };
        },
      },
    );
    const closed = process.close();
    running.length = 0;
    await closing.promise;
    expect(await ready(url)).toMatchObject({ status: 503, body: { ready: false, phase: 'stopping' } });
    expect((await fetch(`${url}/live`)).status).toBe(200);
    finish.resolve();
    await closed;
    await expect(fetch(`${url}/live`)).rejects.toThrow('fetch failed');
  });

  test('that cannot start leaves no endpoint behind', async () => {
    let url = '';
    const failed = startServiceProcess('knowledge', readSettings(workspace.environment()), logger, {
      onOperations: (at) => (url = at),
      start: () => Promise.reject(new Error('no')),
    });
    await expect(failed).rejects.toThrow('no');
    await expect(fetch(`${url}/live`)).rejects.toThrow('fetch failed');
  });

  test('works beside its endpoint', async () => {
    const application = await workspace.start();
    running.push(application.application);
    const operations = await startOperations(readSettings(workspace.environment()), logger, () =>
      readStatus('gateway', 'running', application.application),
    );
    running.push(operations);
    expect((await new Client(application.client.url).ask(QUESTION)).status).toBe(200);
    const { status, body } = await ready(operations.url);
    expect(status).toBe(200);
    expect(body.degraded).toEqual([]);
    expect(Object.keys(body.figures['followers'] as object)).toEqual(
      expect.arrayContaining(['relay', 'audit', 'checkpoints']),
    );
  });
});

describe('readStatus', () => {
  test.each(['reconnecting', 'closed'] as const)('is not ready while the bus is %s', (state) => {
    expect(readStatus('knowledge', 'running', observed({ state }))).toMatchObject({
      ready: false,
      bus: { state, in_flight: 3 },
    });
  });

  test.each([
    ['live', true],
    ['failed', false],
  ] as const)('with an audit projection that is %s: ready %s', (state, ready) => {
    expect(readStatus('audit', 'running', observed({ audit: audit(state) }))).toMatchObject({
      ready,
      figures: { projection: { state, position: 'p' } },
    });
  });
});

test.each([
  [{ waiting: 3, lost: 0 }, ['spool']],
  [{ waiting: 0, lost: 2 }, ['lost']],
  [{ waiting: 0, lost: 0 }, []],
])('events that wait or were lost in any spool are named: %j', (spools, degraded) => {
  const knowledge = { ...KNOWLEDGE, spooled: 0, spools };
  expect(readStatus('knowledge', 'running', observed({ knowledge }))).toMatchObject({
    ready: true,
    degraded,
  });
});

test('a process that can record nothing gets no work, and says why', () => {
  const knowledge = { ...KNOWLEDGE, spools: { waiting: 0, lost: 1 }, losing: true };
  expect(readStatus('knowledge', 'running', observed({ knowledge }))).toMatchObject({
    ready: false,
    degraded: ['lost', 'losing'],
  });
});

test('an account that can record nothing is named at both ports, and questions are answered all the same', () => {
  const trading = { status: () => ({ ...TRADING, losing: true }) };
  const application = { ...observed({ knowledge: KNOWLEDGE }), trading };
  const told = (port?: 'knowledge' | 'trading') => {
    const { ready, degraded } = readStatus('gateway', 'running', application, port);
    return { ready, degraded };
  };
  expect(told('trading')).toEqual({ ready: false, degraded: ['spool', 'losing'] });
  expect(told('knowledge')).toEqual({ ready: true, degraded: ['spool', 'losing'] });
  expect(told()).toEqual({ ready: false, degraded: ['spool', 'losing'] });
});

test('one that stays behind the record is named, and the process is ready all the same', async () => {
  const lags = [
    { name: 'relay', seconds: 12.5, events: 3, behind: true },
    { name: 'audit', seconds: 0, events: 0, behind: false },
  ];
  const status = readStatus('audit', 'running', {
    ...observed(),
    watch: { lags: () => lags, degraded: () => [] },
  });
  expect(status).toMatchObject({ ready: true, degraded: ['relay'] });
  const { text } = await metrics(await serveStatus(() => status));
  expect(text).toContain('beleg_audit_followers_relay_seconds 12.5');
  expect(text).toContain('beleg_audit_followers_relay_events 3');
  expect(text).toContain('beleg_audit_followers_relay_behind 1');
});

describe('/metrics', () => {
  test('has the figures of the process, its bus, its leases and its service', async () => {
    let leases = ['relay'];
    let knowledge = KNOWLEDGE;
    const url = await serveStatus(() => readStatus('knowledge', 'running', observed({ leases, knowledge })));
    const { text } = await metrics(url);
    expect(text).toMatch(/^process_resident_memory_bytes \d/mu);
    expect(text).toMatch(/^beleg_process_info\{service="knowledge",instance="i1",version="[^"]+"\} 1$/mu);
    expect(text).toMatch(/^beleg_process_ready 1$/mu);
    expect(text).toMatch(/^beleg_bus_connected 1$/mu);
    expect(text).toMatch(/^beleg_bus_in_flight 3$/mu);
    expect(text).toMatch(/^beleg_lease_held\{lease="relay"\} 1$/mu);
    expect(text).toMatch(/^beleg_knowledge_index_passages 4$/mu);
    expect(text).toMatch(/^beleg_knowledge_asks_running 4$/mu);
    expect(text).toMatch(/^beleg_knowledge_asks_queued 1$/mu);
    expect(text).toMatch(/^beleg_knowledge_spooled 2$/mu);
    expect(text).toMatch(/^beleg_knowledge_lost 0$/mu);
    expect(text).not.toContain('built_at');

    leases = [];
    knowledge = { ...KNOWLEDGE, asks: { running: 1, queued: 0, atModel: 0 } };
    const later = (await metrics(url)).text;
    expect(later).not.toContain('lease="relay"');
    expect(later).toMatch(/^beleg_knowledge_asks_running 1$/mu);
  });

  test('tells what another process runs of no audit part', async () => {
    let status = audit('live');
    const url = await serveStatus(() => readStatus('audit', 'running', observed({ audit: status })));
    const held = (await metrics(url)).text;
    expect(held).toMatch(/^beleg_audit_projection_live 1$/mu);
    expect(held).toMatch(/^beleg_audit_comments_waiting 6$/mu);
    expect(held).toMatch(/^beleg_audit_checkpoints_size 70$/mu);
    expect(held).toMatch(/^beleg_audit_checkpoints_uncovered 7$/mu);
    expect(held).toMatch(/^beleg_audit_checkpoints_file_written 0$/mu);
    status = { enabled: true, projection: null, comments: null, checkpoints: null };
    const lost = (await metrics(url)).text;
    expect(lost).toMatch(/^beleg_audit_enabled 1$/mu);
    expect(lost).not.toMatch(/^beleg_audit_(projection|comments|checkpoints)/mu);
  });

  test('needs the admin key where one is set; /live and /ready need none', async () => {
    const url = await serveStatus(() => readStatus('audit', 'running', observed()), {
      PV_ADMIN_API_KEY: ADMIN,
    });
    expect((await metrics(url)).status).toBe(401);
    expect((await metrics(url, 'wrong')).status).toBe(401);
    expect((await metrics(url, ADMIN)).status).toBe(200);
    expect((await ready(url)).status).toBe(200);
  });

  test('refuses a Host that is not ours, and answers what it does not know with the error body', async () => {
    const url = await serveStatus(() => readStatus('audit', 'running', observed()));
    const status = await new Promise((resolve, reject) => {
      request(`${url}/ready`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
    const unknown = await fetch(`${url}/nothing`);
    expect(unknown.headers.get('content-type')).toContain('application/problem+json');
    expect(unknown.status).toBe(404);
  });
});
