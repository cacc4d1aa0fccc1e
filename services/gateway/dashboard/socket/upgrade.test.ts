import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { afterEach, describe, expect, test } from 'vitest';
import { Problem } from '../../http/problem.ts';
import { startSocket, type Started } from './dashboard-socket.suite.ts';
import { Peer } from './peer.suite.ts';

let started: Started;
afterEach(() => started.close());

const KEYS = { apiKeys: ['the-trade-key'], readKeys: ['the-read-key'] };

/** The response to a refused upgrade, read from the bare socket until the server closes it. */
async function refused(lines: Record<string, string>, path = '/ws') {
  const socket = connect(started.port, '127.0.0.1');
  const headers = {
    Host: `localhost:${started.port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...lines,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
  const answer = await text(socket);
  const [top = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(top.split(' ')[1]), top, code: Problem.parse(JSON.parse(body)).code };
}

test('a request without an upgrade is told that one is needed', async () => {
  started = await startSocket();
  const response = await fetch(`http://localhost:${started.port}/ws`);
  expect(response.status).toBe(426);
  expect(response.headers.get('upgrade')).toBe('websocket');
  expect(await response.json()).toMatchObject({ code: 'UPGRADE_REQUIRED' });
});

test.each([
  ['HTTP/1.1', 'Connection: close\r\n', 'upgrade, close'],
  ['HTTP/1.0', '', 'upgrade, close'],
])(
  'a request of %s without an upgrade ends its connection where it asks for that',
  async (version, header, said) => {
    started = await startSocket();
    const socket = connect(started.port, '127.0.0.1');
    socket.write(`GET /ws ${version}\r\nHost: localhost\r\n${header}\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 426 /);
    expect(answer.toLowerCase()).toContain(`\r\nconnection: ${said}\r\n`);
  },
);

describe('an upgrade', () => {
  test.each([
    ['under a foreign name', { Host: 'evil.example' }, '/ws', 421, 'MISDIRECTED_REQUEST'],
    ['from a page of another site', { Origin: 'http://evil.example' }, '/ws', 403, 'FORBIDDEN_ORIGIN'],
    ['from a page without an origin', { Origin: 'null' }, '/ws', 403, 'FORBIDDEN_ORIGIN'],
    ['to another path', {}, '/ws/other', 404, 'NOT_FOUND'],
    ['to a route of HTTP', {}, '/api/trading/status', 404, 'NOT_FOUND'],
    ['of an old version', { 'Sec-WebSocket-Version': '7' }, '/ws', 400, 'BAD_REQUEST'],
    ['without a nonce', { 'Sec-WebSocket-Key': 'short' }, '/ws', 400, 'BAD_REQUEST'],
  ])('%s is refused', async (_, headers, path, status, code) => {
    started = await startSocket();
    const answer = await refused(headers, path);
    expect(answer).toMatchObject({ status, code });
    expect(answer.top).toMatch(/content-type: application\/problem\+json/i);
    expect(started.figures()).toMatchObject({ refused: 1, accepted: 0, connections: 0 });
  });

  test('from the own page, under a listed name, with a query is let in', async () => {
    started = await startSocket({ settings: { allowedHosts: ['dash.example'] } });
    await started.open({ origin: `http://127.0.0.1:${started.port}` });
    await started.open({ host: 'dash.example', origin: 'https://dash.example' });
    const withQuery = new Peer(started.port, {}, '/ws?v=1');
    await withQuery.heard('metrics');
    withQuery.ws.terminate();
    expect(started.figures().accepted).toBe(3);
  });

  test('beyond the number of connections is refused until one has gone', async () => {
    started = await startSocket({ limits: { maxClients: 1 } });
    const first = await started.open();
    const answer = await refused({});
    expect(answer).toMatchObject({ status: 503, code: 'OVERLOADED' });
    expect(answer.top).toMatch(/retry-after: 1/i);
    first.ws.close();
    await first.closed;
    await started.open();
  });

  test('that shows no key keeps nobody out who has one', async () => {
    started = await startSocket({ settings: KEYS, limits: { maxUnknownClients: 1, maxClients: 1 } });
    const unknown = new Peer(started.port);
    await once(unknown.ws, 'open');
    const holder = await started.open({ authorization: 'Bearer the-read-key' });
    expect(await refused({ Authorization: 'Bearer the-read-key' })).toMatchObject({ status: 503 });
    unknown.ws.terminate();
    holder.ws.terminate();
  });

  test('of a browser finds room however many say nothing: the oldest of them goes', async () => {
    started = await startSocket({ settings: KEYS, limits: { maxUnknownClients: 3 } });
    const silent: Peer[] = [];
    for (let n = 0; n < 3; n++) silent.push(await started.open());
    const browser = await started.open();
    expect(await silent[0]!.closed).toBe(1006);
    for (let n = 0; n < 2; n++) silent.push(await started.open());
    expect(await Promise.all([silent[1]!.closed, silent[2]!.closed])).toEqual([1006, 1006]);
    browser.say({ action: 'auth', key: 'the-read-key' });
    await browser.heard('authenticated');
    for (let n = 0; n < 4; n++) await started.open();
    await browser.caughtUp();
    expect(started.figures()).toMatchObject({ connections: 4, refused: 6 });
  });

  test('from another address stays where one address has most of those that say nothing', async () => {
    started = await startSocket({ settings: KEYS, limits: { maxUnknownClients: 3 }, host: '::' });
    const elsewhere = new WebSocket(`ws://[::1]:${started.port}/ws`);
    await once(elsewhere, 'open');
    const silent: Peer[] = [];
    for (let n = 0; n < 6; n++) silent.push(await started.open());
    expect(await Promise.all(silent.slice(0, 4).map(({ closed }) => closed))).toEqual([
      1006, 1006, 1006, 1006,
    ]);
    expect(elsewhere.readyState).toBe(WebSocket.OPEN);
    elsewhere.terminate();
  });

  test('that offers something else than a WebSocket is an ordinary request', async () => {
    started = await startSocket();
    const socket = connect(started.port, '127.0.0.1');
    socket.write(
      'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade, HTTP2-Settings\r\n' +
        'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n',
    );
    expect(await text(socket)).toMatch(/^HTTP\/1.1 404 /);
    expect(started.figures().refused).toBe(0);
  });

  test('does no harm where its peer resets the connection at once', async () => {
    started = await startSocket();
    for (let n = 0; n < 20; n++) {
      const socket = connect(started.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        'GET /other HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
      socket.resetAndDestroy();
    }
    const peer = await started.open();
    await peer.caughtUp();
  });

  test('is logged with its status, and without address or key', async () => {
    started = await startSocket({ settings: KEYS });
    await started.open({ authorization: 'Bearer the-trade-key' });
    await refused({ Authorization: 'Bearer wrong-key', 'X-Request-ID': 'r1' }, '/ws?key=the-trade-key');
    expect(started.lines.filter(({ msg }) => msg === 'request')).toEqual([
      expect.objectContaining({ route: '/ws', status: 101 }),
      expect.objectContaining({ route: '/ws', status: 401, request_id: 'r1' }),
    ]);
    expect(JSON.stringify(started.lines)).not.toMatch(/the-trade-key|wrong-key/);
  });
});

describe('with keys', () => {
  test.each(['the-trade-key', 'the-read-key'])('the bearer token %s lets in', async (key) => {
    started = await startSocket({ settings: KEYS });
    const peer = await started.open({ authorization: `Bearer ${key}` });
    await peer.heard('metrics');
    await started.pass(14_999);
    await peer.caughtUp();
  });

  test.each(['Bearer wrong', 'Basic dGhlLXRyYWRlLWtleQ==', ''])(
    'the header "%s" is refused at the upgrade',
    async (authorization) => {
      started = await startSocket({ settings: KEYS });
      const answer = await refused({ Authorization: authorization });
      expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
      expect(answer.top).toMatch(/www-authenticate: bearer/i);
    },
  );

  test.each(['the-trade-key', 'the-read-key'])('the first message with %s lets in', async (key) => {
    started = await startSocket({ settings: KEYS });
    const peer = await started.open();
    await started.pass(4_999);
    peer.say({ action: 'auth', key });
    await peer.heard('authenticated');
    await started.pass(5_000);
    await peer.heard('metrics');
    await peer.caughtUp();
  });

  test.each([
    ['a wrong key', { action: 'auth', key: 'wrong' }],
    ['no key', { action: 'auth' }],
    ['a key that is none', { action: 'auth', key: null }],
    ['a ping', { action: 'ping' }],
    ['a subscription', { action: 'subscribe', channel: 'all' }],
    ['nonsense', '{'],
  ])('%s as the first message ends the connection', async (_, message) => {
    started = await startSocket({ settings: KEYS });
    const peer = await started.open();
    peer.say(message);
    peer.say({ action: 'auth', key: 'the-trade-key' });
    expect(await peer.closed).toBe(4401);
    expect(peer.messages).toEqual([expect.objectContaining({ type: 'error', code: 'UNAUTHORIZED' })]);
    expect(started.figures().refused).toBe(1);
  });

  test('silence for five seconds ends the connection, and nothing was pushed meanwhile', async () => {
    started = await startSocket({ settings: KEYS });
    const peer = await started.open();
    started.logs.add(new Date(), 'a line');
    await started.pass(4_999);
    expect(started.figures().connections).toBe(1);
    await started.pass(1);
    expect(await peer.closed).toBe(4401);
    expect(peer.messages.map(({ type }) => type)).toEqual(['error']);
  });

  test('a wrong key later on ends the connection, too', async () => {
    started = await startSocket({ settings: KEYS });
    const peer = await started.open({ authorization: 'Bearer the-read-key' });
    peer.say({ action: 'auth', key: 'the-trade-key' });
    await peer.heard('authenticated');
    peer.say({ action: 'auth', key: 'wrong' });
    expect(await peer.closed).toBe(4401);
  });

  test('a key in the address is none', async () => {
    started = await startSocket({ settings: KEYS });
    const peer = new Peer(started.port, {}, '/ws?key=the-trade-key');
    await once(peer.ws, 'open');
    peer.say({ action: 'ping' });
    expect(await peer.closed).toBe(4401);
  });
});

test('without keys whoever is on this machine is let in, and an auth message changes nothing', async () => {
  started = await startSocket();
  const peer = await started.open();
  await peer.heard('metrics');
  expect(peer.ws.extensions).toBe('');
  peer.say({ action: 'unsubscribe', channel: 'metrics' });
  peer.say({ action: 'auth', key: 'whatever' });
  await peer.heard('authenticated');
  await peer.caughtUp();
  expect(await peer.heard('metrics')).toHaveLength(1);
  expect(peer.ws.readyState).toBe(WebSocket.OPEN);
});
