import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/errors.ts';
import { call, type RequestDefinition } from '../../../events/messages/define.ts';
import type { DashboardAccess } from './access.ts';
import { answers } from '../http/openapi.ts';
import { callAgainIfLost } from '../http/retry.ts';
import { addRoute, contextOf, KEYED } from '../http/route.ts';

/** A path of the dashboard: GET reads, POST changes, and the keys follow from that. */
export interface Operation {
  method: 'GET' | 'POST';
  path: string;
  tag: 'dashboard' | 'trading' | 'models' | 'data';
  summary: string;
  params?: z.ZodType;
  querystring?: z.ZodType;
  /** Without one a body may be missing or `{}`. */
  body?: z.ZodType;
  /** It may also be missing: `body` then says what is meant. */
  bodyOptional?: boolean;
  reply: z.ZodType;
  /** What the reply says when all is well. */
  means: string;
  /** What can go wrong beyond keys and what is sent. */
  codes: readonly ErrorCode[];
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

const NO_BODY = z.strictObject({}).nullish();

export function addOperation(app: FastifyInstance, access: DashboardAccess, operation: Operation): void {
  const { method, path, tag, summary, params, querystring, reply, means, codes, handler } = operation;
  const reads = method === 'GET';
  const sent: readonly ErrorCode[] = reads
    ? ['UNAUTHORIZED', 'RATE_LIMITED', ...(querystring === undefined ? [] : (['INVALID_REQUEST'] as const))]
    : KEYED;
  addRoute(app, {
    method,
    path,
    guard: reads ? access.read : access.trade,
    bodyOptional: operation.bodyOptional ?? operation.body === undefined,
    schema: {
      summary,
      tags: [tag],
      security: reads ? [{ readKey: [] }, { tradeKey: [] }] : [{ tradeKey: [] }],
      ...(params === undefined ? {} : { params }),
      ...(querystring === undefined ? {} : { querystring }),
      ...(reads ? {} : { body: operation.body ?? NO_BODY }),
      response: answers(reply, means, [...sent, ...codes]),
    },
    handler,
  });
}

/** For what may be asked twice, since the second time changes nothing: once more where whoever took it is gone. */
export function ask<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
  request: FastifyRequest,
): Promise<z.output<Rep>> {
  return callAgainIfLost(bus, definition, payload, contextOf(request), { as: 'same call' });
}

/** For what must happen once: where the answer is lost it may have been done, and is not sent again. */
export function tell<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
  request: FastifyRequest,
): Promise<z.output<Rep>> {
  return call(bus, definition, payload, contextOf(request));
}
