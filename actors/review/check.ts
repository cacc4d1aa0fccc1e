import type { z } from 'zod';
import type { Plausibility, ReviewContext as ReviewContextSchema } from '../../events/messages/knowledge.ts';
import { foldedWords } from './words.ts';

/** What a client sends to be reviewed: facts and a computation, in its own keys. */
export type ReviewContext = z.output<typeof ReviewContextSchema>;
export type Fact = NonNullable<ReviewContext['facts']>[number];
export type Computation = NonNullable<ReviewContext['computation']>;

/** One line of the review. `source_ids` is empty for arithmetic alone, which rests on the context. */
export type Check = z.output<typeof Plausibility>['checks'][number];
export type ReviewVerdict = z.output<typeof Plausibility>['verdict'];

/** `implausible` with one warning, `not_checkable` without a check, else `plausible`. */
export function verdictOf(checks: readonly Check[]): ReviewVerdict {
  if (checks.length === 0) return 'not_checkable';
  return checks.some((check) => check.status === 'warn') ? 'implausible' : 'plausible';
}

/**
 * The checks of a model beside the exact ones. All exact checks stay; a model's check stays only where it names a
 * source (sums are computed, never taken from a model) and where no exact check speaks of the same thing.
 *
 * @example mergeChecks([{ status: 'ok', aspect: 'Lohn', … }], [{ status: 'warn', aspect: 'lohn_2022', … }]) // the warning
 */
export function mergeChecks(ofModel: readonly Check[], exact: readonly Check[]): Check[] {
  const taken = new Set(exact.flatMap((check) => foldedWords(check.aspect)));
  const added = ofModel.filter(
    (check) =>
      check.source_ids.length > 0 &&
      !foldedWords(`${check.aspect} ${check.detail}`).some((word) => taken.has(word)),
  );
  return [...exact, ...added];
}
