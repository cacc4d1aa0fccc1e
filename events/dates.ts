export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The date of a time in UTC: `2026-01-15`. */
export const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The date `days` after a date, or before it if `days` is negative. */
export const addDays = (date: string, days: number): string => dateOf(Date.parse(date) + days * DAY_MS);
