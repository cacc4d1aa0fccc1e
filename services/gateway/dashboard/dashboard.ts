import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { call } from '../../../events/messages/define.ts';
import { ModelStatus, type ModelStatusReply } from '../../../events/messages/models.ts';
import { TradingStatus, type TradingStatusReply } from '../../../events/messages/trading.ts';
import { VERSION } from '../../version.ts';
import { decideDashboardAccess, type DashboardGatewaySettings } from './access.ts';
import { DASHBOARD_API } from './document.ts';
import { DashboardLogs } from './logs.ts';
import { addDashboardRoutes } from './dashboard-routes.ts';
import { serveDocument } from '../http/docs.ts';
import { serveChartLibrary, servePages } from '../http/pages.ts';
import { addMarketRoutes } from './market-routes.ts';
import { addModelRoutes } from './model-routes.ts';
import { describeApi } from '../http/openapi.ts';
import { limitRate } from '../http/rate-limit.ts';
import { contextOf } from '../http/route.ts';
import { createHttpServer } from '../http/server.ts';
import { attachSocket } from './socket/socket.ts';
import { addTradingRoutes } from './trading-routes.ts';
import { createRegistry } from '../../operations/registry.ts';
import { observeRequests } from '../http/observe.ts';

/** A scrape does not wait longer for the account. */
const SCRAPE_TIMEOUT_MS = 2_000;

/**
 * The HTTP face of trading, ready to listen. It knows the other services by their messages on the bus.
 * `close()` stops accepting, lets requests finish, then ends; the bus is the caller's to drain afterwards.
 *
 * @example
 * const gateway = await createDashboardGateway(bus, settings, pino());
 * await gateway.listen({ host: '127.0.0.1', port: 8090 });
 */
export async function createDashboardGateway(
  bus: MessageBus,
  settings: DashboardGatewaySettings,
  logger: FastifyBaseLogger,
): Promise<FastifyInstance> {
  const app = createHttpServer({ allowedHosts: settings.allowedHosts, logger });
  const figures = collectDashboardFigures(app);
  await describeApi(app, DASHBOARD_API);
  if (settings.rateLimit !== null) await limitRate(app, settings.rateLimit);

  const access = decideDashboardAccess(settings);
  const logs = new DashboardLogs();
  logs.add(new Date(), `Dashboard of Beleg ${VERSION} started`);
  logs.follow(bus);
  const dashboard = { bus, settings, access, logs, register: figures.register };
  addDashboardRoutes(app, dashboard);
  addTradingRoutes(app, dashboard);
  addModelRoutes(app, dashboard);
  addMarketRoutes(app, dashboard);
  attachSocket(app, dashboard);

  app.get('/metrics', { onRequest: access.metrics, schema: { hide: true } }, async (request, reply) => {
    const context = contextOf(request);
    const timeout = { timeoutMs: SCRAPE_TIMEOUT_MS };
    const [status, model] = await Promise.all([
      call(bus, TradingStatus, {}, context, timeout).catch(() => null),
      call(bus, ModelStatus, {}, context, timeout).catch(() => null),
    ]);
    void reply.type(figures.register.contentType);
    return figures.render(status, model);
  });
  await serveDocument(app, 'Beleg: trading dashboard API');
  servePages(app, { dashboard: ['/'] });
  serveChartLibrary(app);
  await app.ready();
  return app;
}

type Status = z.output<typeof TradingStatusReply>;
type Model = z.output<typeof ModelStatusReply>;

interface DashboardFigures {
  /** For those who have figures of their own. */
  readonly register: Registry;
  /** Prometheus text, with what trading and models say now; `null` where one says nothing. */
  render(status: Status | null, model: Model | null): Promise<string>;
}

/** Every request, the account, and Node's own figures. */
function collectDashboardFigures(app: FastifyInstance): DashboardFigures {
  const register = createRegistry();
  observeRequests(app, register);
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [register] });
  const ready = gauge('beleg_trading_ready', '1 while the trading service answers');
  const figures: readonly [Gauge, (status: Status) => number][] = [
    [gauge('beleg_trading_active', '1 while orders can open positions'), ({ active }) => Number(active)],
    [
      gauge('beleg_trading_halted', '1 while trading is halted and orders may only close positions'),
      ({ state }) => Number(state === 'halted'),
    ],
    [gauge('beleg_account_cash', 'Cash in the currency of the account'), ({ cash }) => cash],
    [gauge('beleg_account_value', 'Cash and positions at the last prices'), (status) => status.total_value],
    [
      gauge('beleg_account_positions', 'Number of open positions'),
      ({ positions }) => Object.keys(positions).length,
    ],
    [gauge('beleg_orders_open', 'Orders that can still be filled'), (status) => status.open_orders],
    [gauge('beleg_discrepancies', 'Open discrepancies with the broker'), (status) => status.discrepancies],
  ];
  const modelFigures: readonly [Gauge, (model: Model) => number | null][] = [
    [gauge('beleg_model_training', '1 while training is running'), (model) => Number(model.training_active)],
    [gauge('beleg_model_in_use', '1 while weights are in use'), ({ weights }) => Number(weights !== null)],
    [gauge('beleg_model_predictions', 'Predictions answered'), ({ predictions }) => predictions.count],
    [
      gauge('beleg_model_prediction_p50_seconds', 'Median time of the latest 512 predictions'),
      ({ predictions }) => seconds(predictions.p50_ms),
    ],
    [
      gauge(
        'beleg_model_prediction_p95_seconds',
        '95th percentile of the time of the latest 512 predictions',
      ),
      ({ predictions }) => seconds(predictions.p95_ms),
    ],
  ];
  return {
    register,
    render: async (status, model) => {
      ready.set(status === null ? 0 : 1);
      show(figures, status);
      show(modelFigures, model);
      return register.metrics();
    },
  };
}

/** A figure that nobody knows is none: an old one would look like a new one. */
function show<T>(figures: readonly [Gauge, (said: T) => number | null][], said: T | null): void {
  for (const [figure, read] of figures) {
    const value = said === null ? null : read(said);
    if (value === null) figure.remove();
    else figure.set(value);
  }
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);
