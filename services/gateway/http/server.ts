import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify';
import type { z } from 'zod';
import { invalidRequest } from '../../../events/messages/define.ts';
import { acceptJsonOnly } from './body.ts';
import { answerClientError } from './client-error.ts';
import { createBoundedServer } from './connections.ts';
import { hasGone } from './gone.ts';
import { createHostGuard } from './host-guard.ts';
import { withoutSecrets } from './log.ts';
import { answerUnknownRoutes } from './methods.ts';
import { sendProblem, toBelegError } from './problem.ts';
import { requestIdOf } from './request-id.ts';
import { traceRequests } from './trace.ts';

const MAX_BODY_BYTES = 256 * 1024;
/** Node's bound for all headers: whatever came in so far, its route answers. */
const MAX_PARAMETER_LENGTH = 16 * 1024;
/** A client that trickles its headers or its body is dropped after this long. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the 60 s that common proxies keep a connection, so that it is they who close it. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** What the log of a client that has gone says; the status that nginx uses for it. */
const CLIENT_CLOSED_REQUEST = 499;

/** On every answer; a page that is served sets its own policy. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * HTTP as the house speaks it, without routes: request ids, host and origin checks, JSON bodies checked by zod, one error
 * body for everything, an access log that names the route and never the address, timeouts, a close that lets
 * requests finish.
 */
export function createHttpServer(options: {
  allowedHosts: readonly string[];
  logger: FastifyBaseLogger;
}): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: withoutSecrets(options.logger),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: requestIdOf,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    return503OnClosing: false,
    serverFactory: (handle) => {
      const server = createBoundedServer(
        {
          headersTimeout: HEADERS_TIMEOUT_MS,
          requestTimeout: REQUEST_TIMEOUT_MS,
          keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
          connectionsCheckingInterval: 1_000,
          requireHostHeader: false,
          // With any other offer (curl sends `Upgrade: h2c`) it stays an ordinary request.
          shouldUpgradeCallback: ({ headers }) =>
            headers.upgrade?.toLowerCase() === 'websocket' && server.listenerCount('upgrade') > 0,
        },
        handle,
      );
      return server;
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      sendProblem(reply, toBelegError(error));
    },
  });

  app.decorateRequest('caller', '');
  traceRequests(app);
  app.setValidatorCompiler(({ schema }) => (data: unknown) => {
    const parsed = (schema as z.ZodType).safeParse(data);
    return parsed.success ? { value: parsed.data } : { error: invalidRequest(parsed.error) };
  });
  // Replies were checked when they came off the bus.
  app.setSerializerCompiler(() => JSON.stringify);

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
  });
  // A connection that is kept alive would hold up the stop: once it has begun, each ends with its answer.
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('connection', 'close');
  });
  app.addHook('onRequest', createHostGuard(options.allowedHosts));
  app.addHook('onResponse', async (_request, reply) => logRequest(reply, reply.statusCode));

  acceptJsonOnly(app);
  answerUnknownRoutes(app);
  app.setErrorHandler((error, request, reply) => {
    const known = toBelegError(error);
    if (hasGone(reply)) logRequest(reply, CLIENT_CLOSED_REQUEST);
    else if (known.status === 500) request.log.error({ err: known }, 'request failed');
    return sendProblem(reply, known);
  });
  return app;
}

/** The route and never the address: that may hold what was said. */
function logRequest(reply: FastifyReply, status: number): void {
  const { method, routeOptions, log } = reply.request;
  log.info({ method, route: routeOptions.url, status, ms: Math.round(reply.elapsedTime) }, 'request');
}
