import { isEqual } from './expression.ts';
import type { Operand } from './calculation.ts';
import { readFigure, type Figure } from './figure.ts';
import type { ReviewBase } from './review-base.ts';
import { sayValue } from './check-sentences.ts';
import type { Fact } from './facts.ts';
import type { SlipTime } from './slip-time.ts';
import { inRange } from './value-of-quantity.ts';
import { judge, type Judgement } from './judge.ts';
import type { Compared, Judged } from './outcome.ts';
import {
  absolute,
  add,
  compare,
  equal,
  multiply,
  rational,
  round,
  subtract,
  ZERO,
  type Rational,
} from './rational.ts';
import { numberValue } from './value.ts';

export type Judgements = ReadonlyMap<Fact, Judgement>;

interface Slip {
  readonly facts: readonly Fact[];
  readonly time: SlipTime;
  readonly base: ReviewBase;
  /** Judges the facts of a slip, each by itself. */
  readonly judgeEach: (facts: readonly Fact[]) => Judgements;
}

/** The required value of a fact whose error alone explains several warnings. */
export interface SingleError extends Compared {
  /** The explanation of the error, one German sentence. */
  readonly says: string;
  /** The passages on which the explained warnings rest. */
  readonly restsOn: readonly string[];
}

/** A wrong value, and the judgements of the slip with the correct value in its place. */
interface Found {
  readonly facts: readonly Fact[];
  readonly judged: Judgements;
  readonly error: SingleError;
}

/**
 * The judgements of a slip in which one wrong value explains several warnings. All these warnings depend on it; with
 * another value none of them is left, and no new one appears. Several values that agree with each other are more likely
 * correct than one that none of them agrees with, so only that one gets a warning, and the others are judged with its
 * correct value.
 *
 * A single warning could always be explained by some value. So for a single warning the correct value must be another
 * amount of the slip, or several other values must equal the value with the warning.
 */
export function withSingleErrors(judged: Judgements, slip: Slip): ReadonlyMap<Fact, Judgement | SingleError> {
  const named = new Map<string, SingleError>();
  let now: Pick<Found, 'facts' | 'judged'> = { facts: slip.facts, judged };
  for (;;) {
    const found = singleError(now.judged, { ...slip, facts: now.facts });
    if (found === null) break;
    named.set(found.error.fact.key, found.error);
    now = found;
  }
  if (named.size === 0) return judged;
  return new Map(
    slip.facts.map((fact, at) => [fact, named.get(fact.key) ?? now.judged.get(now.facts[at]!)!]),
  );
}

function singleError(judged: Judgements, slip: Slip): Found | null {
  const warned = [...judged].flatMap(([fact, judgement]) =>
    isWrong(judgement) && fact.isPutRight !== true && dueOf(judgement) !== null ? [{ fact, judgement }] : [],
  );
  const bases = new Set(warned.flatMap(givenOf).filter(mayBeWrong(slip, judged)));
  const found = [...bases].flatMap((fact) => {
    const resting = warned.filter((each) => givenOf(each).includes(fact));
    const each = explained(fact, resting, judged, slip);
    return each === null ? [] : [{ ...each, explains: resting.length }];
  });
  return (
    found.toSorted((a, b) => b.explains - a.explains || (a.error.fact.key < b.error.fact.key ? -1 : 1))[0] ??
    null
  );
}

/**
 * Tries other values of a fact, and returns the slip with the first one that removes all of the given warnings; `null`
 * if none does.
 */
function explained(fact: Fact, warned: readonly Warned[], judged: Judgements, slip: Slip): Found | null {
  const { time, base } = slip;
  const left = slip.facts.filter((each) => each !== fact);
  if (fact.quantity!.kind === 'rate' && warned.every(isOfOtherBase(slip))) return null;
  // A single warning that stays without this fact does not come from the fact. Of several warnings one may stay,
  // because another fact may replace the missing one.
  if (warned.length === 1 && isWrong(judge(warned[0]!.fact, left, time, base))) return null;
  const others = [...judged].filter(
    ([each, judgement]) => isWrong(judgement) && !warned.some((of) => of.fact === each),
  );
  for (const value of valuesFor(fact, warned, slip)) {
    const right: Fact = { ...fact, value: numberValue(value), isPutRight: true };
    const facts = slip.facts.map((each) => (each === fact ? right : each));
    // A rule that only limits a value proves nothing, because many values are within a limit.
    if (!warned.every((each) => isWorkedOut(judge(each.fact, facts, time, base)))) continue;
    const all = slip.judgeEach(facts);
    const isExplained = [...all].every(
      ([each, judgement]) =>
        each === right || !isWrong(judgement) || others.some(([other]) => other === each),
    );
    if (!isExplained || !isBetterBacked(fact, judged, all)) continue;
    const agreeing = [...all].flatMap(([each, judgement]) =>
      isRight(judgement) && judgement.judged.some(({ given }) => given.includes(right)) ? [each] : [],
    );
    const [only, ...more] = warned;
    const isClear =
      more.length > 0 ||
      isTold(value, fact, only!.fact, slip) ||
      // Equal values only count for an amount. They may be a coincidence, and prove no rate.
      (fact.quantity!.kind === 'amount' && isBacked(only!, slip));
    if (!isClear || agreeing.length === 0) continue;
    return { facts, judged: all, error: errorOf(fact, right, agreeing, warned) };
  }
  return null;
}

/**
 * Whether a wrong value is correct for another base: for pay of the slip before the cut to the ceiling, or with the
 * ceiling of another time. Then no rate is wrong.
 */
const isOfOtherBase =
  ({ facts, base }: Slip) =>
  ({ fact, judgement }: Warned): boolean => {
    const [given, due] = [numberOf(fact), dueOf(judgement)];
    const [{ calculation, figures }] = judgement.judged as [Judged];
    const first = calculation?.find(
      (step): step is Operand => typeof step === 'object' && 'unit' in step && step.unit === 'amount',
    );
    if (given === null || due === null || due.n === 0n || first === undefined) return false;
    const isTimes = (other: Rational, of: Rational): boolean =>
      compare(
        absolute(subtract(multiply(given, of), multiply(due, other))),
        multiply(rational(2n, 100n), of),
      ) <= 0;
    const ofSlip = facts.flatMap((each) => (each.quantity?.kind === 'amount' ? (numberOf(each) ?? []) : []));
    return (
      ofSlip.some((each) => isTimes(each, first.number)) ||
      Object.values(base.figures).some((times) =>
        amountsOf(times.filter((each) => figures.includes(each))).some((own) =>
          amountsOf(times).some((other) => isTimes(other, own)),
        ),
      )
    );
  };

const amountsOf = (named: readonly Figure[]): Rational[] =>
  named.flatMap(({ written }) => {
    const value = /Euro/u.test(written) ? readFigure(written) : null;
    return value?.type === 'number' ? [value.number] : [];
  });

/**
 * Whether more values are correct only with the new value than only with the sent one. A rule that calculates the sent
 * value from the rest of the slip counts for the sent value, so that no single warning outweighs a rule that confirms
 * it.
 */
function isBetterBacked(fact: Fact, judged: Judgements, all: Judgements): boolean {
  const rightIn = (of: Judgements): Set<string> =>
    new Set([...of].flatMap(([{ key }, judgement]) => (isRight(judgement) && key !== fact.key ? [key] : [])));
  const [sent, put] = [rightIn(judged), rightIn(all)];
  const own = isWorkedOut(judged.get(fact)!) ? 1 : 0;
  return put.difference(sent).size > sent.difference(put).size + own;
}

/** Whether a rule gives the value, and not only a limit. */
const isWorkedOut = (judgement: Judgement): boolean =>
  isRight(judgement) && judgement.judged.some(({ bound }) => bound.comparison === 'exactly');

interface Warned {
  readonly fact: Fact;
  readonly judgement: Wrong;
}
type Wrong = Extract<Judgement, { judged: unknown }>;

const givenOf = ({ judgement }: Warned): readonly Fact[] => judgement.judged.flatMap(({ given }) => given);

const isWrong = (judgement: Judgement): judgement is Wrong =>
  'judged' in judgement && judgement.judged.some(({ holds }) => !holds);

const isRight = (judgement: Judgement): judgement is Wrong =>
  'judged' in judgement && judgement.judged.every(({ holds }) => holds);

/** Whether a fact may be the error: an amount or a rate with one meaning, sent once, and without a warning itself. */
const mayBeWrong =
  ({ facts }: Slip, judged: Judgements) =>
  (fact: Fact): boolean =>
    ['amount', 'rate'].includes(fact.quantity?.kind ?? '') &&
    numberOf(fact) !== null &&
    fact.readings.length < 2 &&
    fact.isPutRight !== true &&
    !fact.quantity!.usual &&
    facts.filter(({ quantity }) => quantity === fact.quantity).length === 1 &&
    judged.has(fact) &&
    !isWrong(judged.get(fact)!);

const numberOf = ({ value }: Pick<Fact, 'value'>): Rational | null =>
  value?.type === 'number' ? value.number : null;

const hasNumber = (fact: Fact, number: Rational): boolean => {
  const own = numberOf(fact);
  return own !== null && equal(own, number);
};

/**
 * Whether a single warning shows the correct value: another fact of the same kind has it, and the result with it is not
 * a number that the slip contains anyway.
 */
function isTold(value: Rational, fact: Fact, warned: Fact, { facts }: Slip): boolean {
  const { kind, per } = fact.quantity!;
  const isAlike = ({ quantity }: Fact): boolean => quantity?.kind === kind && quantity.per === per;
  const result = numberOf(warned)!;
  return (
    facts.some((each) => each !== warned && isAlike(each) && hasNumber(each, value)) &&
    !equal(result, value) &&
    !facts.some((each) => each !== warned && hasNumber(each, result))
  );
}

/** Whether several other values of the slip equal the value with the warning, which is not calculated from them. */
function isBacked({ fact, judgement }: Warned, { facts }: Slip): boolean {
  const given = givenOf({ fact, judgement });
  const result = numberOf(fact)!;
  const others = facts.filter(
    (each) => each !== fact && each.quantity?.kind === fact.quantity!.kind && !given.includes(each),
  );
  return others.filter((each) => hasNumber(each, result)).length > 1;
}

/**
 * The values that the fact may have instead: another value of the slip, the nearest first; its own digits with the
 * comma elsewhere; and the value that follows from several wrong ones that depend on no other amount.
 */
function valuesFor(fact: Fact, warned: readonly Warned[], slip: Slip): Rational[] {
  const own = numberOf(fact)!;
  const { kind } = fact.quantity!;
  const ofSlip = slip.facts.flatMap((each) =>
    each.quantity?.kind === kind && !each.quantity.usual ? (numberOf(each) ?? []) : [],
  );
  const shifted = [10n, 100n].flatMap((by) => [multiply(own, rational(by)), multiply(own, rational(1n, by))]);
  const onlyOfIt = warned.filter(({ judgement }) =>
    judgement.judged.every(({ given }) =>
      given.every((each) => each === fact || each.quantity?.kind !== 'amount' || kind === 'rate'),
    ),
  );
  const isSolved =
    onlyOfIt.length > 1 || (warned.length === 1 && onlyOfIt.length === 1 && isBacked(onlyOfIt[0]!, slip));
  const isUsual = (value: Rational): boolean =>
    slip.facts.some((each) => each.quantity?.usual === true && hasNumber(each, value));
  const solved = isSolved
    ? onlyOfIt.flatMap((each) => solvedFor(fact, each, slip)).filter((each) => !isUsual(each))
    : [];
  const byNearness = ofSlip.toSorted(
    (a, b) => compare(absolute(subtract(a, own)), absolute(subtract(b, own))) || compare(a, b),
  );
  const all = [...byNearness, ...shifted, ...solved].filter(
    (value) =>
      !equal(value, own) && compare(value, ZERO) > 0 && inRange(numberValue(value), fact.quantity!) !== null,
  );
  return all.filter((value, at) => all.findIndex((each) => equal(each, value)) === at);
}

/**
 * The values of a fact that would give a wrong value, if the two are proportional: in full euros and in cents, or in
 * hundredths of a percent for rates.
 */
function solvedFor(fact: Fact, { fact: wrong, judgement }: Warned, { facts, time, base }: Slip): Rational[] {
  const [own, given] = [numberOf(fact)!, numberOf(wrong)];
  const due = dueOf(judgement);
  const half: Fact = { ...fact, value: numberValue(multiply(own, rational(1n, 2n))) };
  const ofHalf = dueOf(
    judge(
      wrong,
      facts.map((each) => (each === fact ? half : each)),
      time,
      base,
    ),
  );
  if (given === null || due === null || ofHalf === null || equal(due, ofHalf)) return [];
  const rise = subtract(due, ofHalf);
  const times = multiply(subtract(given, due), rational(rise.d, 2n * rise.n));
  const value = add(own, multiply(own, times));
  return (fact.quantity!.kind === 'rate' ? [4] : [0, 2]).map((places) => round(value, places));
}

/** The value that the only judging rule of a fact requires. */
function dueOf(judgement: Judgement): Rational | null {
  const [first, ...others] = 'judged' in judgement ? judgement.judged : [];
  if (first === undefined || others.length > 0 || first.bound.comparison !== 'exactly') return null;
  return numberOf(first.bound);
}

/** The result for the value whose error explains the others. */
function errorOf(fact: Fact, right: Fact, agreeing: readonly Fact[], warned: readonly Warned[]): SingleError {
  const [value, was] = [right, fact].map((each) => sayValue(each.value!, fact.quantity!, 'de'));
  const [first, ...more] = agreeing.filter((each) => isEqual(each.value!, right.value!) !== true);
  const named = first === undefined ? agreeing : [first, ...more];
  const shown = named.slice(0, SHOWN).map(({ key }) => key);
  const rest = agreeing.length - shown.length;
  const others = rest === 0 ? '' : ` und ${rest} weitere Angabe${rest === 1 ? '' : 'n'}`;
  const figures = warned.flatMap(({ judgement }) => judgement.judged.flatMap((each) => each.figures));
  return {
    fact,
    bound: { comparison: 'exactly', value: right.value! },
    says: `Bestätigt durch ${shown.join(', ')}${others}: ${agreeing.length === 1 ? 'Das passt' : 'Sie passen'} zu ${value}, nicht zu ${was}.`,
    restsOn: [...new Set(figures.map(({ source }) => source))],
  };
}

/** The number of agreeing values that are named. */
const SHOWN = 4;
