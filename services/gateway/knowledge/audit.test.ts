import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../events/error-codes.ts';
import { BelegError } from '../../../events/errors.ts';
import { CHECKPOINT, INTERACTION, RECORD, SHOWN } from './fake-replies.suite.ts';
import { startFakeServices, type Script } from './fake-services.suite.ts';
import { openKnowledgeGateway } from './knowledge.ts';

let app: FastifyInstance;
afterEach(() => app.close());

async function start(script: Partial<Script> = {}) {
  const services = startFakeServices(script);
  const settings = { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null };
  app = await openKnowledgeGateway(services.bus, settings, pino({ level: 'silent' }));
  return services;
}

const get = (url: string) => app.inject({ url });
const post = (url: string, payload?: object) =>
  app.inject({ method: 'POST', url, ...(payload === undefined ? {} : { payload }) });

describe('the list of interactions', () => {
  test('is a page that nobody keeps', async () => {
    await start();
    const response = await get('/v1/audit/interactions');
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toEqual({ interactions: [INTERACTION], next: null });
  });

  test('hands on every filter as what it is', async () => {
    const seen: unknown[] = [];
    await start({ listInteractions: (query) => (seen.push(query), { interactions: [], next: null }) });
    const filters = {
      limit: '7',
      cursor: 'abc_-',
      status: 'refused',
      rating: 'down',
      feedback: 'true',
      from: '2026-01-01T00:00:00Z',
      to: '2026-02-01T00:00:00.000Z',
      text: ' 50 % für Öl & "Maß"? ',
    };
    await get('/v1/audit/interactions');
    const response = await get(`/v1/audit/interactions?${new URLSearchParams(filters).toString()}`);
    expect(response.statusCode).toBe(200);
    expect(seen).toEqual([
      { limit: 50 },
      { ...filters, limit: 7, feedback: true, text: '50 % für Öl & "Maß"?' },
    ]);
  });

  test('takes a time with an offset, as clients write it', async () => {
    await start();
    const from = '2026-11-29T10:00:00+01:00';
    const response = await get(`/v1/audit/interactions?${new URLSearchParams({ from }).toString()}`);
    expect(response.statusCode).toBe(200);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['status=open', 'status'],
    ['rating=sideways', 'rating'],
    ['feedback=false', 'feedback'],
    ['from=yesterday', 'from'],
    ['from=2026-01-01', 'from'],
    ['to=1', 'to'],
    ['text=%20', 'text'],
    [`text=${'x'.repeat(201)}`, 'text'],
    [`cursor=${'x'.repeat(201)}`, 'cursor'],
    ['sort=at', 'sort'],
  ])('refuses %s', async (query, path) => {
    await start();
    const response = await get(`/v1/audit/interactions?${query}`);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path }] });
  });
});

test.each(['0', '-1', '1e2', '', 'ten'])(
  'a page of %j answers is refused with what it may have',
  async (limit) => {
    await start();
    const response = await get(`/v1/audit/interactions?limit=${limit}`);
    expect(response.json()).toMatchObject({ detail: 'limit: must be a whole number from 1 to 200' });
  },
);

describe('one interaction', () => {
  test.each(['a', 'Kunde:7.b_c-D', 'x'.repeat(128), 'a%3Ab'])('is found at %s', async (id) => {
    const seen: unknown[] = [];
    await start({ showInteraction: (query) => (seen.push(query), SHOWN) });
    const response = await get(`/v1/audit/interactions/${id}`);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(SHOWN);
    expect(seen).toEqual([{ request_id: decodeURIComponent(id) }]);
  });

  test.each(['%C3%A4', 'x'.repeat(129), 'a%20b', 'a%2Fb'])('is not looked for at %s', async (id) => {
    await start();
    const response = await get(`/v1/audit/interactions/${id}`);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ errors: [{ path: 'request_id' }] });
  });
});

describe('the record', () => {
  test('says how far it is proven', async () => {
    await start();
    expect((await get('/v1/audit/record')).json()).toEqual(RECORD);
  });

  test.each([
    ['/v1/audit/checkpoints', CHECKPOINT],
    ['/v1/audit/projections/audit/rebuild', { name: 'audit', position: '8', duration_ms: 5 }],
    ['/v1/audit/projections/trading/rebuild', { name: 'trading', position: '9', duration_ms: 6 }],
  ])('%s takes no body or an empty one', async (path, reply) => {
    await start();
    for (const response of [await post(path), await post(path, {})]) {
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual(reply);
    }
    expect((await post(path, { force: true })).json()).toMatchObject({ errors: [{ path: 'force' }] });
  });

  test('has no other tables', async () => {
    await start();
    expect((await post('/v1/audit/projections/models/rebuild')).statusCode).toBe(404);
    expect((await get('/v1/audit/projections/audit/rebuild')).statusCode).toBe(405);
  });
});

describe('an erasure', () => {
  test('is done for a reason', async () => {
    const seen: unknown[] = [];
    const { script } = await start();
    const { erase } = script;
    script.erase = (request, id) => (seen.push(request), erase(request, id));
    const response = await post('/v1/audit/erasures', { request_id: 'a:1', reason: ' Löschersuchen ' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      request_id: 'a:1',
      erased_at: '2026-01-15T08:00:00.000Z',
      repeated: false,
    });
    expect(seen).toEqual([{ request_id: 'a:1', reason: 'Löschersuchen' }]);
  });

  test.each([
    [{ request_id: 'a' }, 'reason'],
    [{ request_id: 'a', reason: ' ' }, 'reason'],
    [{ request_id: 'a', reason: 'x'.repeat(501) }, 'reason'],
    [{ request_id: 'ä', reason: 'x' }, 'request_id'],
    [{ request_id: 'a', reason: 'x', by: 'me' }, 'by'],
  ])('refuses %j', async (body, path) => {
    await start();
    const response = await post('/v1/audit/erasures', body);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path }] });
  });
});

test.each<[ErrorCode, number]>([
  ['AUDIT_DISABLED', 503],
  ['UNKNOWN_REQUEST_ID', 404],
  ['STORE_UNAVAILABLE', 503],
])('%s of the service is %i', async (code, status) => {
  const fail = () => Promise.reject(new BelegError(code));
  await start({ listInteractions: fail, showInteraction: fail, erase: fail });
  for (const response of [
    await get('/v1/audit/interactions'),
    await get('/v1/audit/interactions/a'),
    await post('/v1/audit/erasures', { request_id: 'a', reason: 'b' }),
  ]) {
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code });
  }
});
