import { evaluate, isEqual, orderOf, parseExpression, truthOf } from './expression.ts';
import { covers, overlaps, type Figure } from './figure.ts';
import { absolute, compare, decimal, subtract } from './rational.ts';
import type { Comparison, Rule } from './rules.ts';
import type { RuleValue } from './value.ts';
import type { Fact } from './facts.ts';
import { namesIn, newTrace, type Case, type Lack } from './rule-values.ts';

/** What a rule says of a fact, and by which figures. */
export interface Judged {
  readonly rule: Rule;
  readonly holds: boolean;
  /** The bound that decides: the one that is broken, else the first. */
  readonly bound: { readonly comparison: Comparison; readonly value: RuleValue };
  readonly figures: readonly Figure[];
  /** Other facts that it rests on. */
  readonly given: readonly Fact[];
}

/** What became of one rule. */
export interface Outcome {
  /** Whether it is for this case and time; `null` where what decides it is not known. */
  readonly applies: boolean | null;
  /** `null` where its bounds cannot be told. */
  readonly judged: Judged | null;
  readonly lacks: readonly Lack[];
  /** Other facts without which it would, or might, be for this case. */
  readonly ledOut: readonly Fact[];
}

/** Holds one rule against a fact. */
export function outcomeOf(rule: Rule, of: Case): Outcome {
  const { time } = of;
  if (rule.span.from !== null || rule.span.to !== null) {
    const isOut = typeof time === 'object' && !overlaps(rule.span, time);
    if (isOut) return { applies: false, judged: null, lacks: [{ kind: 'passage' }], ledOut: [] };
    if (typeof time !== 'object' || !covers(rule.span, time))
      return { applies: null, judged: null, lacks: [{ kind: 'time' }], ledOut: [] };
  }
  const condition = newTrace();
  const appliesTo = (facts: readonly Fact[], read = newTrace()): boolean | null =>
    rule.when === null
      ? true
      : truthOf(evaluate(parseExpression(rule.when), namesIn({ ...of, facts }, read)));
  const applies = appliesTo(of.facts, condition);
  if (applies === false) {
    const others = [...condition.given].filter((each) => each !== of.fact);
    const ledOut = others.filter((each) => appliesTo(of.facts.filter((fact) => fact !== each)) !== false);
    return { applies, judged: null, lacks: [], ledOut };
  }
  const trace = newTrace();
  const bounds = rule.bounds.map(({ comparison, formula }) => {
    const value = evaluate(parseExpression(formula), namesIn(of, trace));
    return {
      comparison,
      value,
      holds: value === null ? null : holds(of.value, comparison, value, rule.within),
    };
  });
  const lacks = applies === null ? [...trace.lacks, ...condition.lacks] : trace.lacks;
  const broken = bounds.find((bound) => bound.holds === false);
  const deciding = broken ?? (bounds.every((bound) => bound.holds === true) ? bounds[0] : undefined);
  if (deciding === undefined || deciding.value === null) return { applies, judged: null, lacks, ledOut: [] };
  const judged: Judged = {
    rule,
    holds: broken === undefined,
    bound: { comparison: deciding.comparison, value: deciding.value },
    figures: [...trace.figures],
    given: [...new Set([...trace.given, ...condition.given])].filter((each) => each !== of.fact),
  };
  return { applies, judged, lacks, ledOut: [] };
}

/** `null` where the two cannot be compared for certain. */
function holds(
  value: RuleValue,
  comparison: Comparison,
  bound: RuleValue,
  within: string | null,
): boolean | null {
  if (within !== null && value.type === 'number' && bound.type === 'number') {
    const off = compare(absolute(subtract(value.number, bound.number)), decimal(within)) <= 0;
    if (off && comparison !== 'more_than') return true;
  }
  if (comparison === 'exactly') return isEqual(value, bound);
  const order = orderOf(value, bound);
  if (order === null) return null;
  return { at_least: order >= 0, at_most: order <= 0, more_than: order > 0 }[comparison];
}
