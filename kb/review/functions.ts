import { addDays, compareDays, DAY_MS, daysIn, lastBankingDay, nextWorkday, type Day } from './calendar.ts';
import { shift } from './duration.ts';
import { absolute, compare, equal, multiply, rational, round, subtract, type Rational } from './rational.ts';
import { dateValue, numberValue, truthValue, type RuleValue } from './value.ts';
import {
  PLANS,
  surchargeBase,
  surchargeYear,
  wageTax,
  wageTaxYear,
  type WageTaxCase,
  type WageTaxYear,
} from './wage-tax.ts';

type RuleFunction = (...values: RuleValue[]) => RuleValue | null;

/** The functions for formulas of a review. A function gives `null` for unsuitable values. */
export const FUNCTIONS: Readonly<Record<string, RuleFunction>> = {
  /** Rounded to the cent, from half a cent up (§ 2 BVV). */
  cent: ofNumbers((value) => round(value, 2)),
  /** Rounded down to the cent. */
  cent_down: ofNumbers((value) => downTo(value, rational(1n, 100n))),
  /** Rounded down to a multiple of the second argument. */
  down_to: ofNumbers((value, step = rational(1n)) => (step.n === 0n ? null : downTo(value, step))),
  /** Rounded up if the fraction is at least one half; a smaller fraction is kept. */
  half_up: ofNumbers((value) => {
    const whole = downTo(value, rational(1n));
    const rest = subtract(value, whole);
    return compare(rest, rational(1n, 2n)) >= 0 ? rational(whole.n + 1n) : value;
  }),
  min: ofNumbers((...values) => values.reduce((a, b) => (compare(a, b) <= 0 ? a : b))),
  max: ofNumbers((...values) => values.reduce((a, b) => (compare(a, b) >= 0 ? a : b))),
  one_of: (value, ...others) => {
    if (value?.type === 'choice')
      return truthValue(others.some((other) => other.type === 'choice' && other.choice === value.choice));
    if (value?.type !== 'number') return null;
    return truthValue(others.some((other) => other.type === 'number' && equal(other.number, value.number)));
  },
  /** The one of several correct results that is nearest to the first value. */
  nearest: ofNumbers((value, ...results) => {
    const off = (result: Rational): Rational => absolute(subtract(result, value));
    const [first, ...others] = results;
    return others.reduce<Rational>((a, b) => (compare(off(b), off(a)) < 0 ? b : a), first ?? value);
  }),
  /** Whether two amounts differ by at most the third. */
  near: (one, other, by) =>
    one?.type === 'number' && other?.type === 'number' && by?.type === 'number'
      ? truthValue(compare(absolute(subtract(one.number, other.number)), by.number) <= 0)
      : null,
  /**
   * A condition on facts that only describe how a program writes the slip, such as halves or whole contributions. No
   * result depends on these facts.
   */
  hint: (value) => value ?? null,
  /** A digit of a four-digit code, counted from the left. */
  digit: ofNumbers((value, at = rational(1n)) => {
    const text = String(value.n / value.d).padStart(4, '0');
    return rational(BigInt(text.charAt(Number(at.n) - 1)));
  }),
  /**
   * The days of a month for which contributions are paid: 30 for a whole month, otherwise the calendar days from the
   * first day to the last.
   */
  sv_days: (month, first, last) =>
    month?.type === 'date' && first?.type === 'date' && last?.type === 'date'
      ? numberValue(socialDays(month.day, first.day, last.day))
      : null,
  date: (year, month, day) =>
    [year, month, day].every((value) => value?.type === 'number')
      ? dateValue({ year: wholeOf(year), month: wholeOf(month), day: wholeOf(day) })
      : null,
  /** The number of days in the month of a day. */
  days_in: (day) => (day?.type === 'date' ? numberValue(rational(BigInt(endOfMonth(day.day).day))) : null),
  month_of: (day) => (day?.type === 'date' ? numberValue(rational(BigInt(day.day.month))) : null),
  /** Whole years from one day to another. */
  years_between: (from, to) =>
    from?.type === 'date' && to?.type === 'date' ? numberValue(yearsBetween(from.day, to.day)) : null,
  days_between: (from, to) =>
    from?.type === 'date' && to?.type === 'date'
      ? numberValue(rational(BigInt(Math.round(compareDays(to.day, from.day) / DAY_MS))))
      : null,
  /** The day that is earlier by a duration. */
  before: (day, by) => shifted(day, by, -1),
  after: (day, by) => shifted(day, by, 1),
  days_after: (day, by) =>
    day?.type === 'date' && by?.type === 'number' ? dateValue(addDays(day.day, wholeOf(by))) : null,
  months: (count) =>
    count?.type === 'number' ? { type: 'duration', duration: { count: count.number, unit: 'month' } } : null,
  /**
   * The wage tax of a month by the official programme of a year (2022.5: as changed in June 2022), and the basis of the
   * surcharges.
   */
  lohnsteuer: (...values) => taxOf(values, wageTax),
  zuschlagsteuer_basis: (...values) => taxOf(values, surchargeBase),
  month_end: ofDay(endOfMonth),
  /** The next 15th or last day of a month; the day itself may be it. */
  mid_or_month_end: ofDay((day) => (day.day <= 15 ? { ...day, day: 15 } : endOfMonth(day))),
  next_workday: ofDay(nextWorkday),
  /**
   * The n-th last banking day of the month of `day`. With the holidays of single German states counted
   * (`banking_day`), it is no later than in any state; without them (`banking_day_latest`), it is no earlier.
   */
  banking_day: (day, fromEnd) => bankingDay(day, fromEnd, false),
  banking_day_latest: (day, fromEnd) => bankingDay(day, fromEnd, true),
  /** A day of the next month. */
  day_of_next_month: (day, of) =>
    day?.type === 'date' && of?.type === 'number'
      ? dateValue({ ...addDays(endOfMonth(day.day), 1), day: wholeOf(of) })
      : null,
};

/** The number of arguments of each function: the least and the most, or the exact number. */
export const ARGUMENTS: Readonly<Record<string, readonly [least: number, most?: number]>> = {
  cent: [1],
  cent_down: [1],
  down_to: [1, 2],
  half_up: [1],
  min: [1, Infinity],
  max: [1, Infinity],
  one_of: [2, Infinity],
  nearest: [2, Infinity],
  near: [3],
  hint: [1],
  digit: [1, 2],
  sv_days: [3],
  date: [3],
  days_in: [1],
  month_of: [1],
  years_between: [2],
  days_between: [2],
  before: [2],
  after: [2],
  days_after: [2],
  months: [1],
  lohnsteuer: [11],
  zuschlagsteuer_basis: [11],
  month_end: [1],
  mid_or_month_end: [1],
  next_workday: [1],
  banking_day: [2],
  banking_day_latest: [2],
  day_of_next_month: [2],
};

function taxOf(values: readonly RuleValue[], tax: (of: WageTaxCase) => Rational): RuleValue | null {
  const of = taxCaseOf(values);
  return of === null ? null : numberValue(tax(of));
}

/** The functions for the yearly tax, by the names of the functions for the monthly tax. */
const TAX_YEARS: Readonly<Record<string, (of: WageTaxCase) => WageTaxYear>> = {
  lohnsteuer: wageTaxYear,
  zuschlagsteuer_basis: surchargeYear,
};

/**
 * The calculation of the yearly tax in a call of `lohnsteuer` or `zuschlagsteuer_basis`; `null` for other functions.
 */
export function taxYearOf(name: string, values: readonly RuleValue[]): WageTaxYear | null {
  if (!Object.hasOwn(TAX_YEARS, name)) return null;
  const of = taxCaseOf(values);
  return of === null ? null : TAX_YEARS[name]!(of);
}

/** Reads the arguments in the order that formulas use. */
function taxCaseOf(values: readonly RuleValue[]): WageTaxCase | null {
  const number = (at: number): Rational => {
    const value = values[at];
    return value?.type === 'number' ? value.number : rational(0n);
  };
  const truth = (at: number): boolean => {
    const value = values[at];
    return value?.type === 'truth' && value.truth;
  };
  const chosen = values[1];
  const year = number(0);
  const plan = PLANS[year.d === 1n ? String(year.n) : '2022-06'];
  const taxClass =
    chosen?.type === 'choice' ? ['I', 'II', 'III', 'IV', 'V', 'VI'].indexOf(chosen.choice) + 1 : 0;
  if (plan === undefined || taxClass === 0 || values.length < 11) return null;
  if ([2, 3, 4, 8, 9, 10].some((at) => values[at]?.type !== 'number' || number(at).n < 0n)) return null;
  return {
    plan,
    taxClass,
    pay: number(2),
    allowance: number(3),
    supplement: number(4),
    isSaxony: truth(5),
    isChildless: truth(6),
    isEast: truth(7),
    children: number(8),
    factor: number(9),
    relief: number(10),
    hasPension: true,
  };
}

const wholeOf = (value: RuleValue | undefined): number =>
  value?.type === 'number' ? Number(value.number.n / value.number.d) : NaN;

function ofNumbers(apply: (value: Rational, ...others: Rational[]) => Rational | null): RuleFunction {
  return (...values) => {
    const [first, ...others] = values.flatMap((value) => (value.type === 'number' ? [value.number] : []));
    const number = first === undefined || others.length + 1 < values.length ? null : apply(first, ...others);
    return number === null ? null : numberValue(number);
  };
}

function ofDay(apply: (day: Day) => Day): RuleFunction {
  return (value) => (value?.type === 'date' ? dateValue(apply(value.day)) : null);
}

function socialDays(month: Day, first: Day, last: Day): Rational {
  const end = endOfMonth(month);
  const from = compareDays(first, month) > 0 ? first : month;
  const to = compareDays(last, end) < 0 ? last : end;
  const days = Math.round(compareDays(to, from) / DAY_MS) + 1;
  return rational(BigInt(days >= end.day ? 30 : Math.max(0, days)));
}

function bankingDay(
  day: RuleValue | undefined,
  fromEnd: RuleValue | undefined,
  everywhere: boolean,
): RuleValue | null {
  if (day?.type !== 'date' || fromEnd?.type !== 'number') return null;
  const last = lastBankingDay(day.day.year, day.day.month, wholeOf(fromEnd), everywhere);
  return last === null ? null : dateValue(last);
}

function downTo(value: Rational, step: Rational): Rational {
  const steps = multiply(value, rational(step.d, step.n));
  const whole = steps.n / steps.d - (steps.n < 0n && steps.n % steps.d !== 0n ? 1n : 0n);
  return multiply(rational(whole), step);
}

function shifted(day: RuleValue | undefined, by: RuleValue | undefined, sign: 1 | -1): RuleValue | null {
  if (day?.type !== 'date' || by?.type !== 'duration') return null;
  const at = shift(day.day, by.duration, sign);
  return at === null ? null : dateValue(at);
}

function endOfMonth({ year, month }: Day): Day {
  return { year, month, day: daysIn(year, month) };
}

/**
 * The years between two days. Remaining months and days count as a part of a year, so that `more than half a year` can
 * be tested.
 */
function yearsBetween(from: Day, to: Day): Rational {
  const months = (to.year - from.year) * 12 + (to.month - from.month) - (to.day < from.day ? 1 : 0);
  return rational(BigInt(Math.max(0, months)), 12n);
}
