import { dateOf, DAY_MS } from '../../events/dates.ts';

/** The numbers of dates that were asked for. Parsing a date takes long, and all tables have the same days. */
const known = new Map<string, number>();
/** The most dates that are kept, more than a hundred years of days; beyond that all are forgotten. */
const MOST_KNOWN = 50_000;

/** The number of a day, where 1970-01-01 is 0; NaN for a text that is no date. */
export function dayNumber(date: string): number {
  const found = known.get(date);
  if (found !== undefined) return found;
  const day = Date.parse(date) / DAY_MS;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(date, day);
  return day;
}

const dates = new Map<number, string>();

/** The date of a day's number. It is the same string each time, which saves memory. */
export function dateOfDay(day: number): string {
  const found = dates.get(day);
  if (found !== undefined) return found;
  const date = dateOf(day * DAY_MS);
  if (dates.size >= MOST_KNOWN) dates.clear();
  dates.set(day, date);
  return date;
}

/** The last days that dates were made of, and these dates. */
let made: { readonly days: Int32Array; readonly dates: readonly string[] } | undefined;

/** The dates of days. Tables that follow each other mostly have the same ones, and then share them. */
export function datesOfDays(days: Int32Array): readonly string[] {
  const same = made?.days.length === days.length && made.days.every((day, at) => day === days[at]);
  if (!same) made = { days: days.slice(), dates: Array.from(days, dateOfDay) };
  return made!.dates;
}

/** The weekday of a day's number; Monday is 0. Day 0 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;
