import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../events/error-codes.ts';
import { BelegError } from '../../../events/errors.ts';
import { InProcessBus } from '../../../events/bus/in-process.ts';
import { answerTo, HEALTHY_KNOWLEDGE, startFakeServices, type Script } from './fake-services.suite.ts';
import { REINDEXED, SOURCE_TEXT } from './fake-replies.suite.ts';
import { openKnowledgeGateway } from './knowledge.ts';
import type { Problem } from '../http/problem.ts';
import type { GatewaySettings } from './access.ts';

const OPEN: GatewaySettings = { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null };
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

let app: FastifyInstance;
afterEach(() => app.close());

async function start(settings: Partial<GatewaySettings> = {}, script: Partial<Script> = {}) {
  const services = startFakeServices(script);
  app = await openKnowledgeGateway(services.bus, { ...OPEN, ...settings }, pino({ level: 'silent' }));
  return services;
}

function post(url: string, payload?: unknown, headers: Record<string, string> = {}) {
  return app.inject({
    method: 'POST',
    url,
    headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(payload === undefined
      ? {}
      : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  });
}

const padded = (bytes: number) => JSON.stringify(QUESTION).padEnd(bytes);
const QUESTION = { question: 'Wie lange wird das Entgelt bei Krankheit fortgezahlt?' };

describe('ask', () => {
  test('answers with what the service said, under the request id of the client', async () => {
    await start();
    const response = await post('/v1/ask', QUESTION, { 'x-request-id': 'Client.1_a:b-c' });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'x-request-id': 'Client.1_a:b-c',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(response.json()).toEqual(answerTo(QUESTION.question, 'Client.1_a:b-c'));
  });

  test('hands on the trimmed question, and the depth or its default', async () => {
    const seen: unknown[] = [];
    await start(
      {},
      { ask: (request) => (seen.push(request), answerTo(request.question, request.request_id)) },
    );
    await post('/v1/ask', { question: '  a?\n' }, { 'x-request-id': '1' });
    await post('/v1/ask', { question: 'b?', top_k: 50, mode: 'knowledge' }, { 'x-request-id': '2' });
    expect(seen).toEqual([
      { question: 'a?', top_k: 8, mode: 'knowledge', request_id: '1' },
      { question: 'b?', top_k: 50, mode: 'knowledge', request_id: '2' },
    ]);
  });

  test('warns in a header of personal data in the question, and answers; nothing of it is in the log', async () => {
    const lines: string[] = [];
    const { bus } = startFakeServices({});
    app = await openKnowledgeGateway(
      bus,
      OPEN,
      pino({ level: 'trace' }, { write: (line) => lines.push(line) }),
    );
    const question = 'Pfändung auf DE89 3704 0044 0532 0130 00, IdNr. 86095742719';
    for (const headers of [{}, { accept: 'text/event-stream' }]) {
      const response = await post('/v1/ask', { question }, headers);
      expect(response).toMatchObject({ statusCode: 200, headers: { 'x-personal-data': 'iban, tax-id' } });
    }
    expect((await post('/v1/ask', QUESTION)).headers).not.toHaveProperty('x-personal-data');
    // Request ids are random, and may contain the digits that the test looks for.
    const logged = lines.join('').replaceAll(/[0-9a-f-]{36}/g, '');
    expect(logged).not.toMatch(/iban|tax-id|0532|742719/i);
  });

  test.each(['\ud800 lone', 'a\u0000\u0007b', '<script>alert(1)</script>', 'x'.repeat(2_000), '€𝄞\u202e'])(
    'takes %j as data',
    async (question) => {
      await start();
      const response = await post('/v1/ask', { question });
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ question });
    },
  );

  test.each<[string, unknown, string, string | undefined]>([
    ['no question', {}, 'INVALID_REQUEST', 'question'],
    ['an empty question', { question: ' \n\t ' }, 'INVALID_REQUEST', 'question'],
    ['a question over 2,000 characters', { question: 'x'.repeat(2_001) }, 'INVALID_REQUEST', 'question'],
    ['a number as a question', { question: 1 }, 'INVALID_REQUEST', 'question'],
    ['top_k 0', { ...QUESTION, top_k: 0 }, 'INVALID_REQUEST', 'top_k'],
    ['top_k 51', { ...QUESTION, top_k: 51 }, 'INVALID_REQUEST', 'top_k'],
    ['top_k 1.5', { ...QUESTION, top_k: 1.5 }, 'INVALID_REQUEST', 'top_k'],
    ['top_k as text', { ...QUESTION, top_k: '8' }, 'INVALID_REQUEST', 'top_k'],
    ['another mode', { ...QUESTION, mode: 'chat' }, 'INVALID_REQUEST', 'mode'],
    ['an unknown field', { ...QUESTION, employee: { name: 'x' } }, 'INVALID_REQUEST', 'employee'],
    ['a prototype', `{"question":"x","__proto__":{"a":1}}`, 'INVALID_REQUEST', '__proto__'],
    [
      'an unknown field in the context',
      { ...QUESTION, mode: 'review', context: { pay: 1 } },
      'INVALID_REQUEST',
      'context.pay',
    ],
    [
      'an unknown field in a fact',
      { ...QUESTION, mode: 'review', context: { facts: [{ key: 'a', value: 'b', c: 1 }] } },
      'INVALID_REQUEST',
      'context.facts.0.c',
    ],
    ['an array', [QUESTION], 'INVALID_REQUEST', ''],
    ['null', null, 'INVALID_REQUEST', ''],
    ['broken JSON', '{"question": "secret words', 'INVALID_JSON', undefined],
    ['an empty body', '', 'INVALID_JSON', undefined],
  ])('refuses %s with 422', async (_, body, code, path) => {
    await start();
    const response = await post('/v1/ask', body, { 'x-request-id': 'abc' });
    expect(response.statusCode).toBe(422);
    expect(response.headers['content-type']).toContain('application/problem+json');
    const problem = response.json<Problem>();
    expect(problem).toMatchObject({ code, request_id: 'abc', status: 422 });
    expect(problem.type).toBe(`urn:beleg:problem:${code.toLowerCase().replaceAll('_', '-')}`);
    expect(problem.errors?.map((fault) => fault.path)).toEqual(path === undefined ? undefined : [path]);
    expect(response.body).not.toContain('secret words');
  });

  test.each([
    ['text/plain', JSON.stringify(QUESTION)],
    ['application/x-www-form-urlencoded', 'question=a'],
    ['application/json; charset=latin1', JSON.stringify(QUESTION), 'A JSON body must be encoded in UTF-8'],
    ['nonsense', JSON.stringify(QUESTION)],
    ['multipart/form-data; boundary=x', '--x--'],
  ])(
    'refuses %s as INVALID_JSON',
    async (type, payload, detail = 'The media type must be application/json') => {
      await start();
      const response = await app.inject({
        method: 'POST',
        url: '/v1/ask',
        headers: { 'content-type': type },
        payload,
      });
      expect(response.statusCode).toBe(422);
      expect(response.json()).toMatchObject({ code: 'INVALID_JSON', detail });
    },
  );

  test('refuses bytes that are no UTF-8, and takes a byte order mark', async () => {
    await start();
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    const broken = Buffer.concat([Buffer.from('{"question":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const refused = await app.inject({ method: 'POST', url: '/v1/ask', headers, payload: broken });
    expect(refused.json()).toMatchObject({ code: 'INVALID_JSON' });
    const marked = Buffer.from(`\ufeff${JSON.stringify(QUESTION)}`);
    expect((await app.inject({ method: 'POST', url: '/v1/ask', headers, payload: marked })).statusCode).toBe(
      200,
    );
  });

  test('refuses more than 256 KiB with 413', async () => {
    await start();
    expect((await post('/v1/ask', padded(256 * 1024))).statusCode).toBe(200);
    const response = await post('/v1/ask', padded(256 * 1024 + 1));
    expect(response.statusCode).toBe(413);
    expect(response.json()).toMatchObject({ code: 'BODY_TOO_LARGE' });
  });

  test.each<[ErrorCode, number, string | undefined]>([
    ['OVERLOADED', 503, '7'],
    ['INDEX_NOT_READY', 503, '7'],
    ['INTERNAL', 500, '7'],
  ])('passes on %s of the service', async (code, status, retryAfter) => {
    const fault = new BelegError(code, { detail: 'why', retryAfter: 6.2, cause: new Error('/secret/path') });
    await start({}, { ask: () => Promise.reject(fault) });
    const response = await post('/v1/ask', QUESTION, { 'x-request-id': 'abc' });
    expect(response.statusCode).toBe(status);
    expect(response.headers['retry-after']).toBe(retryAfter);
    expect(response.json()).toMatchObject({ code, detail: 'why', request_id: 'abc' });
    expect(response.body).not.toContain('secret');
  });

  test('says nothing of an error that it does not know', async () => {
    const { faults } = await start({}, { ask: () => Promise.reject(new Error('connect 10.0.0.1 /var/lib')) });
    const response = await post('/v1/ask', QUESTION);
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ code: 'INTERNAL', detail: 'The service failed to answer' });
    expect(response.body).not.toMatch(/10\.0|var|Error:/);
    expect(faults).toHaveLength(1);
  });

  test('is 503 with Retry-After when the knowledge service is not there', async () => {
    const bus = new InProcessBus().connect(() => {});
    app = await openKnowledgeGateway(bus, OPEN, pino({ level: 'silent' }));
    const response = await post('/v1/ask', QUESTION);
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
    expect(response.json()).toMatchObject({ code: 'NO_RESPONDERS' });
  });
});

describe('ratings and comments', () => {
  test('a rating is 200, and the second replaces the first', async () => {
    await start();
    const first = await post('/v1/ratings', { request_id: 'A.1', rating: 'up', feedback: 'x'.repeat(1_000) });
    expect(first.statusCode).toBe(200);
    expect(first.json()).toEqual({ api_version: 'v1', request_id: 'A.1', rating: 'up', updated: false });
    const second = await post('/v1/ratings', { request_id: 'A.1', rating: 'down' });
    expect(second.json()).toMatchObject({ rating: 'down', updated: true });
  });

  test('a comment is 201 with its number', async () => {
    await start();
    for (const comment_id of [1, 2]) {
      const response = await post('/v1/comments', { request_id: 'A.1', comment: ' gut ' });
      expect(response.statusCode).toBe(201);
      expect(response.json()).toEqual({ api_version: 'v1', request_id: 'A.1', comment_id });
    }
  });

  test.each([
    ['/v1/ratings', { request_id: 'a', rating: 'sideways' }, 'rating'],
    ['/v1/ratings', { request_id: 'a', rating: 'UP' }, 'rating'],
    ['/v1/ratings', { rating: 'up' }, 'request_id'],
    ['/v1/ratings', { request_id: 'ä', rating: 'up' }, 'request_id'],
    ['/v1/ratings', { request_id: 'a', rating: 'up', feedback: 'x'.repeat(1_001) }, 'feedback'],
    ['/v1/ratings', { request_id: 'a', rating: 'up', employee: 1 }, 'employee'],
    ['/v1/comments', { request_id: 'a', comment: ' \n ' }, 'comment'],
    ['/v1/comments', { request_id: 'a', comment: 'x'.repeat(2_001) }, 'comment'],
    ['/v1/comments', { request_id: 'a' }, 'comment'],
    ['/v1/comments', { request_id: 'x'.repeat(129), comment: 'a' }, 'request_id'],
  ])('%s refuses %j', async (url, body, path) => {
    await start();
    const response = await post(url, body);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path }] });
  });

  test.each<[ErrorCode, number, string | undefined]>([
    ['UNKNOWN_REQUEST_ID', 404, undefined],
    ['REQUEST_ERASED', 410, undefined],
    ['AUDIT_DISABLED', 503, undefined],
    ['AUDIT_UNAVAILABLE', 503, '5'],
  ])('%s is %i', async (code, status, retryAfter) => {
    const fail = () => Promise.reject(new BelegError(code));
    await start({}, { rate: fail, comment: fail });
    for (const response of [
      await post('/v1/ratings', { request_id: 'a', rating: 'up' }),
      await post('/v1/comments', { request_id: 'a', comment: 'b' }),
    ]) {
      expect(response.statusCode).toBe(status);
      expect(response.headers['retry-after']).toBe(retryAfter);
      expect(response.json()).toMatchObject({ code });
    }
  });
});

const AWAY = {
  ...HEALTHY_KNOWLEDGE.model,
  name: 'm',
  ready: false,
  state: 'away' as const,
  reason: 'wrong_key' as const,
};

describe('sources', () => {
  test('are shown as they are quoted', async () => {
    await start();
    const response = await app.inject('/v1/sources/EntgFG-3');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(SOURCE_TEXT);
  });

  test('that the base does not have are not found', async () => {
    await start({}, { source: () => Promise.reject(new BelegError('UNKNOWN_SOURCE')) });
    const response = await app.inject('/v1/sources/NOBODY-1');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'UNKNOWN_SOURCE' });
    expect((await app.inject(`/v1/sources/${'x'.repeat(65)}`)).statusCode).toBe(422);
  });
});

describe('health', () => {
  const NOT_READY = { ...HEALTHY_KNOWLEDGE, index: { ready: false, passages: 0, built_at: null } };

  test('is public and says what the services say', async () => {
    await start({ apiKeys: ['k'], adminApiKeys: ['a'] });
    const response = await app.inject('/v1/health');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      status: 'ok',
      degraded_by: [],
      api_version: 'v1',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      index: HEALTHY_KNOWLEDGE.index,
      model: HEALTHY_KNOWLEDGE.model,
      base: HEALTHY_KNOWLEDGE.base,
      retrieval: 'lexical',
      audit: {
        enabled: true,
        ready: true,
        keys_missing: null,
        files_missing: [],
        files_damaged: [],
        set_aside: 0,
        spooled: 0,
        lost: 0,
      },
      followers: [{ name: 'audit', seconds: 0, events: 0, behind: false }],
      review_mode: false,
    });
  });

  test.each<[string, Partial<Script>, number, string]>([
    [
      'the audit is off',
      { auditHealth: () => ({ enabled: false, ready: false, checkpoint: null }) },
      200,
      'ok',
    ],
    [
      'the audit is not ready',
      { auditHealth: () => ({ enabled: true, ready: false, checkpoint: null }) },
      200,
      'degraded',
    ],
    ['the audit is silent', { auditHealth: () => Promise.reject(new Error('x')) }, 200, 'degraded'],
    [
      'somebody stays behind the record',
      { lag: () => ({ name: 'audit' as const, seconds: 11, events: 3, behind: true }) },
      200,
      'degraded',
    ],
    [
      'the record is away, so that nobody knows who is behind',
      { lag: () => ({ name: 'audit' as const, seconds: 0, events: 0, behind: false, record_away: true }) },
      200,
      'degraded',
    ],
    ['nobody follows the record', { lag: () => Promise.reject(new Error('x')) }, 200, 'degraded'],
    [
      'the clock of a process of trading or audit is wrong',
      { lag: () => ({ name: 'audit' as const, seconds: 0, events: 0, behind: false, clock_wrong: true }) },
      200,
      'degraded',
    ],
    [
      'the clock of a knowledge process is wrong',
      { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, clock_wrong: true }) },
      200,
      'degraded',
    ],
    [
      'somebody has taken what the record does not have',
      {
        lag: () => ({
          name: 'audit' as const,
          seconds: 0,
          events: 0,
          behind: false,
          fault: 'ahead_of_record' as const,
        }),
      },
      200,
      'degraded',
    ],
    [
      'published events are kept for less than their days',
      {
        lag: () => ({
          name: 'audit' as const,
          seconds: 0,
          events: 0,
          behind: false,
          kept_since: '2026-01-31T08:00:00.000Z',
          foreign: 2,
        }),
      },
      200,
      'ok',
    ],
    [
      'a file of the record was removed',
      {
        auditHealth: () => ({ enabled: true, ready: true, checkpoint: null, files_missing: ['events.db'] }),
      },
      200,
      'degraded',
    ],
    [
      'a file of the record is damaged',
      {
        auditHealth: () => ({ enabled: true, ready: true, checkpoint: null, files_damaged: ['events.db'] }),
      },
      200,
      'degraded',
    ],
    [
      'keys of text are missing',
      { auditHealth: () => ({ enabled: true, ready: true, checkpoint: null, keys_missing: 1 }) },
      200,
      'degraded',
    ],
    [
      'events were set aside',
      { auditHealth: () => ({ enabled: true, ready: true, checkpoint: null, set_aside: 1 }) },
      200,
      'degraded',
    ],
    ['events wait', { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, spooled: 3 }) }, 200, 'degraded'],
    [
      'events are being lost',
      { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, lost: 1, losing: true }) },
      200,
      'degraded',
    ],
    [
      'events were lost once',
      { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, lost: 1 }) },
      200,
      'degraded',
    ],
    ['the index is not ready', { knowledgeHealth: () => NOT_READY }, 503, 'unavailable'],
    [
      'the model is away, and nobody stands in for it',
      { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, answering: false, model: AWAY }) },
      503,
      'unavailable',
    ],
    [
      'the model is away, and quoting stands in for it',
      { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, model: AWAY }) },
      200,
      'degraded',
    ],
    [
      'most answers were written without the model',
      {
        knowledgeHealth: () => ({
          ...HEALTHY_KNOWLEDGE,
          model: { ...AWAY, ready: true, state: 'degraded' as const, reason: 'nothing_verified' as const },
        }),
      },
      200,
      'degraded',
    ],
    ['knowledge is silent', { knowledgeHealth: () => Promise.reject(new Error('x')) }, 503, 'unavailable'],
  ])('when %s', async (_, script, code, status) => {
    await start({}, script);
    const response = await app.inject('/v1/health');
    expect(response.statusCode).toBe(code);
    expect(response.json()).toMatchObject({ status, api_version: 'v1' });
    expect(Object.keys(response.json<object>())).toHaveLength(11);
  });

  test('when the folder is away it is degraded, with the reason', async () => {
    const files = { ...HEALTHY_KNOWLEDGE.index.files, trouble: 'the folder cannot be looked at (ENOENT)' };
    const index = { ...HEALTHY_KNOWLEDGE.index, files };
    await start({}, { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, index }) });
    const response = await app.inject('/v1/health');
    expect(response.json()).toMatchObject({ status: 'degraded', degraded_by: ['folder'], index: { files } });
  });

  test('names left-out files to those who may ask, and their number to everybody', async () => {
    const left_out_files = [{ path: 'Kündigung Meier.pdf', reason: 'is encrypted' }];
    const files = { ...HEALTHY_KNOWLEDGE.index.files, left_out: 1, left_out_files };
    const index = { ...HEALTHY_KNOWLEDGE.index, files };
    await start({ apiKeys: ['k'] }, { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, index }) });
    const anybody = await app.inject('/v1/health');
    expect(anybody.json()).toMatchObject({ degraded_by: ['files'], index: { files: { left_out: 1 } } });
    expect(anybody.body).not.toContain('Meier');
    const asker = await app.inject({ url: '/v1/health', headers: { authorization: 'Bearer k' } });
    expect(asker.json()).toMatchObject({ index: { files: { left_out_files } } });
  });
});

describe('reindex', () => {
  test.each([
    ['no body', undefined, {}],
    ['an empty body', '', {}],
    ['an empty object', {}, {}],
    [
      'an empty form, as curl -d "" sends',
      undefined,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ])('takes %s', async (_, body, headers) => {
    await start();
    const response = await post('/v1/reindex', body, headers);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(REINDEXED);
  });

  test('refuses fields, and passes on faults', async () => {
    const { script } = await start();
    expect((await post('/v1/reindex', { force: true })).json()).toMatchObject({
      errors: [{ path: 'force' }],
    });
    script.reindex = () => Promise.reject(new BelegError('KB_INVALID', { detail: '3 faults' }));
    const invalid = await post('/v1/reindex');
    expect(invalid.statusCode).toBe(503);
    expect(invalid.headers['retry-after']).toBeUndefined();
    expect(invalid.json()).toMatchObject({ code: 'KB_INVALID', detail: '3 faults' });
    script.reindex = () => Promise.reject(new BelegError('REINDEX_RUNNING'));
    expect((await post('/v1/reindex')).headers['retry-after']).toBe('10');
  });
});

test('health does not count what waits where no process answers that could have', async () => {
  const { script } = await start();
  script.knowledgeHealth = () => Promise.reject(new Error('x'));
  expect((await app.inject('/v1/health')).json()).toMatchObject({ audit: { spooled: null, lost: null } });
  expect((await app.inject('/metrics')).body).not.toMatch(/^beleg_audit_(spooled|lost)_events \d/mu);
});

describe('deprecated paths', () => {
  test.each([
    ['POST', '/ask', '/v1/ask', QUESTION],
    ['GET', '/health', '/v1/health', undefined],
    ['POST', '/reindex', '/v1/reindex', undefined],
  ] as const)('%s %s is %s, and says so', async (method, old, current, body) => {
    await start();
    const send = (url: string) =>
      app.inject({
        method,
        url,
        headers: { 'x-request-id': 'same' },
        ...(body === undefined ? {} : { payload: body }),
      });
    const [before, now] = [await send(old), await send(current)];
    expect(before.statusCode).toBe(200);
    expect(before.json()).toEqual(now.json());
    expect(before.headers).toMatchObject({
      deprecation: expect.stringMatching(/^@\d+$/),
      link: `<${current}>; rel="successor-version"`,
    });
    expect(now.headers).not.toHaveProperty('deprecation');
  });

  test('says so on errors too', async () => {
    await start({ apiKeys: ['k'] });
    const response = await post('/ask', QUESTION);
    expect(response.statusCode).toBe(401);
    expect(response.headers).toHaveProperty('deprecation');
  });
});

describe('request ids', () => {
  test.each(['', ' ', 'ä', 'a b', 'a/b', 'x'.repeat(129), 'a,b', '<b>', '.', '..'])(
    'replaces %j by a random one',
    async (id) => {
      await start();
      const response = await post('/v1/ask', QUESTION, { 'x-request-id': id });
      expect(response.headers['x-request-id']).toMatch(UUID);
      expect(response.json()).toMatchObject({ request_id: response.headers['x-request-id'] });
    },
  );

  test.each(['a', '...', 'x'.repeat(128), 'AZaz09._:-'])('keeps %j', async (id) => {
    await start();
    const response = await post('/v1/ask', QUESTION, { 'x-request-id': id });
    expect(response.headers['x-request-id']).toBe(id);
    expect(response.json()).toMatchObject({ request_id: id });
  });

  test('stands on every error', async () => {
    await start({ apiKeys: ['k'] });
    const sent = { 'x-request-id': 'mine' };
    for (const response of [
      await app.inject({ url: '/nowhere', headers: sent }),
      await app.inject({ url: '/v1/ask', headers: sent }),
      await app.inject({ url: '/%zz', headers: sent }),
      await post('/v1/ask', QUESTION, sent),
      await app.inject({ url: '/v1/health', headers: { ...sent, host: 'evil.example' } }),
      await app.inject({ url: '/v1/health', headers: { ...sent, origin: 'https://evil.example' } }),
    ]) {
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.headers['x-request-id']).toBe('mine');
      expect(response.headers['content-type']).toContain('application/problem+json');
      expect(response.json()).toMatchObject({ request_id: 'mine', status: response.statusCode });
    }
  });
});

describe('paths and methods', () => {
  test.each([
    '/nowhere',
    '/v1',
    '/v2/ask',
    '/v1/ask/',
    '/V1/ask',
    '/page.html',
    '/../package.json',
    '/%2e%2e/x',
  ])('%s is 404', async (url) => {
    await start();
    const response = await app.inject(url);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each([
    ['GET', '/v1/ask', 'POST'],
    ['PUT', '/v1/ask', 'POST'],
    ['DELETE', '/v1/ratings', 'POST'],
    ['OPTIONS', '/v1/comments', 'POST'],
    ['POST', '/v1/health', 'GET, HEAD'],
    ['GET', '/reindex', 'POST'],
    ['POST', '/', 'GET, HEAD'],
  ] as const)('%s %s is 405', async (method, url, allow) => {
    await start();
    const response = await app.inject({ method, url });
    expect(response.statusCode).toBe(405);
    expect(response.headers['allow']).toBe(allow);
    expect(response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });

  test('a path that cannot be decoded is 400', async () => {
    await start();
    const response = await app.inject('/%zz');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'BAD_REQUEST' });
  });
});
