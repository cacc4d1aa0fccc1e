import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listErrors } from '../../../events/error-codes.ts';
import { AskRequest } from '../../../events/messages/knowledge.ts';
import { answerTo, startFakeServices, type Script } from '../knowledge/fake-services.suite.ts';
import { openKnowledgeGateway } from '../knowledge/knowledge.ts';
import { Problem } from './problem.ts';
import type { GatewaySettings } from '../knowledge/access.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

const OPEN: GatewaySettings = { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null };

let app: FastifyInstance;
let lines: Record<string, unknown>[];
let port: number;
afterEach(() => app.close());

async function start(script: Partial<Script> = {}, settings: Partial<GatewaySettings> = {}) {
  lines = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
  const services = startFakeServices(script);
  app = await openKnowledgeGateway(services.bus, { ...OPEN, ...settings }, pino({ level: 'trace' }, stream));
  return services;
}

async function listen() {
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
}

/** Sends raw bytes and reads until the server closes. */
async function raw(bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body };
}

const BODY = JSON.stringify({ question: 'Was?' });
const ASK = `POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n`;

describe('on a real socket', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'headers too large',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['no Host', 'GET /v1/sources/x HTTP/1.0\r\n\r\n', 421, 'MISDIRECTED_REQUEST'],
    [
      'no Host in HTTP/1.1',
      'GET /v1/sources/x HTTP/1.1\r\nConnection: close\r\n\r\n',
      421,
      'MISDIRECTED_REQUEST',
    ],
    [
      'two Hosts',
      'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    [
      'a way out of the folder of the docs',
      'GET /docs/static/../../package.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      404,
      'NOT_FOUND',
    ],
    [
      'an encoded way out of the folder of the docs',
      'GET /docs/static/%2e%2e%2f%2e%2e%2fpackage.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      404,
      'NOT_FOUND',
    ],
    [
      'a path with more behind a semicolon',
      'GET /v1/health;x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      404,
      'NOT_FOUND',
    ],
    [
      'two lengths',
      `POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx`,
      400,
      'BAD_REQUEST',
    ],
    [
      'length and chunks',
      `POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'BAD_REQUEST',
    ],
    [
      'a body said to be too large',
      'POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n',
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'a method that nobody knows',
      'PROPFIND /v1/ask HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      405,
      'METHOD_NOT_ALLOWED',
    ],
    [
      'two keys',
      'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    [
      'an address of somebody else',
      'GET http://evil.example/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      421,
      'MISDIRECTED_REQUEST',
    ],
    [
      'a QUERY that does not say what it holds',
      'QUERY /v1/ask HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    [
      'an expectation that nobody knows, of a path that is not there',
      'GET /nothing HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\nConnection: close\r\n\r\n',
      404,
      'NOT_FOUND',
    ],
  ])('%s gets the error body', async (_, bytes, status, code) => {
    await start();
    await listen();
    const { head, body } = await raw(bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('content-type: application/problem+json');
    const problem = Problem.parse(JSON.parse(body));
    expect(problem).toMatchObject({ status, code });
    expect(head.toLowerCase()).toContain(`x-request-id: ${problem.request_id}`);
  });

  test('a probe that names no host is told of health', async () => {
    await start();
    await listen();
    const { head } = await raw('GET /v1/health HTTP/1.0\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([20_000, 300_000])(
    'on a connection that was answered before, headers of %i letters get the error body too',
    async (letters) => {
      await start();
      await listen();
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.write('GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
      socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(letters)}\r\n\r\n`);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1.1 431 /);
      expect(Problem.parse(JSON.parse(body)).code).toBe('HEADERS_TOO_LARGE');
    },
  );

  test('what is no request is never answered in the place of the answer that one before it waits for', async () => {
    const heard = Promise.withResolvers<void>();
    await start({
      ask: () => {
        heard.resolve();
        return new Promise(() => {});
      },
    });
    await listen();
    const socket = connect(port, '127.0.0.1');
    socket.write(`${ASK}\r\n${BODY}`);
    await heard.promise;
    socket.write(`${ASK}\r\n${BODY}hello\r\n\r\n`);
    expect(await text(socket)).toBe('');
  });

  test('a body beyond the limit that comes in chunks is 413 too', async () => {
    await start();
    await listen();
    const request = httpRequest({
      port,
      method: 'POST',
      path: '/v1/ask',
      headers: { 'content-type': 'application/json' },
    });
    request.on('error', () => {});
    for (let i = 0; i < 5; i++) request.write('x'.repeat(64 * 1024));
    const [response] = (await once(request, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  test.each([
    ['counted', 'keep-alive'],
    ['chunked', 'keep-alive'],
    ['counted', 'close'],
    ['chunked', 'close'],
  ])('a client that sends 5 MB (%s, %s) before it reads gets its 413', async (how, connection) => {
    await start();
    await listen();
    const length = 5 * 1024 * 1024;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const faults: unknown[] = [];
    socket.on('error', (error) => faults.push(error));
    const size = how === 'counted' ? `Content-Length: ${length}` : 'Transfer-Encoding: chunked';
    socket.write(
      `POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: ${connection}\r\n${size}\r\n\r\n`,
    );
    socket.pause();
    const piece = 'x'.repeat(64 * 1024);
    const chunk = how === 'counted' ? piece : `10000\r\n${piece}\r\n`;
    for (let sent = 0; sent < length; sent += piece.length) {
      if (!socket.write(chunk)) await once(socket, 'drain');
    }
    if (how === 'chunked') socket.write('0\r\n\r\n');
    const [answer] = (await once(socket.resume().setEncoding('utf8'), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(faults).toEqual([]);
    if (connection === 'close') return void socket.destroy();
    // The connection can still be used.
    socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [next] = (await once(socket, 'data')) as [string];
    expect(next).toMatch(/^HTTP\/1.1 404 /);
    expect(faults).toEqual([]);
    socket.destroy();
  });

  test('a client that leaves ends the wait for the service', async () => {
    const received = Promise.withResolvers<void>();
    const { bus } = await start({ ask: () => (received.resolve(), new Promise(() => {})) });
    const requested = vi.spyOn(bus, 'request');
    await listen();
    const socket = connect(port, '127.0.0.1');
    socket.write(`${ASK}\r\n${BODY}`);
    await received.promise;
    const { signal } = requested.mock.calls[0]![2];
    expect(signal?.aborted).toBe(false);
    socket.destroy();
    await once(signal!, 'abort');
    await vi.waitFor(
      () => expect(lines).toContainEqual(expect.objectContaining({ status: 499, route: '/v1/ask' })),
      PATIENT,
    );
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  test('close lets requests in flight finish, and takes no new ones', async () => {
    const received = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await start({
      ask: async ({ question, request_id }) => {
        received.resolve();
        await held.promise;
        return answerTo(question, request_id);
      },
    });
    await listen();
    const answer = raw(`${ASK}Connection: close\r\n\r\n${BODY}`);
    await received.promise;
    const closed = app.close();
    // A client that connected earlier is still answered.
    await vi.waitFor(() => expect(app.server.listening).toBe(false), PATIENT);
    const refused = connect(port, '127.0.0.1');
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
    held.resolve();
    expect(error.code).toBe('ECONNREFUSED');
    expect((await answer).head).toMatch(/^HTTP\/1.1 200 /);
    await closed;
  });

  test('close does not wait for a connection that asks nothing', async () => {
    await start();
    await listen();
    const quiet = connect(port, '127.0.0.1');
    await Promise.all([once(quiet, 'connect'), once(app.server, 'connection')]);
    const ended = once(quiet.resume(), 'close');
    await app.close();
    await ended;
  });

  test('has timeouts for slow clients', async () => {
    await start();
    expect(app.server.headersTimeout).toBe(10_000);
    expect(app.server.requestTimeout).toBe(30_000);
    expect(app.server.keepAliveTimeout).toBe(65_000);
  });

  test('drops a client that never ends its headers', async () => {
    await start();
    app.server.headersTimeout = 50;
    await listen();
    const { head, body } = await raw('GET / HTTP/1.1\r\nHost: local');
    expect(head).toMatch(/^HTTP\/1.1 408 /);
    expect(Problem.parse(JSON.parse(body)).code).toBe('REQUEST_TIMEOUT');
  });
});

function sendSecrets(payload: string, url = '/v1/ask?q=secret-query') {
  return app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: 'Bearer the-service-key',
      'x-request-id': 'r1',
      'content-type': 'application/json',
    },
    payload,
  });
}

describe('the log', () => {
  test('has method, route, status, time and request id, and neither keys nor what was said', async () => {
    await start({ ask: () => Promise.reject(new Error('it broke')) }, { apiKeys: ['the-service-key'] });
    await sendSecrets('{"question":"secret-question"}');
    await sendSecrets('{"question":"secret-question"');
    await sendSecrets('{"question":"a","secret-field":1}');
    await sendSecrets('{}', '/secret-path');
    const log = JSON.stringify(lines);
    expect(log).not.toMatch(/secret|the-service-key/);
    expect(lines.filter(({ msg }) => msg === 'request')).toEqual(
      [500, 422, 422, 404].map((status) =>
        expect.objectContaining({ method: 'POST', status, ms: expect.any(Number), request_id: 'r1' }),
      ),
    );
    expect(lines.find(({ level }) => level === 50)).toMatchObject({
      request_id: 'r1',
      msg: 'request failed',
    });
  });
});

describe('metrics', () => {
  test('count requests by route and asks by outcome, and say what health says', async () => {
    await start({
      ask: ({ question, request_id }) => answerTo(question, request_id, { status: 'refused' }),
    });
    await app.inject({ method: 'POST', url: '/v1/ask', payload: { question: 'Was?' } });
    await app.inject('/secret-path');
    const response = await app.inject('/metrics');
    expect(response.headers['content-type']).toContain('text/plain');
    expect(response.body).toContain('beleg_asks_total{status="refused"} 1');
    expect(response.body).toContain(
      'beleg_http_request_duration_seconds_count{method="POST",route="/v1/ask",status="200"} 1',
    );
    expect(response.body).toMatch(/route="unknown",status="404"/);
    expect(response.body).toContain('beleg_index_passages 412');
    expect(response.body).toContain('beleg_audit_lost_events 0');
    expect(response.body).not.toContain('secret');
  });
});

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}
interface Operation {
  deprecated?: boolean;
  responses: Record<string, { description: string; content: Record<string, unknown> }>;
}

describe('openapi.json', () => {
  test('describes every path, from the schemas that validate, with every error code', async () => {
    await start();
    const document = (await app.inject('/openapi.json')).json<Document>();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).sort()).toEqual(
      [
        '/actors',
        '/ask',
        '/health',
        '/reindex',
        '/v1/ask',
        '/v1/ask/stream',
        '/v1/audit/checkpoints',
        '/v1/audit/erasures',
        '/v1/audit/interactions',
        '/v1/audit/interactions/{request_id}',
        '/v1/audit/projections/audit/rebuild',
        '/v1/audit/projections/trading/rebuild',
        '/v1/audit/record',
        '/v1/comments',
        '/v1/health',
        '/v1/ratings',
        '/v1/reindex',
        '/v1/review/vocabulary',
        '/v1/sources/{id}',
      ].sort(),
    );
    expect(document.paths['/ask']!['post']!.deprecated).toBe(true);
    const { Problem: problem, AskRequest: ask } = document.components.schemas;
    expect(problem!['properties']).toMatchObject({
      code: { examples: listErrors().map(({ code }) => code) },
    });
    for (const { code } of listErrors()) expect(problem!['description']).toContain(`\`${code}\``);
    expect(ask).toMatchObject({ additionalProperties: false, required: ['question'] });
    expect(AskRequest.safeParse((ask!['examples'] as unknown[])[0]).success).toBe(true);
  });

  test('every reference leads somewhere, and every error has the error body', async () => {
    await start();
    const { body } = await app.inject('/openapi.json');
    const document = JSON.parse(body) as Document;
    const references = [...body.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1]!,
    );
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((name) => !(name in document.components.schemas))).toEqual([]);
    const errors = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status, { description }]) => Number(status) >= 400 && !description.startsWith('Not ready'));
    for (const [, { content }] of errors) expect(Object.keys(content)).toEqual(['application/problem+json']);
  });
});

describe('whatever is sent', () => {
  const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
  const field = <T>(good: fc.Arbitrary<T>) => fc.oneof(good as fc.Arbitrary<unknown>, value);
  const bodies = fc.oneof(
    value,
    fc.record(
      {
        question: field(fc.string({ unit: 'binary', maxLength: 40 })),
        top_k: field(fc.integer({ min: -2, max: 60 })),
        mode: field(fc.constantFrom('knowledge', 'review')),
        context: value,
        request_id: field(fc.string()),
        rating: field(fc.constantFrom('up', 'down')),
        feedback: field(fc.string({ unit: 'binary' })),
        comment: field(fc.string({ unit: 'binary' })),
      },
      { requiredKeys: [] },
    ),
  );
  const payloads = fc.oneof(
    bodies.map((body) => JSON.stringify(body)),
    fc.string({ unit: 'binary' }),
  );
  const types = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'x/y;;',
    '',
  );
  const paths = fc.constantFrom('/v1/ask', '/v1/ratings', '/v1/comments', '/v1/reindex', '/ask', '/reindex');

  test('the answer is well formed, carries the request id, and is never a 500', async () => {
    const { faults } = await start();
    await fc.assert(
      fc.asyncProperty(paths, payloads, types, async (url, payload, type) => {
        const response = await app.inject({
          method: 'POST',
          url,
          headers: { 'x-request-id': 'fuzz', ...(type === '' ? {} : { 'content-type': type }) },
          payload,
        });
        expect(response.headers['x-request-id']).toBe('fuzz');
        const { request_id } =
          response.statusCode === 422 ? Problem.parse(response.json()) : { request_id: 'fuzz' };
        expect(request_id).toBe('fuzz');
        expect([200, 201, 422]).toContain(response.statusCode);
      }),
      { numRuns: 300 },
    );
    expect(faults).toEqual([]);
  });

  test('so it is for any path, method and header', async () => {
    await start();
    const header = fc.stringMatching(/^[\x20-\x7e]{0,40}$/);
    const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE');
    const path = fc
      .oneof(fc.webPath(), paths, fc.stringMatching(/^[\x21-\x7e]{0,20}$/))
      .map((text) => `/${text.replace(/^\/+/, '')}`)
      .filter((text) => URL.canParse(text, 'http://localhost'));
    await fc.assert(
      fc.asyncProperty(methods, path, header, header, async (method, path, id, authorization) => {
        const response = await app.inject({
          method: method as 'GET',
          url: path,
          headers: { 'x-request-id': id, authorization },
        });
        expect(response.headers['x-request-id']).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
        expect(response.statusCode).not.toBe(500);
        if (response.statusCode >= 400 && method !== 'HEAD') Problem.parse(response.json());
      }),
      { numRuns: 300 },
    );
  });
});

describe('a page that a browser or a proxy has', () => {
  test.each([
    ['its tag', (etag: string) => etag, 304],
    ['its tag, weak since a proxy compressed it', (etag: string) => `W/${etag}`, 304],
    ['several tags', (etag: string) => `"other", ${etag}`, 304],
    ['any', () => '*', 304],
    ['another tag', () => '"other"', 200],
  ])('is not sent again to who names %s', async (_, tagOf, status) => {
    await start();
    const { headers } = await app.inject('/');
    const response = await app.inject({
      url: '/',
      headers: { 'if-none-match': tagOf(String(headers.etag)) },
    });
    expect(response.statusCode).toBe(status);
  });
});
