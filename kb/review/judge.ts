import { covers, type Span } from './figure.ts';
import type { ReviewBase } from './review-base.ts';
import { readsOf } from './reach.ts';
import { hasShortYear, type Fact, type Time } from './facts.ts';
import type { Case } from './rule-values.ts';
import { outcomeOf, type Judged, type Outcome } from './outcome.ts';
import { isMonth } from './time-spans.ts';

/** Why a fact is not judged. */
export type Reason =
  | {
      readonly kind:
        | 'unknown key'
        | 'sum only'
        | 'no sum'
        | 'unreadable'
        | 'no rule'
        | 'unclear year'
        | 'case'
        | 'not recomputed'
        | 'no time'
        | 'contradicting times';
    }
  | { readonly kind: 'no passage'; readonly time: Span }
  /** `keys` of an `other case`: the facts that led out of the rules. */
  | { readonly kind: 'missing' | 'contradicting facts' | 'other case'; readonly keys: readonly string[] };

type Judgement = { readonly judged: readonly Judged[] } | { readonly reason: Reason };

/**
 * Judges one fact by the rules of its quantity. A rule whose case is not this one is left out; where what decides between
 * rules is not given, nothing is judged unless each of them would allow the fact.
 */
export function judge(fact: Fact, facts: readonly Fact[], slipTime: Time, base: ReviewBase): Judgement {
  const { quantity, value } = fact;
  if (quantity === null) return { reason: { kind: 'unknown key' } };
  const isRead = quantity.kind === 'month' ? isMonth(fact.written) : value !== null;
  if (!isRead) {
    const isUnclear = quantity.kind === 'date' && hasShortYear(fact.written);
    return { reason: { kind: isUnclear ? 'unclear year' : 'unreadable' } };
  }
  const rules = base.rules.filter(({ judges }) => judges === quantity.key);
  if (value === null || rules.length === 0) {
    const isSum = quantity.kind === 'amount' || quantity.kind === 'rate';
    const read = isSum ? 'not recomputed' : 'case';
    return { reason: { kind: readsOf(base).has(quantity.key) ? read : 'no rule' } };
  }
  const of: Case = { fact, value, facts, time: timeOf(fact, slipTime), base };
  const outcomes = rules.map((rule) => outcomeOf(rule, of));
  const applying = outcomes.filter(({ applies }) => applies === true);
  const broken = applying.filter(({ judged }) => judged?.holds === false);
  if (broken.length > 0) return { judged: judgedOf(broken) };
  const blocking = outcomes.filter(
    ({ applies, judged }) => applies !== false && (judged === null || (applies === null && !judged.holds)),
  );
  if (blocking.length > 0) return { reason: reasonOf(blocking, of.time) };
  if (applying.length > 0) return { judged: judgedOf(applying) };
  // Cases that rules tell apart, and that all allow it: which of them it is does not matter. One alone tells nothing apart.
  const told = outcomes.filter(({ applies }) => applies === null);
  return told.length > 1
    ? { judged: judgedOf(told) }
    : { reason: reasonOf(told.length === 1 ? told : outcomes, of.time) };
}

/** A time at a key's end tells more than the slip's, unless that lies within. */
function timeOf({ time }: Fact, slipTime: Time): Time {
  if (time === null) return slipTime;
  return typeof slipTime === 'object' && covers(time, slipTime) ? slipTime : time;
}

const judgedOf = (outcomes: readonly Outcome[]): Judged[] =>
  outcomes.flatMap(({ judged }) => (judged === null ? [] : [judged]));

/** What the sender can mend comes first. */
function reasonOf(outcomes: readonly Outcome[], time: Time): Reason {
  const lacks = outcomes.flatMap((outcome) => outcome.lacks);
  const keysOf = (kind: 'missing' | 'contradicting'): string[] => [
    ...new Set(lacks.flatMap((lack) => (lack.kind === kind ? [lack.key] : []))),
  ];
  const contradicting = keysOf('contradicting');
  if (contradicting.length > 0) return { kind: 'contradicting facts', keys: contradicting };
  if (lacks.some(({ kind }) => kind === 'time'))
    return { kind: time === 'contradiction' ? 'contradicting times' : 'no time' };
  const missing = keysOf('missing');
  if (missing.length > 0) return { kind: 'missing', keys: missing };
  if (lacks.some(({ kind }) => kind === 'passage') && typeof time === 'object')
    return { kind: 'no passage', time };
  const ledOut = outcomes.flatMap((outcome) => outcome.ledOut).map(({ key }) => key);
  return { kind: 'other case', keys: [...new Set(ledOut)] };
}
