import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readSettings } from '../composition/settings.ts';
import { startBelowPaths } from './below-a-path.suite.ts';

interface Document {
  info: { description: string };
  servers: { url: string }[];
}

/** Matches the addresses in attributes and imports of a page, a script or a style that are relative to it. */
const NAMED = /(?:(?:href|src)="|from ['"]|import\(['"])([^"'#]+)/g;

describe.each(['cuts it off', 'leaves it'] as const)('below a path, where the proxy %s', (habit) => {
  let services: Awaited<ReturnType<typeof startBelowPaths>>;
  beforeAll(async () => {
    services = await startBelowPaths(habit);
  });
  afterAll(() => services.close());

  const get = (path: string, options: RequestInit = {}) =>
    fetch(services.url + path, { redirect: 'manual', ...options });

  test.each([
    ['/beleg', '/beleg/'],
    ['/beleg', '/beleg/audit'],
    ['/beleg', '/beleg/audit/'],
    ['/beleg', '/beleg/docs'],
    ['/beleg', '/beleg/docs/'],
    ['/house/trading', '/house/trading/'],
    ['/house/trading', '/house/trading/docs'],
  ])('below %s, whatever %s leads to is there', async (base, start) => {
    const seen = new Set([services.url + start]);
    for (const address of seen) {
      expect(address).toContain(`${services.url}${base}/`);
      const response = await fetch(address);
      expect({ address, status: response.status }).toEqual({ address, status: 200 });
      const page = await response.text();
      // Swagger UI is one large script, and imports nothing.
      if (new URL(address).pathname.includes('/docs/static/')) continue;
      for (const [, name] of page.matchAll(NAMED)) seen.add(new URL(name!, address).href);
    }
    expect(seen.size).toBeGreaterThan(5);
  });

  test('without the slash at its end the address leads to the page', async () => {
    for (const base of ['/beleg', '/house/trading']) {
      const response = await get(base);
      // A proxy that cuts the path off leaves nothing by which the two could be told apart.
      expect(response.headers.get('location')).toBe(habit === 'leaves it' ? `${base}/` : null);
      const page = await fetch(services.url + base);
      expect(await page.text()).toContain(`<script type="module" src="${base}/pages/`);
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    }
  });

  test('redirects and links lead to where the client came in', async () => {
    const docs = await get('/beleg/docs/static/index.html');
    expect([docs.status, docs.headers.get('location')]).toEqual([302, '/beleg/docs/']);
    const old = await get('/beleg/health');
    expect(old.headers.get('link')).toBe('</beleg/v1/health>; rel="successor-version"');
  });

  test.each(['/beleg', '/house/trading'])('the documents of %s name it as a server', async (base) => {
    const document = (await (await get(`${base}/openapi.json`)).json()) as Document;
    expect(document.servers.map(({ url }) => url)).toEqual([
      base,
      expect.stringMatching(/^http:\/\/localhost:/),
    ]);
    expect(document.info.description).toContain(`(${base}/openapi.json)`);
    const ofPage = (await (await get(`${base}/docs/json`)).json()) as Document;
    expect(ofPage.servers.map(({ url }) => url)).toEqual([base]);
  });

  test('questions are answered, also in steps', async () => {
    const body = JSON.stringify({ question: 'Was?' });
    const headers = { 'content-type': 'application/json' };
    const answer = await get('/beleg/v1/ask', { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ question: 'Was?' });
    const stream = await get('/beleg/v1/ask', {
      method: 'POST',
      headers: { ...headers, accept: 'text/event-stream' },
      body,
    });
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(await stream.text()).toMatch(/^event: answer\n/);
  });

  test('the WebSocket opens', async () => {
    const socket = new WebSocket(`${services.url.replace('http', 'ws')}/house/trading/ws`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ action: 'ping' }));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(String(message))).toMatchObject({ type: expect.any(String) });
    socket.close();
    await once(socket, 'close');
  });

  test('the redirect to the page keeps the query', async () => {
    const { headers } = await services.apps[0]!.inject('/beleg?lang=de&x=%2F');
    expect(headers.location).toBe('/beleg/?lang=de&x=%2F');
  });

  test('a path that is not there is 404, and a foreign host stays one', async () => {
    expect((await get('/beleg/nothing')).status).toBe(404);
    const { port } = services.apps[0]!.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.end(
      'GET http://evil.example/beleg/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 421 /);
  });
});

test('a base path that could be taken for a path of the services is a fault of the settings', async () => {
  const services = await startBelowPaths('leaves it');
  const routes = services.apps.map((app) => app.printRoutes({ commonPrefix: false, includeHooks: false }));
  await services.close();
  const first = routes.join('\n').matchAll(/^ {4}[├└]── ([a-z0-9._-]+)/gm);
  const own = [...new Set([...first].map(([, segment]) => segment!))];
  expect(own).toEqual(expect.arrayContaining(['v1', 'api', 'pages', 'docs', 'audit', 'ws', 'ready']));
  for (const segment of own.filter((each) => !['beleg', 'house'].includes(each))) {
    expect(() => readSettings({ PV_BASE_PATH: `/${segment}`, TD_BASE_PATH: `/${segment}/x/` })).toThrow(
      /PV_BASE_PATH: must not begin .*\n.*TD_BASE_PATH: must not/s,
    );
  }
});

test.each(['beleg', '/a b', '/a//b', '/..', '/a/./b', '/a?b', '//'])('a base path is not %j', (path) => {
  expect(() => readSettings({ PV_BASE_PATH: path })).toThrow('PV_BASE_PATH: must be a path like /beleg');
});

test.each([
  ['', ''],
  ['/', ''],
  ['/beleg/', '/beleg'],
  ['/a/b', '/a/b'],
  ['/v1.2/docs', '/v1.2/docs'],
])('the base path %j is %j', (path, read) => {
  const { basePath, dashboard } = readSettings({ PV_BASE_PATH: path, TD_BASE_PATH: path });
  expect([basePath, dashboard.basePath]).toEqual([read, read]);
});
