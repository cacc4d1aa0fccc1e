import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { finished } from 'node:stream/promises';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { z } from 'zod';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import { invalidRequest } from '../../../events/messages/define.ts';
import { redirectBelow, stripBasePath } from './base-path.ts';
import { answerClientError } from './client-error.ts';
import { acceptFirst, dropStalled, prepareDrain, Unanswered } from './connections.ts';
import { hasGone } from './client-gone.ts';
import { createHostCheck } from './keys-and-hosts.ts';
import {
  ANSWER_WITHIN_MS,
  CUT_AFTER_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_BODY_BYTES,
  MAX_PARAMETER_LENGTH,
  REQUEST_TIMEOUT_MS,
} from './http-limits.ts';
import { InWork } from './in-work.ts';
import { acceptJsonOnly } from './json-body.ts';
import { withoutSecrets } from './log-redaction.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { sendProblem, toBelegError } from './problem.ts';
import { traceRequests } from './trace.ts';
import { BelegError } from '../../../events/errors.ts';
import { NewRequestId } from '../../../events/messages/request-id.ts';

/** The paths that proxies and orchestrators probe. They tell nobody more than whether the service works. */
const PROBES = new Set(['/live', '/ready', '/v1/health', '/health']);

/** The milliseconds for which a body that is too large is taken and passed over before the answer. */
const PASSED_OVER_MS = 5_000;

/** The status in the log for a client that has left, as in nginx. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * An HTTP server without routes: request ids, host and origin checks, JSON bodies checked by zod, one error body for
 * all errors, an access log that names the route and never the address, timeouts, and a close that lets requests
 * finish; those that take longer than a stop can wait get 503 `RESPONDER_LOST`.
 */
export function openHttpServer(options: {
  allowedHosts: readonly string[];
  basePath?: string | undefined;
  logger: FastifyBaseLogger;
  clock?: Clock;
}): FastifyInstance {
  const { basePath = '', clock = systemClock } = options;
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
    // A plugin that takes long on a busy machine must not end the start.
    pluginTimeout: 0,
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
          // An upgrade to another protocol (curl sends `Upgrade: h2c`) is handled as an ordinary request.
          shouldUpgradeCallback: ({ headers }) =>
            headers.upgrade?.toLowerCase() === 'websocket' && server.listenerCount('upgrade') > 0,
        },
        handleBounded,
      );
      // By default Node would answer an unknown expectation without a body (RFC 9110, 10.1.1).
      server.on('checkExpectation', handleBounded);
      dropStalled(server, clock);
      acceptFirst(server);
      drain = prepareDrain(server, { clock, isIdle: (socket) => unanswered.isIdle(socket) });
      return server;
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, unanswered.isNext(socket)),
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      sendProblem(reply, toBelegError(error));
    },
  });

  app.decorateRequest('caller', '');
  app.decorate('inWork', new InWork());
  traceRequests(app);
  app.setValidatorCompiler(({ schema }) => (data: unknown) => {
    const parsed = (schema as z.ZodType).safeParse(data);
    return parsed.success ? { value: parsed.data } : { error: invalidRequest(parsed.error) };
  });
  // Replies are only written here, because they were validated when they arrived from the bus.
  app.setSerializerCompiler(() => JSON.stringify);

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
  });
  // A kept-alive connection would hold up the stop, so each connection ends with its next answer.
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    const ends = [
      clock.after(ANSWER_WITHIN_MS, () =>
        app.inWork.end(new BelegError('RESPONDER_LOST', { retryAfter: 1 })),
      ),
      // Cuts connections that have sent half a request, or do not read their answer.
      clock.after(CUT_AFTER_MS, () => app.server.closeAllConnections()),
    ];
    app.server.once('close', () => {
      for (const end of ends) end();
    });
    if (app.server.listening) await drain?.();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('connection', 'close');
  });
  const assertHost = createHostCheck(options.allowedHosts);
  app.addHook('onRequest', async ({ raw, routeOptions: { url = '' } }) =>
    assertHost(raw, { isProbe: PROBES.has(url) }),
  );
  app.addHook('onResponse', async (_request, reply) => logRequest(reply, reply.statusCode));

  acceptJsonOnly(app);
  answerUnknownRoutes(app);
  redirectBelow(app, basePath);
  app.setErrorHandler(async (error, request, reply) => {
    const known = toBelegError(error);
    if (hasGone(reply)) logRequest(reply, CLIENT_CLOSED_REQUEST);
    else if (known.status === 500) request.log.error({ err: known }, 'request failed');
    // If the connection were closed at once, a client that still sends would be cut off before it reads the answer. A
    // slow body ends by its timeout.
    if (known.code === 'BODY_TOO_LARGE') {
      void reply.removeHeader('connection');
      // So would be one that asked itself for the connection to be closed after the answer, as Python's does.
      if (!reply.raw.shouldKeepAlive) await passOver(request.raw);
    }
    return sendProblem(reply, known);
  });
  return app;
}

/** Takes a body that nobody reads, until it ends or has taken too long. */
async function passOver(message: IncomingMessage): Promise<void> {
  try {
    await finished(message.resume(), { signal: AbortSignal.timeout(PASSED_OVER_MS) });
  } catch {
    // The client has gone, or is slow.
  }
}

/**
 * The reply to `GET /ready`: whether this process can take work. Anybody who reaches the port sees everything in it.
 */
export type Readiness = () => { readonly ready: boolean };

/**
 * For monitoring: `GET /live` (200 while the event loop turns) and `GET /ready` (what `readiness` gives, with 503 while
 * the process should get no work). They need no key.
 */
export function addProbes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/live', { schema: { hide: true } }, async () => ({ live: true }));
  app.get('/ready', { schema: { hide: true } }, async (_request, reply) => {
    const state = readiness();
    void reply.code(state.ready ? 200 : 503);
    return state;
  });
}

/** Logs the route and never the address, which may have content of a question. */
function logRequest(reply: FastifyReply, status: number): void {
  const { method, routeOptions, log } = reply.request;
  log.info({ method, route: routeOptions.url, status, ms: Math.round(reply.elapsedTime) }, 'request');
}

/** Answers 405 with `Allow` for a known path with another method, else 404. Call it before any route is added. */
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
    // A path that only matches a route after decoding is unknown.
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

/** The client's `X-Request-ID` if it is valid, else a random one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = NewRequestId.safeParse(request.headers['x-request-id']);
  return sent.success ? sent.data : randomUUID();
}
