import type { z } from 'zod';
import { Interaction as InteractionSchema } from '../../../events/messages/audit.ts';
import type { Row } from '../../../events/projections/projection.ts';
import type { AuditTables } from './audit-tables.ts';

export type Interaction = z.output<typeof InteractionSchema>;

/** The most bytes of comments of one request that are returned; of longer ones the oldest are left out. */
const MAX_COMMENT_BYTES = 192 * 1024;

const INTERACTION = `
  SELECT interactions.request_id, interactions.at, question, answer, status, verified, answer_type, mode,
    verdict, contradictions AS conflicts, citations, model, latency_ms, interactions.rating, ratings.feedback, ratings.at AS rated_at, requests.erased_at, requests.lost AS text_lost,
    (SELECT count(*) FROM interactions AS other WHERE other.request_id = interactions.request_id) AS answers,
    (SELECT count(*) FROM comments WHERE comments.request_id = interactions.request_id) AS commented
  FROM interactions
  LEFT JOIN ratings USING (answer_id)
  LEFT JOIN requests ON requests.request_id = interactions.request_id`;

/** The answer with this id, and its feedback. */
export function interactionOfAnswer(tables: AuditTables, answerId: string): Interaction | undefined {
  const row = tables.get(`${INTERACTION} WHERE interactions.answer_id = :answerId`, { answerId });
  return row && toInteraction(tables, row);
}

/** The newest answer of a request. */
export function interactionOfRequest(tables: AuditTables, requestId: string): Interaction | undefined {
  const sql = `${INTERACTION} WHERE interactions.request_id = :requestId AND interactions.newest = 1`;
  const row = tables.get(sql, { requestId });
  return row && toInteraction(tables, row);
}

function toInteraction(tables: AuditTables, row: Row): Interaction {
  const { rating, feedback, rated_at: at } = row;
  const comments = newestComments(tables, row['request_id'] as string);
  const omitted = (row['commented'] as number) - comments.length;
  return InteractionSchema.parse({
    ...row,
    verified: row['verified'] === 1,
    text_lost: row['text_lost'] === 1 ? true : undefined,
    citations: JSON.parse(row['citations'] as string),
    rating: rating === null ? null : { rating, feedback, at },
    comments,
    ...(omitted === 0 ? {} : { comments_omitted: omitted }),
  });
}

/** The newest comments, as many as fit, oldest first. */
function newestComments(tables: AuditTables, requestId: string): Row[] {
  const sql =
    'SELECT comment_id, comment, at FROM comments WHERE request_id = :requestId ORDER BY comment_id DESC';
  const comments: Row[] = [];
  let bytes = 0;
  for (const comment of tables.rows(sql, { requestId })) {
    bytes += bytesOf(comment);
    if (bytes > MAX_COMMENT_BYTES) break;
    comments.push(comment);
  }
  return comments.reverse();
}

/** The size of a value as JSON on the bus. */
export function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
