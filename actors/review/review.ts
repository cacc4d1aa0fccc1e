import type { Hit, Language } from '../../kb/knowledge.ts';
import { arithmetic } from './arithmetic.ts';
import type { Check, ReviewContext } from './check.ts';
import { circumstancesOf } from './circumstances.ts';
import { judgeDeadline } from './deadline.ts';
import { readFacts } from './fact.ts';
import { judgeFact } from './judge.ts';
import { statementsOf } from './statement.ts';

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
 * The checks of a review: each fact against values that passages in context state, and the sum of the computation.
 * What cannot be tied to a passage with certainty gives no check.
 */
export function review({ question, context, hits, language, lastYear }: ReviewInput): Check[] {
  const facts = readFacts(question, context, language);
  const circumstances = circumstancesOf(question, context, facts);
  const sources = hits.map(({ source }) => source);
  const statements = sources.flatMap(statementsOf);
  return [
    ...facts
      .map(
        (fact) =>
          judgeFact(fact, statements, circumstances, lastYear, language) ??
          judgeDeadline(fact, sources, circumstances, question, lastYear, language),
      )
      .filter((check) => check !== null),
    ...arithmetic(context, language),
  ];
}
