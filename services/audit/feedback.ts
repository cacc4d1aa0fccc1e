import type { z } from 'zod';
import { assertAnswered } from '../../actors/rating/rating.ts';
import { COMMENTS, type ASK } from '../../actors/streams/knowledge.ts';
import type { CommentEvent } from '../../events/catalog/catalog.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import { BelegError } from '../../events/errors.ts';
import { assertAllRead } from '../../events/exhaustive.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type * as messages from '../../events/messages/feedback.ts';
import { API_VERSION } from '../../events/messages/knowledge.ts';
import { StreamWriter, type WriterOf } from '../foundation/streams/writer.ts';
import type { WritersOf } from '../foundation/streams/writers.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';
import type { AuditLines } from '../foundation/audit-lines.ts';
import { toAuditError } from './to-audit-error.ts';

interface Options {
  asks: WritersOf<typeof ASK>;
  lines: AuditLines;
}

/** The number of comments whose calls are remembered, so that a repeated call gets the reply of the first. */
const REMEMBERED = 100_000;

/** Resolves when the rating is durable. A repeated call id gets the reply of the first call. */
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

/**
 * Resolves with the comment's id when the comment is durable: ids run 1, 2, 3 … in the order of the stream. A repeated
 * call id gets the reply of the first call; with another text it rejects with `IDEMPOTENCY_KEY_REUSED`.
 */
export async function comment(
  { asks, store, codec }: Pick<ServiceParts, 'store' | 'codec'> & Pick<Options, 'asks'>,
  comments: WriterOf<typeof COMMENTS>,
  request: z.output<typeof messages.CommentRequest>,
  call: CallContext,
): Promise<z.output<typeof messages.CommentResponse>> {
  const { request_id, comment, ...unread } = request;
  assertAllRead(unread);
  try {
    await asks.of(askStream(request_id)).read(assertAnswered, call);
    const [recorded] = await comments.submit({ request_id, comment }, call);
    if (recorded!.repeated === true) {
      const [stored] = await Array.fromAsync(
        store.readStream(COMMENTS_STREAM, { from: recorded!.revision, limit: 1 }),
      );
      const { data } = (await codec.decode(stored!)) as CommentEvent;
      if (data.request_id !== request_id || data.comment !== comment)
        throw new BelegError('IDEMPOTENCY_KEY_REUSED');
    }
    return { api_version: API_VERSION, request_id, comment_id: Number(recorded!.revision) + 1 };
  } catch (error) {
    throw toAuditError(error);
  }
}

/**
 * Opens the writer of comments. If another process also believes to be the writer, its comments are read, and ids
 * continue after them.
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
    remembered: REMEMBERED,
  });
  writer.follow((events) => {
    for (const event of events) lines(event, event.revision);
  });
  return writer;
}
