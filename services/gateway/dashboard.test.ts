import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { SessionClosed } from '../../events/catalog/trading.ts';
import { createDashboardGateway } from './dashboard.ts';
import { startFakeTrading, type FakeTrading, type TradingScript } from './fake-trading.suite.ts';
import type { DashboardGatewaySettings } from './settings.ts';

const OPEN: DashboardGatewaySettings = {
  apiKey: null,
  readKey: null,
  allowedHosts: [],
  rateLimit: null,
  metricsIntervalMs: 1_000,
};

let app: FastifyInstance;
afterEach(() => app.close());

async function start(
  settings: Partial<DashboardGatewaySettings> = {},
  script: Partial<TradingScript> = {},
): Promise<FakeTrading> {
  const fakes = startFakeTrading(script);
  app = await createDashboardGateway(fakes.bus, { ...OPEN, ...settings }, pino({ level: 'silent' }));
  return fakes;
}

test('an order is submitted and then the account knows it', async () => {
  const fakes = await start();
  const response = await app.inject({
    method: 'POST',
    url: '/api/trading/order',
    payload: { ticker: 'AAPL', action: 'buy', quantity: 1 },
  });
  expect(response.json()).toEqual({ status: 'submitted', order_id: 'order-1' });
  expect(fakes.account.orders.at(-1)).toMatchObject({ order_id: 'order-1', status: 'submitted' });
  const events: string[] = [];
  fakes.bus.subscribe('beleg.v1.evt.trading.>', ({ subject }) => void events.push(subject));
  await fakes.publish(SessionClosed, { session: '2025-06-16', closes: {}, cash: '1', total_value: '1' });
  expect(events).toHaveLength(1);
  expect(fakes.faults).toEqual([]);
});
