import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { openDashboardGateway } from './dashboard.ts';
import { MODEL_STATUS } from './dashboard-examples.ts';
import { startFakeTrading, type FakeTrading, type TradingScript } from './fake-trading.suite.ts';
import type { DashboardGatewaySettings } from './access.ts';

const { hidden_channels, num_heads, layers, sequence_length, dropout } = MODEL_STATUS;
const { batch_size, epochs, learning_rate, seed } = MODEL_STATUS;
/** The configuration of the model in the examples. */
const MODEL_SETTINGS: DashboardGatewaySettings['model'] = {
  spec: {
    features: MODEL_STATUS.features.length,
    hidden_channels,
    num_heads,
    layers,
    sequence_length,
    dropout,
  },
  training: { batch_size, epochs, learning_rate, seed },
};

export const OPEN: DashboardGatewaySettings = {
  apiKeys: [],
  readKeys: [],
  allowedHosts: [],
  rateLimit: null,
  reports: '/nowhere/reports',
  metricsIntervalMs: 1_000,
  model: MODEL_SETTINGS,
};

/** Every path of the contract, and every added one that answers with JSON, with a request that succeeds. */
export const ENDPOINTS = {
  '/api/dashboard/metrics': 'GET',
  '/api/dashboard/logs': 'GET',
  '/api/dashboard/equity': 'GET',
  '/api/dashboard/logs/clear': 'POST',
  '/api/trading/status': 'GET',
  '/api/trading/orders': 'GET',
  '/api/trading/equity': 'GET',
  '/api/trading/trades': 'GET',
  '/api/trading/performance': 'GET',
  '/api/trading/start': 'POST',
  '/api/trading/stop': 'POST',
  '/api/trading/strategies': 'GET',
  '/api/trading/strategies/{name}/start': 'POST',
  '/api/trading/strategies/{name}/stop': 'POST',
  '/api/trading/session/pause': 'POST',
  '/api/trading/session/resume': 'POST',
  '/api/trading/session/speed': 'POST',
  '/api/trading/session/next': 'POST',
  '/api/trading/cash': 'POST',
  '/api/trading/order': 'POST',
  '/api/trading/cancel/{order_id}': 'POST',
  '/api/trading/orders/{order_id}': 'GET',
  '/api/trading/orders/{order_id}/amend': 'POST',
  '/api/trading/positions/close/{ticker}': 'POST',
  '/api/trading/positions/close-all': 'POST',
  '/api/reports': 'GET',
  '/api/models/status': 'GET',
  '/api/models/train': 'POST',
  '/api/models/train/stop': 'POST',
  '/api/models/save': 'POST',
  '/api/models/load': 'POST',
  '/api/models/benchmark': 'POST',
  '/api/data/tickers': 'GET',
  '/api/data/pipeline/status': 'GET',
  '/api/data/update': 'POST',
  '/api/data/features/{ticker}': 'GET',
  '/api/data/price/{ticker}': 'GET',
  '/api/data/prices/{ticker}': 'GET',
  '/api/data/corporate-actions/{ticker}': 'GET',
} as const satisfies Record<string, 'GET' | 'POST'>;
export type Endpoint = keyof typeof ENDPOINTS;
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as Endpoint[];

export const ORDER = { ticker: 'AAPL', action: 'buy', quantity: 10 };

const CASH = { amount: 100, reason: 'deposit' };

export interface Dashboard {
  app: FastifyInstance;
  fakes: FakeTrading;
  /** A request that the endpoint answers with 200. */
  send(endpoint: Endpoint, headers?: Record<string, string>, remoteAddress?: string): Promise<Response>;
  post(url: string, payload?: unknown, headers?: Record<string, string>): Promise<Response>;
}
export type Response = Awaited<ReturnType<FastifyInstance['inject']>>;

/** The gateway over fake services. Unless `bars` are given, there are 300 of each ticker. */
export async function startDashboard(
  settings: Partial<DashboardGatewaySettings> = {},
  script: Partial<TradingScript> = {},
  options: { bars?: number } = {},
): Promise<Dashboard> {
  const fakes = startFakeTrading(script, options);
  const app = await openDashboardGateway(fakes.bus, { ...OPEN, ...settings }, pino({ level: 'silent' }));
  const open = fakes.account.orders.find(({ status }) => status === 'accepted')!;
  return {
    app,
    fakes,
    send: (endpoint, headers = {}, remoteAddress = '127.0.0.1') =>
      app.inject({
        method: ENDPOINTS[endpoint],
        url: endpoint
          .replace('{ticker}', 'AAPL')
          .replace('{order_id}', open.order_id)
          .replace('{name}', 'momentum'),
        headers,
        remoteAddress,
        ...(endpoint === '/api/trading/order' ? { payload: ORDER } : {}),
        ...(endpoint.endsWith('/amend') ? { payload: { quantity: 5 } } : {}),
        ...(endpoint === '/api/trading/cash' ? { payload: CASH } : {}),
        ...(endpoint === '/api/trading/session/speed' ? { payload: { speed: 2 } } : {}),
      }),
    post: (url, payload, headers = {}) =>
      app.inject({
        method: 'POST',
        url,
        headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(payload === undefined
          ? {}
          : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
      }),
  };
}
