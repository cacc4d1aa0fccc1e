import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { openModelServer } from './chat.ts';
import { askContext, divide } from './context-size.ts';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  if (server?.listening === true) {
    server.close();
    await once(server, 'close');
  }
  server = undefined;
});

/** Serves these pages at these paths and 404 elsewhere; returns the address without a protocol. */
async function serve(pages: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer(({ url }, response) => {
    const page = pages[url!];
    response.writeHead(page === undefined ? 404 : 200).end(JSON.stringify(page));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** The result of the first probe of a server. */
async function look(url: string) {
  const logger = pino({ level: 'silent' });
  const { watch } = openModelServer({ url, name: 'm', key: null, context: null, probeMs: 10_000, logger });
  await watch.look();
  watch.close();
  return watch.condition();
}

describe('the first look at a server says what is wrong', () => {
  test.each([
    ['nothing listens', 'http://127.0.0.1:1/v1', 'unreachable'],
    ['its host is not known', 'http://no-such-host.invalid/v1', 'unknown_host'],
  ])('where %s', async (_, url, reason) => {
    expect(await look(url)).toMatchObject({ state: 'away', reason });
  });

  test('where it speaks http, and its address says https', async () => {
    expect(await look(`https://${await serve({})}`)).toMatchObject({
      state: 'away',
      reason: 'wrong_protocol',
    });
  });

  test('where it knows no such path', async () => {
    expect(await look(`http://${await serve({})}`)).toMatchObject({ state: 'away', reason: 'not_found' });
  });
});

const model = (more: object) => ({ id: 'm', object: 'model', ...more });

describe('the context of a server', () => {
  const { signal } = new AbortController();

  test.each<[string, Readonly<Record<string, unknown>>, number | null]>([
    [
      'llama.cpp',
      { '/props': { default_generation_settings: { n_ctx: 8_192 } }, '/v1/models': { data: [] } },
      8_192,
    ],
    ['vLLM', { '/v1/models': { data: [{ id: 'x' }, model({ max_model_len: 16_384 })] } }, 16_384],
    ['a hosted server', { '/v1/models': { data: [model({ context_length: 131_072 })] } }, 131_072],
    ['Ollama, which does not tell', { '/v1/models': { data: [model({ owned_by: 'library' })] } }, null],
    [
      'one that tells nonsense',
      { '/props': 'x', '/v1/models': { data: [model({ max_model_len: -1 })] } },
      null,
    ],
  ])('is read as %s tells it', async (_, pages, context) => {
    expect(await askContext({ url: `http://${await serve(pages)}`, name: 'm', key: null }, signal)).toBe(
      context,
    );
  });

  test('is silent where nothing answers', async () => {
    expect(await askContext({ url: 'http://127.0.0.1:1/v1', name: 'm', key: null }, signal)).toBe('silent');
  });

  test('is divided between reply and sources', () => {
    expect(divide(4_096)).toEqual({ replyTokens: 1_365, sourceCharacters: 4_893 });
    expect(divide(8_192)).toEqual({ replyTokens: 2_000, sourceCharacters: 15_276 });
    expect(divide(1_000_000).sourceCharacters).toBe(60_000);
    expect(divide(1_024).sourceCharacters).toBe(0);
  });
});
