import { afterEach, describe, expect, test } from 'vitest';
import { TradingStarted } from '../../../events/catalog/trading.ts';
import { startDashboard, type Dashboard } from './dashboard.suite.ts';
import { FILLED, TRADE } from './dashboard-examples.ts';

let dashboard: Dashboard;
afterEach(() => dashboard.app.close());

const get = async (url: string) => dashboard.app.inject(url);

const linkOf = async (url: string) => (await get(url)).headers['link'];

const point = (i: number) => ({ session: '2025-06-13', total_value: i, cash: i });

/** More than any list may hold. */
async function startFull() {
  dashboard = await startDashboard(
    {},
    {
      equity: ({ limit }) => ({ points: Array.from({ length: limit }, (_, i) => point(i)) }),
      trades: ({ limit }) => ({
        trades: Array.from({ length: limit }, (_, i) => ({ ...TRADE, number: i + 1 })),
      }),
    },
    { bars: 10_050 },
  );
  const { orders } = dashboard.fakes.account;
  orders.length = 0;
  for (let i = 0; i < 10_050; i++) orders.push({ ...FILLED, order_id: `o-${i}` });
  for (let i = 0; i < 1_050; i++) await dashboard.fakes.publish(TradingStarted, {});
}

const count = async (url: string) => {
  const body = (await get(url)).json<
    unknown[] | { logs: unknown[] } | { points: unknown[] } | { trades: unknown[] }
  >();
  const list = 'logs' in body ? body.logs : 'points' in body ? body.points : body;
  return ('trades' in list ? list.trades : list).length;
};

describe('limit', () => {
  const lengths = {
    '/api/dashboard/logs': [1_000, 100],
    '/api/trading/orders': [10_000, 10_000],
    '/api/data/prices/AAPL': [10_000, 252],
    '/api/dashboard/equity': [5_000, 1_000],
    '/api/trading/equity': [5_000, 1_000],
    '/api/trading/trades': [2_000, 1_000],
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
    // The `Link` header of a reply leads to the older ones.
    const { link } = (await get('/api/trading/orders?limit=10000')).headers;
    expect(link).toBe('</api/trading/orders?limit=10000&before=o-50>; rel="prev"');
    const older = await get(/<(.+)>/.exec(String(link))![1]!);
    expect(older.headers).not.toHaveProperty('link');
    expect(older.json<{ order_id: string }[]>().map(({ order_id }) => order_id)).toEqual(
      Array.from({ length: 50 }, (_, i) => `o-${i}`),
    );
    const bars = (await get('/api/data/prices/AAPL?limit=10000')).json<{ date: string }[]>();
    expect(bars).toEqual(dashboard.fakes.market.bars('AAPL', null).slice(-10_000));
    // The queries go from the newest backwards. Each page is as large as allowed, the last one only as large as needed.
    expect(
      dashboard.fakes.asked
        .filter(({ name }) => name === 'orders')
        .slice(0, 3)
        .map(({ request }) => request),
    ).toEqual([
      { limit: 1_000, before: null, ids: null },
      { limit: 1_000, before: 'o-9050', ids: null },
      { limit: 501, before: 'o-8050', ids: null },
    ]);
  });

  test('the links lead below the path of a proxy', async () => {
    dashboard = await startDashboard({ basePath: '/house' });
    expect(await linkOf('/api/trading/equity?limit=2')).toContain('</house/api/trading/equity?');
  });

  test('a full page of sessions or trades leads to those before it; the first of all leads nowhere', async () => {
    dashboard = await startDashboard();
    expect(await linkOf('/api/trading/equity?limit=2')).toBe(
      '</api/trading/equity?limit=2&before=2025-06-12>; rel="prev"',
    );
    await linkOf('/api/trading/equity?limit=2&before=2025-06-12');
    expect(dashboard.fakes.asked.at(-1)).toMatchObject({
      name: 'equity',
      request: { limit: 2, before: '2025-06-12' },
    });
    expect(await linkOf('/api/trading/equity')).toBeUndefined();
    expect(await linkOf('/api/trading/trades?limit=1')).toBeUndefined();
    dashboard.fakes.script.trades = () => ({ trades: [{ ...TRADE, number: 8 }] });
    expect(await linkOf('/api/trading/trades?limit=1&lots=lifo')).toBe(
      '</api/trading/trades?limit=1&before=8&lots=lifo>; rel="prev"',
    );
    await linkOf('/api/trading/trades?limit=1&before=8&lots=lifo');
    expect(dashboard.fakes.asked.at(-1)).toMatchObject({
      name: 'trades',
      request: { limit: 1, before: 8, lots: 'lifo' },
    });
  });

  test('figures are asked for from one session to another, and never backwards', async () => {
    dashboard = await startDashboard();
    await get('/api/trading/performance?from=2025-01-01&to=2025-06-30&benchmark=AAPL&lots=lifo');
    await get('/api/trading/performance');
    expect(dashboard.fakes.asked.map(({ request }) => request)).toEqual([
      { from: '2025-01-01', to: '2025-06-30', benchmark: 'AAPL', lots: 'lifo' },
      { from: null, to: null, benchmark: null, lots: 'fifo' },
    ]);
    const backwards = await get('/api/trading/performance?from=2025-06-30&to=2025-01-01');
    expect(backwards.statusCode).toBe(422);
    expect(backwards.json()).toMatchObject({ errors: [{ path: 'from' }] });
  });

  test('less than asked for is all there is', async () => {
    dashboard = await startDashboard({}, {}, { bars: 2_000 });
    expect(await count('/api/data/prices/AAPL?limit=10000')).toBe(2_000);
    expect(await count('/api/trading/orders')).toBe(2);
  });
});
