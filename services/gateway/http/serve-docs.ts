import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Swagger UI draws its icons from data URLs and needs nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Swagger UI is dark where its page has this class, and only its top bar, which is not shown here, would set it. */
const COLOUR_SCHEME = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', show);
show();
`;

/**
 * The servers that the document names. Generated clients need an absolute address to begin with. The page may only call
 * its own origin.
 */
function serversOf(app: FastifyInstance): { url: string; description: string }[] {
  const address = app.server.address();
  if (address === null || typeof address === 'string') return [];
  return [{ url: `http://localhost:${address.port}`, description: 'On the machine that it runs on' }];
}

/** Serves the contract for machines at `/openapi.json`, for people at `/docs`. */
export async function serveDocument(app: FastifyInstance, title: string): Promise<void> {
  const { basePath } = app;
  const here = { url: basePath === '' ? '/' : basePath, description: 'The service that gave this document' };
  // All clients share one buffer. With one string for each, unread answers would fill the memory.
  const buffers = new Map<string, Buffer>();
  const sendDocument = (name: 'machines' | 'page', reply: FastifyReply): void => {
    let document = buffers.get(name);
    if (document === undefined) {
      const absolute = name === 'machines' ? serversOf(app) : [];
      // Many generators take the first server. Behind a proxy that is the relative address, because clients of a proxy
      // are on other machines.
      const servers = basePath === '' ? [...absolute, here] : [here, ...absolute];
      document = Buffer.from(JSON.stringify({ ...app.swagger(), servers }));
      buffers.set(name, document);
    }
    void reply.type('application/json; charset=utf-8').send(document);
  };
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => sendDocument('machines', reply));
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: basePath,
    staticCSP: POLICY,
    uiConfig: { validatorUrl: null, layout: 'BaseLayout', defaultModelsExpandDepth: 0 },
    theme: { title, js: [{ filename: 'colour-scheme.js', content: COLOUR_SCHEME }] },
    uiHooks: {
      onRequest: (request, reply, next) => {
        if (request.routeOptions.url === '/docs/json') sendDocument('page', reply);
        else next();
      },
    },
  });
}
