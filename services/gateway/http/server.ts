import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { z } from 'zod';
import { invalidRequest } from '../../../events/messages/define.ts';
import { redirectBelow, stripBasePath } from './base-path.ts';
import { answerClientError } from './client-error.ts';
import { dropStalled, prepareDrain, Unanswered } from './connections.ts';
import { hasGone } from './client-gone.ts';
import { createHostCheck } from './keys-and-hosts.ts';
import { acceptJsonOnly, MAX_BODY_BYTES } from './json-body.ts';
import { sendProblem, toBelegError } from './problem.ts';
import { traceRequests } from './trace.ts';
import { BelegError } from '../../../events/errors.ts';
import { NewRequestId } from '../../../events/messages/feedback.ts';

/** Equal to Node's limit for all headers, so that every address that gets in reaches its route. */
const MAX_PARAMETER_LENGTH = 16 * 1024;
/** A client that trickles its headers or its body is dropped after this long. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the 60 s that common proxies keep a connection, so that it is they who close it. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** The status in the log for a client that has gone, as in nginx. */
const CLIENT_CLOSED_REQUEST = 499;

/** Headers of every answer. A page sets its own policy. */
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
  basePath?: string | undefined;
  logger: FastifyBaseLogger;
}): FastifyInstance {
  const { basePath = '' } = options;
  const strip = stripBasePath(basePath);
  let drain: (() => Promise<void>) | undefined;
  const unanswered = new Unanswered();
  const app: FastifyInstance = fastify({
    loggerInstance: withoutSecrets(options.logger),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '' }) => strip(url),
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    return503OnClosing: false,
    serverFactory: (handle) => {
      const handleBounded: RequestListener = (request, response) => {
        if (unanswered.add(request, response)) handle(request, response);
      };
      const server: Server = createServer(
        {
          headersTimeout: HEADERS_TIMEOUT_MS,
          requestTimeout: REQUEST_TIMEOUT_MS,
          keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
          connectionsCheckingInterval: 1_000,
          requireHostHeader: false,
          // A request with another offer (curl sends `Upgrade: h2c`) stays an ordinary request.
          shouldUpgradeCallback: ({ headers }) =>
            headers.upgrade?.toLowerCase() === 'websocket' && server.listenerCount('upgrade') > 0,
        },
        handleBounded,
      );
      // An unknown expectation of a client is no reason for an answer without a body (RFC 9110, 10.1.1).
      server.on('checkExpectation', handleBounded);
      dropStalled(server);
      drain = prepareDrain(server);
      return server;
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, unanswered.isNext(socket)),
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
    if (app.server.listening) await drain?.();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('connection', 'close');
  });
  const assertHost = createHostCheck(options.allowedHosts);
  app.addHook('onRequest', async ({ raw }) => assertHost(raw));
  app.addHook('onResponse', async (_request, reply) => logRequest(reply, reply.statusCode));

  acceptJsonOnly(app);
  answerUnknownRoutes(app);
  redirectBelow(app, basePath);
  app.setErrorHandler((error, request, reply) => {
    const known = toBelegError(error);
    if (hasGone(reply)) logRequest(reply, CLIENT_CLOSED_REQUEST);
    else if (known.status === 500) request.log.error({ err: known }, 'request failed');
    // Closed at once, a client that is still sending would be cut off before it reads why; what is sent too slowly ends by itself.
    if (known.code === 'BODY_TOO_LARGE') void reply.removeHeader('connection');
    return sendProblem(reply, known);
  });
  return app;
}

/** Whether work can be sent to this process, and which followers are behind the record in it. */
export type Readiness = () => { readonly ready: boolean; readonly degraded: readonly string[] };

/**
 * For who watches over the process: `GET /live` (200 while its event loop turns) and `GET /ready` (503 while no work should be
 * sent here). They are open to all who reach the port, so they name nobody and nothing but followers.
 */
export function addProbes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/live', { schema: { hide: true } }, async () => ({ live: true }));
  app.get('/ready', { schema: { hide: true } }, async (_request, reply) => {
    const { ready, degraded } = readiness();
    void reply.code(ready ? 200 : 503);
    return { ready, degraded };
  });
}

/** The route and never the address: that may hold what was said. */
function logRequest(reply: FastifyReply, status: number): void {
  const { method, routeOptions, log } = reply.request;
  log.info({ method, route: routeOptions.url, status, ms: Math.round(reply.elapsedTime) }, 'request');
}

/** The places of a request's secrets, in case some library logs the request. */
const SECRETS = [
  'req.headers',
  'headers',
  '*.headers.authorization',
  'apiKeys',
  'adminApiKeys',
  'readKeys',
  '*.apiKeys',
  '*.adminApiKeys',
  '*.readKeys',
];

/** The same logger, blind to keys and headers whoever writes through it. */
function withoutSecrets(logger: FastifyBaseLogger): FastifyBaseLogger {
  return logger.child({}, { redact: { paths: SECRETS, censor: '[redacted]' } });
}

/** 405 with `Allow` for a path that exists under other methods, 404 for one that does not. Before any route is added. */
function answerUnknownRoutes(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = url.split(/(:[^/]+|\*)/).map((part, i) => {
      if (i % 2 === 0) return RegExp.escape(part);
      return part === '*' ? '.*' : '[^/]+';
    });
    routes.push({ pattern: new RegExp(`^${pattern.join('')}$`), methods: [method].flat() });
  });

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    // A path that only looks like a route once it is decoded is none of ours.
    if (allowed.length === 0 || allowed.includes(request.method))
      return sendProblem(reply, new BelegError('NOT_FOUND'));
    void reply.header('allow', [...new Set(allowed)].sort().join(', '));
    return sendProblem(reply, new BelegError('METHOD_NOT_ALLOWED'));
  });
}

function pathOf(request: FastifyRequest): string {
  const path = request.url.split(/[?#]/, 1)[0]!;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The client's `X-Request-ID` where it is valid, else a random one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = NewRequestId.safeParse(request.headers['x-request-id']);
  return sent.success ? sent.data : randomUUID();
}
