import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { MessageBus } from '../../events/bus/bus.ts';
import { decideDashboardAccess } from './dashboard-access.ts';
import { addTradingRoutes } from './trading-routes.ts';
import { limitRate } from './rate-limit.ts';
import { createHttpServer } from './server.ts';
import type { DashboardGatewaySettings } from './settings.ts';

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
  if (settings.rateLimit !== null) await limitRate(app, settings.rateLimit);

  const access = decideDashboardAccess(settings);
  addTradingRoutes(app, bus, access);
  await app.ready();
  return app;
}
