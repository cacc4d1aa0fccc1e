import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_BODY_BYTES } from './http-limits.ts';
import { acceptJsonOnly } from './json-body.ts';
import { sendProblem, toBelegError } from './problem.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify({ bodyLimit: MAX_BODY_BYTES });
  acceptJsonOnly(app);
  app.setErrorHandler((error, _request, reply) => sendProblem(reply, toBelegError(error)));
  app.post('/', async ({ body }) => body);
  await app.ready();
});
afterAll(() => app.close());

const TEXT = JSON.stringify({ question: 'Wie viele Urlaubstage?' });

async function send(payload: string | Buffer, headers: Record<string, string>): Promise<[number, unknown]> {
  const all = { 'content-type': 'application/json', ...headers };
  const response = await app.inject({ method: 'POST', url: '/', headers: all, payload });
  const body = response.json<{ code?: string }>();
  return [response.statusCode, body.code ?? body];
}

test.each([
  'application/json; profile=a',
  'application/json;profile="https://example.org/a;b"; charset=UTF-8',
  'application/problem+json; v=1',
  'APPLICATION/JSON; CharSet="utf8"',
  'application/json; charset=us-ascii',
])('takes JSON with any parameters: %s', async (type) => {
  expect(await send(TEXT, { 'content-type': type })).toEqual([200, JSON.parse(TEXT)]);
});

test.each([
  'application/json; profile=a; charset=utf-16',
  'application/jsonp',
  'text/json',
  'json',
  'a/b; c=application/json',
])('refuses %s', async (type) => {
  expect(await send(TEXT, { 'content-type': type })).toEqual([422, 'INVALID_JSON']);
});

test.each([
  ['application/json; charset=iso-8859-1', TEXT],
  ['application/json; charset=utf-16', TEXT],
  ['application/json', Buffer.from('{"a":"ü"}', 'latin1')],
])('says what is wrong with another encoding: %s', async (type, payload) => {
  const response = await app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload });
  expect(response.json()).toMatchObject({
    code: 'INVALID_JSON',
    detail: 'A JSON body must be encoded in UTF-8',
  });
});

test.each([
  ['gzip', gzipSync(TEXT)],
  ['GZip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['identity', Buffer.from(TEXT)],
])('takes a body as Content-Encoding says: %s', async (coding, body) => {
  expect(await send(body, { 'content-encoding': coding })).toEqual([200, JSON.parse(TEXT)]);
});

test.each([
  ['gzip', Buffer.from(TEXT)],
  ['br', gzipSync(TEXT)],
  ['identity', gzipSync(TEXT)],
  ['gzip', gzipSync(TEXT).subarray(0, 20)],
  ['zstd', gzipSync(TEXT)],
  ['gzip, gzip', gzipSync(gzipSync(TEXT))],
  ['constructor', Buffer.from(TEXT)],
  ['', gzipSync(TEXT)],
])('refuses a body that is not what Content-Encoding says: %s', async (coding, body) => {
  expect(await send(body, { 'content-encoding': coding })).toEqual([422, 'INVALID_JSON']);
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('what is too large when it is decompressed is 413: %s', async (coding, compress) => {
  const fits = JSON.stringify(['x'.repeat(MAX_BODY_BYTES - 4)]);
  expect((await send(compress(fits), { 'content-encoding': coding }))[0]).toBe(200);
  const bomb = compress(JSON.stringify(['x'.repeat(64 * MAX_BODY_BYTES)]));
  expect(await send(bomb, { 'content-encoding': coding })).toEqual([413, 'BODY_TOO_LARGE']);
});

test.each([
  '{"quantity":1,"quantity":2}',
  String.raw`{"a":1,"\u0061":2}`,
  '[{"a":{"b":[1],"c":"{","b" : 2}}]',
])('refuses a key that stands twice in one object: %s', async (text) => {
  expect(await send(text, {})).toEqual([422, 'INVALID_JSON']);
});

test('takes the same key in other objects, and in texts', async () => {
  const text = String.raw`{"a":{"a":"\"a\": 1, {"},"b":[{"a":1},{"a":"a:"}]}`;
  expect(await send(text, {})).toEqual([200, JSON.parse(text)]);
});
