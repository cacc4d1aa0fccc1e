import { covers, type Span } from './figure.ts';
import type { ReviewBase } from './review-base.ts';
import { readsOf } from './reach.ts';
import { isEmpty, type Fact } from './facts.ts';
import type { SlipTime } from './slip-time.ts';
import { hasShortYear, isTakenBack } from './value-of-quantity.ts';
import type { Rational } from './rational.ts';
import { evaluate, parseExpression, truthOf } from './expression.ts';
import { namesIn, newTrace, type Case } from './rule-values.ts';
import type { Quantity } from './vocabulary.ts';
import { twoNumbersIn } from './read-value.ts';
import { figuresNamed, outcomeOf, timesOff, type Judged, type Outcome } from './outcome.ts';
import { sayDay } from './calendar.ts';
import { isMonth } from './time-spans.ts';
import { NAMED, type Remark, type Rule } from './rules.ts';
import { amountOf, figuresBehind, sayCalculation } from './calculation.ts';

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
        | 'not given'
        | 'period'
        | 'calendar'
        | 'contradicting times';
    }
  | { readonly kind: 'no passage'; readonly time: Span }
  /** The text is one number in German notation and another in English notation. */
  | { readonly kind: 'two numbers'; readonly numbers: readonly [Rational, Rational] }
  /** The fact depends on another fact whose key may mean several quantities. */
  | { readonly kind: 'several meanings'; readonly key: string; readonly meanings: readonly Quantity[] }
  | {
      readonly kind: 'missing' | 'unread' | 'taken back' | 'contradicting facts' | 'rests on wrong';
      readonly keys: readonly string[];
    }
  /** The facts because of which no rule applies, each with its value. */
  | { readonly kind: 'other case'; readonly keys: readonly string[] }
  /** The facts because of which no rule applies, in a case for which the base has a sentence that says so. */
  | { readonly kind: 'limit'; readonly says: string; readonly keys: readonly string[] };

export type Judgement = { readonly judged: readonly Judged[] } | { readonly reason: Reason };

/**
 * Judges one fact in each of its readings: it is correct if one reading is, and wrong if all are. Of wrong readings the
 * nearest is reported.
 */
export function judge(fact: Fact, facts: readonly Fact[], slipTime: SlipTime, base: ReviewBase): Judgement {
  if (isEmpty(fact)) return { reason: { kind: fact.quantity === null ? 'unknown key' : 'not given' } };
  if (fact.clashes.length > 0) return { reason: { kind: 'contradicting facts', keys: fact.clashes } };
  if (fact.readings.length < 2) return judgeReading(fact, facts, slipTime, base);
  const judgements = fact.readings.map((reading) => {
    const read = { ...fact, ...reading, readings: [] };
    return judgeReading(read, [...facts.filter((each) => each !== fact), read], slipTime, base);
  });
  const right = judgements.find((each) => 'judged' in each && each.judged.every(({ holds }) => holds));
  if (right !== undefined) return right;
  const open = judgements.find((each) => 'reason' in each);
  if (open !== undefined) return open;
  return judgements.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0]!;
}

/** How far a wrong value is off, as a ratio. */
function distanceOf(judgement: Judgement): number {
  const [first] = 'judged' in judgement ? judgement.judged : [];
  return timesOff(first?.fact.value, first?.bound.value);
}

/**
 * Judges one fact by the rules of its quantity. A rule for another case does not count. If a fact that decides between
 * rules is missing, nothing is judged, unless each of these rules would allow the value.
 */
function judgeReading(fact: Fact, facts: readonly Fact[], slipTime: SlipTime, base: ReviewBase): Judgement {
  const { quantity, value } = fact;
  if (quantity === null) return { reason: { kind: 'unknown key' } };
  const isRead = quantity.kind === 'month' ? isMonth(fact.written) : value !== null;
  if (!isRead) {
    if (isTakenBack(fact)) return { reason: { kind: 'taken back', keys: [fact.key] } };
    const numbers = quantity.kind === 'amount' ? twoNumbersIn(fact.written) : null;
    if (numbers !== null) return { reason: { kind: 'two numbers', numbers } };
    const isUnclear = quantity.kind === 'date' && hasShortYear(fact.written);
    return { reason: { kind: isUnclear ? 'unclear year' : 'unreadable' } };
  }
  const rules = rulesFor(quantity.key, base);
  if (value === null || rules.length === 0) {
    const isSum = quantity.kind === 'amount' || quantity.kind === 'rate';
    const read = isSum ? 'not recomputed' : 'case';
    return { reason: { kind: readsOf(base).has(quantity.key) ? read : 'no rule' } };
  }
  const of: Case = { fact, value, facts, time: timeOf(fact, slipTime), base };
  const outcomes = rules.map((rule) => outcomeOf(rule, of));
  const applying = outcomes.filter(({ applies }) => applies === true);
  const broken = applying.filter(({ judged }) => judged?.holds === false);
  const remarked = (each: Judged): Judged => ({ ...each, remarks: remarksOn(each, of) });
  if (broken.length > 0) return { judged: judgedOf(broken).map(remarked) };
  const blocking = outcomes.filter(
    ({ applies, judged }) => applies !== false && (judged === null || (applies === null && !judged.holds)),
  );
  if (blocking.length > 0) return { reason: reasonOf(blocking, of) };
  if (applying.length > 0) {
    const judged = judgedOf(applying).map(remarked);
    return { judged: judged.every(({ rule }) => rule.onlyLimits) ? withLimit(judged, of) : judged };
  }
  // If several rules for different cases all allow the value, the case does not matter. A single rule does not
  // distinguish cases.
  const told = outcomes.filter(({ applies }) => applies === null);
  return told.length > 1
    ? { judged: judgedOf(told) }
    : { reason: reasonOf(told.length === 1 ? told : outcomes, of) };
}

/** The time of a fact: the time at the end of its key, unless the slip's time is within it. */
function timeOf({ time }: Fact, slipTime: SlipTime): SlipTime {
  if (time === null) return slipTime;
  return typeof slipTime === 'object' && covers(time, slipTime) ? slipTime : time;
}

const RULES = new WeakMap<ReviewBase, ReadonlyMap<string, readonly Rule[]>>();

/** The rules of a quantity, cached for each base. */
function rulesFor(key: string, base: ReviewBase): readonly Rule[] {
  let known = RULES.get(base);
  if (known === undefined) {
    known = Map.groupBy(base.rules, ({ judges }) => judges);
    RULES.set(base, known);
  }
  return known.get(key) ?? [];
}

const judgedOf = (outcomes: readonly Outcome[]): Judged[] =>
  outcomes.flatMap(({ judged }) => (judged === null ? [] : [judged]));

/** Why a fact is not judged. Reasons that the sender can remove come first. */
function reasonOf(outcomes: readonly Outcome[], of: Case): Reason {
  const { time, facts } = of;
  const lacks = outcomes.flatMap((outcome) => outcome.lacks);
  const keysOf = (kind: 'missing' | 'contradicting' | 'unread'): string[] => [
    ...new Set(lacks.flatMap((lack) => (lack.kind === kind ? [lack.key] : []))),
  ];
  const contradicting = keysOf('contradicting');
  if (contradicting.length > 0) return { kind: 'contradicting facts', keys: contradicting };
  const unread = keysOf('unread');
  const several = facts.find(({ key, readings }) => unread.includes(key) && readings.length > 1);
  if (several !== undefined)
    return {
      kind: 'several meanings',
      key: several.key,
      meanings: several.readings.map(({ quantity }) => quantity),
    };
  const back = facts.filter((each) => unread.includes(each.key) && isTakenBack(each));
  if (back.length > 0) return { kind: 'taken back', keys: back.map(({ key }) => key) };
  if (unread.length > 0) return { kind: 'unread', keys: unread };
  if (lacks.some(({ kind }) => kind === 'period')) return { kind: 'period' };
  if (lacks.some(({ kind }) => kind === 'time'))
    return { kind: time === 'contradiction' ? 'contradicting times' : 'no time' };
  const missing = keysOf('missing');
  if (missing.length > 0) return { kind: 'missing', keys: missing };
  if (lacks.some(({ kind }) => kind === 'calendar')) return { kind: 'calendar' };
  const ledOut = outcomes
    .flatMap((outcome) => outcome.ledOut())
    .map(({ key, written }) => `${key} ${written}`);
  const keys = [...new Set(ledOut)];
  const says = limitOf(of);
  if (says !== null) return { kind: 'limit', says, keys };
  // If one rule is for another time and another rule for another case, the case is reported.
  if (ledOut.length === 0 && lacks.some(({ kind }) => kind === 'passage') && typeof time === 'object')
    return { kind: 'no passage', time };
  return { kind: 'other case', keys };
}

const withLimit = (judged: readonly Judged[], of: Case): readonly Judged[] => {
  const limit = limitOf(of);
  return judged.map((each) => ({ ...each, limit }));
};

/** The remarks of the base on a value in a case. */
const remarksOn = ({ bound, holds }: Judged, of: Case): readonly Remark[] =>
  of.base.remarks
    .filter(
      ({ judges, when, readings, except, of_wrong }) =>
        (holds || of_wrong) &&
        judges.includes(of.fact.quantity!.key) &&
        (readings.length === 0 || readings.includes(bound.reading ?? '')) &&
        !except.includes(bound.reading ?? '') &&
        truthOf(evaluate(parseExpression(when), namesIn(of, newTrace()))) === true,
    )
    .map((remark) => ({
      ...remark,
      says: withAmounts(remark.says, of),
      rests_on: [...remark.rests_on, ...sourcesOfAmounts(remark.says, of)],
    }));

/** The passages with the figures of the amounts in a sentence. */
const sourcesOfAmounts = (says: string, of: Case): string[] =>
  [...says.matchAll(NAMED)].flatMap(([, name]) =>
    figuresNamed(figuresBehind(name!, namesIn(of, newTrace()), of.base), of).map(({ source }) => source),
  );

/** The base's sentence on a case that it does not judge. */
function limitOf(of: Case): string | null {
  const key = of.fact.quantity!.key;
  const found = of.base.limits.find(
    ({ judges, when }) =>
      judges.includes(key) && truthOf(evaluate(parseExpression(when), namesIn(of, newTrace()))) === true,
  );
  return found === undefined ? null : withAmounts(found.says, of);
}

/**
 * A German sentence of the base in which names in braces are replaced by the amounts, days and tax class of the case.
 */
const withAmounts = (says: string, of: Case): string =>
  says.replaceAll(NAMED, (_, name: string) => {
    const amount = amountOf(name, namesIn(of, newTrace()), of.base);
    if (amount !== null) return sayCalculation(amount, 'de');
    const value = evaluate(parseExpression(name), namesIn(of, newTrace()));
    if (value?.type === 'choice') return value.choice;
    return value?.type === 'date' ? sayDay(value.day, 'de') : '?';
  });
