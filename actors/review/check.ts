import type { z } from 'zod';
import type { Plausibility, ReviewContext as ReviewContextSchema } from '../../events/messages/knowledge.ts';

/** What a client sends to be reviewed: facts and a computation, in its own keys. */
export type ReviewContext = z.output<typeof ReviewContextSchema>;
export type Fact = NonNullable<ReviewContext['facts']>[number];
export type Computation = NonNullable<ReviewContext['computation']>;

/** One line of the review. `source_ids` is empty for arithmetic alone, which rests on the context. */
export type Check = z.output<typeof Plausibility>['checks'][number];
export type NotChecked = NonNullable<z.output<typeof Plausibility>['not_checked']>[number];
type ReviewVerdict = z.output<typeof Plausibility>['verdict'];

/** `implausible` with one warning, `not_checkable` without a check, else `plausible`. */
export function verdictOf(checks: readonly Check[]): ReviewVerdict {
  if (checks.length === 0) return 'not_checkable';
  return checks.some((check) => check.status === 'warn') ? 'implausible' : 'plausible';
}
