import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError, type ErrorCode } from '../../events/errors.ts';
import { call, type CallContext } from '../../events/messages/define.ts';
import {
  Comment,
  CommentRequest,
  CommentResponse,
  Rate,
  RatingRequest,
  RatingResponse,
} from '../../events/messages/feedback.ts';
import { Ask, AskRequest, AskResponse, Reindex, ReindexResponse } from '../../events/messages/knowledge.ts';
import type { Access } from './access.ts';
import { goneSignal } from './gone.ts';
import { HealthResponse, readHealth } from './health.ts';
import type { Metrics } from './metrics.ts';
import { answers, success } from './openapi.ts';

const SERVICE_KEY = [{ serviceKey: [] }];
const ADMIN_KEY = [{ adminKey: [] }];

/** When the paths without a version were superseded by `/v1` (RFC 9745: a date in seconds since 1970). */
const DEPRECATED_SINCE = Date.UTC(2026, 0, 1) / 1_000;

const KEYED: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'INVALID_REQUEST',
  'INVALID_JSON',
  'BODY_TOO_LARGE',
];
const BEHIND: readonly ErrorCode[] = ['NO_RESPONDERS', 'DEADLINE_EXCEEDED', 'SERVICE_UNAVAILABLE'];
const FEEDBACK: readonly ErrorCode[] = [
  ...KEYED,
  ...BEHIND,
  'UNKNOWN_REQUEST_ID',
  'AUDIT_DISABLED',
  'AUDIT_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'WRONG_EXPECTED_REVISION',
];

/** The paths of the knowledge service. Each handler turns HTTP into one call on the bus and back. */
export function addKnowledgeRoutes(
  app: FastifyInstance,
  bus: MessageBus,
  access: Access,
  metrics: Metrics,
): void {
  const ask: Route = {
    method: 'POST',
    path: '/v1/ask',
    guard: access.service,
    schema: {
      summary: 'Answer a question from the knowledge base',
      tags: ['knowledge'],
      security: SERVICE_KEY,
      body: AskRequest,
      response: answers(
        AskResponse,
        'The answer, a refusal, or an uncertain draft: always look at `status` and `verified`',
        [...KEYED, ...BEHIND, 'REVIEW_MODE_DISABLED', 'CONTEXT_NOT_ALLOWED', 'OVERLOADED', 'INDEX_NOT_READY'],
      ),
    },
    handler: async (request, reply) => {
      const body = request.body as z.output<typeof AskRequest>;
      if (body.mode === 'review') throw new BelegError('REVIEW_MODE_DISABLED');
      if (body.context !== undefined) throw new BelegError('CONTEXT_NOT_ALLOWED');
      const response = await call(bus, Ask, { ...body, request_id: request.id }, contextOf(request), {
        signal: goneSignal(reply),
      });
      metrics.countAsk(response);
      return response;
    },
  };

  const rate: Route = {
    method: 'POST',
    path: '/v1/ratings',
    guard: access.service,
    schema: {
      summary: 'Rate an answer; a second rating replaces the first',
      tags: ['feedback'],
      security: SERVICE_KEY,
      body: RatingRequest,
      response: answers(RatingResponse, 'The rating is on record', FEEDBACK),
    },
    handler: (request) => call(bus, Rate, request.body as z.output<typeof RatingRequest>, contextOf(request)),
  };

  const comment: Route = {
    method: 'POST',
    path: '/v1/comments',
    guard: access.service,
    schema: {
      summary: 'Add a comment to an answer',
      tags: ['feedback'],
      security: SERVICE_KEY,
      body: CommentRequest,
      response: answers(CommentResponse, 'The comment is on record', FEEDBACK, 201),
    },
    handler: async (request, reply) => {
      const body = request.body as z.output<typeof CommentRequest>;
      const response = await call(bus, Comment, body, contextOf(request));
      void reply.code(201);
      return response;
    },
  };

  const reindex: Route = {
    method: 'POST',
    path: '/v1/reindex',
    guard: access.admin,
    bodyOptional: true,
    schema: {
      summary: 'Rebuild the index after the knowledge base has changed',
      tags: ['operation'],
      security: ADMIN_KEY,
      body: z.strictObject({}).nullish(),
      response: answers(ReindexResponse, 'The new index is in service', [
        ...KEYED,
        ...BEHIND,
        'KB_INVALID',
        'REINDEX_RUNNING',
      ]),
    },
    handler: (request) => call(bus, Reindex, { request_id: request.id }, contextOf(request)),
  };

  const health: Route = {
    method: 'GET',
    path: '/v1/health',
    schema: {
      summary: 'Readiness; 503 with the same body while no question is answered',
      tags: ['operation'],
      security: [],
      response: {
        ...answers(HealthResponse, 'Ready', []),
        503: success(HealthResponse, 'Not ready: the same body'),
      },
    },
    handler: async (request, reply) => {
      const state = await readHealth(bus, contextOf(request));
      void reply.code(state.status === 'unavailable' ? 503 : 200);
      return state;
    },
  };

  for (const route of [ask, rate, comment, reindex, health]) addRoute(app, route);
  for (const route of [ask, reindex, health]) addDeprecatedRoute(app, route);

  app.get('/metrics', { onRequest: access.metrics, schema: { hide: true } }, async (request, reply) => {
    void reply.type(metrics.contentType);
    return metrics.render(await readHealth(bus, contextOf(request)));
  });
}

interface Route {
  method: 'GET' | 'POST';
  path: string;
  /** Without one the path is public, and no rate limit counts it. */
  guard?: (request: FastifyRequest) => Promise<void>;
  bodyOptional?: boolean;
  schema: NonNullable<RouteOptions['schema']>;
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

function addRoute(app: FastifyInstance, route: Route, before: RouteOptions['onRequest'] & object = []): void {
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
function addDeprecatedRoute(app: FastifyInstance, route: Route): void {
  const path = route.path.replace('/v1', '');
  const schema = { ...route.schema, deprecated: true, summary: `Use ${route.path}` };
  addRoute(app, { ...route, path, schema }, async (_request, reply) => {
    void reply.headers({
      deprecation: `@${DEPRECATED_SINCE}`,
      link: `<${route.path}>; rel="successor-version"`,
    });
  });
}

function contextOf(request: FastifyRequest): CallContext {
  return { correlationId: request.id, callId: randomUUID() };
}
