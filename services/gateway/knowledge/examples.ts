import type { z } from 'zod';
import type { AskResponse, ReindexResponse } from '../../../events/messages/knowledge.ts';
import type { HealthResponse } from './health.ts';

/** Examples of the OpenAPI document; typed, so that they cannot drift from the schemas. */
export const ANSWERED = {
  api_version: 'v1',
  request_id: '7d9f3c1e-0b43-4a51-9a53-5f0f8c1e2b6d',
  status: 'answered',
  question: 'Wie lange wird das Entgelt bei Krankheit fortgezahlt?',
  answer:
    'Der Anspruch auf Entgeltfortzahlung im Krankheitsfall besteht für die Zeit der Arbeitsunfähigkeit bis zur Dauer von sechs Wochen [EntgFG-3].',
  refused: false,
  verified: true,
  citations: ['EntgFG-3'],
  sources: [
    {
      id: 'EntgFG-3',
      title: 'Anspruch auf Entgeltfortzahlung im Krankheitsfall',
      section: '§ 3 Abs. 1',
      stand: '2022-03',
      work: 'EntgFG',
    },
  ],
  conflicts: [],
  assumptions: [],
  alternatives: [],
  clarification_question: null,
  answer_type: 'specific',
  planned: false,
  planned_queries: [],
  grounding: {
    data_scope: 'knowledge_base_only',
    citations_verified: true,
    context_count: 8,
    regenerations: 0,
  },
  n_context: 8,
  model: 'extractive',
  latency_ms: 12,
  regenerations: 0,
  ratings_enabled: true,
  mode: 'knowledge',
} satisfies AskResponse;

export const REFUSED = {
  ...ANSWERED,
  request_id: '0c6a5a3e-7d4c-4a2d-8f5e-1f0a6b7c8d9e',
  status: 'refused',
  question: 'Wie hoch ist der Mindestlohn auf dem Mars?',
  answer: 'Die Wissensbasis enthält dazu nichts: Mars.',
  refused: true,
  verified: false,
  citations: [],
  sources: [],
  answer_type: 'refusal',
  grounding: { ...ANSWERED.grounding, citations_verified: false },
} satisfies AskResponse;

export const REINDEXED = {
  status: 'reindexed',
  passages: 412,
  sources: 160,
  added: 1,
  changed: 2,
  removed: 0,
  duration_ms: 640,
  built_at: '2026-01-15T08:00:00.000Z',
} satisfies z.output<typeof ReindexResponse>;

export const HEALTHY = {
  status: 'ok',
  api_version: 'v1',
  version: '0.1.0',
  index: { ready: true, passages: 412, built_at: '2026-01-15T08:00:00.000Z' },
  model: { name: 'extractive', ready: true, verifier: null, reranker: null },
  retrieval: 'lexical',
  audit: { enabled: true, ready: true, spooled: 0, lost: 0 },
  review_mode: false,
} satisfies z.output<typeof HealthResponse>;
