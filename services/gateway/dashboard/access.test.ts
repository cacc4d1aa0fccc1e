import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decideDashboardAccess } from './access.ts';
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  startDashboard,
  type Dashboard,
  type Endpoint,
  type Response,
} from './dashboard.suite.ts';

const CREDENTIALS = ['none', 'wrong', 'read', 'trade'] as const;
type Credential = (typeof CREDENTIALS)[number];

/** Which paths each credential opens, for each configuration of keys. */
const RULES: Record<
  string,
  { keys: object; opens: Record<'GET' | 'POST' | 'metrics', readonly Credential[]> }
> = {
  'no key set': {
    keys: {},
    opens: { GET: CREDENTIALS, POST: CREDENTIALS, metrics: CREDENTIALS },
  },
  'only the trade key set': {
    keys: { apiKeys: ['trade'] },
    opens: { GET: ['trade'], POST: ['trade'], metrics: ['trade'] },
  },
  'only the read key set': {
    keys: { readKeys: ['read'] },
    opens: { GET: ['read'], POST: [], metrics: [] },
  },
  'both keys set': {
    keys: { apiKeys: ['trade'], readKeys: ['read'] },
    opens: { GET: ['read', 'trade'], POST: ['trade'], metrics: ['trade'] },
  },
};

let dashboard: Dashboard;

const bearer = (who: Credential): Record<string, string> =>
  who === 'none' ? {} : { authorization: `Bearer ${who}` };

/** Each of these statuses shows that the key was accepted: a second cancel answers 409, and a close of nothing 404. */
function expectOpen({ statusCode }: Response): void {
  expect([200, 404, 409]).toContain(statusCode);
}

function expectRefused(response: Response): void {
  expect(response.statusCode).toBe(401);
  expect(response.headers['www-authenticate']).toBe('Bearer');
  expect(response.json()).toMatchObject({ code: 'UNAUTHORIZED', request_id: expect.any(String) });
}

describe.each(Object.entries(RULES))('with %s', (_, { keys, opens }) => {
  // One gateway serves all cases, because the state of the account does not affect which keys are accepted.
  beforeAll(async () => void (dashboard = await startDashboard(keys)));
  afterAll(() => dashboard.app.close());

  test.each(ENDPOINT_NAMES)('%s', async (endpoint) => {
    for (const who of CREDENTIALS) {
      const response = await dashboard.send(endpoint, bearer(who));
      if (opens[ENDPOINTS[endpoint]].includes(who)) expectOpen(response);
      else expectRefused(response);
    }
  });

  test('/metrics', async () => {
    for (const who of CREDENTIALS) {
      const response = await dashboard.app.inject({ url: '/metrics', headers: bearer(who) });
      if (opens.metrics.includes(who)) expectOpen(response);
      else expectRefused(response);
    }
  });

  test.each(['/', '/openapi.json', '/docs'])('%s is public', async (url) => {
    for (const who of CREDENTIALS) {
      expect((await dashboard.app.inject({ url, headers: bearer(who) })).statusCode).toBe(200);
    }
  });
});

describe('web pages of others', () => {
  beforeAll(async () => void (dashboard = await startDashboard()));
  afterAll(() => dashboard.app.close());

  test.each(ENDPOINT_NAMES)('are kept from %s', async (endpoint) => {
    dashboard.fakes.asked.length = 0;
    const rebound = await dashboard.send(endpoint, { host: 'evil.example' });
    expect(rebound.statusCode).toBe(421);
    const foreign = await dashboard.send(endpoint, {
      host: 'localhost:8090',
      origin: 'https://evil.example',
    });
    expect(foreign.statusCode).toBe(403);
    expect(foreign.json()).toMatchObject({ code: 'FORBIDDEN_ORIGIN' });
    expect(dashboard.fakes.asked).toEqual([]);
    const own = await dashboard.send(endpoint, { host: 'localhost:8090', origin: 'http://localhost:8090' });
    expectOpen(own);
    expect(Object.keys(own.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('one by one', () => {
  afterEach(() => dashboard.app.close());

  test('what is refused reaches no service', async () => {
    dashboard = await startDashboard({ apiKeys: ['trade'], readKeys: ['read'] });
    for (const endpoint of ENDPOINT_NAMES) {
      await dashboard.send(endpoint);
      if (ENDPOINTS[endpoint] === 'POST') await dashboard.send(endpoint, bearer('read'));
    }
    expect(dashboard.fakes.asked).toEqual([]);
  });

  test('the key comes before the body: a stranger learns nothing of what is valid', async () => {
    dashboard = await startDashboard({ apiKeys: ['trade'], readKeys: ['read'] });
    const response = await dashboard.post('/api/trading/order', 'x'.repeat(300_000), bearer('read'));
    expect(response.statusCode).toBe(401);
  });

  test('who has a key to read is told that it may only read, and nobody else is', async () => {
    dashboard = await startDashboard({ apiKeys: ['trade'], readKeys: ['read'] });
    const detailFor = async (who: Credential) =>
      (await dashboard.post('/api/trading/order', '{}', bearer(who))).json<{ detail?: string }>().detail;
    expect(await detailFor('read')).toBe('This key may only read');
    expect(await detailFor('wrong')).not.toBe('This key may only read');
    expect(await detailFor('none')).not.toBe('This key may only read');
  });

  test('a HEAD needs the same key as its GET', async () => {
    dashboard = await startDashboard({ apiKeys: ['trade'] });
    const head = (headers: Record<string, string>) =>
      dashboard.app.inject({ method: 'HEAD', url: '/api/trading/status', headers });
    expect((await head({})).statusCode).toBe(401);
    expect((await head(bearer('trade'))).statusCode).toBe(200);
  });

  describe('without keys', () => {
    test.each(['/api/trading/status', '/api/trading/start', '/api/dashboard/logs/clear'] as Endpoint[])(
      '%s is for callers on this machine',
      async (endpoint) => {
        dashboard = await startDashboard();
        expect((await dashboard.send(endpoint, {}, '::1')).statusCode).toBe(200);
        expect((await dashboard.send(endpoint, {}, '::ffff:127.0.0.1')).statusCode).toBe(200);
        expectRefused(await dashboard.send(endpoint, {}, '192.168.1.7'));
      },
    );

    test('so are the metrics', async () => {
      dashboard = await startDashboard();
      const scrape = (remoteAddress: string) => dashboard.app.inject({ url: '/metrics', remoteAddress });
      expect((await scrape('127.0.0.1')).statusCode).toBe(200);
      expectRefused(await scrape('10.0.0.9'));
    });
  });

  describe('rate limit', () => {
    test('counts each key alone, over all paths but pages and metrics', async () => {
      dashboard = await startDashboard({ apiKeys: ['trade'], readKeys: ['read'], rateLimit: 2 });
      const status = (who: Credential) => dashboard.send('/api/trading/status', bearer(who));
      expect((await status('read')).statusCode).toBe(200);
      expect((await dashboard.send('/api/data/tickers', bearer('read'))).statusCode).toBe(200);
      const limited = await status('read');
      expect(limited.statusCode).toBe(429);
      expect(limited.json()).toMatchObject({ code: 'RATE_LIMITED' });
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
      for (let i = 0; i < 3; i++) {
        expect((await status('wrong')).statusCode).toBe(401);
        expect((await dashboard.app.inject({ url: '/metrics', headers: bearer('trade') })).statusCode).toBe(
          200,
        );
      }
      expect((await status('trade')).statusCode).toBe(200);
    });
  });

  describe('a WebSocket', () => {
    test.each([
      ['no key', {}, { none: true, wrong: true, read: true, trade: true }],
      ['the trade key', { apiKeys: ['trade'] }, { none: false, wrong: false, read: false, trade: true }],
      ['the read key', { readKeys: ['read'] }, { none: false, wrong: false, read: true, trade: false }],
      [
        'both keys',
        { apiKeys: ['trade'], readKeys: ['read'] },
        { none: false, wrong: false, read: true, trade: true },
      ],
    ])('is for readers, with %s set', (_, keys, admitted) => {
      const access = decideDashboardAccess({ apiKeys: [], readKeys: [], ...keys });
      for (const who of CREDENTIALS) {
        const reader = access.readerOf(who === 'none' ? undefined : who, '127.0.0.1');
        expect(reader !== null).toBe(admitted[who]);
        expect(reader ?? '').not.toContain(who);
      }
    });

    test('without keys it is for callers on this machine', () => {
      const access = decideDashboardAccess({ apiKeys: [], readKeys: [] });
      expect(access.readerOf(undefined, '192.168.1.7')).toBeNull();
      expect(access.readerOf(undefined, '::1')).not.toBeNull();
    });
  });
});
