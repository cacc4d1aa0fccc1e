import type { z } from 'zod';
import { decide as decideComment } from '../../actors/rating/comment.ts';
import { decide as decideRating } from '../../actors/rating/rating.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import type { Codec } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type {
  CommentRequest,
  CommentResponse,
  RatingRequest,
  RatingResponse,
} from '../../events/messages/feedback.ts';
import { API_VERSION } from '../../events/messages/knowledge.ts';
import type { EventStore } from '../../events/store/store.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { confirmKeys, retryOnConflict } from '../append.ts';
import { createEvents } from '../events.ts';
import type { Turns } from '../../events/turns.ts';
import { loadAnswer } from './answer.ts';
import type { CommentWriter } from './comments.ts';
import type { AuditLines } from './lines.ts';

export interface FeedbackOptions {
  store: EventStore;
  vault: Vault;
  codec: Codec;
  turns: Turns;
  lines: AuditLines;
  /** Drops the free text of ratings; a comment's is what the caller asked to store. */
  redact: boolean;
  now: () => Date;
}

/**
 * Load → decide → append at the revision that was loaded, in the stream's turn; again when another process came first. Resolves when the
 * rating is durable. A repeated call id is answered as the first time.
 */
export async function rate(
  options: FeedbackOptions,
  request: z.output<typeof RatingRequest>,
  call: CallContext,
): Promise<z.output<typeof RatingResponse>> {
  const { store, vault, codec, turns, lines, redact, now } = options;
  const { request_id, rating, feedback = null, ...unread } = request;
  assertAllRead(unread);
  const stream = askStream(request_id);
  const attempt = async (): Promise<boolean> => {
    const { state, revision, earlier } = await loadAnswer(options, request_id, call.callId);
    if (earlier !== undefined) return earlier.updated;
    const drafts = decideRating({ request_id, rating, feedback }, state);
    const cause = {
      stream,
      at: now().toISOString(),
      correlationId: call.correlationId,
      causationId: call.callId,
      traceparent: call.trace?.traceparent,
      key: request_id,
    };
    const rated = createEvents(drafts, cause, { redact });
    const encoded = await Promise.all(rated.map((event) => codec.encode(event)));
    await store.append(stream, revision, encoded);
    confirmKeys(vault, encoded);
    rated.forEach((event, index) => lines(event, revision + 1n + BigInt(index)));
    return drafts.some((draft) => draft.data.updated);
  };
  try {
    const updated = await turns.run(stream, () => retryOnConflict(attempt));
    return { api_version: API_VERSION, request_id, rating, updated };
  } catch (error) {
    throw toAuditError(error);
  }
}

/** Resolves with the comment's id when the comment is durable. */
export async function comment(
  options: FeedbackOptions,
  comments: CommentWriter,
  request: z.output<typeof CommentRequest>,
  call: CallContext,
): Promise<z.output<typeof CommentResponse>> {
  const { request_id, comment, ...unread } = request;
  assertAllRead(unread);
  try {
    const { state } = await loadAnswer(options, request_id, call.callId);
    const [decided] = decideComment({ request_id, comment }, state);
    const comment_id = await comments.record({
      requestId: request_id,
      comment: decided!.data.comment,
      correlationId: call.correlationId,
      callId: call.callId,
      traceparent: call.trace?.traceparent,
      at: options.now().toISOString(),
    });
    return { api_version: API_VERSION, request_id, comment_id };
  } catch (error) {
    throw toAuditError(error);
  }
}

/** To a caller it is the record that is away, whatever keeps it. */
function toAuditError(error: unknown): unknown {
  return isBelegError(error, 'STORE_UNAVAILABLE')
    ? new BelegError('AUDIT_UNAVAILABLE', { cause: error })
    : error;
}
