import type { DomainEvent, EventCause } from '../define.ts';
import { PassagesRetrieved, QuestionAsked } from './knowledge.ts';
import type { AnswerGiven } from './knowledge.ts';

type AnswerData = Parameters<typeof AnswerGiven.create>[0];

/** The data of an answer in tests: by default an empty refusal. */
export function answerData(requestId: string, said: Partial<AnswerData> = {}): AnswerData {
  return {
    request_id: requestId,
    status: 'refused',
    verified: false,
    answer_type: 'refusal',
    question: '?',
    answer: 'Dazu …',
    citations: [],
    sources: [],
    conflicts: [],
    conflict_ids: [],
    clarification_question: null,
    planned_queries: [],
    parts: [],
    verdict: null,
    checks: null,
    relevance: null,
    not_checked: null,
    mode: 'knowledge',
    model: 'm',
    n_context: 0,
    regenerations: 0,
    latency_ms: 1,
    ...said,
  };
}

/** The fields of a verified answer. */
export const VERIFIED = { status: 'answered', verified: true, answer_type: 'specific' } as const;

/** The events of an ask before its answer. */
export function askedBefore(requestId: string, cause: EventCause): DomainEvent<string, unknown>[] {
  const asked = {
    request_id: requestId,
    question: '?',
    language: 'de',
    mode: 'knowledge',
    top_k: 8,
  } as const;
  const retrieved = { queries: ['?'], hits: [], coverage: 1, covered: true, index: 'i' };
  return [
    QuestionAsked.create({ ...asked, context: null }, cause),
    PassagesRetrieved.create(retrieved, cause),
  ];
}
