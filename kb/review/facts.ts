import type { ReviewContext } from './check.ts';
import { evaluate, namesIn, parseExpression, truthOf } from './expression.ts';
import type { Span } from './figure.ts';
import type { ReviewBase } from './review-base.ts';
import { slipTimeOf, type SlipTime } from './slip-time.ts';
import { type RuleValue, choiceValue, dateValue } from './value.ts';
import { inRange, readValueOf } from './value-of-quantity.ts';
import { foldSpelling, readingsOf, type Quantity, quantityNamed } from './vocabulary.ts';
import { wordSet } from '../word-list.ts';

/** A fact or component that was looked up and parsed. */
export interface Fact {
  /** The client's key. */
  readonly key: string;
  readonly written: string;
  readonly isComponent: boolean;
  readonly quantity: Quantity | null;
  /** The time at the end of the key. */
  readonly time: Span | null;
  /** The value; `null` if the text is no value of its quantity. */
  readonly value: RuleValue | null;
  /** All readings of an ambiguous key that fit the value. The first is also in `quantity` and `value`. */
  readonly readings: readonly Reading[];
  /** The number of decimals with which the value is written. */
  readonly places: number;
  /** The keys of facts that contradict this one. */
  readonly clashes: readonly string[];
  /** Whether the value is a number of days in weeks of six days. */
  readonly isWorkdays: boolean;
  /** Whether the value is not the sent one, which has a warning, but the required one. */
  readonly isPutRight?: boolean;
}

interface Reading {
  readonly quantity: Quantity;
  readonly value: RuleValue;
}

/**
 * Reads facts and components, and finds the time of the slip in the facts, in the label of the computation and in the
 * question.
 */
export function readFacts(
  { facts = [], computation }: ReviewContext,
  base: ReviewBase,
  question: string,
): { readonly facts: readonly Fact[]; readonly time: SlipTime } {
  const components = (computation?.components ?? []).map((each) => ({ ...each, isComponent: true }));
  const found = [...facts.map((each) => ({ ...each, isComponent: false })), ...components].map(
    ({ key, value: written, isComponent }) => {
      const { quantities, time } = readingsOf(key, base.quantities);
      return { key, written, isComponent, quantities, quantity: quantities[0] ?? null, time };
    },
  );
  const time = slipTimeOf(found, computation?.label, question);
  const horizon = (typeof time === 'object' ? time.to : null) ?? lastMonthOf(base);
  const read = found.map(({ quantities, ...fact }): Fact => {
    const readings = quantities.flatMap((quantity): Reading[] => {
      const range = quantities.length > 1 ? (quantity.maybe_range ?? quantity.range) : quantity.range;
      const value = inRange(readValueOf(fact.written, quantity, horizon), quantity, range);
      return value === null ? [] : [{ quantity, value }];
    });
    const [first] = readings;
    const quantity = first?.quantity ?? fact.quantity;
    return {
      ...fact,
      quantity,
      value: first?.value ?? null,
      readings,
      places: placesWritten(fact.written),
      clashes: [],
      isWorkdays: quantity?.kind === 'days' && /werktag|working day/iu.test(fact.written),
    };
  });
  const clashes = clashesOf(read, time, base);
  return { facts: read.map((fact) => ({ ...fact, clashes: clashes.get(fact) ?? [] })), time };
}

const placesWritten = (written: string): number =>
  /\d[.,](?<places>\d+)\D*$/u.exec(written)?.groups?.['places']?.length ?? 0;

/** Words for a missing value. */
const NOTHING = wordSet('keineangabe ka na null none leer unbekannt nichtangegeben');
/** Whether a value is missing. Some choices are written like a missing value, such as `--` for no church. */
export function isEmpty({ written, value }: Pick<Fact, 'written' | 'value'>): boolean {
  const folded = foldSpelling(written);
  return value?.type !== 'choice' && (folded === '' || NOTHING.has(folded));
}

/**
 * The last month with a figure in the base. If the slip has no month, the century of two-digit years is chosen by this
 * one.
 */
function lastMonthOf({ figures }: ReviewBase): string | null {
  const ends = Object.values(figures).flatMap((each) => each.flatMap(({ span }) => span.to ?? []));
  return ends.toSorted().at(-1) ?? null;
}

/**
 * Facts that contradict each other for one person, each with the keys of the others. Only sent facts count: defaults of
 * the vocabulary contradict nothing.
 */
function clashesOf(
  facts: readonly Fact[],
  time: SlipTime,
  base: ReviewBase,
): ReadonlyMap<Fact, readonly string[]> {
  const clashes = new Map<Fact, string[]>();
  for (const formula of base.never) {
    const expression = parseExpression(formula);
    const names = new Set(namesIn(expression));
    const involved = facts.filter(({ quantity }) => quantity !== null && names.has(quantity.key));
    if (involved.length < 2) continue;
    const lookup = (name: string): RuleValue | null => {
      if (name === 'month_start') return monthOf(time);
      if (quantityNamed(name, base.quantities) === undefined) return choiceValue(name);
      return involved.find(({ quantity }) => quantity!.key === name)?.value ?? null;
    };
    if (truthOf(evaluate(expression, lookup)) !== true) continue;
    for (const fact of involved)
      clashes.set(fact, [...new Set([...(clashes.get(fact) ?? []), ...involved.map(({ key }) => key)])]);
  }
  return clashes;
}

function monthOf(time: SlipTime): RuleValue | null {
  if (typeof time !== 'object' || time.from === null || time.from !== time.to) return null;
  const [year, month] = time.from.split('-').map(Number);
  return dateValue({ year: year!, month: month!, day: 1 });
}
