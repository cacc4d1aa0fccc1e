import { monthDigits, monthNames } from '../months.ts';
import type { Source } from '../source.ts';

const NAMES = new Set((['de', 'en'] as const).flatMap(monthNames).map((name) => name.toLowerCase()));
const YEAR = '(?<year>(?:19|20)\\d{2})';
const DATES = [
  // Dates such as `2021-02-18` and `2021-02`.
  `${YEAR}-(?<month>0[1-9]|1[0-2])(?:-\\d{2})?(?![\\p{N}-])`,
  // Dates such as `18.2.2021` and `02/2021`.
  `(?:\\d{1,2}\\.\\s?)?(?<month>0?[1-9]|1[0-2])[./]\\s?${YEAR}`,
  // Dates such as `18. Februar 2021` and `February 18, 2021`.
  `(?<name>${[...NAMES].join('|')})(?:\\s\\d{1,2}(?:st|nd|rd|th)?,)?\\s${YEAR}`,
  YEAR,
].map((date) => new RegExp(`(?<![\\p{L}\\p{N}.,/-])${date}(?![\\p{L}\\p{N}]|[.,/-]\\p{N})`, 'giu'));

/** The months and years that a text names: `2021-02`, or `2021` where it names no month of that year. */
export function datesIn(text: string): readonly string[] {
  const dates = new Set<string>();
  for (const date of DATES)
    for (const { groups } of text.matchAll(date)) {
      const { year, month, name } = groups as { year: string; month?: string; name?: string };
      const named = month ?? name;
      if (named !== undefined) dates.add(`${year}-${monthDigits(named)}`);
      else if (![...dates].some((known) => known.startsWith(year))) dates.add(year);
    }
  return [...dates];
}

/**
 * Whether the title and headings of a passage name a time that the question asks about, or only other times; `null` if
 * either names no time.
 */
export function isOfTime({ title, section }: Source, asked: readonly string[]): boolean | null {
  const dates = datesIn(`${title} › ${section}`);
  return dates.length === 0 || asked.length === 0
    ? null
    : dates.some((date) => asked.some((one) => date.startsWith(one) || one.startsWith(date)));
}

const OF_MONTHS = /^(?:anfang|mitte|ende|beginning|middle|end)$/iu;

/** Whether a word of a question only says which date it names (`Ende März 2020`). */
export const isOfDate = (word: string, question: string): boolean =>
  (NAMES.has(word.toLowerCase()) || OF_MONTHS.test(word)) && datesIn(question).length > 0;
