import type { Language } from '../source.ts';
import type { ReviewBase } from './review-base.ts';
import { arithmetic } from './arithmetic.ts';
import type { Check, NotChecked, ReviewContext } from './check.ts';
import { readFacts, type Fact } from './facts.ts';
import { judge, type Judgement, type Reason } from './judge.ts';
import { sayFact, sayReason } from './check-sentences.ts';
import { oneLine } from './answer-section.ts';
import type { Judged } from './outcome.ts';

interface ReviewInput {
  readonly question: string;
  readonly context: ReviewContext;
  readonly base: ReviewBase;
  readonly language: Language;
}

export interface Review {
  readonly checks: readonly Check[];
  /** The results behind the checks of facts, in their order; checks of sums come after them and have none. */
  readonly judged: readonly (readonly Judged[])[];
  /** Every fact and component that no check judges, and the computation if it is not judged, with reasons. */
  readonly notChecked: readonly NotChecked[];
  /** Keys that the vocabulary does not have; passages about them may be named. */
  readonly unknown: readonly string[];
}

/** Reasons that the sender can remove; they are reported even for a component whose sum is checked. */
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
  const judgements = facts.map((fact) => ({ fact, judgement: judge(fact, facts, time, base) }));
  const warned = new Map(
    judgements.flatMap(({ fact, judgement }) =>
      'judged' in judgement && judgement.judged.some(({ holds }) => !holds)
        ? [[fact.key, judgement.judged.flatMap(({ given }) => given.map(({ key }) => key))] as const]
        : [],
    ),
  );
  const checks: Check[] = [];
  const judged: (readonly Judged[])[] = [];
  const notChecked: NotChecked[] = [];
  const unknown: string[] = [];
  for (const { fact, judgement: own } of judgements) {
    const judgement = unlessResting(own, fact, warned);
    if ('judged' in judgement) {
      const [{ fact: read } = { fact }] = judgement.judged;
      judged.push(judgement.judged);
      checks.push(sayFact(read, judgement.judged, fact.time ?? time, language, fact.readings.length > 1));
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
    judged,
    notChecked,
    unknown: [...new Set(unknown)],
  };
}

/** A result that depends on a wrong fact is neither right nor wrong. If two depend on each other, both are reported. */
function unlessResting(
  judgement: Judgement,
  fact: Fact,
  warned: ReadonlyMap<string, readonly string[]>,
): Judgement {
  if ('reason' in judgement) return judgement;
  const bases = judgement.judged.flatMap(({ given }) => given.map(({ key }) => key));
  const wrong = bases.filter((key) => warned.has(key) && !warned.get(key)!.includes(fact.key));
  return wrong.length === 0 ? judgement : { reason: { kind: 'rests on wrong', keys: [...new Set(wrong)] } };
}
