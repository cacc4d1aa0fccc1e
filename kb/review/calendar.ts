import type { Language } from '../source.ts';

export const DAY_MS = 86_400_000;
/** Day and month of the holidays in all of Germany. */
const HOLIDAYS = new Set(['1-1', '1-5', '3-10', '25-12', '26-12']);
/**
 * Days on which banks are closed by their collective agreements, so that they are no banking days (joint circular on §
 * 23 SGB IV).
 */
const BANKS_CLOSED = new Set(['24-12', '31-12']);
/** Holidays of some states. */
const SOMEWHERE = new Set(['6-1', '8-3', '15-8', '20-9', '31-10', '1-11']);

export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * The `n`-th last banking day of a month. Banking days are Monday to Friday, except holidays and the last days of the
 * year. With `everywhere` the holidays of single states are ignored, so that the day is no earlier than in any state;
 * without it they all count, so that the day is no later than in any state.
 */
export function lastBankingDay(year: number, month: number, n: number, everywhere: boolean): Day | null {
  let left = n;
  for (let day = daysIn(year, month); day > 0; day--) {
    const isOpen = !BANKS_CLOSED.has(`${day}-${month}`) && isWorkday({ year, month, day }, everywhere);
    if (isOpen && --left === 0) return { year, month, day };
  }
  return null;
}

/** The first working day from a day on, in the state where it comes latest. */
export function nextWorkday(from: Day): Day {
  for (let day = from; ; day = addDays(day, 1)) if (isWorkday(day, false)) return day;
}

/** With `everywhere` a holiday only counts if it is one in all of Germany. */
function isWorkday(day: Day, everywhere: boolean): boolean {
  const weekday = new Date(timeOf(day)).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  const name = `${day.day}-${day.month}`;
  if (HOLIDAYS.has(name) || (!everywhere && SOMEWHERE.has(name))) return false;
  const fromEaster = (timeOf(day) - timeOf(easter(day.year))) / DAY_MS;
  // Days from Easter Sunday: Good Friday, Easter Monday, Ascension Day, Whit Monday; in some states Corpus Christi.
  return ![-2, 1, 39, 50].includes(fromEaster) && (everywhere || fromEaster !== 60);
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
function easter(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return { year, month: Math.floor(f / 31), day: (f % 31) + 1 };
}

export function addDays(day: Day, days: number): Day {
  const date = new Date(timeOf(day) + days * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Whether a day is in the years 1 to 9999. Formulas may shift it beyond either end. */
export const isOnCalendar = ({ year, month, day }: Day): boolean =>
  year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31;

const timeOf = ({ year, month, day }: Day): number => Date.UTC(year, month - 1, day);

/** Negative, 0 or positive if the first day is before, on or after the second. */
export const compareDays = (a: Day, b: Day): number => timeOf(a) - timeOf(b);

/** The number of days in a month of the Gregorian calendar. */
export const daysIn = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

/** A day in the notation of the language: `31.08.2021`. */
export function sayDay({ year, month, day }: Day, language: Language): string {
  const [d, m] = [day, month].map((part) => String(part).padStart(2, '0'));
  return language === 'de' ? `${d}.${m}.${year}` : `${year}-${m}-${d}`;
}
