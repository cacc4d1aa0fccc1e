import { DAY_MS } from '../../events/dates.ts';
import { dayNumber, weekdayOf } from './day-number.ts';

/** How often a table has a bar. */
export interface Rhythm {
  /** The number of bars a year. */
  readonly perYear: number;
  /** The usual longest time between two bars, in days. */
  readonly days: number;
  readonly name: string;
}

const DAILY: Rhythm = { perYear: 252, days: 4, name: 'daily' };
const EVERY_DAY: Rhythm = { perYear: 365, days: 1, name: 'every day of the week' };
/** Rhythms by the median number of days between two bars. */
const SLOWER: readonly (Rhythm & { readonly from: number })[] = [
  { perYear: 1, days: 366, name: 'yearly', from: 200 },
  { perYear: 4, days: 92, name: 'quarterly', from: 60 },
  { perYear: 12, days: 31, name: 'monthly', from: 20 },
  { perYear: 52, days: 7, name: 'weekly', from: 5 },
];

/** The number of newest days from which the rhythm of a whole source is computed. */
export const RHYTHM_DAYS = 250;

/** With fewer days than this there is no rhythm. */
const FEW = 5;
const [SATURDAY, SUNDAY] = [5, 6];
/**
 * The largest share of weekend days in a rhythm of weekdays. Every day of the week would give two in seven; an exchange
 * may open on a weekend by exception.
 */
const WEEKEND_SHARE = 0.05;

/**
 * The rhythm of days in ascending order. It is found from the median distance of two days, which holes do not change.
 * With too few days it is daily.
 */
export function rhythmOf(dates: readonly string[]): Rhythm {
  const days = Float64Array.from(dates, dayNumber);
  const between = days.subarray(1).map((day, at) => Math.round(day - days[at]!));
  const middle = between.toSorted()[Math.floor(between.length / 2)] ?? 0;
  const slower = dates.length < FEW ? undefined : SLOWER.find(({ from }) => middle >= from);
  if (slower !== undefined) return slower;
  const share = (weekday: number): number =>
    days.reduce((count, day) => (weekdayOf(day) === weekday ? count + 1 : count), 0) / days.length;
  return share(SUNDAY) >= WEEKEND_SHARE && share(SATURDAY) >= WEEKEND_SHARE ? EVERY_DAY : DAILY;
}

/** With fewer days than this, holidays weigh too much to count them. */
const COUNTED_DAYS = 90;
/** Holidays take at most this share of the days on which an exchange could open. */
const HOLIDAYS = 0.1;

/**
 * The rhythm of the days, from a first one on, on which an account has a value. Several tables together may have more
 * days than their rhythm, and tables with holes may have fewer; then the actual number a year is used.
 */
export function rhythmOfPoints(dates: readonly string[], from: string | null): Rhythm {
  const points = dates.filter((date) => from === null || date >= from);
  const rhythm = rhythmOf(points.length < FEW ? dates : points);
  const days = (Date.parse(points.at(-1) ?? '') - Date.parse(points[0] ?? '')) / DAY_MS;
  if (!(days >= COUNTED_DAYS)) return rhythm;
  const perYear = Math.round(((points.length - 1) * 365.25) / days);
  const differs = Math.abs(perYear / rhythm.perYear - 1) > HOLIDAYS;
  return differs ? { ...rhythm, perYear, name: 'as many as there are' } : rhythm;
}
