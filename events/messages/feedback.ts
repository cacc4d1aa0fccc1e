import { z } from 'zod';
import { defineRequest } from './define.ts';
import { API_VERSION } from './knowledge.ts';
import { optional } from './optional.ts';
import { RequestId } from './request-id.ts';
import { REQUEST_LIMITS } from './request-limits.ts';
import { atMost, visibleText } from './visible-text.ts';

/** `POST /v1/ratings`. */
export const RatingRequest = z.strictObject({
  request_id: RequestId,
  rating: z.enum(['up', 'down']),
  feedback: optional(z.string().max(REQUEST_LIMITS.feedback, atMost(REQUEST_LIMITS.feedback))),
});

export const RatingResponse = z.object({
  api_version: z.literal(API_VERSION),
  request_id: z.string(),
  rating: z.enum(['up', 'down']),
  updated: z.boolean(),
});

export const Rate = defineRequest({
  subject: 'beleg.v1.cmd.feedback.rate',
  request: RatingRequest,
  reply: RatingResponse,
});

/** `POST /v1/comments`. */
export const CommentRequest = z.strictObject({
  request_id: RequestId,
  comment: visibleText(REQUEST_LIMITS.comment),
});

export const CommentResponse = z.object({
  api_version: z.literal(API_VERSION),
  request_id: z.string(),
  comment_id: z.int().positive(),
});

export const Comment = defineRequest({
  subject: 'beleg.v1.cmd.feedback.comment',
  request: CommentRequest,
  reply: CommentResponse,
});

export const AuditHealth = defineRequest({
  subject: 'beleg.v1.qry.audit.health',
  reply: z.object({
    enabled: z.boolean(),
    ready: z.boolean(),
    /** Position up to which the projection has read; `null` before its first event. */
    checkpoint: z.string().nullable(),
    /**
     * The number of requests whose text can no longer be decrypted although nobody erased it; `null` until they are
     * counted.
     */
    keys_missing: z.int().nonnegative().nullable().default(null),
    /** Events that could not be applied to the tables. */
    set_aside: z.int().nonnegative().default(0),
    /** Names of files that were removed or replaced under the running process, and could not be put back. */
    files_missing: z.array(z.string()).default([]),
    /** Names of files whose content is damaged: nothing is written to them. */
    files_damaged: z.array(z.string()).default([]),
    /** The identity of the file that has the tables; `null` if there is none. Absent from earlier releases. */
    tables: z.int().nullable().default(null),
  }),
  timeoutMs: 2_000,
});
