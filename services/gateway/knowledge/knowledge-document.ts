import * as feedback from '../../../events/messages/feedback.ts';
import * as knowledge from '../../../events/messages/knowledge.ts';
import { ACTOR_REPLIES } from '../http/actors-route.ts';
import { AUDIT_REPLIES, AUDIT_REQUESTS } from './audit-document.ts';
import { SENT } from './example-requests.ts';
import recorded from './recorded-examples.json' with { type: 'json' };
import { HealthResponse } from './health.ts';
import { CONVENTIONS, type ApiDescription, type Named } from '../http/openapi.ts';

const REQUESTS: Readonly<Record<string, Named>> = {
  AskRequest: {
    schema: knowledge.AskRequest,
    examples: [SENT.question, SENT.wide, SENT.review],
  },
  ReviewContext: {
    schema: knowledge.ReviewContext,
    examples: [SENT.review.context],
  },
  RatingRequest: {
    schema: feedback.RatingRequest,
    examples: [SENT.rating],
  },
  CommentRequest: {
    schema: feedback.CommentRequest,
    examples: [SENT.comment],
  },
};

const REPLIES: Readonly<Record<string, Named>> = {
  AskResponse: {
    schema: knowledge.AskResponse,
    examples: recorded.AskResponse,
  },
  RatingResponse: {
    schema: feedback.RatingResponse,
    examples: recorded.RatingResponse,
  },
  CommentResponse: {
    schema: feedback.CommentResponse,
    examples: recorded.CommentResponse,
  },
  SourceText: { schema: knowledge.SourceText, examples: recorded.SourceText },
  Vocabulary: { schema: knowledge.Vocabulary, examples: recorded.Vocabulary },
  ReindexResponse: { schema: knowledge.ReindexResponse, examples: recorded.ReindexResponse },
  Health: { schema: HealthResponse, examples: recorded.Health },
};

/** The answer as server-sent events. */
export const ANSWER_EVENTS = {
  schema: {
    type: 'string',
    description: `An event for each finished step, then the answer. Steps can repeat (another
search, another draft), and new ones may be added: ignore events that you do not know. No part of a draft is sent before it is verified.

| Event | Data |
|---|---|
| \`planned\` | \`{queries}\`: the searches |
| \`retrieved\` | \`{passages, covered}\` |
| \`drafted\` | \`{attempt}\`: 0, 1, 2 |
| \`verified\` | \`{attempt, verified, failures}\`: \`failures\` statements are not supported |
| \`reused\` | \`{request_id}\`: in place of the header \`X-Request-ID-Reused\` |
| \`not_recorded\` | \`{request_id}\`: in place of the header \`X-Answer-Not-Recorded\` |
| \`answer\` | the complete \`AskResponse\`; the last event |
| \`problem\` | \`Problem\` instead of the answer; the last event |

An error before the first step is a normal error response with its status.`,
  },
  example: recorded.stream.join(''),
};

export const KNOWLEDGE_API: ApiDescription = {
  title: 'Beleg knowledge service',
  description: `Answers questions only from its knowledge base, each statement with its source.\n\n${CONVENTIONS}`,
  requests: { ...REQUESTS, ...AUDIT_REQUESTS },
  replies: { ...REPLIES, ...AUDIT_REPLIES, ...ACTOR_REPLIES },
  tags: {
    knowledge: 'Questions, answers and their sources',
    feedback: 'Ratings and comments on answers',
    operation: 'Health, the index and the actors',
    audit: 'Recorded requests, proofs of the record, and erasure',
  },
  securitySchemes: {
    serviceKey: { type: 'http', scheme: 'bearer', description: 'PV_API_KEY' },
    adminKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'PV_ADMIN_API_KEY; if it is not set, PV_API_KEY allows reindex, and the audit paths and the list of actors are closed',
    },
  },
};
