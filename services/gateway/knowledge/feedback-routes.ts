import type { FastifyInstance } from 'fastify';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/errors.ts';
import { Comment, CommentRequest, Rate, RatingRequest } from '../../../events/messages/feedback.ts';
import type { Access } from './access.ts';
import { addRoute, asks, BEHIND, type Route } from '../http/route.ts';

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
    ...asks(bus, Rate, { again: 'same call' }),
  };

  const comment: Route = {
    at: 'POST /v1/comments',
    tag: 'feedback',
    summary: 'Add a comment to an answer',
    body: CommentRequest,
    means: 'The comment is recorded',
    status: 201,
    codes: FEEDBACK,
    ...asks(bus, Comment, { again: 'same call' }),
  };

  for (const route of [rate, comment]) addRoute(app, route, { guard: access.service, keys: ['serviceKey'] });
}
