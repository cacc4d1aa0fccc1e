import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { ErrorCode } from '../../../events/errors.ts';
import type { CallContext } from '../../../events/messages/define.ts';
import type { Guard } from './keys.ts';

/** When the paths without a version were superseded by `/v1` (RFC 9745: a date in seconds since 1970). */
const DEPRECATED_SINCE = Date.UTC(2026, 0, 1) / 1_000;

/** What a path that asks for a key and a body can answer. */
export const KEYED: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'INVALID_REQUEST',
  'INVALID_JSON',
  'BODY_TOO_LARGE',
];
/** What the bus can answer in place of the service. */
export const BEHIND: readonly ErrorCode[] = [
  'NO_RESPONDERS',
  'RESPONDER_LOST',
  'DEADLINE_EXCEEDED',
  'SERVICE_UNAVAILABLE',
];

/** A path, its contract for the OpenAPI document, and who may use it. */
export interface Route {
  method: 'GET' | 'POST';
  path: string;
  /** Without one the path is public, and no rate limit counts it. */
  guard?: Guard;
  bodyOptional?: boolean;
  schema: NonNullable<RouteOptions['schema']>;
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

export function addRoute(
  app: FastifyInstance,
  route: Route,
  before: RouteOptions['onRequest'] & object = [],
): void {
  app.route({
    method: route.method,
    url: route.path,
    schema: route.schema,
    config: { limited: route.guard !== undefined, bodyOptional: route.bodyOptional ?? false },
    onRequest: [before, route.guard ?? []].flat(),
    handler: route.handler,
  });
}

/** The path without its version: the same contract, and a pointer to the one that stays. */
export function addDeprecatedRoute(app: FastifyInstance, route: Route): void {
  const path = route.path.replace('/v1', '');
  const schema = { ...route.schema, deprecated: true, summary: `Use ${route.path}` };
  addRoute(app, { ...route, path, schema }, async (_request, reply) => {
    void reply.headers({
      deprecation: `@${DEPRECATED_SINCE}`,
      link: `<${route.path}>; rel="successor-version"`,
    });
  });
}

/** Each HTTP request is a call of its own, also under a repeated request id. */
export function contextOf(request: FastifyRequest): CallContext {
  return { correlationId: request.id, callId: randomUUID(), trace: request.trace };
}
