import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import { ORDER, startDashboard, type Dashboard } from './dashboard.suite.ts';
import type { Problem } from '../http/problem.ts';

let dashboard: Dashboard;
afterEach(() => dashboard.app.close());

const submit = (body: unknown) => dashboard.post('/api/trading/order', body);

const field = <T>(good: fc.Arbitrary<T>) => fc.oneof(good as fc.Arbitrary<unknown>, fc.jsonValue());

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
    ['another time in force', { ...ORDER, time_in_force: 'gtd' }, 'time_in_force'],
    ['a local timestamp', { ...ORDER, timestamp: '13.06.2025 09:30' }, 'timestamp'],
    ['a time that there is not', { ...ORDER, timestamp: '2025-13-45 99:99:99' }, 'timestamp'],
    ['a day that there is not', { ...ORDER, timestamp: '2024-02-30 10:00:00' }, 'timestamp'],
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
