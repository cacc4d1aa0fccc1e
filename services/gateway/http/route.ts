import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../../events/error-codes.ts';
import type { MessageBus } from '../../../events/bus/bus.ts';
import {
  call,
  type CallContext,
  type CallOptions,
  type RequestDefinition,
} from '../../../events/messages/define.ts';
import type { Guard } from './keys-and-hosts.ts';
import { answers } from './openapi.ts';

/** The date on which `/v1` superseded the paths without a version (RFC 9745: in seconds since 1970). */
const DEPRECATED_SINCE = Date.UTC(2026, 0, 1) / 1_000;

/** Errors that the bus can return instead of the service. */
export const BEHIND: readonly ErrorCode[] = [
  'NO_RESPONDERS',
  'RESPONDER_LOST',
  'DEADLINE_EXCEEDED',
  'SERVICE_UNAVAILABLE',
];

/**
 * A path and its contract in the OpenAPI document: GET reads, POST changes. The handler gets the request as its schemas
 * have parsed it; parts without a schema are `unknown`.
 */
export interface Route<
  Body extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
> {
  at: `${'GET' | 'POST'} /${string}`;
  tag: string;
  summary: string;
  params?: Params;
  headers?: z.ZodType;
  querystring?: Query;
  /** The schema of the body. If it is absent, the POST has no body or `{}`. */
  body?: Body;
  /** Whether the body may be missing. Then `body` must accept `undefined`. */
  bodyOptional?: boolean;
  reply: z.ZodType;
  /** The description of a success. */
  means: string;
  /** The status of a success, 200 by default. */
  status?: 200 | 201;
  /** Other replies by their status. */
  others?: Readonly<Record<number, object>>;
  /** The error codes besides those of keys and invalid requests. */
  codes: readonly ErrorCode[];
  // Declared as a method, so that a route with its own schemas can be used as any route.
  handler(
    request: FastifyRequest<{
      Body: z.output<Body>;
      Params: z.output<Params>;
      Querystring: z.output<Query>;
    }>,
    reply: FastifyReply,
  ): Promise<unknown>;
}

export function partsOf({ at }: Pick<Route, 'at'>): { method: 'GET' | 'POST'; url: string } {
  const [method, url] = at.split(' ') as ['GET' | 'POST', string];
  return { method, url };
}

/** The guard of a path. A path without a guard is public, and not counted by the rate limit. */
interface Entrance {
  guard?: Guard;
  /** The security schemes of the document, each of which opens the path. */
  keys: readonly string[];
}

const NO_BODY = z.strictObject({}).nullish();

export function addRoute(
  app: FastifyInstance,
  route: Route,
  { guard, keys }: Entrance,
  { before = [], deprecated = {} }: { before?: RouteOptions['onRequest'] & object; deprecated?: object } = {},
): void {
  const {
    tag,
    summary,
    params,
    headers,
    querystring,
    body,
    reply,
    means,
    others,
    codes,
    status = 200,
  } = route;
  const { method, url } = partsOf(route);
  const posts = method === 'POST';
  const bodyOptional = route.bodyOptional ?? body === undefined;
  app.route({
    method,
    url,
    schema: {
      summary,
      tags: [tag],
      security: keys.map((key) => ({ [key]: [] })),
      ...(params === undefined ? {} : { params }),
      ...(headers === undefined ? {} : { headers }),
      ...(querystring === undefined ? {} : { querystring }),
      ...(posts ? { body: body ?? NO_BODY } : {}),
      response: { ...answers(reply, means, [...sentCodes(route, guard), ...codes], status), ...others },
      ...deprecated,
    },
    config: { limited: guard !== undefined, bodyOptional },
    onRequest: [before, guard ?? []].flat(),
    handler: (request, reply) => app.inWork.answer(route.handler(request, reply.code(status))),
  });
}

/** The error codes that a wrong key or an invalid request can cause. */
function sentCodes(route: Route, guard: Guard | undefined): readonly ErrorCode[] {
  const keyed: ErrorCode[] = guard === undefined ? [] : ['UNAUTHORIZED', 'RATE_LIMITED'];
  if (partsOf(route).method === 'POST')
    return [...keyed, 'INVALID_REQUEST', 'INVALID_JSON', 'BODY_TOO_LARGE'];
  return route.querystring === undefined ? keyed : [...keyed, 'INVALID_REQUEST'];
}

/** Adds the path without its version, with an equal contract, and a header that names its successor. */
export function addDeprecatedRoute(app: FastifyInstance, route: Route, entrance: Entrance): void {
  const { url: path } = partsOf(route);
  const at = route.at.replace('/v1', '') as Route['at'];
  addRoute(app, { ...route, at, summary: `Use ${path}` }, entrance, {
    deprecated: { deprecated: true },
    before: async (_request, reply) => {
      void reply.headers({
        deprecation: `@${DEPRECATED_SINCE}`,
        link: `<${app.basePath}${path}>; rel="successor-version"`,
      });
    },
  });
}

interface Asked<Req extends z.ZodType> extends Pick<CallOptions, 'again'> {
  payload?: (request: FastifyRequest) => z.input<Req> | Promise<z.input<Req>>;
  /** Makes the context of the call. By default each request is a call of its own. */
  context?: (request: FastifyRequest) => CallContext;
}

/**
 * The handler of a path that forwards one request to a service and returns its reply unchanged. The request consists of
 * the sent body and the path's parameters, which a body cannot replace, unless `payload` makes another one.
 */
export function asks<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  { payload = sentIn<Req>, context = contextOf, ...options }: Asked<Req> = {},
): Pick<Route, 'reply' | 'handler'> {
  return {
    reply: definition.reply,
    handler: async (request) => call(bus, definition, await payload(request), context(request), options),
  };
}

const sentIn = <Req extends z.ZodType>({ params, body }: FastifyRequest) =>
  ({ ...(body as object | null), ...(params as object) }) as z.input<Req>;

/** Each HTTP request is a call of its own, even under a repeated request id. */
export function contextOf(request: FastifyRequest): CallContext {
  return { correlationId: request.id, callId: randomUUID(), trace: request.trace };
}
