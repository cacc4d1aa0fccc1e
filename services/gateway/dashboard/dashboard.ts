import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { call } from '../../../events/messages/define.ts';
import { ModelStatus } from '../../../events/messages/models.ts';
import { TradingStatus } from '../../../events/messages/trading.ts';
import { VERSION } from '../../version.ts';
import { decideDashboardAccess, type DashboardGatewaySettings } from './access.ts';
import { DASHBOARD_API } from './document.ts';
import { DashboardLogs } from './logs.ts';
import { collectDashboardFigures } from './prometheus.ts';
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
