import type { Vocabulary } from '../../events/messages/knowledge.ts';
import type { ReviewBase } from '../../kb/review/load.ts';

/** The body of `GET /v1/review/vocabulary`: empty for a base that brings none. */
export function showVocabulary({ quantities }: ReviewBase): Vocabulary {
  return {
    quantities: quantities.map((quantity) => ({
      key: quantity.key,
      spellings: quantity.also,
      english: quantity.english,
      kind: quantity.kind,
      unit: quantity.unit,
      period: quantity.per ?? null,
      party: quantity.party ?? null,
      applies_to: quantity.appliesTo,
      choices:
        quantity.choices === undefined
          ? null
          : Object.entries(quantity.choices).map(([value, spellings]) => ({ value, spellings })),
      otherwise: quantity.otherwise ?? null,
      explanation: quantity.explanation,
    })),
  };
}
