import { fold } from '../analysis/analysis.ts';

/** Names of months in German and English, folded, as Unicode's CLDR has them. */
const MONTHS: ReadonlySet<string> = new Set(
  (['de', 'en'] as const).flatMap((lang) => {
    const format = new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, month) => fold(format.format(Date.UTC(2000, month)), lang));
  }),
);

export const namesMonth = (folded: string): boolean => MONTHS.has(folded);
