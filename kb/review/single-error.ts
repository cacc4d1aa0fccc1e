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
  /** Judges the facts of a slip, each for itself. */
  readonly judgeEach: (facts: readonly Fact[]) => Judgements;
}

/** What a value must be whose error alone explains several warnings. */
export interface SingleError extends Compared {
  /** One German sentence. */
  readonly says: string;
  /** The passages of those warnings. */
  readonly restsOn: readonly string[];
}

/** A value that is wrong, and the judgements of the slip with what it must be. */
interface Found {
  readonly facts: readonly Fact[];
  readonly judged: Judgements;
  readonly error: SingleError;
}

/**
 * The judgements of a slip in which one wrong value explains several warnings: one that these rest on, and with another
 * value of which none of them is left, and no other comes. Several values that agree with each other are rather right than the one
 * that none of them agrees with, so that one is warned of, and they are judged with what it must be. For a single warning that must
 * be another amount of the slip, because some value would explain any; or several others must be as much as what is warned of.
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

/** The slip with the value of a fact by which none of these warnings is left, if there is one. */
function explained(fact: Fact, warned: readonly Warned[], judged: Judgements, slip: Slip): Found | null {
  const { time, base } = slip;
  const left = slip.facts.filter((each) => each !== fact);
  if (fact.quantity!.kind === 'rate' && warned.every(isOfOtherBase(slip))) return null;
  // With several warnings another fact may take the place of one that is left out here.
  if (warned.length === 1 && isWrong(judge(warned[0]!.fact, left, time, base))) return null;
  const others = [...judged].filter(
    ([each, judgement]) => isWrong(judgement) && !warned.some((of) => of.fact === each),
  );
  for (const value of valuesFor(fact, warned, slip)) {
    const right: Fact = { ...fact, value: numberValue(value), isPutRight: true };
    const facts = slip.facts.map((each) => (each === fact ? right : each));
    // A value that a limit allows agrees with any pay above it.
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
      // Amounts that are equal by chance tell no rate.
      (fact.quantity!.kind === 'amount' && isBacked(only!, slip));
    if (!isClear || agreeing.length === 0) continue;
    return { facts, judged: all, error: errorOf(fact, right, agreeing, warned) };
  }
  return null;
}

/**
 * Whether a wrong value is right for another base: for pay of the slip that was not cut to the ceiling, or was cut to that of another time.
 * Then no rate is to blame.
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
 * Whether more values are right only with the new value than only with the one that was sent. A rule that works out the sent value
 * from the rest of the slip counts for it as well, so that no single warning overturns what such a rule confirms.
 */
function isBetterBacked(fact: Fact, judged: Judgements, all: Judgements): boolean {
  const rightIn = (of: Judgements): Set<string> =>
    new Set([...of].flatMap(([{ key }, judgement]) => (isRight(judgement) && key !== fact.key ? [key] : [])));
  const [sent, put] = [rightIn(judged), rightIn(all)];
  const own = isWorkedOut(judged.get(fact)!) ? 1 : 0;
  return put.difference(sent).size > sent.difference(put).size + own;
}

/** Whether a rule says how much it is, and not only a limit. */
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

/** An amount or a rate of one meaning, sent once, that is not warned of itself. */
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
 * Whether a single warning tells what the value is: another fact of the same kind is as much, and what comes of it is no number that the
 * slip has anyway.
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

/** Whether what is warned of is as much as several other values of the slip that it is not worked out of. */
function isBacked({ fact, judgement }: Warned, { facts }: Slip): boolean {
  const given = givenOf({ fact, judgement });
  const result = numberOf(fact)!;
  const others = facts.filter(
    (each) => each !== fact && each.quantity?.kind === fact.quantity!.kind && !given.includes(each),
  );
  return others.filter((each) => hasNumber(each, result)).length > 1;
}

/**
 * What the value may be instead: another value of the slip, the nearest first, the same with the comma elsewhere, and what several wrong
 * values come of that rest on no other amount.
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

/** The values of a fact of which a wrong value comes, if that is as many times it: in full euros and in cents, or in hundredths of a percent, as rates are set. */
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

/** What the only rule that judged a fact says that it must be. */
function dueOf(judgement: Judgement): Rational | null {
  const [first, ...others] = 'judged' in judgement ? judgement.judged : [];
  if (first === undefined || others.length > 0 || first.bound.comparison !== 'exactly') return null;
  return numberOf(first.bound);
}

/** The value whose error explains the others. */
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

/** How many of the values that agree are named. */
const SHOWN = 4;
