import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Swagger UI draws its icons from data URLs and needs nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The contract for machines at `/openapi.json`, for people at `/docs`. */
export async function serveDocument(app: FastifyInstance, title: string): Promise<void> {
  // One buffer for everybody: with a text of its own each, answers that nobody reads would fill the memory.
  let document: Buffer | undefined;
  const sendDocument = (_request: FastifyRequest, reply: FastifyReply): void => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    void reply.type('application/json; charset=utf-8').send(document);
  };
  app.get('/openapi.json', { schema: { hide: true } }, sendDocument);
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    uiConfig: { validatorUrl: null, layout: 'BaseLayout', defaultModelsExpandDepth: 0 },
    theme: { title },
    uiHooks: {
      onRequest: (request, reply, next) => {
        if (request.routeOptions.url === '/docs/json') sendDocument(request, reply);
        else next();
      },
    },
  });
}
