import type { Hit, Language } from '../../kb/knowledge.ts';
import { arithmetic } from './arithmetic.ts';
import type { Check, ReviewContext } from './check.ts';

export interface ReviewInput {
  readonly question: string;
  readonly context: ReviewContext;
  /** The passages in context: what may be cited. */
  readonly hits: readonly Hit[];
  readonly language: Language;
  /** Last year that the base speaks of (`lastYearOf`): of a later one nothing is judged. */
  readonly lastYear: number;
}

/**
 * The checks of a review: the sum of the computation, and each fact against values that passages in context state.
 * What cannot be tied to a passage with certainty gives no check.
 */
export function review({ context, language }: ReviewInput): Check[] {
  return arithmetic(context, language);
}
