import type { ReadFact } from './fact.ts';
import type { Bound } from './bound.ts';
import { compare, multiply, rational, type Rational } from './rational.ts';
import type { Statement } from './statement.ts';
import type { Amount } from './value.ts';
import { isSame, wordOf, wordsIn, type Word } from './subject.ts';

/** How a fact stands to a statement. */
export interface Comparison {
  readonly holds: boolean;
  /** The bound that was compared with: `beträgt` of a minimum is at least, unless the fact is that minimum. */
  readonly bound: Bound;
  /** What the statement's figure comes to for the fact's working days a week, where it was scaled. */
  readonly scaled: { readonly days: Rational; readonly of: Rational } | null;
}

const LEAVE = wordOf('Urlaub');
const SEVEN = rational(7n);
const SIXTY = rational(60n);
const TWELVE = rational(12n);
const SIX = rational(6n);

/** Units in which one thing is counted, each with how many of the smallest it is. */
const FAMILIES: readonly Readonly<Record<string, Rational>>[] = [
  { day: rational(1n), kalendertag: rational(1n), week: SEVEN },
  { minute: rational(1n), hour: SIXTY },
  { month: rational(1n), year: TWELVE, quarter: rational(3n) },
  { '%': rational(1n), '%-point': rational(1n) },
];

/** Both in one unit; `null` where they are of different kinds. */
export function inOneUnit(a: Counted, b: Counted): readonly [Rational, Rational] | null {
  if (a.unit === null || b.unit === null) return null;
  if (a.unit === b.unit) return [a.value, b.value];
  for (const family of FAMILIES) {
    const [left, right] = [family[a.unit], family[b.unit]];
    if (left !== undefined && right !== undefined) return [multiply(a.value, left), multiply(b.value, right)];
  }
  const [days, months] = [inDays(a), inMonths(b)];
  if (days !== null && months !== null) return apart(days, months);
  const swapped = inDays(b) === null || inMonths(a) === null ? null : apart(inDays(b)!, inMonths(a)!);
  return swapped === null ? null : [swapped[1], swapped[0]];
}

interface Counted {
  readonly value: Rational;
  readonly unit: string | null;
}

const inDays = (counted: Counted): Rational | null => inFamily(counted, FAMILIES[0]!);
const inMonths = (counted: Counted): Rational | null => inFamily(counted, FAMILIES[2]!);

function inFamily({ value, unit }: Counted, family: Readonly<Record<string, Rational>>): Rational | null {
  const size = unit === null ? undefined : family[unit];
  return size === undefined ? null : multiply(value, size);
}

/** Days against months: a month has 28 to 31, and within that nothing is said. */
function apart(days: Rational, months: Rational): readonly [Rational, Rational] | null {
  const [least, most] = [multiply(months, rational(28n)), multiply(months, rational(31n))];
  if (compare(days, least) < 0) return [days, least];
  return compare(days, most) > 0 ? [days, most] : null;
}

/**
 * Whether an amount is as the statement says; `null` where that cannot be told. `weekDays` are the working days a week
 * that the context gives.
 */
export function compareWith(
  fact: ReadFact,
  amount: Amount,
  statement: Statement,
  weekDays: Rational | null,
): Comparison | null {
  const bound = boundFor(fact, statement);
  if (bound === null) return null;
  const days = leaveDays(amount, statement, bound, weekDays);
  if (days !== undefined) {
    if (days === null) return null;
    return holding(fact, statement, bound, amount.value, days.value, days.scaled);
  }
  // A week of leave is as many days as are worked in it.
  if (fact.words.some((word) => isSame(LEAVE, word)) && amount.unit !== statement.figure.unit) return null;
  const pair = inOneUnit(amount, statement.figure);
  return pair === null ? null : holding(fact, statement, bound, pair[0], pair[1], null);
}

function holding(
  fact: ReadFact,
  statement: Statement,
  bound: Bound,
  given: Rational,
  stated: Rational,
  scaled: Comparison['scaled'],
): Comparison | null {
  const order = compare(given, stated);
  if (fact.isRate && bound !== 'exact' && (bound === 'min' || bound === 'above' ? order >= 0 : order <= 0))
    return null;
  switch (bound) {
    case 'min':
      return { holds: order >= 0, bound, scaled };
    case 'max':
      return { holds: order <= 0, bound, scaled };
    case 'above':
      return { holds: order > 0, bound, scaled };
    case 'below':
      return { holds: order < 0, bound, scaled };
    case 'exact':
      // More than a statutory minimum or period may be agreed: of that a passage says nothing.
      return order > 0 && mayBeMore(fact, statement) ? null : { holds: order === 0, bound, scaled };
  }
}

const LIMITS =
  /höchst|grenze|begrenz|maxim|limit|ceiling|steuerfrei|nicht (?:\p{Ll}+ )?(?:übersteig|überschr)|not exceed/iu;
const MINIMUM = /^(?:mindest|minimum|minimal)/u;
const MAXIMUM = /^(?:hochst(?!ens)|maximum|maximal)/u;
const STATUTORY = /gesetzlich|statutory/u;
/** Periods of notice: a contract may have longer ones. */
const PERIOD = /kundigungsfrist(?:en)?$|^notice$/u;

/** A fact that is itself called a minimum, a limit, a rate is compared for being the same. */
function boundFor(fact: ReadFact, { bound, own, before, lead }: Statement): Bound | null {
  if (fact.named && !fact.isRate && bound !== 'exact' && (bound !== 'min' || isMinimum(fact))) {
    return LIMITS.test(own) || bound === 'min' ? 'exact' : null;
  }
  if (bound !== 'exact') return bound;
  // `bei der Grenze von 450 Euro`: a limit, also beside the minimum wage.
  const nouns = /grenze|limit/iu.test(own) ? [] : wordsIn(`${own} ${before} ${lead}`);
  if (!isMinimum(fact) && isNounOf(fact, nouns, MINIMUM)) return 'min';
  if (fact.named) return 'exact';
  if (isNounOf(fact, nouns, MAXIMUM)) return 'max';
  // `Die Jahresarbeitsentgeltgrenze beträgt …`: which side of it a pay must be on, it does not say.
  return /grenze|limit/iu.test(own) ? null : 'exact';
}

/** `Mindestlohn` of a wage, `minimum annual leave` of leave. */
const isNounOf = (fact: ReadFact, nouns: readonly Word[], kind: RegExp): boolean =>
  nouns.some(
    ({ folded }, i) =>
      kind.test(folded) &&
      nouns.slice(i, i + 3).some((noun) => fact.words.some((word) => isSame(word, noun))),
  );

const isMinimum = ({ words, key }: ReadFact): boolean =>
  words.some(({ folded }) => MINIMUM.test(folded)) || /(?:^|_)(?:min(?=_|$)|mindest)/u.test(key);

function mayBeMore(fact: ReadFact, statement: Statement): boolean {
  if (STATUTORY.test(fact.key)) return false;
  const isPeriod = fact.words.some(({ folded }) => PERIOD.test(folded));
  return isMinimum(fact) || (isPeriod && /^(?:day|week|month|year)$/u.test(statement.figure.unit));
}

const WEEK_IN_TEXT =
  /(?<!\p{L})(zwei|drei|vier|fünf|sechs|[2-6]|five|six|two|three|four)-?\s?(?:tage-woche|day week)/iu;
const WEEK_DAYS: Readonly<Record<string, bigint>> = {
  zwei: 2n,
  two: 2n,
  drei: 3n,
  three: 3n,
  vier: 4n,
  four: 4n,
  fünf: 5n,
  five: 5n,
  sechs: 6n,
  six: 6n,
};
/** Where a passage says that its working days are six a week. */
const SIX_A_WEEK =
  /sechs werktagen?|sechs-tage-woche|six-day week|werktage sind alle kalendertage|als werktage gelten alle kalendertage|saturdays? count/iu;
const COUNTED_DAYS = /^(?:day|werktag|arbeitstag)$/u;

/**
 * Days of leave are as many as a week has working days. `undefined`: no such days. `null`: it cannot be told how many
 * the statement comes to. Scaled only where the passage itself gives its days for six a week.
 */
function leaveDays(
  amount: Amount,
  { figure, own, source }: Statement,
  bound: Bound,
  weekDays: Rational | null,
): { value: Rational; scaled: Comparison['scaled'] } | null | undefined {
  if (amount.unit === null || !COUNTED_DAYS.test(amount.unit) || !COUNTED_DAYS.test(figure.unit))
    return undefined;
  const week = WEEK_IN_TEXT.exec(own)?.[1]?.toLowerCase();
  if (week !== undefined) {
    const days = rational(WEEK_DAYS[week] ?? BigInt(week));
    return weekDays !== null && compare(weekDays, days) === 0 ? { value: figure.value, scaled: null } : null;
  }
  if (figure.unit !== 'werktag' && !/working days|werktag/iu.test(figure.written)) {
    return amount.unit === figure.unit ? { value: figure.value, scaled: null } : null;
  }
  if (!SIX_A_WEEK.test(source.text))
    return amount.unit === 'werktag' ? { value: figure.value, scaled: null } : null;
  if (weekDays === null) {
    const enough = bound === 'min' && compare(amount.value, figure.value) >= 0;
    return amount.unit === 'werktag' || enough ? { value: figure.value, scaled: null } : null;
  }
  const scaled = multiply(figure.value, rational(weekDays.n, weekDays.d * SIX.n));
  if (compare(weekDays, SIX) === 0) return { value: figure.value, scaled: null };
  const agrees = compare(amount.value, figure.value) >= 0 === compare(amount.value, scaled) >= 0;
  // `20 Werktage` at five days a week: which of the two is meant is not certain.
  if (amount.unit === 'werktag' && !agrees) return null;
  return { value: scaled, scaled: { days: weekDays, of: scaled } };
}
