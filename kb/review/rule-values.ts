import { evaluate, isEqual, parseExpression, type Lookup } from './expression.ts';
import { covers, overlaps, readFigure, type Figure, type Span } from './figure.ts';
import type { ReviewBase } from './review-base.ts';
import { rational } from './rational.ts';
import { choiceValue, dateValue, numberValue, type RuleValue } from './value.ts';
import type { Quantity } from './vocabulary.ts';
import type { Fact, Time } from './facts.ts';

/** What is not known, and stands in the way of judging. */
export type Lack =
  | { readonly kind: 'missing' | 'contradicting'; readonly key: string }
  | { readonly kind: 'time' | 'passage' };

/** What the evaluation of formulas came upon. */
interface Trace {
  readonly lacks: Lack[];
  readonly figures: Set<Figure>;
  readonly given: Set<Fact>;
}

export const newTrace = (): Trace => ({ lacks: [], figures: new Set(), given: new Set() });

/** A fact that is judged, and what it is judged by. */
export interface Case {
  readonly fact: Fact;
  readonly value: RuleValue;
  readonly facts: readonly Fact[];
  readonly time: Time;
  readonly base: ReviewBase;
}

/** Names as a rule sees them: the fact itself, other facts, what holds without them, terms, figures, choices. */
export function namesIn(of: Case, trace: Trace, inProgress: readonly string[] = []): Lookup {
  const { base, time, value } = of;
  const lookup = (name: string): RuleValue | null => {
    if (name === 'value') return value;
    if (name === 'unknown') return null;
    if (name === 'year' || name === 'month_start') return partOf(time, name, trace);
    const quantity = base.quantities.find(({ key }) => key === name);
    if (quantity !== undefined) return quantityIn(of, quantity, trace, inProgress);
    if (Object.hasOwn(base.terms, name)) return evaluate(parseExpression(base.terms[name]!), names);
    return Object.hasOwn(base.figures, name) ? figureOf(base.figures[name]!, time, trace) : choiceValue(name);
  };
  const names: Lookup = Object.assign(lookup, { silent: () => namesIn(of, newTrace(), inProgress) });
  return names;
}

/** The year of the time that is settled, or the first day of its month. */
function partOf(time: Time, part: 'year' | 'month_start', { lacks }: Trace): RuleValue | null {
  const { from, to } = typeof time === 'object' ? time : { from: null, to: null };
  const [year, month] = (from ?? '').split('-').map(Number);
  if (from !== null && part === 'year' && to?.slice(0, 4) === from.slice(0, 4))
    return numberValue(rational(BigInt(year!)));
  if (from !== null && part === 'month_start' && to === from)
    return dateValue({ year: year!, month: month!, day: 1 });
  lacks.push({ kind: 'time' });
  return null;
}

/** As it is given, or as the vocabulary says that it is otherwise. */
function quantityIn(
  of: Case,
  quantity: Quantity,
  { lacks, given }: Trace,
  inProgress: readonly string[],
): RuleValue | null {
  const { key, otherwise } = quantity;
  if (key === 'arbeitstage_woche' && of.fact.isWorkdays) return numberValue(rational(6n));
  const facts =
    of.fact.quantity === quantity ? [of.fact] : of.facts.filter((fact) => fact.quantity === quantity);
  const [first] = facts;
  if (first !== undefined) {
    const { value } = first;
    if (
      value !== null &&
      facts.every((other) => other.value !== null && isEqual(value, other.value) === true)
    ) {
      given.add(first);
      return value;
    }
    lacks.push({ kind: facts.length > 1 ? 'contradicting' : 'missing', key });
    return null;
  }
  const fallback = newTrace();
  const value =
    otherwise === undefined || inProgress.includes(key)
      ? null
      : evaluate(parseExpression(otherwise), namesIn(of, fallback, [...inProgress, key]));
  if (value === null) lacks.push({ kind: 'missing', key });
  for (const each of fallback.given) given.add(each);
  return value;
}

function figureOf(figures: readonly Figure[], time: Time, trace: Trace): RuleValue | null {
  const always = figures.find(({ span }) => span.from === null && span.to === null);
  if (always === undefined && typeof time !== 'object') {
    trace.lacks.push({ kind: 'time' });
    return null;
  }
  const figure = always ?? figures.find(({ span }) => covers(span, time as Span));
  if (figure === undefined) {
    // In a year in which the figure changes, the month decides.
    const changes = figures.some(({ span }) => overlaps(span, time as Span));
    trace.lacks.push({ kind: changes ? 'time' : 'passage' });
    return null;
  }
  trace.figures.add(figure);
  return readFigure(figure.written);
}
