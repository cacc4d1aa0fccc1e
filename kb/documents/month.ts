const ISO = /^(?<year>\d{4})-(?<month>0[1-9]|1[0-2])(?!\d)/u;
const GERMAN = /^(?:\d{1,2}\.\s?)?(?<month>0?[1-9]|1[0-2])\.(?<year>(?:19|20)\d{2})(?!\d)/u;

/** `YYYY-MM` from the usual forms of a date (`2024-03-01T10:00:00Z`, `1.3.2024`, `03.2024`), else `undefined`. */
export function monthOf(date: string): string | undefined {
  const { year, month } = (ISO.exec(date.trim()) ?? GERMAN.exec(date.trim()))?.groups ?? {};
  return year === undefined || month === undefined ? undefined : `${year}-${month.padStart(2, '0')}`;
}
