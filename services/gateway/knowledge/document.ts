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
} from '../../../events/messages/knowledge.ts';
import { ANSWERED, HEALTHY, REFUSED, REINDEXED } from './examples.ts';
import { HealthResponse } from './health.ts';
import { CONVENTIONS, type ApiDescription, type Named } from '../http/openapi.ts';

const REQUESTS: Readonly<Record<string, Named>> = {
  AskRequest: {
    schema: AskRequest,
    examples: [
      { question: ANSWERED.question },
      { question: ANSWERED.question, top_k: 20, mode: 'knowledge' },
    ],
  },
  ReviewContext: { schema: ReviewContext, examples: [] },
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
  AskResponse: { schema: AskResponse, examples: [ANSWERED, REFUSED] },
  RatingResponse: {
    schema: RatingResponse,
    examples: [{ api_version: 'v1', request_id: ANSWERED.request_id, rating: 'up', updated: false }],
  },
  CommentResponse: {
    schema: CommentResponse,
    examples: [{ api_version: 'v1', request_id: ANSWERED.request_id, comment_id: 1 }],
  },
  ReindexResponse: { schema: ReindexResponse, examples: [REINDEXED] },
  Health: { schema: HealthResponse, examples: [HEALTHY] },
};

export const KNOWLEDGE_API: ApiDescription = {
  title: 'Beleg knowledge service',
  description: `Answers questions from its knowledge base alone, each statement with its source.\n\n${CONVENTIONS}`,
  requests: REQUESTS,
  replies: REPLIES,
  securitySchemes: {
    serviceKey: { type: 'http', scheme: 'bearer', description: 'PV_API_KEY' },
    adminKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'PV_ADMIN_API_KEY; where that is empty, PV_API_KEY opens reindex',
    },
  },
};
