import { addDays, daysIn, type Day } from './calendar.ts';
import { compare, multiply, rational, type Rational } from './rational.ts';
import type { Duration } from './value.ts';

const scaled = (count: Rational, by: bigint): Rational => multiply(count, rational(by));

/**
 * The shortest and the longest length in days: a month has 28 to 31 days, several months as many as the calendar
 * allows.
 */
function daysOf({ count, unit }: Duration): { least: Rational; most: Rational } {
  if (unit === 'day') return { least: count, most: count };
  if (unit === 'week') return { least: scaled(count, 7n), most: scaled(count, 7n) };
  const months = unit === 'year' ? scaled(count, 12n) : count;
  const most = multiply(months, rational(306n, 10n));
  return { least: multiply(months, rational(295n, 10n)), most: months.n <= months.d ? rational(31n) : most };
}

const monthsOf = ({ count, unit }: Duration): Rational | null =>
  unit === 'month' ? count : unit === 'year' ? scaled(count, 12n) : null;

/** Negative if shorter, 0 if equal, positive if longer; `null` if it depends on the calendar. */
export function compareDurations(a: Duration, b: Duration): number | null {
  const [months, others] = [monthsOf(a), monthsOf(b)];
  if (months !== null && others !== null) return compare(months, others);
  const [days, other] = [daysOf(a), daysOf(b)];
  if (compare(days.least, other.most) > 0) return 1;
  if (compare(days.most, other.least) < 0) return -1;
  return compare(days.least, days.most) === 0 && compare(other.least, other.most) === 0 ? 0 : null;
}

/** A day that is later by a duration (or earlier, with `sign` -1); in a shorter month its last day. */
export function shift(day: Day, { count, unit }: Duration, sign: 1 | -1): Day | null {
  if (count.d !== 1n) return null;
  const number = Number(count.n) * sign;
  if (unit === 'day' || unit === 'week') return addDays(day, unit === 'week' ? number * 7 : number);
  const months = day.year * 12 + (day.month - 1) + (unit === 'year' ? number * 12 : number);
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
  return { year, month, day: Math.min(day.day, daysIn(year, month)) };
}
