import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** Swagger UI draws its icons from data URLs and needs nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The contract for machines at `/openapi.json`, for people at `/docs`. */
export async function serveDocument(app: FastifyInstance, title: string): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    uiConfig: { validatorUrl: null, layout: 'BaseLayout', defaultModelsExpandDepth: 0 },
    theme: { title },
  });
}
