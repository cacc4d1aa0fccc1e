import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { VERSION } from '../../foundation/version.ts';
import { decideDashboardAccess, type DashboardGatewaySettings } from './access.ts';
import { DASHBOARD_API } from './dashboard-document.ts';
import { DashboardLogs } from './logs.ts';
import { addActorsRoute } from '../http/actors-route.ts';
import { addDashboardRoutes } from './dashboard-routes.ts';
import { serveDocument } from '../http/serve-docs.ts';
import { serveChartLibrary, servePages } from '../http/serve-pages.ts';
import { addMetrics } from './prometheus-metrics.ts';
import { addMarketRoutes } from './market-routes.ts';
import { addModelRoutes } from './model-routes.ts';
import { addReportRoutes } from './report-routes.ts';
import { describeApi } from '../http/openapi.ts';
import { limitRate } from '../http/rate-limit.ts';
import { addProbes, openHttpServer, type Readiness } from '../http/server.ts';
import { attachSocket } from './socket/socket.ts';
import { addTradingRoutes } from './trading-routes.ts';
import { createRegistry } from '../http/metrics-registry.ts';
import { observeRequests } from '../http/request-metrics.ts';

/**
 * The HTTP gateway of trading, ready to listen. It reaches the other services by messages on the bus only. `close()`
 * stops accepting, lets requests finish, then ends; afterwards the caller drains the bus.
 *
 * @example
 * const gateway = await openDashboardGateway(bus, settings, pino());
 * await gateway.listen({ host: '127.0.0.1', port: 8090 });
 */
export async function openDashboardGateway(
  bus: MessageBus,
  settings: DashboardGatewaySettings,
  logger: FastifyBaseLogger,
  readiness?: Readiness,
): Promise<FastifyInstance> {
  const app = openHttpServer({ ...settings, logger });
  const register = createRegistry();
  observeRequests(app, register);
  if (readiness !== undefined) addProbes(app, readiness);
  await describeApi(app, DASHBOARD_API);
  if (settings.rateLimit !== null) await limitRate(app, settings.rateLimit);

  const access = decideDashboardAccess(settings);
  const logs = new DashboardLogs();
  logs.add(new Date(), `Dashboard of Beleg ${VERSION} started`);
  logs.follow(bus);
  const dashboard = { bus, settings, access, logs, register };
  addMetrics(app, dashboard);
  addDashboardRoutes(app, dashboard);
  addTradingRoutes(app, dashboard);
  addModelRoutes(app, dashboard);
  addMarketRoutes(app, dashboard);
  addReportRoutes(app, dashboard);
  addActorsRoute(app, bus, { tag: 'dashboard', guard: access.trade, keys: ['tradeKey'] });
  attachSocket(app, dashboard);

  await serveDocument(app, 'Beleg: trading dashboard API');
  servePages(app, { dashboard: ['/'] });
  serveChartLibrary(app);
  await app.ready();
  return app;
}
