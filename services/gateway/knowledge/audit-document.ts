import type { z } from 'zod';
import * as audit from '../../../events/messages/audit.ts';
import type { Named } from '../http/openapi.ts';
import { ANSWERED } from './knowledge-examples.ts';

const STREAM = `ask-${ANSWERED.request_id}`;
const CALL = '3f0c8f0e-52f5-4f5e-9d0e-6a1f5b0c7d11';
const ROOT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** Examples of the OpenAPI document, for who reads back what is on record. */
export const INTERACTION = {
  request_id: ANSWERED.request_id,
  at: '2026-01-15T08:00:00.012Z',
  question: ANSWERED.question,
  answer: ANSWERED.answer,
  status: 'answered',
  verified: true,
  answer_type: 'specific',
  mode: 'knowledge',
  verdict: null,
  conflicts: 0,
  citations: ANSWERED.citations,
  model: 'extractive',
  latency_ms: 12,
  answers: 1,
  rating: { rating: 'up', feedback: 'Genau das habe ich gesucht.', at: '2026-01-15T08:01:30.000Z' },
  comments: [
    { comment_id: 1, comment: 'Bitte auch auf § 3 Abs. 3 hinweisen.', at: '2026-01-15T08:02:00.000Z' },
  ],
  erased_at: null,
} satisfies z.output<typeof audit.Interaction>;

export const SHOWN = {
  interaction: INTERACTION,
  story: {
    id: ANSWERED.request_id,
    kind: 'ask',
    streams: [STREAM],
    machine: {
      name: 'ask',
      initial: 'asked',
      states: [
        { name: 'asked', final: false },
        { name: 'answered', final: true },
      ],
      transitions: [{ from: 'asked', to: 'answered', event: 'AnswerGiven', taken: 1 }],
      path: ['asked', 'answered'],
    },
    entries: [
      {
        at: '2026-01-15T08:00:00.000Z',
        after_ms: 0,
        stream: STREAM,
        revision: 0,
        event: 'QuestionAsked',
        id: '0d3b0a52-6f0e-8c43-a0c2-6d2a5c1b7e90',
        state: 'asked',
        correlation_id: ANSWERED.request_id,
        causation_id: CALL,
        data: { question: ANSWERED.question, language: 'de', mode: 'knowledge', top_k: 8 },
      },
      {
        at: '2026-01-15T08:00:00.012Z',
        after_ms: 12,
        stream: STREAM,
        revision: 1,
        event: 'AnswerGiven',
        id: '7c1a9e44-3b2d-8f10-9e6b-2f4c8d0a1b35',
        state: 'answered',
        correlation_id: ANSWERED.request_id,
        causation_id: CALL,
        data: { status: 'answered', answer: ANSWERED.answer, citations: ANSWERED.citations },
      },
    ],
    omitted: 0,
  },
  chain: { stream: STREAM, whole: true, events: 2, faults: [] },
} satisfies z.output<(typeof audit.ShowInteraction)['reply']>;

export const CHECKPOINT = {
  size: 1_000,
  root: ROOT,
  note: `beleg/1f0c2a7be6d94c35\n1000\nn4bQgYhMfWWaL+qgxVrQFaO/TxsrC4IsxV1sFbDwCgg=\nheads RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=\n\n`,
  repeated: false,
} satisfies z.output<(typeof audit.MakeCheckpoint)['reply']>;

export const RECORD = {
  checkpoint: { size: CHECKPOINT.size, root: ROOT, at: '2026-01-15T08:05:00.000Z', key: null },
  erased: 3,
} satisfies z.output<(typeof audit.RecordStatus)['reply']>;

const { request_id } = INTERACTION;

/** What the document says of the audit paths. */
export const AUDIT_REQUESTS: Readonly<Record<string, Named>> = {
  EraseRequest: {
    schema: audit.EraseRequest,
    examples: [{ request_id, reason: 'Löschersuchen vom 15.01.2026' }],
  },
};

export const AUDIT_REPLIES: Readonly<Record<string, Named>> = {
  Interaction: {
    schema: audit.Interaction,
    description:
      'One request with its newest answer, ratings and comments. Free text is `null` if it was redacted or erased.',
    examples: [INTERACTION],
  },
  InteractionPage: { schema: audit.InteractionPage, examples: [{ interactions: [INTERACTION], next: null }] },
  Story: {
    schema: audit.Story,
    description: 'All recorded events in the order they happened, with the path through the state machine.',
    examples: [SHOWN.story],
  },
  JsonValue: { schema: audit.JsonValue, description: 'Any JSON value', examples: [] },
  ChainStatus: {
    schema: audit.ChainStatus,
    description: 'Whether the hash chain of a stream is intact, and what is wrong if it is not.',
    examples: [SHOWN.chain],
  },
  InteractionDetails: { schema: audit.ShowInteraction.reply, examples: [SHOWN] },
  RecordStatus: { schema: audit.RecordStatus.reply, examples: [RECORD] },
  Erased: {
    schema: audit.Erase.reply,
    examples: [{ request_id, erased_at: '2026-01-15T09:00:00.000Z', repeated: false }],
  },
  Checkpoint: { schema: audit.MakeCheckpoint.reply, examples: [CHECKPOINT] },
  RebuiltTables: {
    schema: audit.RebuildAuditTables.reply,
    examples: [{ name: 'audit', position: '00000000000000001000', duration_ms: 350 }],
  },
};
