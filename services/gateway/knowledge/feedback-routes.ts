import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/error-codes.ts';
import { Comment, CommentRequest, Rate, RatingRequest } from '../../../events/messages/feedback.ts';
import type { Access } from './access.ts';
import { deterministicId } from '../../../events/json.ts';
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

const KEY = 'idempotency-key';
const CommentHeaders = z.looseObject({
  [KEY]: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,64}$/, 'Must be 1 to 64 characters of A-Z a-z 0-9 . _ : -')
    .optional()
    .describe(
      'A random text for this comment, the same each time that it is sent: the comment is recorded once, and answered with its ' +
        '`comment_id` each time. With another body 409',
    ),
});

/**
 * Adds the routes for ratings and comments. A request is completed even if the client leaves, because what it sent is
 * to be kept.
 */
export function addFeedbackRoutes(app: FastifyInstance, bus: MessageBus, access: Access): void {
  const rate: Route = {
    at: 'POST /v1/ratings',
    tag: 'feedback',
    summary: 'Rate an answer; a second rating replaces the first',
    body: RatingRequest,
    means: 'The rating is recorded',
    codes: FEEDBACK,
    ...asks(bus, Rate, { again: 'same call' }),
  };

  const comment: Route = {
    at: 'POST /v1/comments',
    tag: 'feedback',
    summary: 'Add a comment to an answer',
    body: CommentRequest,
    means: 'The comment is recorded',
    status: 201,
    headers: CommentHeaders,
    codes: [...FEEDBACK, 'IDEMPOTENCY_KEY_REUSED'],
    ...asks(bus, Comment, {
      again: 'same call',
      context: (request) => {
        const { [KEY]: key } = request.headers;
        const context = contextOf(request);
        return typeof key === 'string' ? { ...context, callId: deterministicId(KEY, key) } : context;
      },
    }),
  };

  for (const route of [rate, comment]) addRoute(app, route, { guard: access.service, keys: ['serviceKey'] });
}
