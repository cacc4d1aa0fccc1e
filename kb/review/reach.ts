import { evaluate, parseExpression, partsOf, truthOf, type Expression } from './expression.ts';
import { covers, type Span } from './figure.ts';
import type { ReviewBase } from './review-base.ts';
import { BUILT_IN, type Rule } from './rules.ts';
import { choiceValue, type RuleValue } from './value.ts';
import { quantityNamed } from './vocabulary.ts';

/** What the rules of a quantity can judge: for which times, and from which facts. */
export function reachOf(key: string, base: ReviewBase) {
  return base.rules
    .filter(({ judges }) => judges === key)
    .map((rule) => {
      const { needs, regards, figures } = readsOfRule(rule, base);
      for (const set of [needs, regards]) set.delete(key);
      for (const name of needs) regards.delete(name);
      return {
        rule: rule.id,
        /** The comparisons of values with the rules. */
        demands: [...new Set(rule.bounds.map(({ comparison }) => comparison))],
        /** The months, `YYYY-MM`, in which the rule applies; the last one is open if the law has no end. */
        times: timesOf(rule, figures, base),
        /** Quantities that must be given for the rule to calculate its value. */
        needs: [...needs],
        /** Quantities that the rule uses only if they are given. */
        regards: [...regards],
      };
    });
}

const READS = new WeakMap<ReviewBase, ReadonlySet<string>>();

/** Quantities that decide the case: a rule reads them, or a default of another quantity does. */
export function readsOf(base: ReviewBase): ReadonlySet<string> {
  const known = READS.get(base);
  if (known !== undefined) return known;
  const reads = new Set(base.quantities.flatMap(({ key }) => (key.startsWith('abrechnung') ? [key] : [])));
  for (const rule of base.rules) {
    const { needs, regards } = readsOfRule(rule, base);
    for (const name of [...needs, ...regards]) reads.add(name);
  }
  READS.set(base, reads);
  return reads;
}

const STANDING = new WeakMap<Rule, boolean>();

/**
 * Whether the law fixes the value, independent of the month: the rule gives it exactly and reads no amount, days or
 * hours.
 */
export function isStanding(rule: Rule, base: ReviewBase): boolean {
  const known = STANDING.get(rule);
  if (known !== undefined) return known;
  const { needs, regards } = readsOfRule(rule, base);
  const isMeasure = (name: string): boolean =>
    ['amount', 'days', 'hours'].includes(quantityNamed(name, base.quantities)?.kind ?? '');
  const standing =
    rule.bounds.every(({ comparison }) => comparison === 'exactly') &&
    ![...needs, ...regards].some(isMeasure);
  STANDING.set(rule, standing);
  return standing;
}

interface Reads {
  readonly needs: Set<string>;
  readonly regards: Set<string>;
  /** The figures of the rule's bounds. */
  readonly figures: Set<string>;
  /** The terms that were visited (with `?` if they were optional), because a rule names one term many times. */
  readonly terms: Set<string>;
}

function readsOfRule({ when, bounds }: Rule, base: ReviewBase): Reads {
  const reads: Reads = { needs: new Set(), regards: new Set(), figures: new Set(), terms: new Set() };
  const withoutFigures = (): Reads => ({ ...reads, figures: new Set(), terms: new Set() });
  if (when !== null) gather(parseExpression(when), base, withoutFigures(), false);
  // Further readings are only tried if the quantities that they read are given.
  const [first] = bounds;
  for (const bound of bounds) {
    const isSpare = bound.reading !== null && bound !== first;
    const into = isSpare ? withoutFigures() : reads;
    gather(parseExpression(bound.formula), base, into, isSpare);
  }
  return reads;
}

/** Collects what an expression reads. `isSpare`: whether it only counts if its quantities are given. */
function gather(expression: Expression, base: ReviewBase, reads: Reads, isSpare: boolean): void {
  if (expression.type === 'Identifier') return gatherName(expression.name, base, reads, isSpare);
  const spare = spareOf(expression, base);
  for (const part of partsOf(expression)) gather(part, base, reads, isSpare || spare === part);
}

/**
 * The part of an expression that only counts if its quantities are given; `undefined` if there is none. It is the left
 * side of `??`. Of a condition that is already decided when no fact is given, it is the other branch.
 */
function spareOf(expression: Expression, base: ReviewBase): unknown {
  if (expression.type === 'BinaryExpression' && expression.operator === '??') return expression.left;
  if (expression.type !== 'ConditionalExpression') return undefined;
  const test = truthOf(evaluate(expression.test as Expression, (name) => withoutFacts(name, base)));
  return test === null ? undefined : test ? expression.alternate : expression.consequent;
}

const WITHOUT_FACTS = new WeakMap<ReviewBase, Map<string, RuleValue | null>>();

/** The value of a name without facts. */
function withoutFacts(name: string, base: ReviewBase): RuleValue | null {
  const known = WITHOUT_FACTS.get(base) ?? new Map<string, RuleValue | null>();
  WITHOUT_FACTS.set(base, known);
  const value = known.get(name);
  if (value !== undefined) return value;
  const found = valueWithoutFacts(name, base);
  known.set(name, found);
  return found;
}

function valueWithoutFacts(name: string, base: ReviewBase): RuleValue | null {
  const quantity = quantityNamed(name, base.quantities);
  const formula = quantity === undefined ? own(base.terms, name) : quantity.otherwise;
  if (formula !== undefined) return evaluate(parseExpression(formula), (inner) => withoutFacts(inner, base));
  return quantity !== undefined || BUILT_IN.has(name) || own(base.figures, name) !== undefined
    ? null
    : choiceValue(name);
}

/** Reads an own property only, because a choice may be named like a property of every object, such as `constructor`. */
const own = <T>(of: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined;

function gatherName(name: string, base: ReviewBase, reads: Reads, isSpare: boolean): void {
  const term = own(base.terms, name);
  if (term !== undefined) {
    const gathered = isSpare ? `${name}?` : name;
    if (reads.terms.has(gathered)) return;
    reads.terms.add(gathered);
    return gather(parseExpression(term), base, reads, isSpare);
  }
  if (own(base.figures, name) !== undefined) reads.figures.add(name);
  const quantity = quantityNamed(name, base.quantities);
  if (quantity === undefined || reads.needs.has(name)) return;
  const isKnown = reads.regards.has(name);
  (isSpare || withoutFacts(name, base) !== null ? reads.regards : reads.needs).add(name);
  if (!isKnown && quantity.otherwise !== undefined)
    gather(parseExpression(quantity.otherwise), base, reads, true);
}

/** The months in which every figure of a rule has a passage and the rule itself is valid. */
function timesOf(rule: Rule, figures: ReadonlySet<string>, base: ReviewBase): Span[] {
  const spans = [...figures].map((name) => base.figures[name]!.map(({ span }) => span));
  const bounded = spans.filter((each) => each.every(({ from, to }) => from !== null || to !== null));
  if (bounded.length === 0) return [rule.span];
  const ends = bounded
    .flat()
    .flatMap(({ from, to }) => [from, to])
    .filter((end) => end !== null);
  const months = monthsBetween(ends.toSorted()[0]!, ends.toSorted().at(-1)!);
  const holds = (month: string): boolean => {
    const at = { from: month, to: month };
    return covers(rule.span, at) && bounded.every((each) => each.some((span) => covers(span, at)));
  };
  const times: { from: string; to: string }[] = [];
  for (const [i, month] of months.entries()) {
    if (!holds(month)) continue;
    if (i > 0 && times.at(-1)?.to === months[i - 1]) times.at(-1)!.to = month;
    else times.push({ from: month, to: month });
  }
  return times;
}

const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

function monthsBetween(first: string, last: string): string[] {
  return Array.from({ length: numberOf(last) - numberOf(first) + 1 }, (_, i) => {
    const at = numberOf(first) + i;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
}
