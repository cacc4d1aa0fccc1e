import { z } from 'zod';
import { defineEvent } from '../define.ts';

/** All comments have one stream. It has only `CommentRecorded`, so the revision + 1 is the comment id. */
export const COMMENTS_STREAM = 'comments';

/** An answer was rated. Recorded in the stream `ask-<request_id>`, after the answer. */
export const AnswerRated = defineEvent(
  'feedback',
  'AnswerRated',
  {
    request_id: z.string(),
    rating: z.enum(['up', 'down']),
    feedback: z.string().nullable(),
    /** True when an earlier rating of the same answer was replaced. */
    updated: z.boolean(),
  },
  { freeText: ['feedback'] },
);

/**
 * A comment was stored in the stream `comments`. The text is what the caller asked to store: encrypted, but never
 * redacted.
 */
export const CommentRecorded = defineEvent(
  'feedback',
  'CommentRecorded',
  { request_id: z.string(), comment: z.string() },
  { freeText: ['comment'] },
);
