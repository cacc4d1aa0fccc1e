import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { decideAccess, type GatewaySettings } from './access.ts';
import { addActorsRoute } from '../http/actors-route.ts';
import { addAuditRoutes } from './audit-routes.ts';
import { addFeedbackRoutes } from './feedback-routes.ts';
import { addKnowledgeRoutes } from './knowledge-routes.ts';
import { serveDocument } from '../http/serve-docs.ts';
import { KNOWLEDGE_API } from './knowledge-document.ts';
import { addMetrics } from './prometheus-metrics.ts';
import { describeApi } from '../http/openapi.ts';
import { servePages } from '../http/serve-pages.ts';
import { limitRate } from '../http/rate-limit.ts';
import { addProbes, openHttpServer, type Readiness } from '../http/server.ts';

/**
 * The HTTP gateway of the knowledge service, ready to listen. It reaches the other services by messages on the bus
 * only. `close()` stops accepting, lets requests finish, then ends; afterwards the caller drains the bus.
 *
 * @example
 * const gateway = await openKnowledgeGateway(bus, settings, pino());
 * await gateway.listen({ host: '127.0.0.1', port: 8080 });
 */
export async function openKnowledgeGateway(
  bus: MessageBus,
  settings: GatewaySettings,
  logger: FastifyBaseLogger,
  readiness?: Readiness,
): Promise<FastifyInstance> {
  const app = openHttpServer({ ...settings, logger });
  if (readiness !== undefined) addProbes(app, readiness);
  await describeApi(app, KNOWLEDGE_API);
  if (settings.rateLimit !== null) await limitRate(app, settings.rateLimit);

  const access = decideAccess(settings);
  const countAsk = addMetrics(app, bus, access);
  addKnowledgeRoutes(app, bus, access, countAsk);
  addFeedbackRoutes(app, bus, access);
  addAuditRoutes(app, bus, access);
  addActorsRoute(app, bus, { tag: 'operation', guard: access.actors, keys: ['adminKey'] });
  await serveDocument(app, 'Beleg: knowledge service API');
  servePages(app, { knowledge: ['/'], audit: ['/audit', '/audit/'] });
  await app.ready();
  return app;
}
