import {
  CommentRequest,
  CommentResponse,
  RatingRequest,
  RatingResponse,
} from '../../../events/messages/feedback.ts';
import {
  AskRequest,
  AskResponse,
  ReindexResponse,
  ReviewContext,
  SourceText,
  Vocabulary,
} from '../../../events/messages/knowledge.ts';
import { AUDIT_REPLIES, AUDIT_REQUESTS } from './audit-document.ts';
import {
  ANSWERED,
  HEALTHY,
  PLANNED,
  REFUSED,
  REINDEXED,
  REVIEW,
  REVIEWED,
  SOURCE_TEXT,
  VOCABULARY,
} from './examples.ts';
import { HealthResponse } from './health.ts';
import { CONVENTIONS, type ApiDescription, type Named } from '../http/openapi.ts';

const REQUESTS: Readonly<Record<string, Named>> = {
  AskRequest: {
    schema: AskRequest,
    examples: [
      { question: ANSWERED.question },
      { question: ANSWERED.question, top_k: 20, mode: 'knowledge' },
      REVIEW,
    ],
    fields: {
      mode: '`review` checks `context` against the sources; only where `/v1/health` says `review_mode`',
      top_k: 'Passages to read',
    },
  },
  ReviewContext: {
    schema: ReviewContext,
    description:
      'What is to be reviewed. Its keys are those of `GET /v1/review/vocabulary` (`stundenlohn`, `hourly_wage`) and are never guessed; no names and no other personal data.',
    examples: [REVIEW.context],
    fields: {
      facts: 'What is known; a year or a period may stand in `note`',
      computation: 'Its components are added up again and compared with `result`; nothing is corrected',
    },
  },
  RatingRequest: {
    schema: RatingRequest,
    examples: [{ request_id: ANSWERED.request_id, rating: 'up', feedback: 'Genau das habe ich gesucht.' }],
  },
  CommentRequest: {
    schema: CommentRequest,
    examples: [{ request_id: ANSWERED.request_id, comment: 'Bitte auch auf § 3 Abs. 3 hinweisen.' }],
  },
};

const REPLIES: Readonly<Record<string, Named>> = {
  AskResponse: {
    schema: AskResponse,
    examples: [ANSWERED, REFUSED, PLANNED, REVIEWED],
    fields: {
      planned: 'Whether there were several searches: for the parts of the question, or the facts of a review',
      planned_queries: 'What was searched for, in order; empty unless `planned`',
      model:
        'Who wrote the answer: a language model by its name, or `extractive` for sentences of the sources',
      regenerations: 'Drafts that did not hold and were written again',
      plausibility: 'In review mode only; read from the section that closes `answer`',
      'plausibility.verdict':
        '`plausible`: there are checks and none warns; `implausible`: one warns; `not_checkable`: there is none',
      'plausibility.checks':
        'Each a line of the section. One that is arithmetic over the context cites nothing; every other names its sources',
    },
  },
  RatingResponse: {
    schema: RatingResponse,
    examples: [{ api_version: 'v1', request_id: ANSWERED.request_id, rating: 'up', updated: false }],
  },
  CommentResponse: {
    schema: CommentResponse,
    examples: [{ api_version: 'v1', request_id: ANSWERED.request_id, comment_id: 1 }],
  },
  SourceText: { schema: SourceText, examples: [SOURCE_TEXT] },
  Vocabulary: { schema: Vocabulary, examples: [VOCABULARY] },
  ReindexResponse: { schema: ReindexResponse, examples: [REINDEXED] },
  Health: { schema: HealthResponse, examples: [HEALTHY] },
};

/** The answer as server-sent events: a media type of the document. */
export const ANSWER_EVENTS = {
  schema: {
    type: 'string',
    description: `For who accepts \`text/event-stream\`: each step as an event when it is done, then the one answer. Steps may repeat (a wider
search, another draft), and new ones may be added: pass over what you do not know. Nothing of a draft is sent before it is verified.

| Event | Data |
|---|---|
| \`planned\` | \`{queries}\`: what is searched for |
| \`retrieved\` | \`{passages, covered, widened}\` |
| \`drafted\` | \`{attempt}\`: 0, 1, 2 |
| \`verified\` | \`{attempt, verified, failures}\`: \`failures\` statements did not hold |
| \`answer\` | \`AskResponse\`, whole; the last event |
| \`problem\` | \`Problem\`, in place of the answer; the last event |

An error before the first step is an ordinary reply with its status.`,
  },
  example: [
    event('planned', { queries: [ANSWERED.question] }),
    event('retrieved', { passages: ANSWERED.n_context, covered: true, widened: false }),
    event('drafted', { attempt: 0 }),
    event('verified', { attempt: 0, verified: true, failures: 0 }),
    event('answer', ANSWERED),
  ].join(''),
};

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

export const KNOWLEDGE_API: ApiDescription = {
  title: 'Beleg knowledge service',
  description: `Answers questions from its knowledge base alone, each statement with its source.\n\n${CONVENTIONS}`,
  requests: { ...REQUESTS, ...AUDIT_REQUESTS },
  replies: { ...REPLIES, ...AUDIT_REPLIES },
  tags: {
    knowledge: 'Questions, their answers, and the sources these rest on',
    feedback: 'What people say of answers',
    operation: 'Health and the index',
    audit: 'What is on record, proofs of it, and erasure',
  },
  securitySchemes: {
    serviceKey: { type: 'http', scheme: 'bearer', description: 'PV_API_KEY' },
    adminKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'PV_ADMIN_API_KEY; where that is empty, PV_API_KEY opens reindex, and nothing opens the audit paths',
    },
  },
};
