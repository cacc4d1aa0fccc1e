import { dateOf, DAY_MS } from '../../../events/dates.ts';

/** The first session, a Monday. */
const FIRST_DAY = Date.UTC(2016, 0, 4);
const LAST_DAY = Date.UTC(9999, 11, 31);

/** The index of the last session: all weekdays up to the year 9999 are sessions. */
export const LAST_SESSION = sessionsThrough(LAST_DAY) - 1;

/** The number of sessions up to a day, including it. */
function sessionsThrough(time: number): number {
  const days = Math.round((time - FIRST_DAY) / DAY_MS) + 1;
  return days <= 0 ? 0 : Math.floor(days / 7) * 5 + Math.min(days % 7, 5);
}

/** The midnight in UTC at which a session's day begins, in milliseconds since 1970. */
export const timeOf = (session: number): number =>
  FIRST_DAY + (Math.floor(session / 5) * 7 + (session % 5)) * DAY_MS;

/** The date of a session, `YYYY-MM-DD`. */
export const dateOfSession = (session: number): string => dateOf(timeOf(session));

/**
 * The first session after a date.
 *
 * @throws {RangeError} for a text that is no date.
 */
export function sessionAfter(date: string): number {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) throw new RangeError(`not a date: ${date}`);
  return sessionsThrough(time);
}
