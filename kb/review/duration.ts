import { addDays, daysIn, type Day } from './calendar.ts';
import { add, compare, multiply, negate, rational, subtract, type Rational } from './rational.ts';
import type { Duration } from './value.ts';

const scaled = (count: Rational, by: bigint): Rational => multiply(count, rational(by));

interface Days {
  readonly least: Rational;
  readonly most: Rational;
}

/** The shortest and the longest length in days. */
function daysOf({ count, unit }: Duration): Days {
  if (unit === 'day') return { least: count, most: count };
  if (unit === 'week') return { least: scaled(count, 7n), most: scaled(count, 7n) };
  const months = unit === 'year' ? scaled(count, 12n) : count;
  if (months.n >= 0n) return daysOfMonths(months);
  const { least, most } = daysOfMonths(negate(months));
  return { least: negate(most), most: negate(least) };
}

/**
 * The days of a number of months. A fraction of a month is the same fraction of 28 days at least, and of 31 days at
 * most.
 */
function daysOfMonths(months: Rational): Days {
  const whole = months.n / months.d;
  const part = subtract(months, rational(whole));
  const { least, most } = daysOfRuns(whole);
  return {
    least: add(rational(least), scaled(part, 28n)),
    most: add(rational(most), scaled(part, 31n)),
  };
}

/** The Gregorian calendar repeats after this many months, which have this many days. */
const CYCLE_MONTHS = 4_800;
const CYCLE_DAYS = 146_097n;

/** The fewest and the most days of this many months in a row, whichever month is the first. */
function daysOfRuns(months: bigint): { least: bigint; most: bigint } {
  const cycles = months / BigInt(CYCLE_MONTHS);
  const rest = Number(months % BigInt(CYCLE_MONTHS));
  const [least, most] = (RUNS[rest] ??= daysWithinCycle(rest));
  return { least: cycles * CYCLE_DAYS + BigInt(least), most: cycles * CYCLE_DAYS + BigInt(most) };
}

/** The fewest and the most days of each number of months within a cycle, calculated once. */
const RUNS: (readonly [least: number, most: number])[] = [];

function daysWithinCycle(months: number): readonly [least: number, most: number] {
  const before = (daysBefore ??= daysBeforeMonths());
  let [least, most] = [Infinity, 0];
  for (let month = 0; month < CYCLE_MONTHS; month++) {
    const days = before[month + months]! - before[month]!;
    least = Math.min(least, days);
    most = Math.max(most, days);
  }
  return [least, most];
}

/** The number of days of two cycles before each of their months; calculated when it is first needed. */
let daysBefore: readonly number[] | undefined;

function daysBeforeMonths(): number[] {
  const before = [0];
  for (let month = 0; month < 2 * CYCLE_MONTHS; month++)
    before.push(before[month]! + daysIn(2000 + Math.floor(month / 12), (month % 12) + 1));
  return before;
}

const monthsOf = ({ count, unit }: Duration): Rational | null =>
  unit === 'month' ? count : unit === 'year' ? scaled(count, 12n) : null;

/** Negative, 0 or positive if the first duration is shorter, equal or longer; `null` if it depends on the calendar. */
export function compareDurations(a: Duration, b: Duration): number | null {
  const [months, others] = [monthsOf(a), monthsOf(b)];
  if (months !== null && others !== null) return compare(months, others);
  const [days, other] = [daysOf(a), daysOf(b)];
  if (compare(days.least, other.most) > 0) return 1;
  if (compare(days.most, other.least) < 0) return -1;
  return compare(days.least, days.most) === 0 && compare(other.least, other.most) === 0 ? 0 : null;
}

/** A day that is later by a duration, or earlier with `sign` -1. If the month is too short, its last day. */
export function shift(day: Day, { count, unit }: Duration, sign: 1 | -1): Day | null {
  if (count.d !== 1n) return null;
  const number = Number(count.n) * sign;
  if (unit === 'day' || unit === 'week') return addDays(day, unit === 'week' ? number * 7 : number);
  const months = day.year * 12 + (day.month - 1) + (unit === 'year' ? number * 12 : number);
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
  return { year, month, day: Math.min(day.day, daysIn(year, month)) };
}
