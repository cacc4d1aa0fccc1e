import {
  evaluate,
  isEqual,
  orderOf,
  parseExpression,
  truthOf,
  type Expression,
} from '../../kb/review/expression.ts';
import { covers, overlaps, readFigure, type Figure, type Span } from '../../kb/review/figure.ts';
import type { ReviewBase } from '../../kb/review/load.ts';
import { absolute, compare, decimal, rational, subtract } from '../../kb/review/rational.ts';
import type { Comparison, Rule } from '../../kb/review/rules.ts';
import { choiceValue, dateValue, numberValue, type RuleValue } from '../../kb/review/value.ts';
import type { Fact, Time } from './facts.ts';
import { isMonth } from './time.ts';

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

/** Why a fact is not judged. */
export type Reason =
  | {
      readonly kind:
        | 'unknown key'
        | 'sum only'
        | 'unreadable'
        | 'no rule'
        | 'other case'
        | 'case'
        | 'no time'
        | 'contradicting times';
    }
  | { readonly kind: 'no passage'; readonly time: Span }
  | { readonly kind: 'missing'; readonly keys: readonly string[] }
  | { readonly kind: 'contradicting facts'; readonly keys: readonly string[] };

export type Judgement = { readonly judged: readonly Judged[] } | { readonly reason: Reason };

/** What the evaluation of one rule met with. */
interface Notes {
  readonly missing: Set<string>;
  readonly contradicting: Set<string>;
  readonly figures: Set<Figure>;
  readonly given: Set<Fact>;
  noTime: boolean;
  noPassage: boolean;
}

const newNotes = (): Notes => ({
  missing: new Set(),
  contradicting: new Set(),
  figures: new Set(),
  given: new Set(),
  noTime: false,
  noPassage: false,
});

const READ = new Map<string, Expression>();

/** Formulas are few and checked when the base is loaded: each is read once. */
function read(formula: string): Expression {
  const known = READ.get(formula) ?? parseExpression(formula);
  READ.set(formula, known);
  return known;
}

/**
 * Judges one fact by the rules of its quantity. A rule whose case is not this one is left out; where what decides between
 * rules is not given, nothing is judged unless each of them would allow the fact.
 */
export function judge(fact: Fact, facts: readonly Fact[], slipTime: Time, base: ReviewBase): Judgement {
  const { quantity, value } = fact;
  if (quantity === null) return { reason: { kind: 'unknown key' } };
  const rules = base.rules.filter(({ judges }) => judges === quantity.key);
  const isRead = quantity.kind === 'month' ? isMonth(fact.written) : value !== null;
  if (!isRead) return { reason: { kind: 'unreadable' } };
  if (value === null || rules.length === 0)
    return { reason: { kind: isOfTheCase(quantity.key, base) ? 'case' : 'no rule' } };
  const { time: own } = fact;
  const time: Time =
    own === null ? slipTime : typeof slipTime === 'object' && covers(own, slipTime) ? slipTime : own;
  const outcomes = rules.map((rule) => outcomeOf(rule, fact, value, facts, time, base));
  const applying = outcomes.filter((outcome) => outcome.applies === true);
  const broken = applying.filter((outcome) => outcome.judged?.holds === false);
  if (broken.length > 0) return { judged: judgedOf(broken) };
  const open = outcomes.filter((outcome) => outcome.applies !== false && outcome.judged === null);
  const undecided = outcomes.filter(({ applies, judged }) => applies === null && judged?.holds === false);
  const blocking = [...open, ...undecided];
  if (blocking.length > 0)
    return {
      reason: reasonOf(
        blocking.map(({ notes }) => notes),
        time,
      ),
    };
  if (applying.length > 0) return { judged: judgedOf(applying) };
  // Cases that rules tell apart, and that all allow it: which of them it is does not matter. One alone tells nothing apart.
  const told = outcomes.filter(({ applies }) => applies === null);
  if (told.length > 1) return { judged: judgedOf(told) };
  if (told.length === 1) {
    return {
      reason: reasonOf(
        told.map(({ notes }) => notes),
        time,
      ),
    };
  }
  const late = outcomes.find(({ outOfTime }) => outOfTime);
  if (late !== undefined && typeof time === 'object') return { reason: { kind: 'no passage', time } };
  return { reason: { kind: 'other case' } };
}

const judgedOf = (outcomes: readonly Outcome[]): Judged[] =>
  outcomes.flatMap(({ judged }) => (judged === null ? [] : [judged]));

/** True of a quantity that rules ask for: it tells the case. */
function isOfTheCase(key: string, { rules, terms, quantities }: ReviewBase): boolean {
  if (key.startsWith('abrechnung')) return true;
  const word = new RegExp(`(?<![\\w])${key}(?![\\w])`, 'u');
  return (
    rules.some(({ when, bounds }) =>
      [when ?? '', ...bounds.map(({ formula }) => formula)].some((text) => word.test(text)),
    ) ||
    Object.values(terms).some((text) => word.test(text)) ||
    quantities.some(({ otherwise }) => word.test(otherwise ?? ''))
  );
}

function reasonOf(notes: readonly Notes[], time: Time): Reason {
  const contradicting = [...new Set(notes.flatMap((each) => [...each.contradicting]))];
  if (contradicting.length > 0) return { kind: 'contradicting facts', keys: contradicting };
  if (notes.some(({ noTime }) => noTime))
    return { kind: time === 'contradiction' ? 'contradicting times' : 'no time' };
  const missing = [...new Set(notes.flatMap((each) => [...each.missing]))];
  if (missing.length > 0) return { kind: 'missing', keys: missing };
  if (notes.some(({ noPassage }) => noPassage) && typeof time === 'object')
    return { kind: 'no passage', time };
  return { kind: 'other case' };
}

interface Outcome {
  /** `null` where what decides it is not known. */
  readonly applies: boolean | null;
  readonly outOfTime: boolean;
  readonly judged: Judged | null;
  readonly notes: Notes;
}

function outcomeOf(
  rule: Rule,
  fact: Fact,
  value: RuleValue,
  facts: readonly Fact[],
  time: Time,
  base: ReviewBase,
): Outcome {
  const notes = newNotes();
  if (rule.span.from !== null || rule.span.to !== null) {
    if (typeof time !== 'object') {
      notes.noTime = true;
      return { applies: null, outOfTime: false, judged: null, notes };
    }
    if (!covers(rule.span, time)) {
      if (!overlaps(rule.span, time)) return { applies: false, outOfTime: true, judged: null, notes };
      notes.noTime = true;
      return { applies: null, outOfTime: false, judged: null, notes };
    }
  }
  const lookup = lookupIn(fact, value, facts, time, base);
  const condition = newNotes();
  const applies = rule.when === null ? true : truthOf(evaluate(read(rule.when), lookup(condition)));
  if (applies === false) return { applies, outOfTime: false, judged: null, notes };
  const bounds = rule.bounds.map(({ comparison, formula }) => {
    const bound = evaluate(read(formula), lookup(notes));
    return {
      comparison,
      value: bound,
      holds: bound === null ? null : holds(value, comparison, bound, rule.within),
    };
  });
  if (applies === null) for (const key of condition.missing) notes.missing.add(key);
  if (applies === null) for (const key of condition.contradicting) notes.contradicting.add(key);
  if (applies === null) {
    notes.noTime ||= condition.noTime;
    notes.noPassage ||= condition.noPassage;
  }
  for (const each of condition.given) notes.given.add(each);
  const broken = bounds.find((bound) => bound.holds === false);
  const deciding = broken ?? (bounds.every((bound) => bound.holds === true) ? bounds[0] : undefined);
  const judged: Judged | null =
    deciding?.value === null || deciding === undefined
      ? null
      : {
          rule,
          holds: broken === undefined,
          bound: { comparison: deciding.comparison, value: deciding.value },
          figures: [...notes.figures],
          given: [...notes.given].filter((each) => each !== fact),
        };
  return { applies, outOfTime: false, judged, notes };
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

/** Names as a rule sees them: the fact itself, other facts, what holds without them, terms, figures, choices. */
function lookupIn(
  fact: Fact,
  value: RuleValue,
  facts: readonly Fact[],
  time: Time,
  base: ReviewBase,
): (notes: Notes) => (name: string) => RuleValue | null {
  const quantities = new Map(base.quantities.map((quantity) => [quantity.key, quantity]));
  const inProgress = new Set<string>();
  const lookup =
    (notes: Notes) =>
    (name: string): RuleValue | null => {
      if (name === 'value') return value;
      if (name === 'unknown') return null;
      if (name === 'month_start') {
        if (typeof time === 'object' && time.from !== null && time.from === time.to) {
          const [year, month] = time.from.split('-').map(Number);
          return dateValue({ year: year!, month: month!, day: 1 });
        }
        notes.noTime = true;
        return null;
      }
      const quantity = quantities.get(name);
      if (quantity !== undefined) {
        if (name === 'arbeitstage_woche' && fact.isWorkdays) return numberValue(rational(6n));
        const own = fact.quantity === quantity ? [fact] : [];
        const given = own.length > 0 ? own : facts.filter((other) => other.quantity === quantity);
        const values = given.map((each) => each.value);
        const [first] = values;
        if (first !== undefined) {
          if (first === null || values.some((other) => other === null || isEqual(first, other) !== true)) {
            notes[values.length > 1 ? 'contradicting' : 'missing'].add(name);
            return null;
          }
          notes.given.add(given[0]!);
          return first;
        }
        const fallback = newNotes();
        const otherwise =
          quantity.otherwise === undefined || inProgress.has(name)
            ? null
            : within(inProgress, name, () => evaluate(read(quantity.otherwise!), lookup(fallback)));
        if (otherwise === null) notes.missing.add(name);
        for (const each of fallback.given) notes.given.add(each);
        return otherwise;
      }
      const term = base.terms[name];
      if (term !== undefined) return evaluate(read(term), lookup(notes));
      const figures = base.figures[name];
      if (figures !== undefined) return figureOf(figures, time, notes);
      return choiceValue(name);
    };
  return lookup;
}

function within<T>(inProgress: Set<string>, name: string, work: () => T): T {
  inProgress.add(name);
  try {
    return work();
  } finally {
    inProgress.delete(name);
  }
}

function figureOf(figures: readonly Figure[], time: Time, notes: Notes): RuleValue | null {
  const always = figures.find(({ span }) => span.from === null && span.to === null);
  if (always === undefined && typeof time !== 'object') {
    notes.noTime = true;
    return null;
  }
  const figure = always ?? figures.find(({ span }) => covers(span, time as Span));
  if (figure === undefined) {
    // Of a year in which the figure changes, the month decides.
    if (figures.some(({ span }) => overlaps(span, time as Span))) notes.noTime = true;
    else notes.noPassage = true;
    return null;
  }
  notes.figures.add(figure);
  return readFigure(figure.written);
}
