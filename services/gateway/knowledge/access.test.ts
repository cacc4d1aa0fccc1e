import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { startFakeServices } from './fake-services.suite.ts';
import { openKnowledgeGateway } from './knowledge.ts';
import type { GatewaySettings } from './access.ts';

const REQUESTS = {
  '/v1/ask': { method: 'POST', body: { question: 'Was?' }, kind: 'service' },
  '/v1/ask/stream': { method: 'POST', body: { question: 'Was?' }, kind: 'service' },
  '/ask': { method: 'POST', body: { question: 'Was?' }, kind: 'service' },
  '/v1/ratings': { method: 'POST', body: { request_id: 'a', rating: 'up' }, kind: 'service' },
  '/v1/comments': { method: 'POST', body: { request_id: 'a', comment: 'b' }, kind: 'service' },
  '/v1/sources/A-1': { method: 'GET', body: undefined, kind: 'service' },
  '/v1/review/vocabulary': { method: 'GET', body: undefined, kind: 'service' },
  '/v1/reindex': { method: 'POST', body: undefined, kind: 'admin' },
  '/reindex': { method: 'POST', body: undefined, kind: 'admin' },
  '/v1/audit/interactions': { method: 'GET', body: undefined, kind: 'audit' },
  '/v1/audit/interactions/A:1.b': { method: 'GET', body: undefined, kind: 'audit' },
  '/v1/audit/record': { method: 'GET', body: undefined, kind: 'audit' },
  '/v1/audit/erasures': { method: 'POST', body: { request_id: 'a', reason: 'b' }, kind: 'audit' },
  '/v1/audit/checkpoints': { method: 'POST', body: undefined, kind: 'audit' },
  '/v1/audit/projections/audit/rebuild': { method: 'POST', body: undefined, kind: 'audit' },
  '/v1/audit/projections/trading/rebuild': { method: 'POST', body: undefined, kind: 'audit' },
  '/actors': { method: 'GET', body: undefined, kind: 'audit' },
  '/metrics': { method: 'GET', body: undefined, kind: 'metrics' },
  '/v1/health': { method: 'GET', body: undefined, kind: 'public' },
  '/health': { method: 'GET', body: undefined, kind: 'public' },
  '/': { method: 'GET', body: undefined, kind: 'public' },
  '/openapi.json': { method: 'GET', body: undefined, kind: 'public' },
  '/docs': { method: 'GET', body: undefined, kind: 'public' },
} as const;

/** Which credentials open which kind of path, for each configuration. `none` is no key, `wrong` an unknown one. */
const RULES = {
  'no key set': {
    keys: {},
    opens: {
      service: ['none', 'wrong'],
      admin: ['none', 'wrong'],
      metrics: ['none', 'wrong'],
      audit: ['none', 'wrong'],
    },
  },
  'only the service key set': {
    keys: { apiKeys: ['service'] },
    opens: { service: ['service'], admin: ['service'], metrics: [], audit: [] },
  },
  'only the admin key set': {
    keys: { adminApiKeys: ['admin'] },
    opens: {
      service: ['none', 'wrong', 'admin'],
      admin: ['admin'],
      metrics: ['admin'],
      audit: ['admin'],
    },
  },
  'a second service key, while keys are changed': {
    keys: { apiKeys: ['former', 'service'] },
    opens: { service: ['service'], admin: ['service'], metrics: [], audit: [] },
  },
  'both keys set': {
    keys: { apiKeys: ['service'], adminApiKeys: ['admin'] },
    opens: { service: ['service'], admin: ['admin'], metrics: ['admin'], audit: ['admin'] },
  },
} as const;

const CREDENTIALS = ['none', 'wrong', 'service', 'admin'] as const;

type Response = Awaited<ReturnType<typeof send>>;

let app: FastifyInstance;
afterEach(() => app.close());

async function start(settings: Partial<GatewaySettings>) {
  app = await openKnowledgeGateway(
    startFakeServices().bus,
    { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null, ...settings },
    pino({ level: 'silent' }),
  );
}

function send(path: keyof typeof REQUESTS, headers: Record<string, string>, remoteAddress = '127.0.0.1') {
  const { method, body } = REQUESTS[path];
  return app.inject({
    method,
    url: path,
    headers,
    remoteAddress,
    ...(body === undefined ? {} : { payload: body }),
  });
}

describe.each(Object.entries(RULES))('with %s', (_, { keys, opens }) => {
  test.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])('%s', async (path) => {
    await start(keys);
    const { kind } = REQUESTS[path];
    const open: readonly string[] = kind === 'public' ? CREDENTIALS : opens[kind];
    // Without any configured key all credentials are equal.
    const expected =
      Object.keys(keys).length === 0 ? CREDENTIALS : CREDENTIALS.filter((who) => opensWith(who, open));
    const responses = new Map<string, Response>();
    for (const who of CREDENTIALS) {
      responses.set(who, await send(path, who === 'none' ? {} : { authorization: `Bearer ${who}` }));
    }
    const refused = [...responses].filter(([, { statusCode }]) => statusCode >= 300);
    expect(CREDENTIALS.filter((who) => !refused.some(([name]) => name === who))).toEqual(expected);
    for (const [, response] of refused) {
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect(response.json()).toMatchObject({ code: 'UNAUTHORIZED', request_id: expect.any(String) });
    }
  });
});

/** A path without a guard ignores what is sent. */
function opensWith(who: string, open: readonly string[]): boolean {
  return open.includes(who) || open.includes('none');
}

describe('bearer tokens', () => {
  test.each([
    ['Bearer service', 200],
    ['bearer service', 200],
    ['BEARER   service', 200],
    ['Bearer service ', 200],
    ['Bearer', 401],
    ['Bearer ', 401],
    ['service', 401],
    ['Basic c2VydmljZQ==', 401],
    ['Bearer Service', 401],
    ['Bearer service2', 401],
    ['Bearer servic', 401],
    ['Bearer service service', 401],
    ['Bearer service, Bearer service', 401],
    ['Token service', 401],
  ])('%j is %i', async (authorization, status) => {
    await start({ apiKeys: ['service'] });
    expect((await send('/v1/ask', { authorization })).statusCode).toBe(status);
  });

  test('a key in the query or in the body opens nothing', async () => {
    await start({ apiKeys: ['service'] });
    const response = await app.inject({
      method: 'POST',
      url: '/v1/ask?api_key=service&access_token=service',
      payload: { question: 'Was?' },
    });
    expect(response.statusCode).toBe(401);
  });

  test('the key comes before the body: a stranger learns nothing of what is valid', async () => {
    await start({ apiKeys: ['service'] });
    const response = await app.inject({ method: 'POST', url: '/v1/ask', payload: 'x'.repeat(300_000) });
    expect(response.statusCode).toBe(401);
  });
});

describe('without keys', () => {
  test.each(['/v1/ask', '/v1/reindex', '/metrics', '/v1/audit/interactions', '/v1/audit/erasures'] as const)(
    '%s is for callers on this machine',
    async (path) => {
      await start({});
      expect((await send(path, {}, '::1')).statusCode).toBe(200);
      expect((await send(path, {}, '::ffff:127.0.0.1')).statusCode).toBe(200);
      expect((await send(path, {}, '192.168.1.7')).statusCode).toBe(401);
    },
  );
});

describe('host and origin', () => {
  test.each([
    ['localhost', 200],
    ['localhost:8080', 200],
    ['LOCALHOST:8080', 200],
    ['127.0.0.1:8080', 200],
    ['127.9.9.9', 200],
    ['[::1]:8080', 200],
    ['beleg.example', 200],
    ['Beleg.Example.:443', 200],
    ['evil.example', 421],
    ['evil.example:8080', 421],
    ['localhost.evil.example', 421],
    ['beleg.example.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['192.168.1.7:8080', 200],
    ['[fd00::7]:8080', 200],
    ['localhost@evil.example', 421],
    ['evil.example/localhost', 421],
    ['evil.example#localhost', 421],
  ])('Host %j is %i', async (host, status) => {
    await start({ allowedHosts: ['beleg.example'] });
    const response = await app.inject({ url: '/v1/health', headers: { host } });
    expect(response.statusCode).toBe(status);
    const code = status === 200 ? undefined : 'MISDIRECTED_REQUEST';
    expect(response.json<{ code?: string }>().code).toBe(code);
  });

  test('only a probe may have an address as Host', async () => {
    await start({ allowedHosts: ['beleg.example'] });
    const headers = { host: '192.168.1.7:8080' };
    const response = await app.inject({ url: '/v1/sources/x', headers });
    expect([response.statusCode, response.body]).toEqual([421, expect.stringContaining('ALLOWED_HOSTS')]);
  });

  test.each([
    ['beleg.example', 'https://beleg.example:8443'],
    ['127.0.0.1:8080', 'https://beleg.example:8443'],
  ])('a page whose port the proxy cuts off is told what to set: Host %s', async (host, origin) => {
    await start({ allowedHosts: ['beleg.example'] });
    const response = await app.inject({ method: 'POST', url: '/v1/reindex', headers: { host, origin } });
    expect([response.statusCode, response.body]).toEqual([403, expect.stringContaining('$http_host')]);
  });

  test.each([
    ['localhost:8080', 'http://localhost:8080', 200],
    ['localhost', 'http://localhost:80', 200],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080', 200],
    ['[::1]:8080', 'http://[::1]:8080', 200],
    ['beleg.example', 'https://beleg.example', 200],
    // A proxy that rewrites `Host`.
    ['127.0.0.1:8080', 'https://beleg.example', 200],
    // Another service of the same machine.
    ['127.0.0.1:8080', 'https://beleg.example:8443', 403],
    ['localhost:8080', 'http://localhost:3000', 403],
    ['localhost:8080', 'http://127.0.0.1:8080', 403],
    ['localhost:8080', 'https://evil.example', 403],
    ['localhost:8080', 'http://localhost:8080.evil.example', 403],
    ['localhost:8080', 'https://beleg.example.evil.example', 403],
    ['localhost:8080', 'http://evil.example/localhost:8080', 403],
    ['localhost:8080', 'file://', 403],
    ['localhost:8080', 'null', 403],
    ['localhost:8080', '', 403],
  ])('Host %s, Origin %s is %i', async (host, origin, status) => {
    await start({ allowedHosts: ['beleg.example'] });
    const response = await app.inject({ method: 'POST', url: '/v1/reindex', headers: { host, origin } });
    expect(response.statusCode).toBe(status);
    const code = status === 200 ? undefined : 'FORBIDDEN_ORIGIN';
    expect(response.json<{ code?: string }>().code).toBe(code);
  });

  test.each([
    ['its own page', 'GET', 'same-origin', 'cors', 'empty', 200],
    ['nobody: typed by hand', 'GET', 'none', 'navigate', 'document', 200],
    ['a link on another site', 'GET', 'cross-site', 'navigate', 'document', 200],
    ['another site, to see how long it takes', 'GET', 'cross-site', 'no-cors', 'empty', 403],
    ['another port of this machine', 'GET', 'same-site', 'no-cors', 'empty', 403],
    ['a frame on another site', 'GET', 'cross-site', 'navigate', 'iframe', 403],
    ['a form on another site', 'POST', 'cross-site', 'navigate', 'document', 403],
  ] as const)('asked by %s', async (_, method, site, mode, dest, status) => {
    await start({});
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
    const url = method === 'GET' ? '/v1/health' : '/v1/reindex';
    const response = await app.inject({ method, url, headers });
    expect(response.statusCode).toBe(status);
  });

  test('no answer allows another origin to read it', async () => {
    await start({});
    for (const path of Object.keys(REQUESTS) as (keyof typeof REQUESTS)[]) {
      const response = await send(path, {});
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(response.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    }
  });
});

describe('rate limit', () => {
  test('counts each key alone, over all paths that ask for one, and says when to come back', async () => {
    await start({ apiKeys: ['service'], adminApiKeys: ['admin'], rateLimit: 2 });
    const service = { authorization: 'Bearer service' };
    expect((await send('/v1/ask', service)).statusCode).toBe(200);
    expect((await send('/v1/ratings', service)).statusCode).toBe(200);
    const limited = await send('/v1/ask', service);
    expect(limited.statusCode).toBe(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(limited.headers['content-type']).toContain('application/problem+json');
    expect(limited.json()).toMatchObject({
      code: 'RATE_LIMITED',
      request_id: limited.headers['x-request-id'],
    });
    const admin = { authorization: 'Bearer admin' };
    expect((await send('/v1/reindex', admin)).statusCode).toBe(200);
    expect((await send('/v1/audit/interactions', admin)).statusCode).toBe(200);
    expect((await send('/v1/audit/record', admin)).statusCode).toBe(429);
  });

  test('wrong keys use up nothing, and pages, health and metrics are not counted', async () => {
    await start({ apiKeys: ['service'], adminApiKeys: ['admin'], rateLimit: 1 });
    for (let i = 0; i < 3; i++) {
      expect((await send('/v1/ask', { authorization: 'Bearer wrong' })).statusCode).toBe(401);
      expect((await send('/v1/health', {})).statusCode).toBe(200);
      expect((await send('/', {})).statusCode).toBe(200);
      expect((await send('/metrics', { authorization: 'Bearer admin' })).statusCode).toBe(200);
    }
    expect((await send('/v1/ask', { authorization: 'Bearer service' })).statusCode).toBe(200);
    expect((await send('/v1/ask', { authorization: 'Bearer service' })).statusCode).toBe(429);
  });
});
