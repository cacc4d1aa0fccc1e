import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { readTrace, startSpan, traceOf, type TraceContext } from '../../../events/trace.ts';
import { hasGone } from './client-gone.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's span in the trace of its caller, or in one that began here. */
    trace: TraceContext | undefined;
  }
}

/** Opens a span for each request, with its route but without its address, which may have content of a question. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('trace', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url;
    const span = startSpan(route === undefined ? method : `${method} ${route}`, {
      kind: SpanKind.SERVER,
      parent: readTrace(request.headers),
      attributes: {
        'http.request.method': method,
        'url.scheme': 'http',
        'beleg.request_id': request.id,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
    });
    request.trace = traceOf(span);
    if (!span.isRecording()) return;
    reply.raw.once('close', () => {
      if (hasGone(reply)) {
        span.setAttribute('error.type', 'client_closed_request');
      } else {
        span.setAttribute('http.response.status_code', reply.statusCode);
        if (reply.statusCode >= 500) {
          span.setAttribute('error.type', String(reply.statusCode)).setStatus({ code: SpanStatusCode.ERROR });
        }
      }
      span.end();
    });
  });
}
