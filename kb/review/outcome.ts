import { evaluate, isEqual, isNone, orderOf, parseExpression, truthOf } from './expression.ts';
import { covers, overlaps, type Figure } from './figure.ts';
import { round, type Rational } from './rational.ts';
import { isStanding } from './reach.ts';
import { isWithinRounding, placesFor, slackOf } from './rounding.ts';
import {
  amountOf,
  calculationOf,
  figuresBehind,
  figuresCompared,
  taxYearBehind,
  type Calculation,
} from './calculation.ts';
import type { Bound, Comparison, Remark, Rule } from './rules.ts';
import { numberValue, type RuleValue } from './value.ts';
import type { WageTaxYear } from './wage-tax.ts';
import type { Fact } from './facts.ts';
import { figureOf, namesIn, newTrace, type Case, type Lack, type Trace } from './rule-values.ts';

/** A fact with the meaning and period in which it is read, and the value that it must have. */
export interface Compared {
  readonly fact: Fact;
  readonly bound: { readonly comparison: Comparison; readonly value: RuleValue };
}

/** The result of a rule for a fact, with the figures behind it. */
export interface Judged extends Compared {
  readonly rule: Rule;
  readonly holds: boolean;
  /** The bound that decides: the broken one, or else the first. */
  readonly bound: Bound & { readonly value: RuleValue };
  /** The calculation of the bound's value; `null` if there is none. */
  readonly calculation: Calculation | null;
  /** The calculation of the yearly tax, if the value is a wage tax or a surcharge on a tax with child allowances. */
  readonly taxYear: WageTaxYear | null;
  /** Amounts that explain a value without a calculation. */
  readonly shown: readonly { readonly name: string; readonly calculation: Calculation }[];
  /** The base's sentence on what it does not judge in this case, if the rule only limits. */
  readonly limit: string | null;
  /** The base's remarks on the value in this case. */
  readonly remarks: readonly Remark[];
  /** The deciding figures; the most important is last. */
  readonly figures: readonly Figure[];
  /** The sentences of the rule that apply to this case. */
  readonly quotes: readonly Figure[];
  /** The figures that the rule names as deciding and with which the result is calculated. */
  readonly named: readonly Figure[];
  /** Whether the value was only compared with these figures, and would be equal with other figures near them. */
  readonly isCompared: boolean;
  /** Whether it is certain that the rule applies to this case. */
  readonly isOfCase: boolean;
  /**
   * Whether the required value is calculated from the value itself, so that it only says that the value is possible.
   */
  readonly isOfValue: boolean;
  /** Whether the result depends on the month or the year, by a figure, a rule or a formula. */
  readonly isOfTime: boolean;
  /** Other facts that the result depends on. */
  readonly given: readonly Fact[];
  /**
   * The facts from which the required value is calculated; if the value is only a figure, the facts that decide the
   * case.
   */
  readonly workedOutOf: readonly Fact[];
}

/** The outcome of one rule. */
export interface Outcome {
  /** Whether the rule applies to this case and time; `null` if that is unknown. */
  readonly applies: boolean | null;
  /** The judgement by the rule; `null` if the rule's bounds are unknown. */
  readonly judged: Judged | null;
  readonly lacks: readonly Lack[];
  /** Finds the other facts without which the rule would, or might, apply to this case. */
  readonly ledOut: () => readonly Fact[];
}

/** Applies one rule to a fact. */
export function outcomeOf(rule: Rule, of: Case): Outcome {
  const { time } = of;
  if (rule.span.from !== null || rule.span.to !== null) {
    const isOut = typeof time === 'object' && !overlaps(rule.span, time);
    if (isOut) return { applies: false, judged: null, lacks: [{ kind: 'passage' }], ledOut: () => [] };
    if (typeof time !== 'object' || !covers(rule.span, time))
      return { applies: null, judged: null, lacks: [{ kind: 'time' }], ledOut: () => [] };
  }
  if (!isOfOneMonth(of) && of.fact.quantity?.per === 'month' && !isStanding(rule, of.base))
    return { applies: null, judged: null, lacks: [{ kind: 'period' }], ledOut: () => [] };
  const condition = newTrace();
  const appliesTo = (facts: readonly Fact[], read = newTrace()): boolean | null =>
    rule.when === null
      ? true
      : truthOf(evaluate(parseExpression(rule.when), namesIn({ ...of, facts }, read)));
  const applies = appliesTo(of.facts, condition);
  if (applies === false) {
    const ledOut = (): readonly Fact[] => {
      const others = [...condition.given].filter((each) => each !== of.fact);
      const single = others.filter((each) => appliesTo(of.facts.filter((fact) => fact !== each)) !== false);
      // If several facts exclude the rule, each by itself, all of them are named.
      return single.length > 0 ? single : others.filter((one) => appliesTo([of.fact, one]) === false);
    };
    return { applies, judged: null, lacks: [], ledOut };
  }
  const told = rule.bounds.flatMap((bound): Told[] => {
    const trace = newTrace();
    const found = evaluate(parseExpression(bound.formula), namesIn(of, trace));
    if (bound.reading !== null && isNone(found)) return [];
    const value = found?.type === 'unread' ? null : found;
    const held = value === null ? null : holds(of, bound, value, trace, slackOf(rule, of));
    return [{ ...bound, value, holds: held, trace }];
  });
  const readings = told.filter(({ reading }) => reading !== null);
  const bounds = [
    ...told.filter(({ reading }) => reading === null),
    ...(readings.length === 0 ? [] : [bestOf(readings, of)]),
  ];
  const lackedBy = told.flatMap(({ trace, value, holds: held }): Lack[] =>
    held === null && value?.type === 'duration' && of.value.type === 'duration'
      ? [...trace.lacks, { kind: 'calendar' }]
      : trace.lacks,
  );
  const lacks = applies === null ? [...lackedBy, ...condition.lacks] : lackedBy;
  const broken = bounds.find((bound) => bound.holds === false);
  const deciding =
    broken ?? (bounds.length > 0 && bounds.every((bound) => bound.holds === true) ? bounds[0] : undefined);
  if (deciding === undefined || deciding.value === null)
    return { applies, judged: null, lacks, ledOut: () => [] };
  const behind = decidingFigures(rule, deciding, of);
  const others = (given: Iterable<Fact>): Fact[] => [...new Set(given)].filter((each) => each !== of.fact);
  const given = others([...told.flatMap(({ trace }) => [...trace.given]), ...condition.given]);
  const ofFormula = others(deciding.trace.given);
  const quotes = rule.quotes
    .filter(
      ({ when }) =>
        when === null || truthOf(evaluate(parseExpression(when), namesIn(of, newTrace()))) === true,
    )
    .map(({ sentence }) => sentence);
  const judged: Judged = {
    rule,
    fact: of.fact,
    holds: broken === undefined,
    bound: {
      comparison: deciding.comparison,
      value: deciding.value,
      formula: deciding.formula,
      reading: readings.length > 1 ? deciding.reading : null,
    },
    calculation: calculationOf(deciding.formula, namesIn(of, newTrace()), of.base),
    taxYear: taxYearBehind(deciding.formula, namesIn(of, newTrace()), of.base),
    shown: Object.entries(rule.shows).flatMap(([name, formula]) => {
      const calculation = amountOf(formula, namesIn(of, newTrace()), of.base);
      return calculation === null ? [] : [{ name, calculation }];
    }),
    limit: null,
    remarks: [],
    figures: [...behind.figures, ...quotes],
    quotes,
    named: behind.named,
    isCompared: behind.isCompared,
    isOfCase: applies === true,
    isOfValue: deciding.trace.marks.readsValue,
    isOfTime:
      deciding.trace.marks.readsTime ||
      [rule, ...behind.figures].some(({ span }) => span.from !== null || span.to !== null),
    given,
    workedOutOf:
      ofFormula.length === 0
        ? given
        : given.filter(
            (each) =>
              ofFormula.includes(each) ||
              each.isPutRight === true ||
              rule.tells.includes(each.quantity?.key ?? ''),
          ),
  };
  return { applies, judged, lacks, ledOut: () => [] };
}

interface Told extends Bound {
  readonly trace: Trace;
  readonly value: RuleValue | null;
  readonly holds: boolean | null;
}

/**
 * The figures of the deciding bound. If its value does not come from a figure, these are the sentence of the rule, or
 * else the figures with which the value was compared. Only figures for the place and time of the case are returned,
 * because others prove nothing.
 */
function decidingFigures(
  rule: Rule,
  { formula }: Told,
  of: Case,
): Pick<Judged, 'figures' | 'named' | 'isCompared'> {
  const { decidedBy } = rule;
  const behind = figuresBehind(formula, namesIn(of, newTrace()), of.base);
  const decisive = decidedBy.findLast((name) => behind.includes(name)) ?? decidedBy[0];
  const names = decisive === undefined ? behind : [...behind.filter((name) => name !== decisive), decisive];
  const isCompared = names.length === 0;
  if (isCompared && rule.passage !== null) return { figures: [rule.passage], named: [], isCompared };
  const all = isCompared ? figuresCompared(formula, namesIn(of, newTrace()), of.base) : names;
  const named = decidedBy.filter((name) => behind.includes(name));
  return { figures: figuresNamed(all, of), named: figuresNamed(named, of), isCompared };
}

/** The figures of these names at the time of the case. */
export function figuresNamed(names: readonly string[], { base, time }: Case): readonly Figure[] {
  const found = newTrace();
  for (const name of names) figureOf(base.figures[name]!, time, found);
  return [...found.figures];
}

/** The reading in which the value is correct; otherwise an undecided one; otherwise the nearest. */
function bestOf(readings: readonly Told[], { value }: Case): Told {
  const right = readings.find((each) => each.holds === true) ?? readings.find((each) => each.holds === null);
  if (right !== undefined) return right;
  return readings.toSorted((a, b) => timesOff(value, a.value) - timesOff(value, b.value))[0]!;
}

/** The factor by which a value is off: half of the due amount is as far off as twice the amount. */
export function timesOff(value: RuleValue | null | undefined, due: RuleValue | null | undefined): number {
  if (value?.type !== 'number' || due?.type !== 'number') return Number.POSITIVE_INFINITY;
  const sizes = [value.number, due.number].map(({ n, d }) => Math.abs(Number(n) / Number(d)));
  const [small, large] = sizes.toSorted((a, b) => a - b);
  return large! / Math.max(small!, 0.01);
}

/**
 * Whether the fact is for a single month, because a monthly amount is only judged then. If a key or the slip names a
 * year, the amount may be yearly.
 */
const isOfOneMonth = ({ fact, time }: Case): boolean =>
  (typeof time !== 'object' || time.from === time.to) &&
  (fact.time === null || fact.time.from === fact.time.to);

/**
 * The value to compare. An unrounded amount that is calculated from the slip is correct if it is to the cent; a figure
 * must be exact.
 */
const inCents = ({ quantity }: Fact, value: RuleValue, { given }: Trace): RuleValue =>
  quantity?.kind === 'amount' && value.type === 'number' && given.size > 0
    ? numberValue(round(value.number, 2))
    : value;

/** Whether a bound holds; `null` if the two values cannot be compared with certainty. */
function holds(
  of: Case,
  { comparison }: Bound,
  bound: RuleValue,
  trace: Trace,
  slack: Rational | null,
): boolean | null {
  const { value } = of;
  if (
    comparison !== 'more_than' &&
    value.type === 'number' &&
    bound.type === 'number' &&
    isWithinRounding(value.number, bound.number, { slack, places: placesFor(of.fact) })
  )
    return true;
  if (comparison === 'exactly') return isEqual(inCents(of.fact, value, trace), bound);
  const order = orderOf(value, bound);
  if (order === null) return null;
  return { at_least: order >= 0, at_most: order <= 0, more_than: order > 0 }[comparison];
}
