import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Json } from '../../events/json.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import type { EventStore, RecordedEvent } from '../../events/store/store.ts';
import { verifyRecord } from '../../events/proof/verify.ts';
import { QUESTION, Workspace, type Started } from '../../testing/processes/application.suite.ts';
import { startTelemetry, type Telemetry } from './telemetry.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${CALLER}-01`;
const IDENTITY = { service: 'beleg', instance: 'abc123' };

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly attributes: { key: string; value: Record<string, Json> }[];
  readonly status: { code?: number };
}

/** The numbers of OTLP. */
const SERVER = 2;
const CLIENT = 3;

/** A minimal OTLP/HTTP collector: it accepts JSON and answers with success. */
class Collector {
  readonly requests: { path: string; body: string }[] = [];
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      this.requests.push({ path: request.url!, body });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get spans(): Span[] {
    return this.requests.flatMap(({ body }) =>
      (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(
        ({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }
}

let workspace: Workspace;
let started: Started | undefined;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(async () => {
  await started?.application.close();
  started = undefined;
  vi.unstubAllEnvs();
  await workspace.remove();
});

const ask = (headers: Record<string, string>) =>
  started!.client.post('/v1/ask', { question: QUESTION }, { 'x-request-id': 'r-1', ...headers });

async function recorded(store: EventStore): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of store.readAll()) events.push(event);
  return events;
}

describe('without an exporter', () => {
  test("a caller's traceparent is in each event that it caused, and in the hash chain", async () => {
    started = await workspace.start();
    const { client, store } = started;
    await ask({ traceparent: TRACEPARENT, tracestate: 'rojo=1' });
    await client.post('/v1/ratings', { request_id: 'r-1', rating: 'up' }, { traceparent: TRACEPARENT });
    await client.post('/v1/comments', { request_id: 'r-1', comment: 'gut' }, { traceparent: TRACEPARENT });
    await client.post('/v1/reindex', undefined, { traceparent: TRACEPARENT });
    const events = await recorded(store);
    expect(new Set(events.map(({ stream }) => stream))).toEqual(
      new Set(['ask-r-1', 'comments', 'knowledge-index']),
    );
    for (const event of events) expect(event.metadata).toMatchObject({ traceparent: TRACEPARENT });
    expect(await verifyRecord(store)).toMatchObject({ events: events.length, findings: [] });
  });

  test.each([
    ['none', {}],
    ['one that is not valid', { traceparent: `ff-${TRACE_ID}-${CALLER}-01` }],
    ['a tracestate alone', { tracestate: 'rojo=1' }],
  ])('an ask with %s is answered and recorded without one', async (_, headers) => {
    started = await workspace.start();
    expect(await ask(headers as Record<string, string>)).toMatchObject({ status: 200 });
    const events = await recorded(started.store);
    expect(events.length).toBeGreaterThan(1);
    for (const event of events) expect(event.metadata).not.toHaveProperty('traceparent');
  });

  test('it goes through the spool as well', async () => {
    started = await workspace.start();
    started.store.mode = 'down';
    await ask({ traceparent: TRACEPARENT });
    expect((await started.client.health()).body.audit.spooled).toBeGreaterThan(0);
    await started.application.close();
    started = await workspace.start();
    await vi.waitFor(async () => expect(await recorded(started!.store)).not.toHaveLength(0), PATIENT);
    for (const event of await recorded(started.store)) {
      expect(event.metadata).toMatchObject({ traceparent: TRACEPARENT });
    }
  });

  test.each([
    ['no endpoint', 'no part', '', []],
    ['an endpoint', 'all', 'http://127.0.0.1:1', ['exporter-trace-otlp-http', 'resources', 'sdk-trace']],
  ])('with %s the process loads %s of the SDK', (_endpoint, _parts, OTEL_EXPORTER_OTLP_ENDPOINT, parts) => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { startTelemetry } = await import('./services/composition/telemetry.ts');
      await (await startTelemetry(process.env, { service: 'beleg', instance: 'x' }, {})).shutdown();
      console.log(loaded.join(' '));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(import.meta.dirname, '..', '..'),
      encoding: 'utf8',
      env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT },
    });
    const packages = new Set([...stdout.matchAll(/@opentelemetry\/([a-z-]+)/g)].map(([, name]) => name));
    expect(packages).toContain('api');
    expect(packages.size > 1).toBe(parts.length > 0);
    for (const part of parts) expect(packages).toContain(part);
  });
});

describe('with a collector', () => {
  let collector: Collector;
  let telemetry: Telemetry;
  beforeEach(async () => {
    collector = new Collector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', await collector.listen());
  });
  afterEach(async () => {
    await telemetry.shutdown();
    await collector.close();
  });
  const start = async () => {
    telemetry = await startTelemetry(process.env, IDENTITY, pino({ level: 'silent' }));
    started = await workspace.start();
  };
  /** Stops as a process does: everything ends, then the last spans are sent. */
  const stop = async (): Promise<Span[]> => {
    await started!.application.close();
    started = undefined;
    await telemetry.shutdown();
    return collector.spans;
  };

  test('an ask is one trace: HTTP, the bus from both ends, the append; events name the span that caused them', async () => {
    await start();
    await ask({ traceparent: TRACEPARENT, tracestate: 'rojo=1' });
    const events = await recorded(started!.store);
    const spans = (await stop()).filter(({ traceId }) => traceId === TRACE_ID);

    const http = spans.find(({ name }) => name === 'POST /v1/ask')!;
    expect(http).toMatchObject({ kind: SERVER, parentSpanId: CALLER, traceState: 'rojo=1' });
    expect(attributesOf(http)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/ask',
      'http.response.status_code': 200,
      'beleg.request_id': 'r-1',
    });
    const [sent, served] = [CLIENT, SERVER].map((kind) =>
      spans.find((span) => span.name === 'beleg.v1.cmd.knowledge.ask' && span.kind === kind),
    );
    expect(sent).toMatchObject({ parentSpanId: http.spanId, traceState: 'rojo=1' });
    expect(served).toMatchObject({ parentSpanId: sent!.spanId, traceState: 'rojo=1' });
    const append = spans.find(({ name }) => name === 'append');
    expect(append).toMatchObject({ kind: CLIENT, parentSpanId: served!.spanId });
    const states = spans.filter(({ name }) => name.startsWith('ask '));
    expect(states.map(({ name }) => name)).toEqual([
      'ask asked.understanding',
      'ask asked.retrieving',
      'ask retrieved.generating',
      'ask drafted.verifying',
      'ask answered',
    ]);
    for (const state of states) expect(state.parentSpanId).toBe(served!.spanId);
    expect(spans).toHaveLength(4 + states.length);
    for (const event of events) {
      expect(event.metadata.traceparent).toBe(`00-${TRACE_ID}-${served!.spanId}-01`);
    }
  });

  test('nothing of what was said leaves, no key and no header; the process is named', async () => {
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
    await start();
    await ask({ authorization: 'Bearer sesame-open', 'user-agent': 'curious/1' });
    await started!.client.post('/v1/ask?frage=Mindestlohn', { question: '' });
    await started!.client.post('/v1/nowhere-Mindestlohn');
    await stop();
    const sent = collector.requests.map(({ body }) => body).join('\n');
    for (const word of ['Urlaub', 'Werktage', 'Mindestlohn', 'sesame', 'curious'])
      expect(sent).not.toContain(word);
    const { resource } = (JSON.parse(collector.requests[0]!.body) as never)['resourceSpans'][0] as {
      resource: Pick<Span, 'attributes'>;
    };
    expect(attributesOf(resource)).toMatchObject({
      'service.name': 'beleg',
      'service.instance.id': 'abc123',
      'deployment.environment.name': 'test',
    });
  });

  test('a trace begins here where the caller has none', async () => {
    await start();
    await ask({});
    const events = await recorded(started!.store);
    const spans = await stop();
    const http = spans.find(({ name }) => name === 'POST /v1/ask')!;
    expect(http.parentSpanId ?? '').toBe('');
    for (const event of events) expect(event.metadata.traceparent).toContain(`00-${http.traceId}-`);
  });

  test('a failure is named by its code; what the caller did wrong is no failure of ours', async () => {
    await start();
    started!.store.mode = 'down';
    await started!.client.rate('r-unknown', 'up');
    started!.store.mode = 'up';
    await started!.client.rate('r-unknown', 'up');
    const spans = await stop();
    const rated = spans.filter(({ name, kind }) => name === 'beleg.v1.cmd.feedback.rate' && kind === SERVER);
    expect(rated.map((span) => [attributesOf(span)['error.type'], span.status.code ?? 0])).toEqual([
      ['AUDIT_UNAVAILABLE', 2],
      ['UNKNOWN_REQUEST_ID', 0],
    ]);
  });

  test("the caller's decision not to sample is kept", async () => {
    await start();
    await ask({ traceparent: `00-${TRACE_ID}-${CALLER}-00` });
    const events = await recorded(started!.store);
    for (const event of events)
      expect(event.metadata.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-.*-00$`));
    expect((await stop()).filter(({ traceId }) => traceId === TRACE_ID)).toEqual([]);
  });

  test('OTEL_TRACES_SAMPLER decides for traces that begin here', async () => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_traceidratio');
    vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', '0');
    await start();
    await ask({});
    await ask({ traceparent: TRACEPARENT });
    expect(new Set((await stop()).map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  });

  test.each([
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_TRACES_EXPORTER', 'none'],
  ])('%s=%s exports nothing', async (name, value) => {
    vi.stubEnv(name, value);
    await start();
    await ask({ traceparent: TRACEPARENT });
    expect(await stop()).toEqual([]);
  });
});

describe('with a collector that is away', () => {
  let server: Server;
  let lines: string[];
  let telemetry: Telemetry;
  beforeEach(async () => {
    lines = [];
    server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(async () => {
    await telemetry.shutdown();
    server.close();
    server.closeAllConnections();
  });
  const askAndStop = async (): Promise<number> => {
    const logger = pino({}, { write: (line) => lines.push(line) });
    telemetry = await startTelemetry(process.env, IDENTITY, logger);
    started = await workspace.start();
    for (let n = 0; n < 3; n++) expect(await ask({})).toMatchObject({ status: 200 });
    await started.application.close();
    started = undefined;
    const from = performance.now();
    await telemetry.shutdown();
    return performance.now() - from;
  };

  test('asks are answered, and the log says why nothing is exported', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '500');
    await new Promise((closed) => server.close(closed));
    await askAndStop();
    expect(lines.map((line) => JSON.parse(line) as { msg: string; detail: string })).toMatchObject([
      { msg: 'traces cannot be exported', detail: expect.stringContaining('ECONNREFUSED') as string },
    ]);
  });

  test('or takes the spans and never answers, asks are answered and the stop goes on after 2 s', async () => {
    // The exporter alone would wait for 10 seconds.
    expect(await askAndStop()).toBeLessThan(9_000);
    expect(lines).toMatchObject([expect.stringContaining('no time left')]);
    expect(trace.getTracer('after').startSpan('off').isRecording()).toBe(false);
  });
});

function attributesOf({ attributes }: Pick<Span, 'attributes'>): Record<string, Json> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]!]));
}
