import type { z } from 'zod';
import type { Interaction as InteractionSchema } from '../../../events/messages/audit.ts';
import type { AuditTables, Row } from './tables.ts';

export type Interaction = z.output<typeof InteractionSchema>;

/** Bytes of comments on one request that are told; beyond it the oldest are left out. */
const MAX_COMMENT_BYTES = 192 * 1024;

const INTERACTION = `
  SELECT interactions.request_id, interactions.at, question, answer, status, verified, answer_type, mode,
    verdict, contradictions, citations, model, latency_ms, interactions.rating, ratings.feedback, ratings.at AS rated_at, requests.erased_at,
    (SELECT count(*) FROM interactions AS other WHERE other.request_id = interactions.request_id) AS answers,
    (SELECT count(*) FROM comments WHERE comments.request_id = interactions.request_id) AS comments
  FROM interactions
  LEFT JOIN ratings USING (answer_id)
  LEFT JOIN requests ON requests.request_id = interactions.request_id`;

/** The answer with this id, and what people said of it. */
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
  const text = (column: string) => row[column] as string;
  const textOrNull = (column: string) => row[column] as string | null;
  const count = (column: string) => row[column] as number;
  const comments = newestComments(tables, text('request_id'));
  const omitted = count('comments') - comments.length;
  return {
    request_id: text('request_id'),
    at: text('at'),
    question: textOrNull('question'),
    answer: textOrNull('answer'),
    status: text('status') as Interaction['status'],
    verified: row['verified'] === 1,
    answer_type: text('answer_type'),
    mode: text('mode') as Interaction['mode'],
    verdict: textOrNull('verdict') as Interaction['verdict'],
    conflicts: count('contradictions'),
    citations: JSON.parse(text('citations')) as string[],
    model: text('model'),
    latency_ms: count('latency_ms'),
    answers: count('answers'),
    rating:
      row['rating'] === null
        ? null
        : {
            rating: text('rating') as 'up' | 'down',
            feedback: textOrNull('feedback'),
            at: text('rated_at'),
          },
    comments,
    ...(omitted === 0 ? {} : { comments_omitted: omitted }),
    erased_at: textOrNull('erased_at'),
  };
}

/** As many as there is room for, oldest first. */
function newestComments(tables: AuditTables, requestId: string): Interaction['comments'] {
  const sql =
    'SELECT comment_id, comment, at FROM comments WHERE request_id = :requestId ORDER BY comment_id DESC';
  const comments: Interaction['comments'] = [];
  let bytes = 0;
  for (const row of tables.rows(sql, { requestId })) {
    const comment = {
      comment_id: row['comment_id'] as number,
      comment: row['comment'] as string | null,
      at: row['at'] as string,
    };
    bytes += bytesOf(comment);
    if (bytes > MAX_COMMENT_BYTES) break;
    comments.push(comment);
  }
  return comments.reverse();
}

/** As JSON on the bus. */
export function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
