import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/errors.ts';
import { call } from '../../../events/messages/define.ts';
import {
  Comment,
  CommentRequest,
  CommentResponse,
  Rate,
  RatingRequest,
} from '../../../events/messages/feedback.ts';
import type { Access } from './access.ts';
import { addRoute, asks, BEHIND, contextOf, type Route } from '../http/route.ts';

const FEEDBACK: readonly ErrorCode[] = [
  ...BEHIND,
  'UNKNOWN_REQUEST_ID',
  'REQUEST_ERASED',
  'AUDIT_DISABLED',
  'AUDIT_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'WRONG_EXPECTED_REVISION',
];

/** Ratings and comments. A client that leaves does not stop them: what was sent is to be kept. */
export function addFeedbackRoutes(app: FastifyInstance, bus: MessageBus, access: Access): void {
  const rate: Route = {
    at: 'POST /v1/ratings',
    tag: 'feedback',
    summary: 'Rate an answer; a second rating replaces the first',
    body: RatingRequest,
    means: 'The rating is recorded',
    codes: FEEDBACK,
    ...asks(bus, Rate, ({ body }) => body as z.output<typeof RatingRequest>, { again: 'same call' }),
  };

  const comment: Route = {
    at: 'POST /v1/comments',
    tag: 'feedback',
    summary: 'Add a comment to an answer',
    body: CommentRequest,
    reply: CommentResponse,
    means: 'The comment is recorded',
    status: 201,
    codes: FEEDBACK,
    handler: async (request, reply) => {
      const body = request.body as z.output<typeof CommentRequest>;
      const response = await call(bus, Comment, body, contextOf(request), { again: 'same call' });
      void reply.code(201);
      return response;
    },
  };

  for (const route of [rate, comment]) addRoute(app, route, { guard: access.service, keys: ['serviceKey'] });
}
