import type { ReviewBase } from './review-base.ts';
import type { Span } from './figure.ts';
import { absolute, decimal, multiply, rational, type Rational } from './rational.ts';
import { choiceValue, dateValue, numberValue, truthValue, type Duration, type RuleValue } from './value.ts';
import { foldSpelling, readingsOf, spellingsOf, type Quantity } from './vocabulary.ts';
import { clashesOf } from './clashes.ts';
import type { ReviewContext } from './check.ts';
import { unitOf } from '../answer/quantities.ts';
import { meet, monthAlone, spansIn } from './time-spans.ts';
import { readAmount, readDate, readNumber, twoNumbersIn } from './read-value.ts';

/** A fact or component that was looked up and parsed. */
export interface Fact {
  /** The client's key. */
  readonly key: string;
  readonly written: string;
  readonly isComponent: boolean;
  readonly quantity: Quantity | null;
  /** The time at the end of the key. */
  readonly time: Span | null;
  /** `null` if it is no value of its quantity. */
  readonly value: RuleValue | null;
  /** All readings of an ambiguous key that fit the value. The first is also in `quantity` and `value`. */
  readonly readings: readonly Reading[];
  /** The decimals with which it is written. */
  readonly places: number;
  /** The keys of facts that contradict this one. */
  readonly clashes: readonly string[];
  /** Whether it is a number of days with six in a week. */
  readonly isWorkdays: boolean;
  /** Whether the value is not the written one, which is warned of, but what it must be. */
  readonly isPutRight?: boolean;
}

interface Reading {
  readonly quantity: Quantity;
  readonly value: RuleValue;
}

/** The time of the slip: a span of months, or why there is none. */
export type Time = Span | 'none' | 'contradiction';

/** Facts and components, and the time by the facts, the label of the computation and the question. */
export function readFacts(
  { facts = [], computation }: ReviewContext,
  base: ReviewBase,
  question: string,
): { readonly facts: readonly Fact[]; readonly time: Time } {
  const components = (computation?.components ?? []).map((each) => ({ ...each, isComponent: true }));
  const found = [...facts.map((each) => ({ ...each, isComponent: false })), ...components].map(
    ({ key, value: written, isComponent }) => {
      const { quantities, time } = readingsOf(key, base.quantities);
      return { key, written, isComponent, quantities, quantity: quantities[0] ?? null, time };
    },
  );
  const time = timeOf(found, computation?.label, question);
  const horizon = (typeof time === 'object' ? time.to : null) ?? lastMonthOf(base);
  const read = found.map(({ quantities, ...fact }): Fact => {
    const readings = quantities.flatMap((quantity): Reading[] => {
      const range = quantities.length > 1 ? (quantity.maybe_range ?? quantity.range) : quantity.range;
      const value = inRange(readKind(fact.written, quantity, horizon), quantity, range);
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
const NOTHING = new Set([
  '',
  'keineangabe',
  'ka',
  'na',
  'null',
  'none',
  'leer',
  'unbekannt',
  'nichtangegeben',
]);
/** A choice may be written as one of those, such as `--` for no church. */
export const isEmpty = ({ written, value }: Pick<Fact, 'written' | 'value'>): boolean =>
  value?.type !== 'choice' && NOTHING.has(foldSpelling(written));

/** The last month with a figure in the base, by which two-digit years are read if there is no other month. */
function lastMonthOf({ figures }: ReviewBase): string | null {
  const ends = Object.values(figures).flatMap((each) => each.flatMap(({ span }) => span.to ?? []));
  return ends.toSorted().at(-1) ?? null;
}

const YES = new Set(
  ['ja', 'j', 'yes', 'y', 'true', 'wahr', '1', 'x', 'jawohl', 'vorhanden', 'on'].map(foldSpelling),
);
const NO = new Set(
  ['nein', 'n', 'no', 'false', 'falsch', '0', 'keine', 'kein', 'nicht vorhanden', 'off', 'nicht'].map(
    foldSpelling,
  ),
);

/** A value that the quantity can have; `null` for any other. */
export function inRange(
  value: RuleValue | null,
  { kind, range: own }: Quantity,
  range = own,
): RuleValue | null {
  if (value?.type !== 'number' || range === undefined) return value;
  const shown = kind === 'rate' ? multiply(value.number, rational(100n)) : value.number;
  const at = Number(shown.n) / Number(shown.d);
  return at >= range[0] && at <= range[1] ? value : null;
}

/** A dash is a spelling of its own, which other signs are not. */
const foldChoice = (text: string): string =>
  /^\p{Pd}+$/u.test(text.trim().replaceAll('\u2212', '-')) ? '-' : foldSpelling(text);

interface FoldedSpellings {
  /** Its key and its other names in German. */
  readonly own: ReadonlySet<string>;
  /** The names of the fact that may be written before its choice, as in `Steuerklasse III`. */
  readonly names: readonly string[];
  readonly choices: readonly (readonly [choice: string, spellings: ReadonlySet<string>])[];
}

const FOLDED = new WeakMap<Quantity, FoldedSpellings>();

/** Cached, because every fact of every slip is compared with them. */
function foldedOf(quantity: Quantity): FoldedSpellings {
  const known = FOLDED.get(quantity);
  if (known !== undefined) return known;
  const folded = {
    own: new Set([quantity.key, ...quantity.also].map(foldSpelling)),
    names: [...spellingsOf(quantity), 'klasse', 'class'].map(foldSpelling),
    choices: Object.entries(quantity.choices ?? {}).map(
      ([choice, spellings]) => [choice, new Set([choice, ...spellings].map(foldChoice))] as const,
    ),
  };
  FOLDED.set(quantity, folded);
  return folded;
}

/**
 * A value in the unit of its quantity, which bare numbers have. `horizon` is the month, `YYYY-MM`, that decides the
 * century of a two-digit year.
 */
function readKind(written: string, quantity: Quantity, horizon: string | null): RuleValue | null {
  switch (quantity.kind) {
    case 'yes_no': {
      const folded = foldSpelling(written);
      if (YES.has(folded) || foldedOf(quantity).own.has(folded)) return truthValue(true);
      return NO.has(folded) ? truthValue(false) : null;
    }
    case 'choice': {
      const folded = foldChoice(written);
      const { names, choices } = foldedOf(quantity);
      // `Steuerklasse 1`: the name of the quantity may be before the value.
      const rests = names.flatMap((name) => (folded.startsWith(name) ? [folded.slice(name.length)] : []));
      const chosen = choices.find(([, spellings]) => [folded, ...rests].some((each) => spellings.has(each)));
      return chosen === undefined ? null : choiceValue(chosen[0]);
    }
    case 'date':
      return dayOf(written, quantity.past, horizon);
    case 'month':
      return null;
    case 'code':
      return readCode(written, quantity.digits ?? 1);
    case 'amount':
    case 'rate':
    case 'days':
    case 'hours':
    case 'count':
    case 'duration':
      return readMeasure(written, quantity);
  }
}

/** A code of digits, with signs between them or a name after them; leading zeros may be missing. */
function readCode(written: string, digits: number): RuleValue | null {
  const plain = /^\s*(?<code>\d(?:[\s./_-]?\d)*)(?!\d)/u
    .exec(written)
    ?.groups?.['code']?.replaceAll(/\D/gu, '');
  if (plain === undefined || plain.length > digits || (digits === 3 && plain.length < 3)) return null;
  return numberValue(decimal(plain));
}

const SHORT_YEAR = /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{2})$/u;

/** A day with a two-digit year. */
export const hasShortYear = (written: string): boolean => SHORT_YEAR.test(written.trim());

function dayOf(written: string, isPast: boolean, horizon: string | null): RuleValue | null {
  const text = written.trim().replace(/(?<=^\d{4}-\d{2}-\d{2})T.*$/u, '');
  const short = SHORT_YEAR.exec(text)?.groups;
  const compact = /^(?<y>(?:19|20)\d{2})(?<m>\d{2})(?<d>\d{2})$/u.exec(text)?.groups;
  const plain =
    short !== undefined
      ? `${short['d']}.${short['m']}.20${short['y']}`
      : compact !== undefined
        ? `${compact['y']}-${compact['m']}-${compact['d']}`
        : text;
  const date = readDate(plain);
  if (date === null || date.day === null) return null;
  const year = short === undefined ? date.year : yearOf(date, isPast, horizon);
  return year === null ? null : dateValue({ ...date, year, day: date.day });
}

/**
 * The year of a date with two digits, first read in this century. If that is more than a year after the horizon, a past
 * date is of the previous century; other dates so far ahead, and past dates before it, are ambiguous.
 */
function yearOf(
  { year, month }: { readonly year: number; readonly month: number },
  isPast: boolean,
  horizon: string | null,
): number | null {
  if (horizon === null) return year;
  const ahead = (year - Number(horizon.slice(0, 4))) * 12 + month - Number(horizon.slice(5));
  if (ahead <= 0) return year;
  const isFar = ahead > 12;
  if (isPast) return isFar ? year - 100 : null;
  return isFar ? null : year;
}

const DAYS = new Set(['day', 'werktag', 'arbeitstag', 'kalendertag', 'workday', 'working day']);

function readMeasure(written: string, quantity: Quantity): RuleValue | null {
  const { kind, per: period } = quantity;
  const clock = /^(\d{1,3}):([0-5]\d)(?:\s?(?:h|std|stunden|uhr))?$/iu.exec(written.trim());
  if (clock !== null && kind === 'hours') {
    const minutes = rational(BigInt(clock[1]!) * 60n + BigInt(clock[2]!));
    return numberValue(inUnit(minutes, 'minute', quantity) ?? minutes);
  }
  // A rate or a number of days has no separator of thousands: `1.525 %` is less than two.
  const small =
    kind === 'amount' ? null : /^([-+]?\d{1,3})[.,](\d{3})\s*(%|prozent)?$/iu.exec(written.trim());
  if (small !== null && kind !== 'duration') {
    const number = decimal(`${small[1]!.replace('+', '')}.${small[2]}`);
    return small[3] !== undefined && kind !== 'rate'
      ? null
      : numberValue(kind === 'rate' ? hundredth(number) : number);
  }
  const text = written.replace(/\s*\([^()]*\)$/u, '').replace(/\s+zum\s+.*$/iu, '');
  // `3,500` is three and a half, or thousands in English notation.
  if (kind === 'amount' && twoNumbersIn(text) !== null) return null;
  const amount = readAmount(text, 'de') ?? bare(text);
  if (amount === null) return null;
  const { value, unit, per } = amount;
  if (quantity.takes_back && value.n < 0n) return null;
  if (per !== null && period !== undefined && per !== period) return null;
  // Slips write deductions with a minus, but the key already says so.
  if (kind === 'amount') return unit === null || unit === 'eur' ? numberValue(absolute(value)) : null;
  if (kind === 'rate')
    return unit === null || unit === '%' || unit === '%-point' ? numberValue(hundredth(value)) : null;
  if (kind === 'duration') {
    const own = DAYS.has(unit ?? '') ? 'day' : unit;
    return own === 'day' || own === 'week' || own === 'month' || own === 'year'
      ? { type: 'duration', duration: { count: value, unit: own satisfies Duration['unit'] } }
      : null;
  }
  const converted = inUnit(value, unit, quantity);
  return converted === null ? null : numberValue(converted);
}

/** Whether it is pay below zero, which takes back what was paid before. */
export function isTakenBack({ written, quantity }: Pick<Fact, 'written' | 'quantity'>): boolean {
  const amount = readAmount(written, 'de') ?? bare(written);
  return quantity?.takes_back === true && amount !== null && amount.value.n < 0n;
}

/** An amount in a notation that is only English: `1,234.56`, `3,000`. */
function bare(text: string): ReturnType<typeof readAmount> {
  const parts = /^(?:€|EUR)?\s?(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?)\s?(?:€|EUR|Euro)?$/iu.exec(text.trim());
  const value = parts === null ? null : readNumber(parts[1]!, 'en', 'eur');
  return value === null ? null : { value, unit: null, per: null };
}

const hundredth = (value: Rational): Rational => multiply(value, rational(1n, 100n));

/** A number of days, hours or things in the unit of its quantity; `null` if it has a unit that does not fit. */
function inUnit(value: Rational, unit: string | null, quantity: Quantity): Rational | null {
  if (unit === null) return value;
  const { kind } = quantity;
  const own = quantity.unit === null ? null : unitOf(quantity.unit);
  if (kind === 'hours') {
    const minutes = unit === 'minute' ? value : unit === 'hour' ? multiply(value, rational(60n)) : null;
    if (minutes === null) return null;
    return own === 'minute' ? minutes : multiply(minutes, rational(1n, 60n));
  }
  if (kind === 'days') {
    if (DAYS.has(unit)) return value;
    return unit === 'week' && own === 'kalendertag' ? multiply(value, rational(7n)) : null;
  }
  if (own === 'year' && unit === 'month') return multiply(value, rational(1n, 12n));
  return own === unit ? value : null;
}

/** The time of the slip, from the facts about it, the label and the question. */
function timeOf(
  facts: readonly Pick<Fact, 'quantity' | 'written'>[],
  label: string | undefined,
  question: string,
): Time {
  const of = (key: string): typeof facts => facts.filter(({ quantity }) => quantity?.key === key);
  const years = of('abrechnungsjahr').flatMap(({ written }) => spansIn(written, true));
  const year = years[0]?.from?.slice(0, 4);
  const months = of('abrechnungsmonat').flatMap(({ written }) => {
    const spans = spansIn(written, true);
    const month = monthAlone(written);
    if (spans.length > 0 || month === null || year === undefined) return spans;
    const at = `${year}-${String(month).padStart(2, '0')}`;
    return [{ from: at, to: at }];
  });
  const first = of('abrechnung_von').flatMap(({ written }) => spansIn(written, true))[0];
  const last = of('abrechnung_bis').flatMap(({ written }) => spansIn(written, true))[0];
  const range =
    first === undefined && last === undefined
      ? []
      : [{ from: (first ?? last)!.from, to: (last ?? first)!.to }];
  const told = [...years, ...months, ...range, ...spansIn(label ?? '', false)];
  const asked = spansIn(question, false);
  const spans = [...told, ...asked];
  if (spans.length === 0) return 'none';
  return meet(spans) ?? 'contradiction';
}
