import { addDays, dateOf, DAY_MS } from '../../events/dates.ts';
import { dayNumber, weekdayOf } from './day-number.ts';
import { FIRST_DATE, LAST_DATE, type ReadableBars } from './bar-tables.ts';

/** This many weekdays in a row without any trade are a hole in daily tables, because no exchange closes for so long. */
const HOLE = 10;
/** This many missing bars are a hole in weekly or monthly tables. */
const MISSED_BARS = 2;

/**
 * The first `limit` sessions after one date and up to another: the days on which any ticker traded, and the weekdays of
 * holes in the tables. Time passes in a hole too, as sessions without bars.
 */
export function sessionDates(bars: ReadableBars, after: string, upTo: string, limit: number): string[] {
  // Days before and after the range, so that a hole is recognised even if the range begins or ends in it.
  const known = [bars.dateBack(after, 0) ?? [], bars.dates(after, LAST_DATE, limit)].flat();
  return withHoles(known, bars)
    .filter((date) => date > after && date <= upTo)
    .slice(0, limit);
}

/** The last `limit` sessions before a date, ascending. */
export function sessionDatesBefore(bars: ReadableBars, date: string, limit: number): string[] {
  const known = [...bars.datesBefore(date, limit), ...bars.dates(dayBefore(date), LAST_DATE, 1)];
  return withHoles(known, bars)
    .filter((session) => session < date)
    .slice(-limit);
}

function withHoles(dates: readonly string[], bars: ReadableBars): string[] {
  const hole = Math.max(HOLE, Math.ceil((MISSED_BARS * bars.rhythm().days * 5) / 7));
  return dates.flatMap((date, at) => {
    const before = dates[at - 1];
    return before === undefined || weekdaysBetween(before, date) < hole
      ? [date]
      : [...weekdaysAfter(before, date), date];
  });
}

function weekdaysAfter(after: string, before: string): string[] {
  const found: string[] = [];
  for (let time = Date.parse(after) + DAY_MS; time < Date.parse(before); time += DAY_MS) {
    if (new Date(time).getUTCDay() % 6 !== 0) found.push(dateOf(time));
  }
  return found;
}

/** Mondays to Fridays after one date and before another. */
export function weekdaysBetween(after: string, before: string): number {
  const first = dayNumber(after);
  const days = dayNumber(before) - first - 1;
  const weeks = Math.floor(days / 7);
  let weekdays = weeks * 5;
  for (let day = first + 1 + weeks * 7; day <= first + days; day++) if (weekdayOf(day) < 5) weekdays++;
  return weekdays;
}

export const dayBefore = (date: string): string =>
  date === FIRST_DATE || date > LAST_DATE ? date : addDays(date, -1);
