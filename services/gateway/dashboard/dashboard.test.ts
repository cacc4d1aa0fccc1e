import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { InProcessBus } from '../../../events/bus/in-process.ts';
import { SessionClosed } from '../../../events/catalog/trading.ts';
import { listErrors, type ErrorCode } from '../../../events/error-codes.ts';
import { BelegError } from '../../../events/errors.ts';
import { openDashboardGateway } from './dashboard.ts';
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  OPEN,
  ORDER,
  startDashboard,
  type Dashboard,
  type Endpoint,
} from './dashboard.suite.ts';
import type { TradingScript } from './fake-trading.suite.ts';
import { FILLED } from './dashboard-examples.ts';

let dashboard: Dashboard;
afterEach(() => dashboard.app.close());

const get = async (url: string) => dashboard.app.inject(url);
const closed = (session: string) => ({ session, closes: {}, cash: '1', total_value: '1' });

const day = async (ticker = 'AAPL') =>
  (await get(`/api/data/price/${ticker}`)).json<{ date: string }>().date.slice(0, 10);
const asOf = () =>
  dashboard.fakes.asked
    .filter(({ name }) => name === 'price')
    .map(({ request }) => (request as { as_of: string | null }).as_of);

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

  test('before the first session it is the last one before the feed: nothing of what it will replay is shown', async () => {
    dashboard = await startDashboard({}, { sessions: () => ({ sessions: [], warm_up: '2025-06-02' }) });
    dashboard.fakes.account.status.session = null;
    expect(await day()).toBe('2025-06-02');
    await dashboard.fakes.publish(SessionClosed, closed('2025-06-03'));
    expect(await day()).toBe('2025-06-03');
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
    const bus = new InProcessBus().connect(() => {});
    const app = await openDashboardGateway(bus, OPEN, pino({ level: 'silent' }));
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

const lost = () => Promise.reject(new BelegError('RESPONDER_LOST'));

describe('what must happen once', () => {
  test.each<[Endpoint, keyof TradingScript, number]>([
    ['/api/trading/cancel/{order_id}', 'cancelOrder', 1],
    ['/api/trading/orders/{order_id}/amend', 'amendOrder', 1],
    ['/api/trading/positions/close/{ticker}', 'closePosition', 1],
    ['/api/trading/positions/close-all', 'closeAll', 1],
    ['/api/models/train', 'train', 1],
    ['/api/models/train/stop', 'stopTraining', 1],
    ['/api/models/save', 'saveModel', 1],
    ['/api/models/load', 'loadModel', 1],
    ['/api/models/benchmark', 'benchmark', 1],
    ['/api/data/update', 'updateMarket', 1],
    // A repeated start could undo a stop.
    ['/api/trading/start', 'startTrading', 1],
    ['/api/trading/stop', 'stopTrading', 2],
  ])('%s, whose answer is lost, was sent %s %i times', async (endpoint, name, times) => {
    dashboard = await startDashboard({}, { [name]: lost });
    const response = await dashboard.send(endpoint);
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: 'RESPONDER_LOST' });
    expect(dashboard.fakes.asked.filter((call) => call.name === name)).toHaveLength(times);
  });
});

describe('paths and methods', () => {
  test.each([
    '/api',
    '/api/trading',
    '/api/trading/order/',
    '/api/data/price',
    '/API/trading/status',
    '/v1/ask',
  ])('%s is 404', async (url) => {
    dashboard = await startDashboard();
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each(ENDPOINT_NAMES)('%s has one method', async (endpoint) => {
    dashboard = await startDashboard();
    const method = ENDPOINTS[endpoint] === 'GET' ? 'POST' : 'GET';
    const response = await dashboard.app.inject({ method, url: endpoint.replace(/\{.*\}/, 'AAPL') });
    expect(response.statusCode).toBe(405);
    expect(response.headers['allow']).toBe(ENDPOINTS[endpoint] === 'GET' ? 'GET, HEAD' : 'POST');
    expect(response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });
});
