import { coverageOf } from '../../kb/review/check.ts';
import type { AnswerGivenData } from '../../actors/ask/ask-context.ts';
import { suggestionsIn, uncoveredIn } from '../../kb/answer/templates.ts';
import { API_VERSION, type AskResponse } from '../../events/messages/knowledge.ts';

/** The body of `POST /v1/ask`. */
export function toResponse(
  given: AnswerGivenData,
  asOf: string | null,
  ratingsEnabled: boolean,
): AskResponse {
  const { conflict_ids: _, verdict, checks, not_checked, relevance, parts, ...shared } = given;
  return {
    api_version: API_VERSION,
    ...shared,
    sources: shared.sources.map(({ undated = false, ...source }) => ({
      ...source,
      dated: !undated,
      url: source.url ?? null,
      path: source.path ?? null,
      page: source.page ?? null,
      quotes: source.quotes ?? [],
      text_hash: source.text_hash ?? null,
    })),
    refused: given.status === 'refused',
    assumptions: [],
    alternatives: [],
    planned: given.planned_queries.length > 0,
    grounding: {
      data_scope: given.mode === 'review' ? 'knowledge_base_plus_review_context' : 'knowledge_base_only',
      citations_verified: given.verified,
      context_count: given.n_context,
      regenerations: given.regenerations,
      uncovered: uncoveredIn(given.answer),
      parts,
      suggestions: suggestionsIn(given.answer),
      as_of: asOf,
      relevance,
    },
    ratings_enabled: ratingsEnabled,
    ...(verdict === null
      ? {}
      : {
          plausibility: {
            verdict,
            coverage: coverageOf(checks ?? [], not_checked ?? []),
            checks: checks ?? [],
            not_checked: not_checked ?? [],
          },
        }),
  };
}
