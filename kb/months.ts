import type { Language } from './source.ts';

/** The beginnings of the names of months in German and English, abbreviated or whole, in lower case. */
const STARTS = [
  /^j(?:an|än)/u,
  /^feb/u,
  /^(?:m[aä]e?r|mrz)/u,
  /^apr/u,
  /^ma[iy]/u,
  /^jun/u,
  /^jul/u,
  /^aug/u,
  /^sep/u,
  /^o[kc]t/u,
  /^nov/u,
  /^de[zc]/u,
];

/** The number of a month from its number or name; 0 for any other text. */
export const monthNumber = (text: string): number =>
  /^\d/u.test(text) ? Number(text) : STARTS.findIndex((start) => start.test(text.toLowerCase())) + 1;

/** The number of a month with two digits. */
export const monthDigits = (text: string): string => String(monthNumber(text)).padStart(2, '0');

/** The names of the months in a language, from Unicode's CLDR. */
export function monthNames(language: Language): string[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2000, month)));
}
