import * as fc from 'fast-check';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { InProcessBroker } from '../../events/bus/in-process.ts';
import { SessionClosed, TradingStarted } from '../../events/catalog/trading.ts';
import { BelegError, listErrors, type ErrorCode } from '../../events/errors.ts';
import { createDashboardGateway } from './dashboard.ts';
import { OPEN, ORDER, startDashboard, type Dashboard } from './dashboard.suite.ts';
import { FILLED } from './dashboard-examples.ts';
import type { Problem } from './problem.ts';

let dashboard: Dashboard;
afterEach(() => dashboard.app.close());

const get = async (url: string) => dashboard.app.inject(url);
const closed = (session: string) => ({ session, closes: {}, cash: '1', total_value: '1' });

const submit = (body: unknown) => dashboard.post('/api/trading/order', body);

const field = <T>(good: fc.Arbitrary<T>) => fc.oneof(good as fc.Arbitrary<unknown>, fc.jsonValue());

const point = (i: number) => ({ session: '2025-06-13', total_value: i, cash: i });

/** More than any list may hold. */
async function startFull() {
  dashboard = await startDashboard(
    {},
    { equity: ({ limit }) => ({ points: Array.from({ length: limit }, (_, i) => point(i)) }) },
    { bars: 10_050 },
  );
  const { orders } = dashboard.fakes.account;
  orders.length = 0;
  for (let i = 0; i < 10_050; i++) orders.push({ ...FILLED, order_id: `o-${i}` });
  for (let i = 0; i < 1_050; i++) await dashboard.fakes.publish(TradingStarted, {});
}

const count = async (url: string) => {
  const body = (await get(url)).json<unknown[] | { logs: unknown[] } | { points: unknown[] }>();
  return ('logs' in body ? body.logs : 'points' in body ? body.points : body).length;
};

const day = async (ticker = 'AAPL') =>
  (await get(`/api/data/price/${ticker}`)).json<{ date: string }>().date.slice(0, 10);
const asOf = () =>
  dashboard.fakes.asked
    .filter(({ name }) => name === 'price')
    .map(({ request }) => (request as { as_of: string | null }).as_of);

describe('an order', () => {
  test('goes to trading with its defaults, and nothing else', async () => {
    dashboard = await startDashboard();
    const full = {
      ticker: 'BRK-B',
      action: 'sell',
      quantity: 0.5,
      price: 400.123456,
      stop_price: 401,
      timestamp: '2025-06-13T09:30:00.123Z',
      type: 'stop_limit',
      client_order_id: 'A-1._:z',
      time_in_force: 'fok',
    };
    dashboard.fakes.script.submitOrder = () => ({ status: 'submitted', order_id: 'o-1' });
    expect((await submit(ORDER)).json()).toEqual({ status: 'submitted', order_id: 'o-1' });
    expect((await submit(full)).statusCode).toBe(200);
    expect((await submit({ ...ORDER, price: null, timestamp: '2025-06-13 09:30:00' })).statusCode).toBe(200);
    const requests = dashboard.fakes.asked.filter(({ name }) => name === 'submitOrder');
    expect(requests.map(({ request }) => request)).toEqual([
      { ...ORDER, type: 'market', time_in_force: 'day' },
      full,
      { ...ORDER, price: null, timestamp: '2025-06-13 09:30:00', type: 'market', time_in_force: 'day' },
    ]);
  });

  test.each<[string, unknown, string]>([
    ['no ticker', { action: 'buy', quantity: 1 }, 'ticker'],
    ['a ticker in lower case', { ...ORDER, ticker: 'aapl' }, 'ticker'],
    ['a ticker that is a path', { ...ORDER, ticker: '../etc' }, 'ticker'],
    ['a long ticker', { ...ORDER, ticker: 'A'.repeat(17) }, 'ticker'],
    ['a ticker that nobody knows', { ...ORDER, ticker: 'NOSUCH' }, 'ticker'],
    ['another action', { ...ORDER, action: 'hold' }, 'action'],
    ['an action in capitals', { ...ORDER, action: 'BUY' }, 'action'],
    ['no quantity', { ticker: 'AAPL', action: 'buy' }, 'quantity'],
    ['quantity 0', { ...ORDER, quantity: 0 }, 'quantity'],
    ['a negative quantity', { ...ORDER, quantity: -1 }, 'quantity'],
    ['a quantity as text', { ...ORDER, quantity: '10' }, 'quantity'],
    ['NaN as text', { ...ORDER, quantity: 'NaN' }, 'quantity'],
    ['quantity null', { ...ORDER, quantity: null }, 'quantity'],
    ['1e308 shares', '{"ticker":"AAPL","action":"buy","quantity":1e308}', 'quantity'],
    ['more than a double holds', '{"ticker":"AAPL","action":"buy","quantity":1e999}', 'quantity'],
    ['a quantity of 30 digits', `{"ticker":"AAPL","action":"buy","quantity":${'9'.repeat(30)}}`, 'quantity'],
    ['seven decimals', { ...ORDER, quantity: 1.1234567 }, 'quantity'],
    ['the smallest double', '{"ticker":"AAPL","action":"buy","quantity":5e-324}', 'quantity'],
    ['price 0', { ...ORDER, type: 'limit', price: 0 }, 'price'],
    ['a negative price', { ...ORDER, type: 'limit', price: -3 }, 'price'],
    ['a price of seven decimals', { ...ORDER, type: 'limit', price: 187.1234567 }, 'price'],
    ['a price beyond all', { ...ORDER, type: 'limit', price: 1e10 }, 'price'],
    ['a price as text', { ...ORDER, type: 'limit', price: '187' }, 'price'],
    ['a stop price as a list', { ...ORDER, stop_price: [1] }, 'stop_price'],
    ['another type', { ...ORDER, type: 'trailing' }, 'type'],
    ['type null', { ...ORDER, type: null }, 'type'],
    ['another time in force', { ...ORDER, time_in_force: 'gtd' }, 'time_in_force'],
    ['a local timestamp', { ...ORDER, timestamp: '13.06.2025 09:30' }, 'timestamp'],
    ['an id with a space', { ...ORDER, client_order_id: 'a b' }, 'client_order_id'],
    ['an empty id', { ...ORDER, client_order_id: '' }, 'client_order_id'],
    ['a long id', { ...ORDER, client_order_id: 'x'.repeat(65) }, 'client_order_id'],
    ['an unknown field', { ...ORDER, leverage: 10 }, 'leverage'],
    ['a status', { ...ORDER, status: 'filled' }, 'status'],
    ['a prototype', '{"ticker":"AAPL","action":"buy","quantity":1,"__proto__":{"a":1}}', '__proto__'],
    ['a list of orders', [ORDER], ''],
    ['null', null, ''],
  ])('is refused with %s', async (_, body, path) => {
    dashboard = await startDashboard();
    const response = await submit(body);
    expect(response.statusCode).toBe(422);
    expect(response.headers['content-type']).toContain('application/problem+json');
    const problem = response.json<Problem>();
    expect(problem).toMatchObject({ code: 'INVALID_REQUEST', status: 422 });
    expect(problem.errors?.map((fault) => fault.path)).toEqual([path]);
    expect(dashboard.fakes.account.orders).toHaveLength(2);
  });

  test('names every field that is at fault', async () => {
    dashboard = await startDashboard();
    const { errors } = (await submit({ ticker: 1, action: 2, quantity: 3, price: 'x' })).json<Problem>();
    expect(errors?.map(({ path }) => path)).toEqual(['ticker', 'action', 'price']);
  });

  test.each([
    ['NaN', '{"ticker":"AAPL","action":"buy","quantity":NaN}'],
    ['Infinity', '{"ticker":"AAPL","action":"buy","quantity":Infinity}'],
    ['half an object', '{"ticker":"AAPL",'],
    ['nothing', ''],
  ])('is no JSON with %s', async (_, body) => {
    dashboard = await startDashboard();
    const response = await submit(body);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ code: 'INVALID_JSON' });
  });

  test('of more than 256 KiB is 413', async () => {
    dashboard = await startDashboard();
    const response = await submit(JSON.stringify(ORDER).padEnd(256 * 1024 + 1));
    expect(response.statusCode).toBe(413);
    expect(response.json()).toMatchObject({ code: 'BODY_TOO_LARGE' });
  });

  test('whatever it holds, is answered and never a fault of ours', async () => {
    dashboard = await startDashboard();
    const order = fc.record(
      {
        ticker: field(fc.constantFrom('AAPL', 'X')),
        action: field(fc.constantFrom('buy', 'sell')),
        quantity: field(fc.double()),
        price: field(fc.double()),
        stop_price: field(fc.double()),
        type: field(fc.constantFrom('market', 'stop')),
        client_order_id: field(fc.string()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(order, async (body) => {
        expect([200, 422]).toContain((await submit(JSON.stringify(body))).statusCode);
      }),
      { numRuns: 300 },
    );
    expect(dashboard.fakes.faults).toEqual([]);
  });

  describe('whose answer is lost', () => {
    const LOST = new BelegError('RESPONDER_LOST');
    async function sendTo(order: object) {
      dashboard = await startDashboard({}, { submitOrder: () => Promise.reject(LOST) });
      const response = await submit(order);
      expect(response.statusCode).toBe(503);
      expect(response.json()).toMatchObject({ code: 'RESPONDER_LOST' });
      return dashboard.fakes.asked.filter(({ name }) => name === 'submitOrder');
    }

    test.each([ORDER, { ...ORDER, client_order_id: null }])(
      'is not sent again by itself, it would be another order: %j',
      async (order) => {
        expect(await sendTo(order)).toHaveLength(1);
      },
    );

    test('is sent once more under the id of its client, as the same call', async () => {
      const [first, second, ...more] = await sendTo({ ...ORDER, client_order_id: 'mine' });
      expect(more).toEqual([]);
      expect(second).toEqual(first);
    });
  });

  test('has the request id of its client with it on the way', async () => {
    dashboard = await startDashboard();
    await dashboard.post('/api/trading/order', ORDER, { 'x-request-id': 'mine' });
    expect(dashboard.fakes.asked[0]!.context.correlationId).toBe('mine');
  });
});

describe('what services refuse', () => {
  const codes = listErrors().filter(({ status }) => status === 404 || status === 409 || status === 422);

  test.each(codes)('$code is $status', async ({ code, status }) => {
    const refuse = () => Promise.reject(new BelegError(code, { detail: 'why' }));
    dashboard = await startDashboard({}, { submitOrder: refuse, closePosition: refuse, train: refuse });
    for (const response of [
      await dashboard.post('/api/trading/order', ORDER),
      await dashboard.post('/api/trading/positions/close/AAPL'),
      await dashboard.post('/api/models/train'),
    ]) {
      expect(response.statusCode).toBe(status);
      expect(response.headers['content-type']).toContain('application/problem+json');
      expect(response.json()).toMatchObject({ code, status, detail: 'why' });
    }
  });

  test.each<[ErrorCode, string | undefined]>([
    ['STORE_UNAVAILABLE', '5'],
    ['RECONCILING', '1'],
    ['BROKER_UNAVAILABLE', '2'],
    ['DEADLINE_EXCEEDED', '2'],
  ])('%s is 503, and says when to come back', async (code, retryAfter) => {
    dashboard = await startDashboard({}, { submitOrder: () => Promise.reject(new BelegError(code)) });
    const response = await dashboard.post('/api/trading/order', ORDER);
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe(retryAfter);
  });

  test('a fault that nobody knows says nothing of itself', async () => {
    dashboard = await startDashboard({}, { startTrading: () => Promise.reject(new Error('10.0.0.1 /var')) });
    const response = await dashboard.post('/api/trading/start');
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toMatch(/10\.0|var/);
  });

  const odd = ['NOSUCH', 'aapl', 'A'.repeat(5_000), 'A%20B', '%2e%2e%2f', '%00', '-A', 'x%27%20or%201=1'];

  test.each(odd)('a ticker that nobody knows, or that cannot be one, is 404: %s', async (ticker) => {
    dashboard = await startDashboard();
    for (const path of ['features', 'price', 'prices', 'corporate-actions']) {
      const response = await get(`/api/data/${path}/${ticker}`);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ code: 'UNKNOWN_TICKER' });
    }
    const closing = await dashboard.post(`/api/trading/positions/close/${ticker}`);
    expect(closing.statusCode).toBe(404);
    expect(closing.json()).toMatchObject({ code: ticker === 'NOSUCH' ? 'NO_POSITION' : 'UNKNOWN_TICKER' });
    expect(dashboard.fakes.faults).toEqual([]);
  });

  test.each(['BRK-B', '%5EGSPC', 'BF.B', 'EUR=X'])('%s may be a ticker: market is asked', async (ticker) => {
    dashboard = await startDashboard();
    await get(`/api/data/price/${ticker}`);
    expect(dashboard.fakes.asked.at(-1)).toMatchObject({
      name: 'price',
      request: { ticker: decodeURIComponent(ticker) },
    });
  });

  test.each([
    ['an order that is not there', 'nowhere', 404, 'UNKNOWN_ORDER'],
    ['an id of any length', 'x'.repeat(500), 404, 'UNKNOWN_ORDER'],
    ['an id that is no id', '%3Cb%3E%00', 404, 'UNKNOWN_ORDER'],
    ['an order that is filled', FILLED.order_id, 409, 'NOT_CANCELLABLE'],
  ])('cancelling %s', async (_, id, status, code) => {
    dashboard = await startDashboard();
    const response = await dashboard.post(`/api/trading/cancel/${id}`);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code });
  });

  test('closing what is not held, and all where nothing is held', async () => {
    dashboard = await startDashboard();
    dashboard.fakes.account.status.positions = {};
    expect((await dashboard.post('/api/trading/positions/close/AAPL')).json()).toMatchObject({
      code: 'NO_POSITION',
      status: 404,
    });
    expect((await dashboard.post('/api/trading/positions/close-all')).json()).toEqual({
      status: 'submitted',
      results: [],
    });
  });
});

describe('limit', () => {
  const lengths = {
    '/api/dashboard/logs': [1_000, 100],
    '/api/trading/orders': [10_000, 1_000],
    '/api/data/prices/AAPL': [10_000, 252],
    '/api/dashboard/equity': [5_000, 1_000],
  } as const;

  test.each(Object.entries(lengths))('%s has a default and a maximum', async (path, [max, fallback]) => {
    await startFull();
    const sent = [
      '',
      '?limit=1',
      '?limit=00003',
      `?limit=${max}`,
      `?limit=${max + 1}`,
      `?limit=${'9'.repeat(40)}`,
    ];
    const got: number[] = [];
    for (const query of sent) got.push(await count(`${path}${query}`));
    expect(got).toEqual([fallback, 1, 3, max, max, max]);
  });

  const NONE = ['0', '-1', '1.5', '', 'ten', '1e2', '0x10', '%2B5', ' 5', '5&limit=6', 'NaN'];

  test.each(NONE)('%j is no positive whole number', async (limit) => {
    dashboard = await startDashboard();
    for (const path of Object.keys(lengths)) {
      const response = await get(`${path}?limit=${limit}`);
      expect(response.statusCode).toBe(422);
      expect(response.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path: 'limit' }] });
    }
  });

  test('pages of orders and bars are joined without a seam', async () => {
    await startFull();
    const orders = (await get('/api/trading/orders?limit=2500')).json<{ order_id: string }[]>();
    expect(orders.map(({ order_id }) => order_id)).toEqual(
      Array.from({ length: 2_500 }, (_, i) => `o-${7_550 + i}`),
    );
    const bars = (await get('/api/data/prices/AAPL?limit=10000')).json<{ date: string }[]>();
    expect(bars).toEqual(dashboard.fakes.market.bars('AAPL', null).slice(-10_000));
    // Newest first, each page as large as it may be and no larger than what is missing.
    expect(
      dashboard.fakes.asked.filter(({ name }) => name === 'orders').map(({ request }) => request),
    ).toEqual([
      { limit: 1_000, before: null, ids: null },
      { limit: 1_000, before: 'o-9050', ids: null },
      { limit: 500, before: 'o-8050', ids: null },
    ]);
  });

  test('less than asked for is all there is', async () => {
    dashboard = await startDashboard({}, {}, { bars: 2_000 });
    expect(await count('/api/data/prices/AAPL?limit=10000')).toBe(2_000);
    expect(await count('/api/trading/orders')).toBe(2);
  });
});

describe("the feed's clock", () => {
  test('data is as of the last closed session, which trading is asked for once', async () => {
    dashboard = await startDashboard();
    dashboard.fakes.account.status.session = '2025-06-03';
    expect(await day()).toBe('2025-06-03');
    expect(await day('MSFT')).toBe('2025-06-03');
    expect(dashboard.fakes.asked.filter(({ name }) => name === 'tradingStatus')).toHaveLength(1);
    await dashboard.fakes.publish(SessionClosed, closed('2025-06-04'));
    expect(await day()).toBe('2025-06-04');
    const bars = (await get('/api/data/prices/AAPL')).json<{ date: string }[]>();
    expect(bars.at(-1)?.date).toBe('2025-06-04');
    const { timestamp } = (await get('/api/data/features/AAPL')).json<{ timestamp: string }>();
    expect(timestamp).toBe('2025-06-04 00:00:00');
    await get('/api/data/corporate-actions/AAPL');
    expect(dashboard.fakes.asked.at(-1)).toMatchObject({ name: 'actions', request: { as_of: '2025-06-04' } });
  });

  test('does not go back, not even for an event that comes twice', async () => {
    dashboard = await startDashboard();
    await dashboard.fakes.publish(SessionClosed, closed('2025-06-04'));
    await dashboard.fakes.publish(SessionClosed, closed('2025-06-03'));
    expect(await day()).toBe('2025-06-04');
  });

  test('before the first session, and without trading, it is the newest there is', async () => {
    dashboard = await startDashboard();
    dashboard.fakes.account.status.session = null;
    expect(await day()).toBe('2025-06-13');
    await dashboard.fakes.leave('trading');
    expect(await day()).toBe('2025-06-13');
    expect(asOf()).toEqual([null, null]);
  });

  test('a ticker without a bar up to then is 422', async () => {
    dashboard = await startDashboard();
    dashboard.fakes.account.status.session = '2000-01-03';
    const response = await get('/api/data/price/AAPL');
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ code: 'MARKET_DATA_MISSING' });
  });
});

describe('while services are away', () => {
  test('each path answers for its own, 503 at once', async () => {
    const bus = new InProcessBroker().connect(() => {});
    const app = await createDashboardGateway(bus, OPEN, pino({ level: 'silent' }));
    dashboard = { ...dashboard, app };
    for (const url of [
      '/api/dashboard/metrics',
      '/api/trading/status',
      '/api/trading/orders',
      '/api/models/status',
      '/api/data/tickers',
      '/api/data/price/AAPL',
    ]) {
      const response = await get(url);
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe('2');
      expect(response.json()).toMatchObject({ code: 'NO_RESPONDERS' });
    }
    expect((await get('/api/dashboard/logs')).statusCode).toBe(200);
    expect((await get('/openapi.json')).statusCode).toBe(200);
  });

  test('a question that is lost is asked once more', async () => {
    let asked = 0;
    dashboard = await startDashboard(
      {},
      {
        tickers: () => {
          if (++asked === 1) throw new BelegError('RESPONDER_LOST');
          return { initial: [], index: 'SPY', count: 0 };
        },
      },
    );
    expect((await get('/api/data/tickers')).json()).toEqual({ initial: [], index: 'SPY', count: 0 });
    expect(asked).toBe(2);
  });
});
