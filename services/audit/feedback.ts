import type { z } from 'zod';
import { assertAnswered } from '../../actors/rating/rating.ts';
import { COMMENTS, type ASK } from '../../actors/streams/knowledge.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type * as messages from '../../events/messages/feedback.ts';
import { API_VERSION } from '../../events/messages/knowledge.ts';
import { StreamWriter, type WriterOf } from '../foundation/streams/writer.ts';
import type { WritersOf } from '../foundation/streams/writers.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';
import type { AuditLines } from '../foundation/stdout-lines.ts';

interface Options {
  asks: WritersOf<typeof ASK>;
  lines: AuditLines;
}

/** Resolves when the rating is durable. A repeated call id is answered as the first time. */
export async function rate(
  { asks, lines }: Options,
  request: z.output<typeof messages.RatingRequest>,
  call: CallContext,
): Promise<z.output<typeof messages.RatingResponse>> {
  const { request_id, rating, feedback = null, ...unread } = request;
  assertAllRead(unread);
  try {
    const rated = await asks.of(askStream(request_id)).submit({ request_id, rating, feedback }, call);
    for (const event of rated) if (event.repeated !== true) lines(event, event.revision);
    const updated = rated.some(({ type, data }) => type === 'AnswerRated' && data.updated);
    return { api_version: API_VERSION, request_id, rating, updated };
  } catch (error) {
    throw toAuditError(error);
  }
}

/** Resolves with the comment's id when the comment is durable: ids run 1, 2, 3 … by the places in the stream. */
export async function comment(
  { asks }: Options,
  comments: WriterOf<typeof COMMENTS>,
  request: z.output<typeof messages.CommentRequest>,
  call: CallContext,
): Promise<z.output<typeof messages.CommentResponse>> {
  const { request_id, comment, ...unread } = request;
  assertAllRead(unread);
  try {
    await asks.of(askStream(request_id)).read(assertAnswered, call);
    const [recorded] = await comments.submit({ request_id, comment }, call);
    return { api_version: API_VERSION, request_id, comment_id: Number(recorded!.revision) + 1 };
  } catch (error) {
    throw toAuditError(error);
  }
}

/**
 * The writer of comments, also where another process believes it is: what that one has recorded is read, and ids go on
 * behind it.
 */
export function openComments({
  lines,
  ...options
}: Pick<ServiceParts, 'store' | 'codec' | 'now'> & Pick<Options, 'lines'>): WriterOf<typeof COMMENTS> {
  const writer = new StreamWriter(COMMENTS, COMMENTS_STREAM, {
    ...options,
    context: undefined,
    shared: true,
    hasty: true,
  });
  writer.follow((events) => {
    for (const event of events) lines(event, event.revision);
  });
  return writer;
}

/** To a caller it is the record that is away, whatever keeps it. */
function toAuditError(error: unknown): unknown {
  return isBelegError(error, 'STORE_UNAVAILABLE')
    ? new BelegError('AUDIT_UNAVAILABLE', { cause: error })
    : error;
}
