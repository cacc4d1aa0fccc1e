import { TextErased } from '../../events/catalog/audit.ts';
import type { AskEvent, CommentEvent, ErasureEvent } from '../../events/catalog/catalog.ts';
import { AnswerRated, CommentRecorded } from '../../events/catalog/feedback.ts';
import { AnswerGiven } from '../../events/catalog/knowledge.ts';
import type { DomainEvent } from '../../events/define.ts';
import type { Projection, Rows } from '../../events/projections/projection.ts';

/**
 * The tables of `PV_AUDIT_DB_PATH`, for people with a SQLite browser and for programs: one row for each answer, the
 * newest of a request marked; lists are JSON. Free text is NULL if it was redacted or erased.
 */
const TABLES = `
  CREATE TABLE interactions (
    answer_id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL,
    newest INTEGER NOT NULL,
    at TEXT NOT NULL,
    question TEXT,
    answer TEXT,
    status TEXT NOT NULL,
    verified INTEGER NOT NULL,
    answer_type TEXT NOT NULL,
    mode TEXT NOT NULL,
    verdict TEXT,
    contradictions INTEGER NOT NULL,
    citations TEXT NOT NULL,
    sources TEXT,
    conflicts TEXT,
    clarification_question TEXT,
    planned_queries TEXT,
    model TEXT NOT NULL,
    n_context INTEGER NOT NULL,
    regenerations INTEGER NOT NULL,
    latency_ms INTEGER NOT NULL,
    -- As in ratings, and whether there is any rating or comment: to look answers up by.
    rating TEXT,
    has_feedback INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX interactions_by_request ON interactions (request_id, newest);
  CREATE INDEX interactions_by_time ON interactions (at, answer_id);
  CREATE INDEX interactions_by_status ON interactions (status, at, answer_id);
  CREATE INDEX interactions_by_rating ON interactions (rating, at, answer_id);
  CREATE INDEX interactions_with_feedback ON interactions (at, answer_id) WHERE has_feedback = 1;

  CREATE TABLE ratings (
    answer_id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL,
    at TEXT NOT NULL,
    rating TEXT NOT NULL,
    feedback TEXT
  ) STRICT;

  CREATE TABLE comments (
    comment_id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL,
    at TEXT NOT NULL,
    comment TEXT
  ) STRICT;
  CREATE INDEX comments_by_request ON comments (request_id);

  -- Every request with text on record, answered or not: what retention goes by.
  CREATE TABLE requests (
    request_id TEXT PRIMARY KEY,
    last_at TEXT NOT NULL,
    erased_at TEXT,
    -- 1 where any of its text is sealed, and where some opens no more though nobody erased it.
    sealed INTEGER NOT NULL,
    lost INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX requests_by_age ON requests (last_at) WHERE erased_at IS NULL;
`;

const TYPES = ['QuestionAsked', 'AnswerGiven', 'AnswerRated', 'CommentRecorded', 'TextErased'] as const;
type Projected = Extract<AskEvent | CommentEvent | ErasureEvent, { type: (typeof TYPES)[number] }>;

export const auditProjection: Projection = {
  name: 'audit',
  version: 5,
  tables: TABLES,
  types: TYPES,
  // The tables are for look-ups, so events can be set aside. An erasure cannot: the text would stay.
  setsAside: (type) => type !== TextErased.type,
  apply(rows, domainEvent, { revision }) {
    const event = domainEvent as Projected;
    const { at } = event.metadata;
    switch (event.type) {
      case 'QuestionAsked':
        noteText(rows, event);
        break;
      case 'AnswerGiven':
        addAnswer(rows, event.id, at, noteText(rows, event));
        break;
      case 'AnswerRated': {
        const { request_id, rating, feedback } = noteText(rows, event);
        // Each answer has one rating, which a later one replaces.
        rows.run(
          `INSERT OR REPLACE INTO ratings SELECT answer_id, request_id, ?, ?, ? FROM interactions
           WHERE request_id = ? AND newest = 1`,
          at,
          rating,
          feedback,
          request_id,
        );
        rows.run(
          'UPDATE interactions SET rating = ?, has_feedback = 1 WHERE request_id = ? AND newest = 1',
          rating,
          request_id,
        );
        break;
      }
      case 'CommentRecorded': {
        const { request_id, comment } = noteText(rows, event);
        rows.run('INSERT INTO comments VALUES (?, ?, ?, ?)', revision + 1n, request_id, at, comment);
        rows.run('UPDATE interactions SET has_feedback = 1 WHERE request_id = ? AND newest = 1', request_id);
        break;
      }
      case 'TextErased':
        // An erasure without a time counts as well, because the text must go.
        forget(rows, event.data.request_id, typeof at === 'string' ? at : NO_TIME);
        break;
    }
  },
};

/** Replaces the time of an event that has none. */
const NO_TIME = '';

const FREE_TEXT: Readonly<Record<string, readonly string[]>> = {
  AnswerGiven: AnswerGiven.freeText,
  AnswerRated: AnswerRated.freeText,
  CommentRecorded: CommentRecorded.freeText,
};

/**
 * Notes that the request has text. Returns the parts of the event that the tables may keep: text that was encrypted
 * before an erasure and arrives after it is dropped.
 */
function noteText<Data extends { readonly request_id: string }>(
  rows: Rows,
  { type, data, metadata, isLost }: DomainEvent<string, Data>,
): Data {
  const request = rows.get(
    `INSERT INTO requests (request_id, last_at, sealed, lost) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at), sealed = max(sealed, excluded.sealed),
       lost = iif(erased_at IS NULL, max(lost, excluded.lost), 0) RETURNING erased_at`,
    data.request_id,
    metadata.at,
    Number(metadata.key !== undefined),
    Number(isLost === true),
  );
  if (request!['erased_at'] === null) return data;
  return { ...data, ...Object.fromEntries((FREE_TEXT[type] ?? []).map((field) => [field, null])) };
}

/** Drops the text of a request. Ids and figures are kept. */
function forget(rows: Rows, requestId: string, at: string): void {
  rows.run(
    `INSERT INTO requests (request_id, last_at, erased_at, sealed, lost) VALUES (?1, ?2, ?2, 0, 0)
     ON CONFLICT DO UPDATE SET erased_at = excluded.erased_at, lost = 0`,
    requestId,
    at,
  );
  rows.run(
    `UPDATE interactions SET question = NULL, answer = NULL, sources = NULL, conflicts = NULL,
       clarification_question = NULL, planned_queries = NULL WHERE request_id = ?`,
    requestId,
  );
  rows.run(
    `UPDATE ratings SET feedback = NULL
     WHERE answer_id IN (SELECT answer_id FROM interactions WHERE request_id = ?)`,
    requestId,
  );
  rows.run('UPDATE comments SET comment = NULL WHERE request_id = ?', requestId);
}

type Answer = Extract<AskEvent, { type: 'AnswerGiven' }>['data'];

function addAnswer(rows: Rows, id: string, at: string, answer: Answer): void {
  rows.run('UPDATE interactions SET newest = 0 WHERE request_id = ? AND newest = 1', answer.request_id);
  // A new answer is unrated. Comments belong to the request, whichever answer is the newest.
  const commented = rows.get('SELECT 1 FROM comments WHERE request_id = ? LIMIT 1', answer.request_id);
  rows.run(
    'INSERT INTO interactions VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)',
    id,
    answer.request_id,
    at,
    answer.question,
    answer.answer,
    answer.status,
    Number(answer.verified),
    answer.answer_type,
    answer.mode,
    answer.verdict,
    answer.conflict_ids.length,
    JSON.stringify(answer.citations),
    json(answer.sources),
    json(answer.conflicts),
    answer.clarification_question,
    json(answer.planned_queries),
    answer.model,
    answer.n_context,
    answer.regenerations,
    answer.latency_ms,
    Number(commented !== undefined),
  );
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
