import type { Language } from '../source.ts';
import type { ReviewBase } from './review-base.ts';
import { arithmetic } from './arithmetic.ts';
import type { Check, NotChecked, ReviewContext } from './check.ts';
import { readFacts } from './facts.ts';
import type { Reason } from './judge.ts';
import { judgeSlip } from './judge-slip.ts';
import { sayError, sayFact, sayReason } from './check-sentences.ts';
import { oneLine } from './answer-section.ts';
import type { Compared, Judged } from './outcome.ts';

interface ReviewInput {
  readonly question: string;
  readonly context: ReviewContext;
  readonly base: ReviewBase;
  readonly language: Language;
}

export interface Review {
  readonly checks: readonly Check[];
  /** The comparisons of facts, in the order of their checks. Checks of sums come after these and are not among them. */
  readonly compared: readonly Compared[];
  /** The judgements of the facts by rules. */
  readonly judged: readonly Judged[];
  /** Every fact and component that no check covers, and the computation if it is not judged, with reasons. */
  readonly notChecked: readonly NotChecked[];
  /** Keys that are not in the vocabulary; passages about them may be named. */
  readonly unknown: readonly string[];
}

/** Reasons that the sender can remove. They are reported even for a component whose sum is checked. */
const NEEDED = new Set<Reason['kind']>(['missing', 'no time', 'contradicting times', 'contradicting facts']);

/**
 * Judges each fact and component by the rules of the base, and the sum of the computation. The meaning of a fact is
 * looked up; missing facts are reported, and nothing is guessed.
 *
 * @example review({ question, context: { facts: [{ key: 'stundenlohn', value: '9,00 €' }, …] }, base, language: 'de' })
 */
export function review({ question, context, base, language }: ReviewInput): Review {
  const { facts, time } = readFacts(context, base, question);
  const sums = arithmetic(context, language);
  const judgements = judgeSlip(facts, time, base);
  const checks: Check[] = [];
  const compared: Compared[] = [];
  const judged: Judged[] = [];
  const notChecked: NotChecked[] = [];
  const unknown: string[] = [];
  for (const [fact, judgement] of judgements) {
    if ('judged' in judgement) {
      const [first] = judgement.judged;
      compared.push(first!);
      judged.push(...judgement.judged);
      checks.push(
        sayFact(first!.fact, judgement.judged, fact.time ?? time, language, fact.readings.length > 1),
      );
    } else if ('bound' in judgement) {
      compared.push(judgement);
      checks.push(sayError(judgement, fact.time ?? time, language));
    } else {
      const inSum = fact.isComponent && sums.length > 0 && !NEEDED.has(judgement.reason.kind);
      const reason = inSum ? ({ kind: 'sum only' } as const) : judgement.reason;
      notChecked.push({ fact: fact.key, reason: sayReason(reason, language) });
      if (reason.kind === 'unknown key') unknown.push(fact.key);
    }
  }
  if (context.computation !== undefined && sums.length === 0)
    notChecked.push({
      fact: oneLine(context.computation.label),
      reason: sayReason({ kind: 'no sum' }, language),
    });
  return {
    checks: [...checks, ...sums],
    compared,
    judged,
    notChecked,
    unknown: [...new Set(unknown)],
  };
}
