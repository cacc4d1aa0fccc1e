import type { Vocabulary } from '../../events/messages/knowledge.ts';
import type { ReviewBase } from '../../kb/review/review-base.ts';
import { reachOf } from '../../kb/review/reach.ts';
import { inTurns, type Steps } from '../../kb/steps.ts';

/** The vocabulary of each base. It is made once, because it goes through all rules for every quantity. */
const SHOWN = new WeakMap<ReviewBase, Promise<Vocabulary>>();

/** The body of `GET /v1/review/vocabulary`: empty if the base has none. */
export function showVocabulary(base: ReviewBase): Promise<Vocabulary> {
  const shown = SHOWN.get(base) ?? inTurns(vocabularyOf(base));
  SHOWN.set(base, shown);
  return shown;
}

function* vocabularyOf(base: ReviewBase): Steps<Vocabulary> {
  const quantities: Vocabulary['quantities'][number][] = [];
  for (const quantity of base.quantities) {
    quantities.push({
      key: quantity.key,
      spellings: quantity.also,
      english: quantity.english,
      shared: quantity.maybe,
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
      rules: reachOf(quantity.key, base),
    });
    yield 1;
  }
  return { quantities };
}
