import type { Language, Source } from '../../kb/knowledge.ts';
import { datesIn } from './figures.ts';
import { daysIn, readDate } from './value.ts';

/** Time for which something holds, days as `YYYY-MM-DD`; `null` where it has no end on that side. */
export interface Span {
  readonly from: string | null;
  readonly to: string | null;
}

export const ALWAYS: Span = { from: null, to: null };

const FROM = /(?:^|[^\p{L}])(?:vom|von|ab|seit|from|since|as of)\s+(?:dem\s+)?(?:zeitraum\s+)?$/iu;
const TO = /(?:^|[^\p{L}])(?:bis|until|to)(?:\s+(?:zum|einschließlich|einschl\.))*\s*$/iu;
const YEARS =
  /(?:in|für)\s+(?:den|die)\s+Jahren?\s+((?:19|20)\d{2})\s+(?:bis|und)\s+((?:19|20)\d{2})|(?<!\p{L})(?:im|für das|in the|for the)\s+(?:Kalender)?(?:jahr|year)\s+((?:19|20)\d{2})|(?<!\p{L})(?:in|für|for)\s+((?:19|20)\d{2})(?![\d.])/giu;

/** The time that a stretch of text gives for what it says: the last one it names; `null` where it names none. */
export function spanIn(text: string, lang: Language): Span | null {
  const dates = datesIn(text, lang);
  for (const [i, date] of dates.entries()) {
    const before = text.slice(0, date.start);
    if (FROM.test(before)) {
      const next = dates[i + 1];
      const until = next !== undefined && TO.test(text.slice(date.end, next.start)) ? next.value : null;
      const from = withYear(date.value, until);
      if (from !== null && (until === null || isFull(until))) return { from, to: until };
    } else if (TO.test(before) && isFull(date.value)) return { from: null, to: date.value };
  }
  const years = [...text.matchAll(YEARS)].at(-1);
  if (years === undefined) return null;
  const [, first, last, year, bare] = years;
  return { from: `${first ?? year ?? bare}-01-01`, to: `${last ?? year ?? bare}-12-31` };
}

const isFull = (date: string): boolean => /^\d/u.test(date);

/** `--01-01` takes the year of the date that ends the span. */
function withYear(date: string, other: string | null): string | null {
  if (isFull(date)) return date;
  return other === null || !isFull(other) ? null : `${other.slice(0, 4)}${date.slice(1)}`;
}

/** The calendar year that a source is for; `ALWAYS` for one that is for no year. */
export function spanOfSource({ year }: Source): Span {
  return year === null ? ALWAYS : { from: `${year}-01-01`, to: `${year}-12-31` };
}

export function meet(a: Span, b: Span): Span {
  const from =
    [a.from, b.from]
      .filter((day) => day !== null)
      .toSorted()
      .at(-1) ?? null;
  const to = [a.to, b.to].filter((day) => day !== null).toSorted()[0] ?? null;
  return { from, to };
}

/** True where some day is in both. */
export function overlaps(a: Span, b: Span): boolean {
  const { from, to } = meet(a, b);
  return from === null || to === null || from <= to;
}

export function dayBefore(day: string): string {
  const date = readDate(day);
  if (date === null || date.day === null) return day;
  if (date.day > 1) return `${day.slice(0, 8)}${String(date.day - 1).padStart(2, '0')}`;
  const [year, month] = date.month === 1 ? [date.year - 1, 12] : [date.year, date.month - 1];
  return lastDay(year, month);
}

export const lastDay = (year: number, month: number): string => isoDay(year, month, daysIn(year, month));

export const isoDay = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
