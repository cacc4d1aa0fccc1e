import { evaluate, isEqual, parseExpression, type Lookup } from './expression.ts';
import { covers, overlaps, readFigure, type Figure, type Span } from './figure.ts';
import type { ReviewBase } from './review-base.ts';
import { add, rational } from './rational.ts';
import { choiceValue, dateValue, numberValue, UNREAD, type RuleValue } from './value.ts';
import { foldSpelling, quantityNamed, type Quantity } from './vocabulary.ts';
import { isEmpty, type Fact } from './facts.ts';
import type { SlipTime } from './slip-time.ts';

/** Something unknown that prevents a judgement. */
export type Lack =
  | { readonly kind: 'missing' | 'contradicting' | 'unread'; readonly key: string }
  | { readonly kind: 'time' | 'passage' | 'period' }
  /** The number of days in a number of months depends on the calendar. */
  | { readonly kind: 'calendar' };

/** The names that the evaluation of formulas has read, and those that were lacking. */
export interface Trace {
  readonly lacks: Lack[];
  readonly figures: Set<Figure>;
  readonly given: Set<Fact>;
  /**
   * The marks are shared with evaluations on a copy of the trace, because the results of these count even if the copy
   * is dropped.
   */
  readonly marks: { readsValue: boolean; readsTime: boolean };
}

export const newTrace = (marks: Trace['marks'] = { readsValue: false, readsTime: false }): Trace => ({
  lacks: [],
  figures: new Set(),
  given: new Set(),
  marks,
});

/** A fact that is judged, with its surroundings. */
export interface Case {
  readonly fact: Fact;
  readonly value: RuleValue;
  readonly facts: readonly Fact[];
  readonly time: SlipTime;
  readonly base: ReviewBase;
}

/** The values of the names in a rule: the fact itself, other facts, defaults, terms, figures, choices. */
export function namesIn(of: Case, trace: Trace, inProgress: readonly string[] = []): Lookup {
  const { base, time, value } = of;
  const lookup = (name: string): RuleValue | null => {
    if (name === 'value') {
      trace.marks.readsValue = true;
      return value;
    }
    if (name === 'unknown') return null;
    if (name === 'year' || name === 'month_start') return partOf(time, name, trace);
    const quantity = quantityNamed(name, base.quantities);
    if (quantity !== undefined)
      return inProgress.length > 0
        ? quantityIn(of, quantity, trace, inProgress)
        : once(of, name, trace, (into) => quantityIn(of, quantity, into, inProgress));
    if (Object.hasOwn(base.terms, name)) {
      const term = parseExpression(base.terms[name]!);
      return inProgress.length > 0
        ? evaluate(term, names)
        : once(of, name, trace, (into) => evaluate(term, namesIn(of, into)));
    }
    return Object.hasOwn(base.figures, name) ? figureOf(base.figures[name]!, time, trace) : choiceValue(name);
  };
  const names: Lookup = Object.assign(lookup, {
    aside: () => {
      const noted = newTrace(trace.marks);
      return {
        lookup: namesIn(of, noted, inProgress),
        keep: () => noteDown(noted, trace),
        keepLacks: () => void trace.lacks.push(...noted.lacks),
      };
    },
  });
  return names;
}

interface Known {
  readonly value: RuleValue | null;
  readonly trace: Trace;
}
type Names = Map<string, Known>;
const OF_CASE = new WeakMap<Case, { readonly ofCase: Names; readonly ofSlip: Names | null }>();
const OF_SLIP = new WeakMap<readonly Fact[], Map<SlipTime, Names>>();

/**
 * The values that are calculated once for all facts of a slip at this time. `null` if the judged fact would be read
 * differently as one of the other facts: because it is sent twice, is empty, or counts for a year or in workdays.
 */
function namesOfSlip({ fact, facts, time }: Case): Names | null {
  const same = facts.filter((each) => each.quantity === fact.quantity || each.key === fact.key);
  const isReadAlike =
    same.length === 1 && same[0] === fact && !fact.isWorkdays && !isEmpty(fact) && !isOfYear(fact);
  if (!isReadAlike) return null;
  const ofTimes = OF_SLIP.get(facts) ?? new Map<SlipTime, Names>();
  OF_SLIP.set(facts, ofTimes);
  const names = ofTimes.get(time) ?? new Map<string, Known>();
  ofTimes.set(time, names);
  return names;
}

/**
 * Calculates a value once, because many rules and terms use the same names, and most have equal values for every fact
 * of a slip.
 */
function once(
  of: Case,
  name: string,
  trace: Trace,
  work: (into: Trace) => RuleValue | null,
): RuleValue | null {
  let known = OF_CASE.get(of);
  if (known === undefined) {
    known = { ofCase: new Map(), ofSlip: namesOfSlip(of) };
    OF_CASE.set(of, known);
  }
  const { ofCase, ofSlip } = known;
  let found = ofCase.get(name) ?? ofSlip?.get(name);
  if (found === undefined) {
    const into = newTrace();
    found = { value: work(into), trace: into };
    (ofSlip === null || into.marks.readsValue ? ofCase : ofSlip).set(name, found);
  }
  noteDown(found.trace, trace);
  return found.value;
}

function noteDown(from: Trace, into: Trace): void {
  if (from.marks.readsValue) into.marks.readsValue = true;
  if (from.marks.readsTime) into.marks.readsTime = true;
  into.lacks.push(...from.lacks);
  for (const figure of from.figures) into.figures.add(figure);
  for (const fact of from.given) into.given.add(fact);
}

/** The year of the slip's time, or the first day of its month. */
function partOf(time: SlipTime, part: 'year' | 'month_start', { lacks, marks }: Trace): RuleValue | null {
  marks.readsTime = true;
  const { from, to } = typeof time === 'object' ? time : { from: null, to: null };
  const [year, month] = (from ?? '').split('-').map(Number);
  if (from !== null && part === 'year' && to?.slice(0, 4) === from.slice(0, 4))
    return numberValue(rational(BigInt(year!)));
  if (from !== null && part === 'month_start' && to === from)
    return dateValue({ year: year!, month: month!, day: 1 });
  lacks.push({ kind: 'time' });
  return null;
}

/** Whether the key names a year. Then its amount is yearly, although the vocabulary has it by the month. */
const isOfYear = ({ time, quantity }: Fact): boolean =>
  time !== null && time.from !== time.to && quantity?.per === 'month';

/** The sent value, or the vocabulary's default. */
function quantityIn(
  of: Case,
  quantity: Quantity,
  { lacks, given }: Trace,
  inProgress: readonly string[],
): RuleValue | null {
  const { key, otherwise } = quantity;
  if (key === 'arbeitstage_woche' && of.fact.isWorkdays) return numberValue(rational(6n));
  const sent =
    of.fact.quantity === quantity
      ? [of.fact]
      : of.facts.filter(
          (fact) =>
            fact.quantity === quantity && fact.key !== of.fact.key && !isEmpty(fact) && !isOfYear(fact),
        );
  const facts = isSettled(sent, quantity, of) ? [] : sent;
  const [first] = facts;
  if (first !== undefined) {
    const value = agreedOn(facts, quantity, of);
    if (value !== null) {
      for (const fact of quantity.adds ? facts : [first]) given.add(fact);
      return value;
    }
    const clashing = facts.flatMap(({ clashes }) => clashes);
    const isUnread = facts.some((fact) => fact.value === null || fact.readings.length > 1);
    const keys = clashing.length > 0 ? clashing : facts.map((fact) => fact.key);
    for (const each of keys)
      lacks.push({ kind: isUnread && clashing.length === 0 ? 'unread' : 'contradicting', key: each });
    return UNREAD;
  }
  const fallback = newTrace();
  const value =
    otherwise === undefined || inProgress.includes(key)
      ? null
      : evaluate(parseExpression(otherwise), namesIn(of, fallback, [...inProgress, key]));
  if (value?.type === 'unread') lacks.push(...fallback.lacks);
  else if (value === null) lacks.push({ kind: 'missing', key });
  for (const each of fallback.given) given.add(each);
  return value;
}

/** Whether an unreadable value does not matter, because a fact that says more is sent (`settled_by`). */
const isSettled = (sent: readonly Fact[], { settled_by: by }: Quantity, { facts }: Case): boolean =>
  by !== undefined &&
  sent.every(({ value, clashes }) => value === null && clashes.length === 0) &&
  facts.some(
    ({ quantity, value, clashes }) => quantity?.key === by && value !== null && clashes.length === 0,
  );

/** The common value of all facts of a quantity; `null` if they differ, or one of them is uncertain. */
function agreedOn(facts: readonly Fact[], quantity: Quantity, of: Case): RuleValue | null {
  const isCertain = (fact: Fact): boolean =>
    fact.value !== null && fact.clashes.length === 0 && (fact.readings.length < 2 || fact === of.fact);
  if (!facts.every(isCertain)) return null;
  const values = facts.map(({ value }) => value!);
  const [first] = values;
  if (values.every((value) => isEqual(first!, value) === true)) return first!;
  const keys = new Set(facts.map((fact) => foldSpelling(fact.key)));
  if (!quantity.adds || keys.size < facts.length) return null;
  return numberValue(
    values.reduce(
      (total, value) => (value.type === 'number' ? add(total, value.number) : total),
      rational(0n),
    ),
  );
}

/** The figure at a time, which is recorded in the trace; `null` if there is none. */
export function figureOf(figures: readonly Figure[], time: SlipTime, trace: Trace): RuleValue | null {
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
